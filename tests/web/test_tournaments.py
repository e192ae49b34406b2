# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments over the API: everybody reads, operators conduct."""

import asyncio
from typing import Any

import pytest

from arena.connections.admission import hash_token, make_token
from tests.web.door import Door
from tests.web.players import connected, first_move
from tests.web.test_match import get

pytestmark = pytest.mark.asyncio(loop_scope="session")

NUMBERS = iter(range(1, 1000))


async def operator(door: Door) -> dict[str, str]:
    """Make an operator and return the headers that show its token."""
    token = make_token()
    door.arena.store.operators.admit(f"operator {next(NUMBERS)}", hash_token(token))
    return {"Authorization": f"Bearer {token}"}


async def post(door: Door, path: str, body: Any, headers: dict[str, str] | None = None) -> tuple[int, Any]:
    """OperatorPost something; returns the status and the answer."""
    async with door.http.post(f"/api/v1{path}", json=body, headers=headers or {}) as response:
        return response.status, await response.json()


def cup(*names: str, **more: Any) -> dict[str, Any]:
    """Describe a tournament."""
    entries = [{"name": name} for name in names]
    return {"name": "Cup", "game": "tictactoe", "format": {"kind": "round-robin"}, "entries": entries} | more


async def test_an_operator_creates_a_tournament_and_it_is_public(door: Door) -> None:
    (one, one_token), (other, other_token) = await door.register(), await door.register()
    headers = await operator(door)
    status, made = await post(door, "/tournaments", cup(one, other, games=2), headers)
    assert (status, made["status"]) == (200, "created")
    path = f"/tournaments/{made['id']}"
    async with connected(door.play_url) as first, connected(door.play_url) as second:
        await first.hello(one_token, ["tictactoe"], ladder=False)
        await second.hello(other_token, ["tictactoe"], ladder=False)
        assert (await post(door, f"{path}/status", {"status": "running"}, headers))[1]["status"] == "running"
        async with asyncio.timeout(600):
            await asyncio.gather(first.play(first_move, 2), second.play(first_move, 2))
    async with asyncio.timeout(600):
        while (shown := await get(door, path, "TournamentView"))["status"] != "finished":  # noqa: ASYNC110  # it has none
            await asyncio.sleep(0.05)
    assert (shown["played"], shown["rounds_planned"]) == (2, 1)
    assert [line["points"] for line in shown["standings"]] == [1, 1], "the first player wins"
    page = await get(door, f"/matches?tournament={made['id']}", "MatchesAnswer")
    assert sorted(match["round"] for match in page["items"]) == ["1.1.1", "1.1.2"]
    listed = await get(door, "/tournaments?limit=1", "TournamentsAnswer")
    assert listed["items"][0]["id"] == made["id"]
    assert (await post(door, f"{path}/status", {"status": "paused"}, headers))[0] == 409
    async with door.http.get(f"/tournaments/{made['id']}") as response:
        assert response.status == 200
        assert "Cup" in await response.text()


async def test_only_operators_create_and_change_tournaments(door: Door) -> None:
    name, bot_token = await door.register()
    for headers in (None, {"Authorization": "Bearer nonsense"}, {"Authorization": f"Bearer {bot_token}"}):
        status, answer = await post(door, "/tournaments", cup(name, "x"), headers)
        assert (status, answer["error"]["code"]) == (401, "not-allowed")
        assert (await post(door, "/tournaments/1/status", {"status": "running"}, headers))[0] == 401
    token = make_token()
    door.arena.store.operators.admit("the clerk", hash_token(token))
    door.arena.store.operators.admit("the clerk", hash_token(make_token()))
    headers = {"Authorization": f"Bearer {token}"}
    assert (await post(door, "/tournaments", cup(name, "x"), headers))[0] == 401, "a token that was replaced"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"entries": []}, "the tournament has no entries"),
        ({"entries": [{"name": "nobody-knows"}, {"name": "nobody-either"}]}, "no bot has the name"),
        ({"game": "halma"}, "not a game of this server"),
        ({"format": {"kind": "melee"}}, "format"),
        ({"format": {"kind": "sprt", "elo0": 5, "elo1": 0}}, "elo0"),
        ({"openings": [{"moves": ["z9"]}]}, "opening 1"),
        ({"seed": -1}, "seed"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_what_cannot_be_is_refused(door: Door, changed: dict[str, Any], why: str) -> None:
    names = [(await door.register())[0] for _ in range(2)]
    status, answer = await post(door, "/tournaments", cup(*names) | changed, await operator(door))
    assert (status, why in answer["error"]["message"]) == (400, True), answer


async def test_withdrawals(door: Door) -> None:
    names = [(await door.register())[0] for _ in range(3)]
    headers = await operator(door)
    _, made = await post(door, "/tournaments", cup(*names), headers)
    path = f"/tournaments/{made['id']}"
    assert (await post(door, f"{path}/withdrawals", {"bot": names[0].upper()}, headers))[0] == 200
    assert (await post(door, f"{path}/withdrawals", {"bot": names[0]}, headers))[0] == 409
    assert (await post(door, f"{path}/withdrawals", {"bot": "stranger"}, headers))[0] == 400
    assert (await post(door, f"{path}/withdrawals", "bot", headers))[0] == 400
    shown = await get(door, path, "TournamentView")
    assert [line["name"] for line in shown["standings"] if line["withdrawn"]] == names[:1]
    assert (await post(door, f"{path}/status", {"status": "cancelled"}, headers))[1]["status"] == "cancelled"


async def test_unknown_tournaments_are_not_found(door: Door) -> None:
    headers = await operator(door)
    assert (await post(door, "/tournaments/9999/status", {"status": "running"}, headers))[0] == 404
    for path in ("/api/v1/tournaments/9999", "/tournaments/9999"):
        async with door.http.get(path) as response:
            assert response.status == 404
    async with door.http.get("/tournaments") as response:
        assert response.status == 200


async def test_an_anonymous_tournament_hides_the_players_until_the_end(door: Door) -> None:
    (one, one_token), (other, other_token) = await door.register(), await door.register()
    headers = await operator(door)
    _, made = await post(door, "/tournaments", cup(one, other, games=2, anonymous=True), headers)
    async with connected(door.play_url) as first, connected(door.play_url) as second:
        await first.hello(one_token, ["tictactoe"], ladder=False)
        await second.hello(other_token, ["tictactoe"], ladder=False)
        await post(door, f"/tournaments/{made['id']}/status", {"status": "running"}, headers)
        async with asyncio.timeout(600):
            match = await first.hear("match")
            seat = match["seat"]
            assert match["players"][seat]["name"] == one
            assert match["players"][1 - seat] == {"name": "", "version": ""}
            await asyncio.gather(first.play(first_move, 2), second.play(first_move, 2))
    assert {over["opponent"]["name"] for over in first.over.values()} == {other}
    assert {over["opponent"]["name"] for over in second.over.values()} == {one}
