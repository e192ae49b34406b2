# SPDX-License-Identifier: GPL-3.0-or-later
"""What a restart leaves: everything that was acknowledged, and matches that go on."""

import asyncio
import contextlib
import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event as Signal
from typing import Any

import pytest

from arena import application
from arena.application import Arena
from arena.connections.admission import hash_token
from arena.protocol.codec import encode, to_spectator
from arena.protocol.watching import Follow, Snapshot
from arena.store import Store, errors
from arena.store.errors import StoreError
from arena.store.matches import Matches
from arena.store.rows import FinishedMatch, NewMatch, StoredMatch
from engine import warm
from engine.game import Game
from engine.match.events import DrawOffered, Event, Moved, decode_event, encode_event
from tests.arena.clock import standing_clock
from tests.arena.conftest import OpenArena
from tests.arena.killed import BOTS
from tests.arena.peers import Carrier, Peer, duel, first_move, left_by_a_restart, until
from tests.databases import database_url
from tests.postgres import end_sessions

__all__ = ["database_url"]

ROOT = Path(__file__).parents[3]
MOVES = 60
"""Moves that are acknowledged before the arena is killed."""


def acknowledged_until_killed(url: str, game: str) -> tuple[dict[tuple[int, int], str], dict[int, str]]:
    """Run an arena in another process, kill it in the middle of play, and return the messages to its bots."""
    accepted: dict[tuple[int, int], str] = {}
    over: dict[int, str] = {}
    command = [sys.executable, "-m", "tests.arena.killed", url, game]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            match line.split():
                case ["accepted", number, ply, move]:
                    accepted[int(number), int(ply)] = move
                case ["over", number, result]:
                    over[int(number)] = result
            if len(accepted) == MOVES:
                os.kill(process.pid, signal.SIGKILL)
    return accepted, over


async def test_kill_minus_nine_loses_nothing_acknowledged_and_counts_nothing_twice(
    database_url: str, open_arena: OpenArena
) -> None:
    accepted, over = await asyncio.to_thread(acknowledged_until_killed, database_url, "tictactoe")
    assert len(accepted) >= MOVES
    if database_url.startswith("postgresql"):
        await asyncio.to_thread(end_sessions, database_url)  # those of the killed arena may still commit
    arena = await open_arena(database_url)
    peers = [Peer(arena) for _ in BOTS]
    for peer, name in zip(peers, BOTS, strict=True):
        await peer.hello(f"token of {name}", ["tictactoe"])
    playing = [asyncio.create_task(peer.play(matches=1000)) for peer in peers]
    await until(lambda: not arena.live)
    for task in playing:
        task.cancel()

    rows = [await arena.store.matches.get(number) for number in sorted({number for number, _ in accepted})]
    moves: dict[tuple[int, int], str] = {}
    for stored in rows:
        assert stored is not None
        events = [decode_event(event.body) for event in stored.events]
        moves |= {(stored.row.id, event.ply - 1): event.move for event in events if isinstance(event, Moved)}
        assert stored.row.status == "finished"
        assert stored.row.result == over.get(stored.row.id, stored.row.result)
    assert accepted.items() <= moves.items()

    finished = await arena.store.matches.page("finished", limit=1000)
    rated = [row for row in finished.items if row.rated and row.result != "*"]
    leaders = (await arena.store.ratings.leaderboard("tictactoe", "bullet")).items
    assert sum(leader.rating_row.games for leader in leaders) == 2 * len(rated)
    assert abs(sum(leader.rating_row.rating - 1500 for leader in leaders)) < 1e-6


async def test_a_graceful_stop_suspends_and_the_match_goes_on_with_its_clocks(open_arena: OpenArena) -> None:
    arena = await open_arena(lag_grace=0.0)
    with standing_clock() as time:
        game = await duel(arena, control="10+0")
        await game.first.next("turn")
        await time.go(0.3)
        game.first.send(type="move", match=game.match, ply=0, move="a1")
        assert (await game.first.next("accepted"))["clock"] == 9700
        await game.second.next("turn")
        await arena.stop()
    arena = await open_arena()
    assert game.match in arena.live
    first, second = Peer(arena), Peer(arena)
    with standing_clock() as time:
        assert (await first.hello(game.first.token, ["tictactoe"]))["matches"] == [game.match]
        state = await first.next("match")
        assert state["clocks"] == [9700, 10_000]
        await time.go(20.0)
        assert {message["type"] for message in first.log} == {"welcome", "match"}, "nobody is asked for a move yet"
        await second.hello(game.second.token, ["tictactoe"])
        turn = await second.next("turn")
        assert (turn["ply"], turn["clocks"]) == (1, [9700, 10_000])
        second.send(type="move", match=game.match, ply=1, move=first_move(turn))
        await asyncio.gather(first.play(), second.play())
    stored = await arena.store.matches.get(game.match)
    assert stored is not None
    assert stored.row.termination == "decided"


async def test_one_answer_to_a_turn_that_two_referees_gave_is_played_and_the_other_is_no_error(
    open_arena: OpenArena,
) -> None:
    arena = await open_arena()
    game = await duel(arena)
    await game.first.next("turn")
    await arena.stop()
    arena = await open_arena()
    first, second = Peer(arena), Peer(arena)
    await first.hello(game.first.token, ["tictactoe"])
    await first.next("match")

    async def answers(move: str, ply: int = 0) -> list[str]:
        """Send a move, and return the types of the messages that come before the answer to a later request."""
        first.send(type="move", match=game.match, ply=ply, move=move)
        first.send(type="sync", match=game.match)
        found = []
        while (message := await first.next("accepted", "error", "match"))["type"] != "match":
            found.append(message["type"])
        return found

    assert await answers("a1") == [], "the other bot is away; this one is asked again"
    assert await answers("a1", ply=2) == ["error"]
    await second.hello(game.second.token, ["tictactoe"])
    await first.next("turn")
    assert await answers("b2") == ["accepted"]
    assert (await second.next("turn"))["last_move"] == "b2"
    assert await answers("a1") == [], "it has answered this turn"
    assert await answers("b2") == ["accepted"]
    assert await answers("a1", ply=1) == ["error"]


async def test_a_match_waits_for_rules_that_do_not_compile_and_goes_on(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await open_arena()
    game = await duel(arena)
    await game.move(game.first, "a1")
    await arena.stop()
    held = Signal()
    load = warm.rules

    def fail(game: Game) -> None:
        if not held.is_set():
            raise OSError(errno.ENOMEM, "Cannot allocate memory")
        load(game)

    monkeypatch.setattr(warm, "rules", fail)
    monkeypatch.setattr(application, "COMPILE_AGAIN", 0.01)
    store = await Store.open(f"sqlite:///{arena.store.file}")
    again = application.Arena(arena.settings, store)
    await again.start()
    try:
        await again.prepared.wait()
        health = await again.health()
        assert (health.ready, again.ready, again.registry.ready) == (False, False, False)
        assert "Cannot allocate memory" in health.problems[0]
        peer = Peer(again)
        assert (await peer.hello(game.first.token, ["tictactoe"]))["matches"] == [game.match], "it waits"
        held.set()
        await until(lambda: again.ready)
        assert game.match in again.live
        assert (await again.health()).problems == []
    finally:
        await again.stop()
        await store.close()
    stored = await game.stored()
    assert (stored.row.status, len(stored.events)) == ("live", 1), "it was not voided"


async def test_a_spectator_follows_on_across_a_restart(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game = await duel(arena)
    for peer, move in (game.first, "a1"), (game.second, "a2"), (game.first, "b1"):
        await game.move(peer, move)
    await arena.stop()
    arena = await open_arena()
    assert game.match in arena.live
    spectator = arena.watch("test")
    spectator.receive(encode(Follow(match=game.match, after=1)))
    snapshot = to_spectator(await anext(Carrier(spectator).frames()))
    assert isinstance(snapshot, Snapshot)
    assert (snapshot.after, [made.move for made in snapshot.moves], snapshot.seen.ply) == (1, ["a2", "b1"], 3)


async def test_a_match_whose_bot_does_not_come_back_is_void_with_the_reason(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game = await duel(arena)
    await game.move(game.first, "a1")
    await arena.stop()
    arena = await open_arena(reconnect_grace=60.0)
    back = Peer(arena)
    await back.hello(game.first.token, ["tictactoe"])
    await back.next("match")
    with standing_clock() as clock:
        await clock.go(60.0)
        over = await back.next("over")
    assert (over["termination"], over["detail"]) == ("void", "the arena restarted and second-0 did not reconnect")


async def test_a_match_of_a_game_that_is_gone_is_void(tmp_path: Path, open_arena: OpenArena) -> None:
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        versions = []
        for name in ("one", "other"):
            bot = await store.bots.add(name, hash_token(name))
            versions.append((await store.bots.version(bot.id, "1")).id)
        gone = NewMatch("ludo", "blitz", "60+0", True, 1, None, (), (versions[0], versions[1]))
        unfit = NewMatch("tictactoe", "blitz", "60+0", True, 1, "nowhere", (), (versions[0], versions[1]))
        matches = [await store.matches.start(gone), await store.matches.start(unfit)]
    arena = await open_arena()
    for number, reason in zip(matches, ("ludo", "nowhere"), strict=True):
        stored = await arena.store.matches.get(number)
        assert stored is not None
        assert (stored.row.termination, stored.row.result) == ("void", "*")
        assert reason in stored.row.detail


@pytest.mark.parametrize("failures", [1, 100])
async def test_a_store_that_fails_meanwhile_keeps_no_arena_from_getting_ready(
    tmp_path: Path, open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    monkeypatch.setattr(errors, "WAITS", (0.01,))
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        versions = []
        for name in ("one", "other"):
            bot = await store.bots.add(name, hash_token(name))
            versions.append((await store.bots.version(bot.id, "1")).id)
        gone = NewMatch("ludo", "blitz", "60+0", True, 1, None, ("1-1", "2-2"), (versions[0], versions[1]))
        match = await store.matches.start(gone)
        events: list[Event] = [Moved(3, 0, "3-3"), DrawOffered(0), Moved(4, 1, "4-4")]
        await store.matches.append(match, list(enumerate(map(encode_event, events))))
    finish, left = Matches.finish, iter(range(failures))

    async def failing(matches: Matches, *arguments: Any, **more: Any) -> FinishedMatch:
        if next(left, None) is not None:
            raise StoreError("the database is locked")
        return await finish(matches, *arguments, **more)

    monkeypatch.setattr(Matches, "finish", failing)
    arena = await open_arena()
    stored = await arena.store.matches.get(match)
    assert stored is not None
    assert (stored.row.status, stored.row.plies) == (("finished", 4) if failures == 1 else ("live", None))


async def test_a_bot_gets_its_match_before_the_game_is_ready(open_arena: OpenArena) -> None:
    arena = await open_arena()
    stored = await left_by_a_restart(arena, ["early", "late"])
    early, late = Peer(arena), Peer(arena)
    assert (await early.hello("early", ["tictactoe"]))["matches"] == [stored.row.id]
    entrant = arena.roster.named("early")
    assert entrant is not None
    assert arena.conductor.free(entrant) == 0
    await arena.conductor.resume(stored, arena.registry.games["tictactoe"])
    assert (await early.next("match"))["match"] == stored.row.id
    assert (await late.hello("late", ["tictactoe"]))["matches"] == [stored.row.id]
    await asyncio.gather(early.play(), late.play())
    assert arena.conductor.matches_of(entrant.bot.id) == []
    assert arena.conductor.free(entrant) == 1


async def test_a_bot_that_is_quicker_than_the_arena_gets_its_match(
    tmp_path: Path, open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await open_arena()
    game = await duel(arena)
    await arena.stop()
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        unfinished, read = store.matches.unfinished, asyncio.Event()

        async def slow() -> list[StoredMatch]:
            await read.wait()
            return await unfinished()

        monkeypatch.setattr(store.matches, "unfinished", slow)
        arena = Arena(arena.settings, store)
        await arena.start()
        early = Peer(arena)
        hello = asyncio.create_task(early.hello(game.first.token, ["tictactoe"]))
        await asyncio.sleep(0.1)
        assert not early.log
        read.set()
        assert (await hello)["matches"] == [game.match]
        await arena.stop()


async def test_a_bot_gets_a_message_when_its_match_cannot_go_on(open_arena: OpenArena) -> None:
    arena = await open_arena()
    stored = await left_by_a_restart(arena, ["early", "late"])
    early = Peer(arena)
    await early.hello("early", ["tictactoe"])
    await arena.conductor.resume(stored, None)
    over = await early.next("over")
    assert (over["match"], over["result"], over["termination"]) == (stored.row.id, "*", "void")
    entrant = arena.roster.named("early")
    assert entrant is not None
    assert arena.conductor.free(entrant) == 1


async def test_the_second_of_a_pair_follows_though_the_arena_was_restarted_in_the_first(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game = await duel(arena, rated=True)
    await arena.stop()
    arena = await open_arena()
    assert game.match in arena.live
    peers = [Peer(arena), Peer(arena)]
    for peer, old in zip(peers, (game.first, game.second), strict=True):
        await peer.hello(old.token, ["tictactoe"])
    ends = await asyncio.gather(*(peer.play(matches=2) for peer in peers))
    second = await arena.store.matches.get(ends[0][1]["match"])
    assert second is not None
    assert second.row.pair == game.match
    assert [side.bot for side in second.row.players] == ["second-0", "first-0"]


async def test_the_second_of_a_pair_is_not_lost_between_the_two(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An arena that comes no further than to tell the first match's end has written the second down already."""
    arena = await open_arena(stop_timeout=0.1)
    game = await duel(arena, rated=True)

    async def never(*arguments: Any, **more: Any) -> Any:
        await asyncio.Event().wait()

    with monkeypatch.context() as killed:
        killed.setattr(Matches, "start", never)
        killed.setattr(Matches, "get", never)
        await asyncio.gather(game.first.play(), game.second.play())
        await arena.stop()
    arena = await open_arena()
    peers = [Peer(arena), Peer(arena)]
    for peer, old in zip(peers, (game.first, game.second), strict=True):
        await peer.hello(old.token, ["tictactoe"])
    await asyncio.gather(*(peer.play() for peer in peers))
    page = await arena.store.matches.page("finished")
    assert [(row.id, row.pair) for row in page.items] == [(game.match + 1, game.match), (game.match, None)]


async def test_stopping_twice_or_at_once_does_no_harm(open_arena: OpenArena) -> None:
    arena = await open_arena(ladder=True)
    await duel(arena, rated=True)
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(arena.stop(), arena.stop())
    assert not arena.live
