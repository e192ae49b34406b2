# SPDX-License-Identifier: GPL-3.0-or-later
"""The search over bots, tournaments and matches."""

import pytest

from arena.connections.admission import hash_token
from tests.web.door import Door
from tests.web.test_match import get
from web.api.search import FOUND

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def found(door: Door, text: str) -> dict[str, list[str]]:
    """Return the names that a search finds."""
    answer = await get(door, f"/search?text={text}", "SearchAnswer")
    return {kind: [each["name"] for each in answer[kind]] for kind in ("bots", "tournaments")}


async def test_bots_and_tournaments_are_found_by_parts_of_their_names(door: Door) -> None:
    for name in ("Xylo_b", "xylophone", "a-xylo", "glass_xylo", "gone-xylo", "xylo-person"):
        await door.arena.store.bots.add(name, hash_token(name), kind="person" if name == "xylo-person" else "own")
    await door.arena.store.bots.remove("gone-xylo")
    cup = await door.arena.store.tournaments.add("Xylo 100% Ärger", "tictactoe", b"{}")
    await door.arena.store.tournaments.become(cup.id, "cancelled")
    assert await found(door, "XYLO") == {
        "bots": ["Xylo_b", "xylophone", "a-xylo", "glass_xylo"],
        "tournaments": ["Xylo 100% Ärger"],
    }
    assert await found(door, "xylo%5F") == {"bots": ["Xylo_b"], "tournaments": []}, "_ is no wildcard"
    assert await found(door, "100%25%20") == {"bots": [], "tournaments": ["Xylo 100% Ärger"]}
    assert await found(door, "%25") == {"bots": [], "tournaments": ["Xylo 100% Ärger"]}, "% is no wildcard"
    assert await found(door, "%20%20") == {"bots": [], "tournaments": []}


async def test_a_search_finds_at_most_a_few_names(door: Door) -> None:
    for number in range(FOUND + 3):
        await door.arena.store.bots.add(f"quagga-{number}", hash_token(f"quagga {number}"))
    assert len((await found(door, "quagga"))["bots"]) == FOUND


@pytest.mark.parametrize("text", ["", "x" * 101])
async def test_a_bad_search_is_refused(door: Door, text: str) -> None:
    async with door.http.get("/api/v1/search", params={"text": text}) as response:
        assert response.status == 400


@pytest.mark.parametrize("text", ["999999999", "%23999999999", "1e3", "٣", "9" * 40, "-1", "0"])
async def test_numbers_of_no_match_find_none(door: Door, text: str) -> None:
    assert (await get(door, f"/search?text={text}", "SearchAnswer"))["match"] is None
