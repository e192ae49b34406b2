# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches by instructions in an arena: the bots that may play them, their stored conditions, and their ends."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from arena.application import Arena
from arena.connections.admission import hash_token
from arena.matches.conductor import Unavailable
from arena.protocol.conditions import Conditions
from arena.store.rows import MatchRow
from arena.tournaments.machine.formats.round_robin import RoundRobin
from engine.match.events import Moved, decode_event
from engine.time_control import TimeControl
from tests.arena.clock import standing_clock
from tests.arena.conftest import OpenArena
from tests.arena.peers import Duel, Message, Peer, register, seat
from tests.arena.tournaments.test_manager import create, over

LIMIT = TimeControl.by_instructions(1_000_000)


def module(digit: str) -> dict[str, Any]:
    """Return the module that a bot's hello names."""
    return {"digest": 64 * digit, "wasmtime": "47.0.0", "machine": 2}


async def hosted(arena: Arena, name: str, digit: str) -> Peer:
    """Connect a bot as the process does that hosts WebAssembly bots."""
    peer = Peer(arena)
    peer.token = await register(arena, name)
    arena.hosted_tokens.add(hash_token(peer.token))
    welcome = await peer.hello(peer.token, ["tictactoe"], module=module(digit))
    assert welcome["type"] == "welcome", welcome
    return peer


async def begun(arena: Arena, *peers: Peer, rated: bool = False) -> Duel:
    """Start a match by instructions of the bots that connected last."""
    first, second = list(arena.roster)[-2:]
    match = await arena.conductor.meet(
        arena.registry.games["tictactoe"], (first, second), kind="ladder", rated=rated, time_control=LIMIT
    )
    return Duel(arena, match, *peers)


async def started(arena: Arena, *, rated: bool = False) -> Duel:
    """Start a match by instructions of two new bots."""
    return await begun(arena, await hosted(arena, "first", "a"), await hosted(arena, "second", "b"), rated=rated)


async def play(peer: Peer, matches: int = 1) -> list[Message]:
    """Play until ``matches`` have ended with a result; return their ends. Moves report 1,000 instructions and more."""
    overs: list[Message] = []
    while len(overs) < matches:
        message = await peer.next("turn", "over")
        if message["type"] == "over":
            overs += [message] if message["result"] != "*" else []
        else:
            move = {"ply": message["ply"], "move": message["legal_moves"][0], "instructions": 1000 + message["ply"]}
            peer.send(type="move", match=message["match"], **move)
    return overs


async def row_of(arena: Arena, number: int) -> MatchRow:
    row = await arena.store.matches.row(number)
    assert row is not None
    return row


async def test_a_pair_by_instructions_is_stored_with_what_it_depends_on(open_arena: OpenArena) -> None:
    game = await started(await open_arena(), rated=True)
    state = await game.first.next("match")
    assert (state["time_control"], state["clocks"]) == ("1M instructions/move", None)
    ends, _ = await asyncio.gather(play(game.first, 2), play(game.second, 2))
    rows = [await row_of(game.arena, end["match"]) for end in ends]
    assert [(row.time_class, row.pair) for row in rows] == [("instructions", None), ("instructions", rows[0].id)]
    assert all(end["rating"] for end in ends)
    conditions = [Conditions.read(row.conditions) for row in rows]
    assert conditions[0] == Conditions((64 * "a", 64 * "b"), "47.0.0", 2)
    assert conditions[1] == conditions[0].swapped
    moves = [decode_event(event.body) for event in (await game.stored()).events]
    plies = [(move.instructions, move.clock) for move in moves if isinstance(move, Moved)]
    assert plies == [(1000 + move.ply - 1, None) for move in moves if isinstance(move, Moved)]
    turn = next(message for message in game.first.log if message["type"] == "turn")
    assert (turn["instructions"], "clocks" in turn) == (1_000_000, False)


@pytest.mark.parametrize(
    ("count", "detail"),
    [
        ({}, "it reported no number of instructions; each move has a limit of 1,000,000 instructions"),
        ({"instructions": 1_000_001}, "it used 1,000,001; each move has a limit of 1,000,000 instructions"),
    ],
)
async def test_a_move_beyond_the_limit_loses(open_arena: OpenArena, count: dict[str, int], detail: str) -> None:
    game = await started(await open_arena())
    await game.first.next("turn")
    game.first.send(type="move", match=game.match, ply=0, move="a1", **count)
    first, _ = await game.over()
    assert (first["score"], first["termination"], first["detail"]) == (0.0, "bad message", detail)


async def test_only_hosted_webassembly_bots_play_by_instructions(open_arena: OpenArena) -> None:
    arena = await open_arena()
    one = await hosted(arena, "hosted", "a")
    # a client from elsewhere could tell any number of instructions
    await seat(arena, "liar", ["tictactoe"], module=module("b"))
    with pytest.raises(Unavailable, match="liar cannot play with an instruction limit; only WebAssembly bots"):
        await begun(arena, one, one)
    one.send(type="challenge", opponent="liar", game="tictactoe", time_control="1M instructions/move")
    refusal = await one.next("error")
    assert refusal["code"] == "challenge-refused"
    assert refusal["message"].startswith("liar cannot play with an instruction limit")


async def test_a_bot_that_is_stuck_ends_the_match_without_a_result(open_arena: OpenArena) -> None:
    arena = await open_arena()
    with standing_clock() as clock:
        game = await started(arena)
        await game.first.next("turn")
        await clock.go(LIMIT.guard - 1)
        assert game.match in arena.live
        await clock.go(1.001)
        first, second = await game.over()
    assert (first["result"], first["detail"]) == ("*", "first gave no move for too long")
    assert second["score"] is None


async def test_a_bot_with_a_new_connection_begins_the_match_again(open_arena: OpenArena) -> None:
    game = await started(await open_arena())
    await game.first.next("turn")
    game.first.send(type="move", match=game.match, ply=0, move="a1", instructions=5)
    await game.second.next("turn")
    game.second.drop()
    second = Peer(game.arena)
    await second.hello(game.second.token, ["tictactoe"], module=module("b"))
    over = await game.first.next("over")
    assert over["result"] == "*"
    assert over["detail"].startswith("second lost its connection; a match by instructions cannot go on")
    ends, _ = await asyncio.gather(play(game.first), play(second))
    again = await row_of(game.arena, ends[0]["match"])
    assert (again.conditions, again.seed) == ((row := await row_of(game.arena, game.match)).conditions, row.seed)


async def test_a_restart_begins_the_match_again(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game = await started(arena)
    await game.first.next("turn")
    game.first.send(type="move", match=game.match, ply=0, move="a1", instructions=5)
    await game.second.next("turn")
    await arena.stop()
    arena = await open_arena()
    peers = Peer(arena), Peer(arena)
    playing = []
    for peer, old, digit in zip(peers, (game.first, game.second), "ab", strict=True):
        arena.hosted_tokens.add(hash_token(old.token))
        await peer.hello(old.token, ["tictactoe"], module=module(digit))
        playing.append(asyncio.create_task(play(peer)))
    (end,), _ = await asyncio.gather(*playing)
    before, again = await row_of(arena, game.match), await row_of(arena, end["match"])
    assert before.detail.startswith("the arena restarted; a match by instructions cannot go on")
    assert (again.result != "*", again.conditions) == (True, before.conditions)


async def test_another_module_does_not_take_the_seat(open_arena: OpenArena) -> None:
    game = await started(await open_arena())
    await game.first.next("turn")
    game.second.drop()
    other = Peer(game.arena)
    await other.hello(game.second.token, ["tictactoe"], module=module("c"))
    # the answer comes after all that the arena sends to a bot that has just connected
    other.send(type="withdraw-challenge", challenge=1)
    await other.next("error")
    assert not any(message["type"] == "match" for message in other.log)
    assert game.match in game.arena.live


async def test_the_ladder_pairs_hosted_bots_by_instructions(open_arena: OpenArena) -> None:
    arena = await open_arena(ladder=True, ladder_instructions="1M")
    peers = [await hosted(arena, name, digit) for name, digit in (("one", "a"), ("two", "b"))]
    # a pair in each class: the ladder takes the class that was not played for longer
    await asyncio.gather(*(play(peer, 4) for peer in peers))
    rows = (await arena.store.matches.page("finished")).items
    assert {row.time_class for row in rows} == {"bullet", "instructions"}
    board = await arena.store.ratings.leaderboard("tictactoe", "instructions")
    assert {line.bot for line in board.items} == {"one", "two"}


async def test_a_tournament_withdraws_a_bot_that_cannot_play_by_instructions(open_arena: OpenArena) -> None:
    """Such a bot loses its games, as an absent one does: its opponents are not at fault."""
    arena = await open_arena()
    peers = [await hosted(arena, name, digit) for name, digit in (("one", "a"), ("two", "b"))]
    await seat(arena, "outsider", ["tictactoe"])
    playing = [asyncio.create_task(play(peer, 2)) for peer in peers]
    names = ("one", "two", "outsider")
    settings: dict[str, Any] = {"games": 2, "rated": True, "time_control": str(LIMIT), "patience": 0.5}
    number = await create(arena, RoundRobin(), names, **settings)
    shown = await over(arena, number)
    await asyncio.gather(*playing)
    assert {line.name: line.withdrawn for line in shown.standings} == {
        "one": None,
        "two": None,
        "outsider": "outsider cannot play with an instruction limit; only WebAssembly bots that this server hosts can",
    }
    outsider = names.index("outsider")
    bouts = [bout for round_ in shown.rounds for bout in round_]
    assert Counter(game.status for bout in bouts for game in bout.games) == {"played": 2, "unplayed": 4}
    lost = [
        (game.score, game.score_second) if outsider == bout.first else (game.score_second, game.score)
        for bout in bouts
        for game in bout.games
        if outsider in (bout.first, bout.second)
    ]
    assert lost == [(0.0, 1.0)] * 4
    rows = await arena.store.tournaments.matches(number)
    assert {(row.time_class, row.rated, row.conditions is None) for row in rows} == {("instructions", True, False)}
