# SPDX-License-Identifier: GPL-3.0-or-later
"""People allow bots to learn from their games, read what they learned, and delete it."""

import asyncio
from typing import Any

import pytest

from arena.features.people.part import PeoplePart
from bots.built_in.library import GameLibrary
from tests.features.accounts.people import PASSWORD, browser, signed_in
from tests.features.people.seats import opponent, resign, sit_down
from tests.web.door import Door

pytestmark = pytest.mark.asyncio(loop_scope="session")


def model_of(player: str) -> dict[str, Any]:
    """Return an opponent model as a bot reports it."""
    tested = {"games": 2, "moves": 40, "hits": 18, "chance": 0.1}
    line = {"seat": 0, "moves": ["11-15"], "games": 7, "score": 0.5}
    return {"player": player, "game": "tictactoe", "games": 10, "lines": [line], "held_out": tested}


async def report(door: Door, token: str, player: str) -> int:
    """Report an opponent model; return the status."""
    headers = {"Authorization": f"Bearer {token}"}
    async with door.http.post("/api/v1/opponent-models", json=model_of(player), headers=headers) as response:
        return response.status


async def test_bots_learn_from_a_person_only_with_permission(door: Door) -> None:
    _, token = await door.register()
    library = GameLibrary(door.play_url, token)
    async with signed_in(door) as (person, name), opponent(door, ["tictactoe"]) as bot:
        mine = f"@{name}"
        assert await person.get("/account/learning") == (200, {"allowed": False, "models": []})
        await resign(door, await sit_down(person, "tictactoe", bot), "tictactoe")
        assert await report(door, token, mine) == 403
        assert not await asyncio.to_thread(library.allowed, mine)
        assert await asyncio.to_thread(library.newer, "tictactoe", mine) == []
        status, answer, _ = await person.post("/account/learning", {"allowed": True})
        assert (status, answer) == (200, {"allowed": True, "models": []})
        assert await asyncio.to_thread(library.allowed, mine)
        assert len(await asyncio.to_thread(library.newer, "tictactoe", mine)) == 1
        assert await asyncio.to_thread(library.lead, "tictactoe", mine, bot) == 0.0
        assert await report(door, token, mine) == 200
        _, answer = await person.get("/account/learning")
        assert [each["model"]["held_out"]["hits"] for each in answer["models"]] == [18]
        status, answer, _ = await person.post("/account/learning", {"allowed": False})
        assert (status, answer) == (200, {"allowed": False, "models": []})
        assert await report(door, token, mine) == 403
        known = await door.arena.store.bots.named(mine)
        assert known is not None
        assert (await person.get(f"/bots/{known.id}/opponent-models"))[1]["items"] == [], "forgotten"


async def test_guests_and_strangers_have_no_setting(door: Door) -> None:
    async with browser(door) as guest:
        assert (await guest.get("/account/learning"))[0] == 401
        assert (await guest.post("/account/learning", {"allowed": True}))[0] == 401
        assert (await guest.get("/people/learning?name=@nobody"))[0] == 404


async def test_a_deleted_account_is_forgotten(door: Door) -> None:
    _, token = await door.register()
    learning = door.arena.part(PeoplePart).learning
    async with signed_in(door) as (person, name):
        await person.post("/account/learning", {"allowed": True})
        assert await report(door, token, f"@{name}") == 200
        known = await door.arena.store.bots.named(f"@{name}")
        assert known is not None
        status, _, _ = await person.post("/account/delete", {"password": PASSWORD})
        assert status == 200
    # what the account's deletion starts, once more and to its end
    await door.arena.part(PeoplePart).records.forget_deleted()
    await learning.forget_removed()
    assert not await learning.consents.given(known.id)
    async with browser(door) as other:
        assert (await other.get(f"/people/learning?name=@{name}"))[0] == 404
