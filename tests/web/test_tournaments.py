# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments over the API: everybody reads, operators conduct."""

import asyncio
from typing import Any

import msgspec
import pytest

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.tournaments.machine.config import Config
from arena.tournaments.machine.events import encode_event
from arena.tournaments.machine.tournament import Tournament
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
    ("changed", "field", "why"),
    [
        ({"name": " "}, "name", "a tournament needs a name"),
        ({"entries": []}, "entries", "the tournament has no entries"),
        ({"entries": [{"name": "nobody-knows"}, {"name": "nobody-either"}]}, "entries", "no bot has the name"),
        ({"entries": [{"bot": "one"}]}, "entries[0]", "unknown field"),
        ({"game": "halma"}, "game", "not a game of this server"),
        ({"games": 0}, "games", "a pairing has 1 to"),
        ({"games": "two"}, "games", "Expected `int`"),
        ({"time_control": "soon"}, "time_control", "soon"),
        ({"format": {"kind": "melee"}}, "format.kind", "melee"),
        ({"format": {"kind": "swiss"}}, "format.rounds", "missing required field"),
        ({"format": {"kind": "swiss", "rounds": 9}}, "format.rounds", "has 1 to 1 rounds"),
        ({"format": {"kind": "round-robin", "cycles": 0}}, "format.cycles", "1 to 100 cycles"),
        ({"format": {"kind": "knockout", "extra": 3}}, "format.extra", "must be even"),
        ({"format": {"kind": "knockout", "third_place": True}}, "format.third_place", "four players"),
        ({"format": {"kind": "gauntlet", "heads": 2}}, "format.heads", "cannot have 2 heads"),
        ({"format": {"kind": "ladder"}}, "entries", "takes at least 3 players"),
        ({"format": {"kind": "sprt", "elo0": 5, "elo1": 0}}, "format.elo1", "elo0"),
        ({"format": {"kind": "sprt", "elo0": 0, "elo1": 5, "alpha": 2}}, "format.alpha", "alpha"),
        ({"format": {"kind": "sprt", "elo0": 0, "elo1": 5}, "games": 4}, "games", "games must be 2"),
        ({"adjudication": {"draw": {"score": 1, "moves": 0}}}, "adjudication.draw", "1 move or more"),
        ({"openings": [{"moves": ["z9"]}]}, "openings", "opening 1"),
        ({"seed": -1}, "seed", "seed"),
        ({"colour": "red"}, None, "colour"),
    ],
)
async def test_invalid_settings_are_refused_by_field(
    door: Door, changed: dict[str, Any], field: str | None, why: str
) -> None:
    names = [(await door.register())[0] for _ in range(2)]
    status, answer = await post(door, "/tournaments", cup(*names) | changed, await operator(door))
    assert (status, why in answer["error"]["message"]) == (400, True), answer
    assert answer["error"].get("field") == field, answer


async def test_operators_read_the_settings_of_a_tournament_for_another_like_it(door: Door) -> None:
    names = [(await door.register())[0] for _ in range(2)]
    headers = await operator(door)
    given = cup(
        *names,
        format={"kind": "round-robin", "cycles": 1, "own_play": False},
        games=4,
        time_control="60+0.5",
        openings=[{"moves": ["a1"]}],
        seed=7,
    )
    _, made = await post(door, "/tournaments", given, headers)
    path = f"/api/v1/tournaments/{made['id']}/settings"
    async with door.http.get(path, headers=headers) as response:
        assert (response.status, await response.json()) == (200, given)
    async with door.http.get(path) as response:
        assert response.status == 401
    assert (await post(door, "/tournaments", given, headers))[0] == 200


async def test_the_walk_of_a_sequential_test_ends_at_its_ratio(door: Door) -> None:
    names = [(await door.register())[0] for _ in range(2)]
    config = msgspec.convert(cup(*names, format={"kind": "sprt", "elo0": 0, "elo1": 30}), Config)
    made, number = await stored(door.arena, config)
    shown, walk = await get(door, f"/tournaments/{number}", "TournamentView"), await walk_of(door, number)
    state = made.config.format.test(made.course)
    assert state is not None
    assert walk["points"][-1] == {"pairs": sum(state.counts), "ratio": state.ratio}
    assert (shown["test"]["ratio"], shown["test"]["pentanomial"]) == (state.ratio, list(state.counts))
    assert (walk["accepted"], walk["bounds"]) == (state.accepted, list(state.bounds))
    _, other = await post(door, "/tournaments", cup(*names), await operator(door))
    async with door.http.get(f"/api/v1/tournaments/{other['id']}/walk") as response:
        assert response.status == 404


async def stored(arena: Arena, config: Config) -> tuple[Tournament, int]:
    """Store a tournament whose first player scored a half or more in most pairs; return it with its number."""
    row = await arena.store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
    made = Tournament(config)
    made.advance()
    for place, due in enumerate(made.due()):
        won = "1-0" if due.seats[0] == 0 else "0-1"
        made.record(due.slot, "1/2-1/2" if place % 3 else won, place + 1)
    await arena.store.tournaments.append(row.id, 0, [encode_event(event) for event in made.events])
    return made, row.id


async def walk_of(door: Door, number: int) -> dict[str, Any]:
    """Return the walk of a tournament's test."""
    found: dict[str, Any] = await get(door, f"/tournaments/{number}/walk", "Walk")
    return found


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
