# SPDX-License-Identifier: GPL-3.0-or-later
"""The second match of a pair is owed to the other side: nobody chooses a colour by leaving."""

import asyncio
from typing import Any

import pytest

from arena.application import Arena
from arena.records.verification import verify
from arena.store.rows import StoredMatch
from tests.arena.clock import standing_clock
from tests.arena.conftest import OpenArena
from tests.arena.peers import Duel, Message, Peer, duel, until

GRACE = 60.0


async def evaded(arena: Arena) -> Duel:
    """Let a new bot, second in the first match of a pair, send its last message and leave; returns once the second
    match is seated.
    """
    game = await duel(arena, rated=True)
    await game.first.next("match")
    game.second.send(type="resign", match=game.match)
    game.second.drop()
    assert (await game.first.next("over"))["termination"] == "resignation"
    assert (await game.first.next("match"))["seat"] == 1
    return game


async def second(game: Duel) -> StoredMatch:
    """Return the second match of the pair as the store has it."""
    stored = await game.arena.store.matches.get(game.match + 1)
    assert stored is not None
    assert stored.row.pair == game.match
    return stored


async def back(game: Duel, games: tuple[str, ...] = ("tictactoe",), **more: Any) -> tuple[Peer, Message]:
    """Let the bot that left connect again; returns it with its welcome."""
    peer = Peer(game.arena)
    return peer, await peer.hello(game.second.token, list(games), **more)


async def test_a_bot_that_leaves_after_the_first_match_plays_the_second_after_its_return(open_arena: OpenArena) -> None:
    game = await evaded(await open_arena())
    newer, welcome = await back(game)
    assert welcome["matches"] == [game.match + 1]
    entrant = game.arena.roster.named("second-0")
    assert entrant is not None
    assert game.arena.conductor.free(entrant) == 0, "the match keeps its place"
    ends = await asyncio.gather(newer.play(), game.first.play())
    assert [end[0]["termination"] for end in ends] == ["decided", "decided"]
    row = (await second(game)).row
    assert [player.bot for player in row.players] == ["second-0", "first-0"]
    assert all(player.rating_after is not None for player in row.players)


async def test_a_bot_that_stays_away_from_the_second_match_loses_it(open_arena: OpenArena) -> None:
    game = await evaded(await open_arena(reconnect_grace=GRACE))
    with standing_clock() as clock:
        await clock.go(GRACE)
        over = await game.first.next("over")
    assert (over["score"], over["termination"]) == (1.0, "disconnect")
    assert over["detail"] == "second-0 did not connect for the second match of the pair within 60 s"
    stored = await second(game)
    row = stored.row
    assert (row.result, row.rated, row.plies) == ("0-1", True, len(row.opening)), "no move was made"
    assert row.players[0].rating_after is not None
    assert "turn" not in [message["type"] for message in game.first.log if message.get("match") == row.id]
    assert (await game.arena.store.audit(verify)).findings == []


@pytest.mark.parametrize(
    ("games", "more"), [(("nim",), {}), (("tictactoe",), {"version": "2"})], ids=["game", "version"]
)
async def test_a_bot_that_returns_with_another_version_is_absent(
    open_arena: OpenArena, games: tuple[str, ...], more: dict[str, str]
) -> None:
    game = await evaded(await open_arena(reconnect_grace=GRACE))
    other, welcome = await back(game, games, **more)
    assert welcome["matches"] == [game.match + 1]
    error = await other.next("error")
    assert (error["code"], error["match"]) == ("absent", game.match + 1)
    other.send(type="resign", match=game.match + 1)
    with standing_clock() as clock:
        await clock.go(GRACE)
        over = await game.first.next("over")
    assert (over["score"], over["termination"]) == (1.0, "disconnect")
    row = (await second(game)).row
    assert [player.version for player in row.players] == ["1", "1"]


async def test_a_bot_that_returns_with_its_version_plays(open_arena: OpenArena) -> None:
    game = await evaded(await open_arena())
    other, _ = await back(game, version="2")
    await other.next("error")
    newer, _ = await back(game)
    ends = await asyncio.gather(newer.play(), game.first.play())
    assert ends[0][0]["termination"] == "decided"


async def test_a_bot_that_returns_with_another_version_is_absent_from_the_second_match(
    open_arena: OpenArena,
) -> None:
    game = await duel(await open_arena(reconnect_grace=GRACE), rated=True)
    newer = Peer(game.arena)
    await newer.hello(game.second.token, ["tictactoe"], version="2")
    await newer.next("match")
    newer.send(type="resign", match=game.match)
    assert (await newer.next("error"))["code"] == "absent"
    with standing_clock() as clock:
        await clock.go(GRACE)
        await game.first.next("over")
        over = await game.first.next("over")
    assert (over["match"], over["termination"]) == (game.match + 1, "disconnect")


async def test_when_both_stay_away_the_second_match_is_void(open_arena: OpenArena) -> None:
    game = await evaded(await open_arena(reconnect_grace=GRACE))
    game.first.drop()
    with standing_clock() as clock:
        await clock.go(GRACE)
        while game.arena.live:  # no bot is connected, and time stands still
            await asyncio.to_thread(lambda: None)
    row = (await second(game)).row
    assert (row.result, row.termination) == ("*", "void")


async def test_a_restart_of_the_arena_is_no_absence(open_arena: OpenArena) -> None:
    game = await evaded(await open_arena())
    await game.arena.stop()
    arena = await open_arena(reconnect_grace=GRACE)
    assert game.match + 1 in arena.live
    peer = Peer(arena)
    await peer.hello(game.first.token, ["tictactoe"])
    await peer.next("match")
    with standing_clock() as clock:
        await clock.go(GRACE)
        over = await peer.next("over")
    assert (over["termination"], over["detail"]) == ("void", "the arena restarted and second-0 did not reconnect")


async def test_a_first_match_without_a_result_owes_nothing(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(), rated=True)
    assert game.arena.abort(game.match, "by hand")
    game.second.drop()
    await game.first.next("over")
    await until(lambda: not game.arena.live)
    assert await game.arena.store.matches.get(game.match + 1) is None
