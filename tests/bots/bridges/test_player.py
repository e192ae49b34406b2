# SPDX-License-Identifier: GPL-3.0-or-later
"""Outside engines as bots, against engines made to misbehave: what becomes of the match, of the next, and of the
engine's processes.
"""

import asyncio
import os
import re
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.bot import DECIDED, Bot, Reply, Turn
from bots.bridges import process
from bots.bridges.player import MARGIN, EngineBot, EngineMaker
from bots.bridges.process import EngineFailed
from bots.bridges.spec import parse
from bots.local import Entrant, play
from bots.testing import Positions, Recorded, check_bot
from engine.games import find
from engine.match.ending import Ending, Termination
from engine.match.events import Info
from engine.match.machine import Match
from engine.time_control import TimeControl
from tests.arena.peers import until

CHESS = find("chess")
WORKER = "PYTEST_XDIST_WORKER"
"""Set in the environment of each worker of a parallel run."""
FAKE = Path(__file__).with_name("fake_engine.py")


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let engines start slowly, on a machine that is busy with other things."""
    monkeypatch.setattr(process, "START_WITHIN", 600.0)
    monkeypatch.setattr(process, "READY_WITHIN", 600.0)


def fake(language: str, behaviour: str, log: Path | None = None, more: str = "limit.seconds=0.05") -> EngineMaker:
    """Make bots of the engine that misbehaves."""
    command = [sys.executable, "-I", "-S", str(FAKE), language, behaviour, *([str(log)] if log else [])]
    return EngineMaker(parse(f"{language}:{shlex.join(command)} name=fake {more}"))


class Lines(Bot):
    """Plays moves from a list, then gives up by playing none."""

    def __init__(self, *moves: str) -> None:
        self.moves = list(moves)

    def move(self, turn: Turn) -> str:
        return self.moves.pop(0) if self.moves else "done"


def against(maker: Callable[[], Bot], *moves: str, seat: int = 0, **options: object) -> Match:
    """Play the engine's bot against a list of moves."""
    entrants = [Entrant("engine", maker), Entrant("lines", lambda: Lines(*moves))]
    first, second = entrants[::-1] if seat else entrants
    return asyncio.run(play(CHESS, (first, second), **options))  # type: ignore[arg-type]  # options of several types


def alive(*words: str) -> list[int]:
    """Return the processes whose command line has all these words, without those of other workers of a parallel run."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            command = (path / "cmdline").read_bytes().decode(errors="replace").split("\0")
            environment = (path / "environ").read_bytes()
            # one that ends between the two reads has no environment any more
            if set(words) <= set(command) and environment and worker(environment) in {None, os.environ.get(WORKER)}:
                found.append(int(path.name))
        except OSError:
            continue
    return found


def worker(environment: bytes) -> str | None:
    """Return the worker whose test started a process; None if its environment does not say."""
    for entry in environment.decode(errors="replace").split("\0"):
        name, _, value = entry.partition("=")
        if name == WORKER:
            return value
    return None


def test_moves_scores_and_lines_come_through() -> None:
    match = against(fake("uci", "play"), "e7e5")
    assert [moved.move for moved in match.moves] == ["e2e4", "e7e5", "g1f3"]
    assert match.moves[0].info == Info(score=0.34, depth=9, nodes=5678, pv=("e2e4",))
    assert match.ending == Ending("1-0", Termination.ILLEGAL_MOVE, "'done' is not a legal move here")
    assert against(fake("uci", "mate")).moves[0].info == Info(score=DECIDED, depth=9, nodes=5678, pv=("e2e4",))


def test_xboard_engines_are_understood() -> None:
    match = against(fake("xboard", "play"), "e2e4", seat=1)
    assert [moved.move for moved in match.moves] == ["e2e4", "e7e5"]
    assert match.moves[1].info == Info(score=-0.25, depth=7, nodes=4321, pv=("e7e5",))
    assert against(fake("xboard", "resign")).ending == Ending("0-1", Termination.RESIGNATION)
    offered = against(fake("xboard", "offer"), "e7e5")
    assert any(type(event).__name__ == "DrawOffered" for event in offered.events)


def test_an_xboard_engine_without_ping_and_setboard_plays_from_the_usual_start(tmp_path: Path) -> None:
    log = tmp_path / "log"
    match = against(fake("xboard", "old", log), "e2e4", seat=1)
    assert [moved.move for moved in match.moves] == ["e2e4", "e7e5"]
    told = log.read_text("utf-8").splitlines()
    assert "e2e4" in told
    assert not [line for line in told if line.startswith(("ping", "setboard", "usermove"))]
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"
    why = "EngineFailed: fake: it plays from the usual start only, as it does not know setboard"
    assert against(fake("xboard", "old"), seat=1, start=start).ending == Ending("1-0", Termination.CRASH, why)


def test_an_xboard_engine_that_starts_slowly_is_asked_again() -> None:
    match = against(fake("xboard", "slow"), "e2e4", seat=1)
    assert [moved.move for moved in match.moves] == ["e2e4", "e7e5"]


def test_the_engine_gets_the_start_the_moves_and_both_clocks(tmp_path: Path) -> None:
    log = tmp_path / "log"
    start = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"
    control = TimeControl(600_000, 2_000)
    match = Match(CHESS, start=start, opening=["b1c3", "b8c6"], time_control=control)
    maker = fake("uci", "play", log, "'option.Own Book=off' option.Hash=32")

    async def ask() -> None:
        bot = maker()
        try:
            asked = turn(match)
            assert isinstance(await bot.move(asked), Reply | str)
        finally:
            await bot.close()

    asyncio.run(ask())
    told = log.read_text("utf-8")
    assert "setoption name Own Book value false\nsetoption name Hash value 32\n" in told
    assert f"position fen {CHESS.format_position(match.position.state)}" in told
    log.unlink()
    played = against(maker, "e7e5", time_control=control)
    told = log.read_text("utf-8")
    # told less than it has by the way to the arena, and at first by what its start took
    first, second = [dict(pairs(line)) for line in told.splitlines() if line.startswith("go ")]
    assert first["wtime"] < 600_000 == first["btime"]
    left = played.moves[0].clock
    assert left is not None
    assert second["wtime"] == pytest.approx(left - 1000 * MARGIN, abs=1)
    assert first["winc"] == first["binc"] == 2000
    assert "position startpos\n" in told
    assert "position startpos moves e2e4 e7e5\n" in told
    assert told.count("ucinewgame") == 1


@pytest.mark.parametrize(
    ("time_control", "language", "told"),
    [
        ("40/3600+1", "uci", {"movestogo": 40, "winc": 1000, "nodes": 500}),
        ("600/move", "uci", {"nodes": 500}),
        # what is left after the engine's start
        ("40/3600+1", "xboard", r"level 40 5\d:\d\d"),
        ("600/move", "xboard", r"st [1-5]\d*\n"),
    ],
)
def test_the_engine_gets_sessions_and_times_per_move(
    tmp_path: Path, time_control: str, language: str, told: dict[str, int] | str
) -> None:
    log = tmp_path / "log"
    maker = fake(language, "play", log, "limit.nodes=500" if language == "uci" else "")
    against(maker, time_control=TimeControl.parse(time_control))
    text = log.read_text("utf-8")
    if isinstance(told, str):
        assert re.search(told, text)
        return
    go = dict(pairs(next(line for line in text.splitlines() if line.startswith("go "))))
    assert go.items() >= told.items()
    assert ("wtime" in go) != ("movetime" in go)
    assert 0 < go.get("movetime", 1) < 600_000


def pairs(line: str) -> list[tuple[str, int]]:
    words = line.split()[1:]
    return [(name, int(value)) for name, value in zip(words[::2], words[1::2], strict=True)]


def turn(match: Match) -> Turn:
    return Turn(
        match=1,
        game="chess",
        ply=match.ply,
        position=CHESS.format_position(match.position.state),
        seat=0,
        last_move=match.opening[-1],
        legal_moves=match.legal,
        clocks=match.clocks,
        increment=2000,
    )


@pytest.mark.parametrize("language", ["uci", "xboard"])
@pytest.mark.parametrize(
    ("behaviour", "termination", "detail"),
    [
        ("die", Termination.CRASH, "EngineFailed: fake: engine process died unexpectedly (exit code: 3)"),
        ("illegal", Termination.ILLEGAL_MOVE, "'e2e5' is not a legal move here"),
        ("nonsense", Termination.ILLEGAL_MOVE, "'<checkmate!>' is not a legal move here"),
        ("none", Termination.ILLEGAL_MOVE, "'(none)' is not a legal move here"),
        ("endless", Termination.CRASH, "EngineFailed: fake: it wrote a line of more than 1,048,576 bytes"),
    ],
)
def test_an_engine_that_fails_forfeits_the_match(
    language: str, behaviour: str, termination: Termination, detail: str
) -> None:
    match = against(fake(language, behaviour), time_control=TimeControl(600_000))
    assert match.ending == Ending("0-1", termination, detail)


def test_gibberish_does_no_harm() -> None:
    assert against(fake("uci", "gibberish")).moves[0].move == "e2e4"


def test_an_engine_that_complains_forfeits() -> None:
    match = against(fake("xboard", "complain"), "e2e4", seat=1)
    assert match.ending == Ending("1-0", Termination.CRASH, "EngineFailed: fake: Illegal move: e2e4")


@pytest.mark.parametrize("behaviour", ["hang", "family"])
def test_one_that_hangs_loses_on_time_and_is_ended_with_its_children(behaviour: str) -> None:
    before = alive("98765")
    began = time.monotonic()
    match = against(fake("uci", behaviour), time_control=TimeControl(500))
    assert match.ending == Ending("0-1", Termination.TIME)
    assert time.monotonic() - began < 500, "it hangs for longer"
    assert alive(str(FAKE), behaviour) == []
    while set(alive("98765")) - set(before):  # a child was killed with it; nobody waits for its end
        time.sleep(0.01)


def test_one_that_hangs_where_no_clock_runs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.bridges.player.PATIENCE", 0.2)
    match = against(fake("uci", "hang"))
    assert match.ending == Ending("0-1", Termination.CRASH, "EngineFailed: fake did not answer within 0 s")


def test_the_next_match_has_a_new_engine() -> None:
    maker = fake("uci", "die")
    for _ in range(2):
        ending = against(maker).ending
        assert ending is not None
        assert ending.termination is Termination.CRASH
    assert against(fake("uci", "play")).moves


def test_one_that_does_not_quit_is_ended() -> None:
    assert against(fake("uci", "stubborn")).moves
    assert alive(str(FAKE), "stubborn") == []


@pytest.mark.parametrize(
    ("maker", "why"),
    [
        (lambda: fake("uci", "mute"), "fake: it did not answer within 0.4 s, so it may not speak uci"),
        (lambda: fake("uci", "unready"), "fake: it did not get ready within 0.4 s"),
        (lambda: fake("xboard", "older"), "fake: it names no features, so it may not speak version 2 of xboard's"),
        (lambda: fake("uci", "play", more="option.Nope=1"), "fake: engine does not support option Nope"),
        (lambda: fake("uci", "play", more="option.Hash=65"), "fake: expected value for option 'Hash' to be at most 64"),
        (lambda: fake("uci", "play", more="option.Hash=big"), "fake: expected integer for spin option 'Hash'"),
        (lambda: fake("uci", "play", more="'option.Own Book=5'"), "fake: option Own Book is true or false, not '5'"),
        (lambda: EngineMaker(parse("uci:echo hello")), "echo: engine process died unexpectedly"),
    ],
)
def test_a_command_that_is_no_engine_is_refused_with_the_reason(
    maker: Callable[[], EngineMaker], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "START_WITHIN", 0.4 if "answer" in why else 600.0)
    monkeypatch.setattr(process, "READY_WITHIN", 0.4 if "ready" in why else 600.0)
    with pytest.raises(EngineFailed, match=why):
        asyncio.run(maker().try_out())
    assert alive(str(FAKE)) == []


def test_its_version_is_its_name_and_its_options() -> None:
    maker = fake("uci", "play", more="option.Hash=32")
    asyncio.run(maker.try_out())
    bot = maker()
    assert isinstance(bot, EngineBot)
    assert (bot.name, bot.version) == ("fake", "Fake Engine 1.0 Hash=32")


async def test_a_stop_from_outside_ends_the_thinking() -> None:
    bot = fake("uci", "hang")()
    assert isinstance(bot, EngineBot)
    match = Match(CHESS, opening=["e2e4", "e7e5"], time_control=TimeControl(600_000))
    thinking = asyncio.create_task(bot.move(turn(match)))
    await until(lambda: bot._search.running)
    await asyncio.sleep(0.3)
    bot.stop(1)
    with pytest.raises(EngineFailed, match="was stopped"):
        await asyncio.wait_for(thinking, 600)
    await bot.close()
    assert alive(str(FAKE), "hang") == []


def test_it_has_a_bots_manners() -> None:
    start = CHESS.look(CHESS.start())
    recorded = Recorded(CHESS.format_position(start.state), list(CHESS.move_texts(start)), 0)
    check_bot(fake("uci", "play"), Positions("chess", [recorded]), seconds=600)
    assert alive(str(FAKE), "play") == []
