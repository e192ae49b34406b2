# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot that the arena hosts loses no rating for want of a processor, and one that thinks for too long does."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.application import Arena
from arena.hosting import processor_time
from arena.hosting.processor_time import RunQueue
from arena.hosting.processors import LONGEST
from arena.matches.new_match import REPLAYS
from arena.records.verification import verify
from engine.time_control import TimeControl
from tests.arena.clock import StandingClock, standing_clock
from tests.arena.conftest import OpenArena
from tests.arena.peers import Duel, Message, Peer, seat, until

PROCESS = 4_194_304 + 1
"""A number that no process has."""


class Starved:
    """The run queue of a process that waits for processors as a test says."""

    seconds = 0.0

    def __init__(self, _: int) -> None:
        Starved.seconds = 0.0

    def waited(self) -> float:
        """Return how long it has waited so far."""
        return Starved.seconds

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def starved(monkeypatch: pytest.MonkeyPatch) -> type[Starved]:
    """Let hosted bots wait for a processor for as long as is written here."""
    monkeypatch.setattr(processor_time, "RunQueue", Starved)
    return Starved


@pytest.fixture
def sleeper() -> Iterator[int]:
    """A process that asks for no processor."""
    text = "print('ready', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        while state(process.pid) != "S":  # it has the text for us out, and may not wait for its input yet
            time.sleep(0.01)  # the kernel tells of no change of a state
        yield process.pid
        process.kill()


def state(pid: int) -> str:
    """Return the state of a process as Linux tells it; "S" where nobody tells: it sleeps."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "S"


async def hosted_duel(arena: Arena, *, pid: int = PROCESS, control: str = "5+0", rated: bool = True) -> Duel:
    """Start a match in which the second bot is hosted, and let the first one move if the opening leaves it to it."""
    number = len(arena.roster)
    names = [f"first-{number}", f"second-{number}"]
    first, second = [await seat(arena, name, ["tictactoe"]) for name in names]
    one, other = map(arena.roster.named, names)
    assert one is not None
    assert other is not None
    arena.processor_time.settle(pid, [other.bot.id])
    match = await arena.conductor.meet(
        arena.registry.games["tictactoe"],
        (one, other),
        kind="challenge",
        rated=rated,
        time_control=TimeControl.parse(control),
    )
    await first_moves(first, second)
    return Duel(arena, match, first, second)


async def first_moves(first: Peer, second: Peer) -> None:
    """Let the first bot of a new match move if it is its turn, so that the second is to move."""
    if (await second.next("match"))["to_move"] == 0:
        await move(first)


async def second_to_move(
    arena: Arena, *, pid: int = PROCESS, control: str = "5+0", rated: bool = True
) -> tuple[Duel, Message]:
    """Do the same, and wait for the turn of the second bot."""
    game = await hosted_duel(arena, pid=pid, control=control, rated=rated)
    return game, await game.second.next("turn")


def answer(peer: Peer, turn: Message) -> None:
    """Make a legal move."""
    peer.send(type="move", match=turn["match"], ply=turn["ply"], move=turn["legal_moves"][0])


async def move(peer: Peer) -> None:
    """Wait for a turn, and make a legal move."""
    answer(peer, await peer.next("turn"))
    await peer.next("accepted")


def told(peer: Peer) -> list[str]:
    """Return the types of all messages that a bot was sent."""
    return [message["type"] for message in peer.log]


async def ended(clock: StandingClock, peer: Peer) -> Message:
    """Return the end of a match, while time stands still."""
    async with asyncio.timeout(600):
        while "over" not in told(peer):
            await clock.go(0.0)
            await asyncio.to_thread(lambda: None)  # the store works in a thread
    return await peer.next("over")


async def test_a_hosted_bot_that_had_no_processor_loses_nothing_and_plays_again(
    open_arena: OpenArena, starved: type[Starved]
) -> None:
    arena = await open_arena(lag_grace=0.0)
    with standing_clock() as clock:
        game, turn = await second_to_move(arena)
        starved.seconds += 3.0
        await clock.go(5.002)
        await clock.go(1.0)
        assert "over" not in told(game.second), "the arena is later than the bot"
        answer(game.second, turn)
        over = await ended(clock, game.second)
    assert (over["termination"], over["score"], over.get("rating")) == ("void", None, None)
    assert over["detail"].endswith("waited 3.00 s for a processor of the arena, and overstepped its time by 1.00 s")
    await game.first.next("over")
    again = (await game.first.next("match"))["match"]
    ends = await asyncio.gather(game.first.play(matches=2), game.second.play(matches=2))
    assert [end["termination"] for end in ends[0]] == ["decided", "decided"]
    rows = [
        stored.row for number in (game.match, again, again + 1) if (stored := await arena.store.matches.get(number))
    ]
    one, other = [player.bot for player in rows[0].players]
    assert [[player.bot for player in row.players] for row in rows] == [[one, other], [one, other], [other, one]]
    assert [row.pair for row in rows] == [None, None, again]
    assert {row.opening for row in rows} == {rows[0].opening}
    assert [[player.rating_after is None for player in row.players] for row in rows] == [
        [True, True],
        [False, False],
        [False, False],
    ]
    assert (await arena.store.audit(verify)).findings == []


@pytest.mark.parametrize("waited", [0.0, 0.4, 3.0])
async def test_a_hosted_bot_that_thinks_for_longer_than_it_was_kept_waiting_loses(
    open_arena: OpenArena, starved: type[Starved], waited: float
) -> None:
    arena = await open_arena(lag_grace=0.0)
    with standing_clock() as clock:
        game, _ = await second_to_move(arena)
        starved.seconds += waited
        await clock.go(5.002)
        if waited:
            await clock.go(waited - 0.1)
            assert "over" not in told(game.second)
            await clock.go(0.2)
        over = await ended(clock, game.second)
    assert (over["termination"], over["score"]) == ("time", 0.0)
    assert over["rating"]["after"] < over["rating"]["before"]


async def test_a_bot_that_sleeps_over_its_time_loses_however_busy_the_machine_is(
    open_arena: OpenArena, sleeper: int
) -> None:
    game, _ = await second_to_move(await open_arena(lag_grace=0.0), pid=sleeper, control="170+0 v 1+0")
    over = await game.second.next("over")
    assert (over["termination"], over["score"]) == ("time", 0.0)
    assert over["rating"]["after"] < over["rating"]["before"]


async def test_a_bot_that_runs_elsewhere_is_not_excused(open_arena: OpenArena, starved: type[Starved]) -> None:
    arena = await open_arena(lag_grace=0.0)
    with standing_clock() as clock:
        game, turn = await second_to_move(arena)
        answer(game.second, turn)
        await game.first.next("turn")
        starved.seconds += 100.0
        await clock.go(5.002)
        over = await ended(clock, game.first)
    assert (over["termination"], over["score"]) == ("time", 0.0)


async def test_a_match_is_played_again_so_often_and_no_more(open_arena: OpenArena, starved: type[Starved]) -> None:
    arena = await open_arena(lag_grace=0.0, reconnect_grace=20.0)
    with standing_clock() as clock:
        game, _ = await second_to_move(arena)
        for replay in range(REPLAYS + 1):
            if replay:
                await first_moves(game.first, game.second)
                await game.second.next("turn")
            starved.seconds += 1000.0
            await clock.go(5.002)
            await clock.go(19.9)
            assert told(game.second).count("over") == replay
            await clock.go(0.2)
            over = await game.second.next("over")
            assert over["termination"] == "void"
        await game.first.next("over")
        while arena.live:  # nobody tells of it, and time stands still
            await asyncio.to_thread(lambda: None)
    assert told(game.second).count("match") == REPLAYS + 1


async def test_the_clock_of_a_hosted_bot_starts_when_there_is_a_processor_for_it(open_arena: OpenArena) -> None:
    arena = await open_arena(lag_grace=0.0, searches=1)
    with standing_clock() as clock:
        one, turn = await second_to_move(arena, rated=False)
        other = await hosted_duel(arena, rated=False)
        assert arena.processor_time.cores.waiting == 1
        await clock.go(LONGEST / 2)
        assert "turn" not in told(other.second)
        answer(one.second, turn)
        assert (await other.second.next("turn"))["clocks"] == [5000, 5000], "its time did not run"
        assert arena.processor_time.cores.waiting == 0


async def test_a_turn_that_takes_long_holds_up_no_other(open_arena: OpenArena) -> None:
    arena = await open_arena(lag_grace=0.0, searches=1)
    with standing_clock() as clock:
        one, _ = await second_to_move(arena, rated=False)
        other = await hosted_duel(arena, rated=False)
        await clock.go(LONGEST)
        await other.second.next("turn")
        assert "over" not in told(one.second)


async def test_the_end_of_a_match_gives_its_processor_back(open_arena: OpenArena) -> None:
    arena = await open_arena(searches=1)
    with standing_clock():
        one, _ = await second_to_move(arena, rated=False)
        two, three = [await hosted_duel(arena, rated=False) for _ in range(2)]
        assert arena.processor_time.cores.waiting == 2
        two.first.send(type="resign", match=two.match)
        await two.second.next("over")
        assert arena.processor_time.cores.waiting == 1, "a turn that ended is left out of the queue"
        one.first.send(type="resign", match=one.match)
        await three.second.next("turn")


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="this system does not report waiting times")
async def test_the_wait_of_a_process_is_read_from_the_system(sleeper: int) -> None:
    idle = RunQueue(sleeper)
    idle.waited()
    processor = min(os.sched_getaffinity(0))
    text = f"import os\nos.sched_setaffinity(0, [{processor}])\nwhile True: pass"
    busy = [await asyncio.create_subprocess_exec(sys.executable, "-c", text) for _ in range(2)]
    try:
        queues = [RunQueue(process.pid) for process in busy]
        assert all(queue.waited() == 0.0 for queue in queues), "it counts from the first look on"
        await until(lambda: all(queue.waited() > 0.05 for queue in queues))
        assert idle.waited() == 0.0
    finally:
        for process in busy:
            process.kill()
            await process.wait()
    before = queues[0].waited()
    assert queues[0].waited() == before > 0.05, "the waiting time stays after the end of the process"
    for queue in (*queues, idle):
        queue.close()
