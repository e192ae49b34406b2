# SPDX-License-Identifier: GPL-3.0-or-later
"""The grace of built-in bots begins when they are ready: a restart that compiles for long voids nothing."""

import asyncio
from dataclasses import dataclass

import pytest

from arena.application import Arena
from arena.hosting.readiness import FAILURES, LONGEST, STALLED
from arena.protocol.orders import HostProgress
from arena.store.rows import MatchRow
from tests.arena.clock import StandingClock, standing_clock
from tests.arena.conftest import OpenArena
from tests.arena.peers import Peer, register, until

GRACE = 60.0
SOON = 600.0
"""Seconds, between two words of progress."""
BUILT_IN = ("play", "random")

WARMING = HostProgress(warming="chess: searchers 1/8")
SETTLED = HostProgress(settled=True)


@dataclass
class Left:
    """A match of two bots that a restart left."""

    arena: Arena
    match: int
    tokens: tuple[str, str]

    async def row(self) -> MatchRow:
        """Return the match as the store has it."""
        stored = await self.arena.store.matches.get(self.match)
        assert stored is not None
        return stored.row

    async def voided(self) -> str:
        """Wait until the match is void, and return why."""
        await until(lambda: not self.arena.live)
        row = await self.row()
        assert (row.result, row.termination) == ("*", "void")
        return row.detail

    async def come(self, games: list[str], bots: tuple[int, ...] = (0, 1)) -> list[Peer]:
        """Let its bots connect."""
        peers = []
        for bot in bots:
            peer = Peer(self.arena)
            assert (await peer.hello(self.tokens[bot], games))["matches"] == [self.match]
            peers.append(peer)
        return peers


async def left(open_arena: OpenArena, kinds: tuple[str, str] = ("built-in", "built-in"), **settings: str) -> Left:
    """Begin a match, and restart the arena."""
    arena = await open_arena(**settings)
    peers, tokens = [Peer(arena), Peer(arena)], []
    for peer, name, kind in zip(peers, BUILT_IN, kinds, strict=True):
        tokens.append(await register(arena, name, kind))
        await peer.hello(tokens[-1], ["tictactoe"])
    one, other = (arena.roster.named(name) for name in BUILT_IN)
    assert one is not None
    assert other is not None
    match = await arena.conductor.meet(arena.registry.games["tictactoe"], (one, other), kind="ladder", rated=False)
    await peers[0].next("turn")
    await arena.stop()
    arena = await open_arena(**settings)
    assert match in arena.live
    await asyncio.sleep(0)  # its task begins to wait for its bots
    return Left(arena, match, (tokens[0], tokens[1]))


async def warm_up(clock: StandingClock, arena: Arena, seconds: float) -> None:
    """Let time pass in which the built-in bots compile."""
    for _ in range(int(seconds / SOON)):
        await clock.go(SOON)
        arena.hosting.heard("built-in", WARMING)
        await clock.go(0.0)


async def test_a_match_waits_for_built_in_bots_that_compile_and_goes_on(open_arena: OpenArena) -> None:
    game = await left(open_arena)
    with standing_clock() as clock:
        game.arena.hosting.declare({"built-in": BUILT_IN})
        await warm_up(clock, game.arena, 3000.0)
        assert game.match in game.arena.live
        game.arena.hosting.heard("built-in", SETTLED)
        await clock.go(GRACE / 2)
        assert game.match in game.arena.live
    peers = await game.come(["tictactoe"])
    ends = await asyncio.gather(*(peer.play() for peer in peers))
    assert {end[0]["termination"] for end in ends} == {"decided"}


async def test_the_grace_begins_when_they_are_ready(open_arena: OpenArena) -> None:
    game = await left(open_arena)
    with standing_clock() as clock:
        game.arena.hosting.declare({"built-in": BUILT_IN})
        await warm_up(clock, game.arena, SOON)
        game.arena.hosting.heard("built-in", SETTLED)
        await clock.go(GRACE - 1)
        assert game.match in game.arena.live
        await clock.go(1)
    assert await game.voided() == "the arena restarted and play and random did not reconnect"


async def test_the_grace_begins_an_hour_later_at_the_latest(open_arena: OpenArena) -> None:
    game = await left(open_arena)
    with standing_clock() as clock:
        game.arena.hosting.declare({"built-in": BUILT_IN})
        await warm_up(clock, game.arena, LONGEST)
        assert game.match in game.arena.live
        await clock.go(GRACE)
    assert "did not reconnect" in await game.voided()


async def test_the_grace_begins_when_nothing_is_compiled_any_more(open_arena: OpenArena) -> None:
    game = await left(open_arena)
    with standing_clock() as clock:
        game.arena.hosting.declare({"built-in": BUILT_IN})
        await warm_up(clock, game.arena, SOON)
        await clock.go(STALLED)
        assert game.match in game.arena.live
        await clock.go(GRACE)
    assert "did not reconnect" in await game.voided()


@pytest.mark.parametrize("why", ["not started", "switched off", "not wanted", "fails"])
async def test_the_grace_of_a_bot_that_will_not_come_ends_at_once(open_arena: OpenArena, why: str) -> None:
    game = await left(open_arena)
    hosting = game.arena.hosting
    with standing_clock() as clock:
        hosting.declare(
            {"built-in": [] if why == "not started" else BUILT_IN}, BUILT_IN[:1] if why == "not started" else ()
        )
        match why:
            case "switched off":
                hosting.hosts("built-in", BUILT_IN[1:])
            case "not wanted":
                hosting.heard("built-in", HostProgress(left="play"))
            case "fails":
                for _ in range(FAILURES - 1):
                    hosting.heard("built-in", HostProgress(ended=True))
                await clock.go(GRACE)
                assert game.match in game.arena.live, "it may be ready next time"
                hosting.heard("built-in", HostProgress(ended=True))
        await clock.go(0.0)
    absent = "play and random" if why == "fails" else "play"
    assert await game.voided() == f"the arena restarted and {absent} did not reconnect"


async def test_a_process_that_was_ready_may_end_as_often_as_it_likes(open_arena: OpenArena) -> None:
    game = await left(open_arena)
    with standing_clock() as clock:
        game.arena.hosting.declare({"built-in": BUILT_IN})
        for _ in range(2 * FAILURES):
            game.arena.hosting.heard("built-in", SETTLED)
            game.arena.hosting.heard("built-in", HostProgress(ended=True))
        await clock.go(GRACE)
        assert game.match in game.arena.live


async def test_a_bot_of_somebody_else_is_waited_for_as_ever(open_arena: OpenArena) -> None:
    game = await left(open_arena, ("built-in", "own"))
    with standing_clock() as clock:
        game.arena.hosting.declare({"built-in": BUILT_IN[:1]}, BUILT_IN[1:])
        await clock.go(GRACE - 1)
        assert game.match in game.arena.live, "its name is a built-in bot's that is switched off"
        await clock.go(1)
    assert await game.voided() == "the arena restarted and random did not reconnect"


async def test_a_built_in_bot_plays_on_only_when_it_is_ready_for_the_game(open_arena: OpenArena) -> None:
    game = await left(open_arena, games="tictactoe,nim")
    early = await game.come(["nim"])
    peers = await game.come(["nim", "tictactoe"])
    assert {message["type"] for peer in early for message in peer.log} <= {"welcome", "goodbye", "closed"}
    assert (await peers[0].next("match", "turn"))["type"] == "match"
    ends = await asyncio.gather(*(peer.play() for peer in peers))
    assert {end[0]["termination"] for end in ends} == {"decided"}


async def test_no_tournament_withdraws_a_bot_that_gets_ready(open_arena: OpenArena) -> None:
    arena = await open_arena()
    arena.hosting.declare({"built-in": BUILT_IN})
    assert arena.hosting.getting_ready("play")
    arena.hosting.heard("built-in", SETTLED)
    assert not arena.hosting.getting_ready("play")
    assert not arena.hosting.getting_ready("somebody")
