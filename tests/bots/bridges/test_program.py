# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that play in lines of JSON, with and without a sandbox: their messages, the results of matches in which they
misbehave, and the end of their processes.
"""

import asyncio
import os
import shlex
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.bot import Bot, Reply, Turn
from bots.bridges import program
from bots.bridges.program import ProgramBot, ProgramMaker, parse_program
from bots.catalogue import UnknownBot, maker_of
from bots.local import Entrant, play
from bots.sandbox import ProgramFailed, Sandbox, find, limits
from bots.sandbox.watchdog import members, processor_time
from bots.testing import check_bot
from engine.games import find as find_game
from engine.match.ending import Termination
from engine.match.machine import Match
from engine.time_control import TimeControl
from tools.debian import BIN

GAME = find_game("tictactoe")
FAKE = Path(__file__).with_name("fake_program.py")
SDK_BOT = """
import random
from bots import Bot, Reply, run

class Mine(Bot):
    name = "mine"
    games = ["tictactoe"]
    version = "3"

    def move(self, turn):
        print("a word of its own")
        return Reply(turn.legal_moves[-1], score=1.25, depth=2)

    def draw_offered(self, match):
        return True

run(Mine(), url="ws://127.0.0.1:1/api/v1/play", token="none")
"""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs start slowly, on a machine that is busy with other things."""
    monkeypatch.setattr(program, "HELLO_WITHIN", 600.0)


@pytest.fixture(params=[False, True], ids=["plain", "sandboxed"])
def sandboxed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether programs run in a sandbox; skips where there is none."""
    if request.param:
        monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
        found = asyncio.run(find())
        if found.sandbox is None:
            pytest.skip(f"no sandbox here: {'; '.join(found.reasons)}")
    return bool(request.param)


def stopped(pid: int) -> bool:
    """Return whether a process is stopped, or has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] in "TtZX"
    except OSError:
        return True


def fake(behaviour: str, *, sandboxed: bool = False) -> ProgramMaker:
    """Return the maker of the program that misbehaves."""
    return ProgramMaker(parse_program(shlex.join([str(FAKE), behaviour]), sandboxed=sandboxed))


def written(folder: Path) -> Path:
    """Write the bot of the SDK where every user may read it."""
    folder.chmod(0o755)
    file = folder / "mine.py"
    file.write_text(SDK_BOT, encoding="utf-8")
    return file


class First(Bot):
    """Plays the first move, and offers a draw at the given ply."""

    def __init__(self, *, offers: bool = False) -> None:
        self._offers = offers

    def move(self, turn: Turn) -> Reply:
        assert turn.legal_moves is not None
        return Reply(turn.legal_moves[0], offer_draw=self._offers)


def against(maker: Callable[[], Bot], other: Bot | None = None, *, control: str | None = None) -> Match:
    """Play a program, which moves first, against a bot."""
    entrants = (Entrant("program", maker), Entrant("first", lambda: other or First()))
    return asyncio.run(play(GAME, entrants, time_control=None if control is None else TimeControl.parse(control)))


def ended(match: Match) -> tuple[Termination, str]:
    """Return how a match ended, and what the record says of it."""
    assert match.ending is not None
    return match.ending.termination, match.ending.detail


def winner(match: Match) -> int | None:
    """Return the seat that won."""
    assert match.ending is not None
    return match.ending.winner


def test_a_program_plays_and_its_search_info_arrives(sandboxed: bool) -> None:
    match = against(fake("plays", sandboxed=sandboxed))
    assert ended(match)[0] is Termination.DECIDED
    info = match.moves[0].info
    assert info is not None
    assert (info.score, info.depth) == (0.5, 3)


def test_it_says_what_it_plays_before_any_match(sandboxed: bool) -> None:
    maker = fake("plays", sandboxed=sandboxed)
    hello = asyncio.run(maker.try_out())
    assert (hello.games, hello.version) == (["tictactoe", "chess"], "7")
    assert (list(maker().games or ()), maker().version) == (["tictactoe", "chess"], "7")


def test_a_bot_of_the_sdk_plays_in_lines_as_it_is(tmp_path: Path, sandboxed: bool) -> None:
    file = written(tmp_path)
    match = against(ProgramMaker(parse_program(str(file), sandboxed=sandboxed)))
    assert ended(match)[0] is Termination.DECIDED
    info = match.moves[0].info
    assert info is not None
    assert (info.score, info.depth) == (1.25, 2)


def test_the_contract_of_bots_holds(sandboxed: bool) -> None:
    maker = fake("plays", sandboxed=sandboxed)
    asyncio.run(maker.try_out())
    check_bot(maker, seconds=600)


def test_a_sandbox_says_what_it_cannot_read(tmp_path: Path, sandboxed: bool) -> None:
    file = written(tmp_path)
    tmp_path.chmod(0o700)
    maker = ProgramMaker(parse_program(str(file), sandboxed=sandboxed))
    if sandboxed and os.geteuid() == 0:
        with pytest.raises(ProgramFailed, match=r"chmod o\+rx"):
            asyncio.run(maker.try_out())
    else:
        assert asyncio.run(maker.try_out()).version == "3"


@pytest.mark.parametrize(
    ("behaviour", "termination", "said"),
    [
        ("garbage", Termination.CRASH, "not a message"),
        ("bytes", Termination.CRASH, "not a message"),
        ("crash", Termination.CRASH, "SIGABRT"),
        ("floods", Termination.CRASH, "unexpected messages"),
        ("resigns", Termination.RESIGNATION, ""),
        ("illegal", Termination.ILLEGAL_MOVE, "z9"),
    ],
)
def test_a_program_that_misbehaves_loses_that_match(
    behaviour: str, termination: Termination, said: str, sandboxed: bool
) -> None:
    match = against(fake(behaviour, sandboxed=sandboxed))
    assert ended(match)[0] is termination
    assert said in ended(match)[1]
    assert winner(match) == 1


def test_a_program_that_hangs_loses_on_time(sandboxed: bool) -> None:
    match = against(fake("hangs", sandboxed=sandboxed), control="1+0 v 600+0")
    assert (ended(match)[0], winner(match)) == (Termination.TIME, 1)


def test_a_move_for_another_ply_is_refused_and_the_right_one_counts() -> None:
    assert ended(against(fake("another ply first")))[0] is Termination.DECIDED


def test_search_info_before_the_move_costs_no_match() -> None:
    assert ended(against(fake("thinks aloud")))[0] is Termination.DECIDED


def test_draws_are_offered_and_answered(tmp_path: Path) -> None:
    class Accepting(First):
        def draw_offered(self, match: int) -> bool:
            return True

    assert ended(against(fake("offers a draw"), Accepting()))[0] is Termination.AGREEMENT
    assert ended(against(fake("accepts"), First(offers=True)))[0] is Termination.AGREEMENT
    assert ended(against(fake("plays"), First(offers=True)))[0] is Termination.DECIDED
    file = written(tmp_path)
    assert ended(against(maker_of(f"program:{file}"), First(offers=True)))[0] is Termination.AGREEMENT


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        ("hello with token", "has no token"),
        ("hello of another protocol", "version 99"),
        ("hello with a wrong field", "colour"),
        ("hello that is no JSON", "cannot be read"),
        ("move instead of hello", "must be a hello"),
        ("ends at once", "exit status 3"),
    ],
)
def test_a_program_that_greets_wrongly_does_not_start(behaviour: str, said: str) -> None:
    with pytest.raises(ProgramFailed, match=said):
        asyncio.run(fake(behaviour).try_out())


def test_a_program_is_stopped_while_its_opponent_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
    found = asyncio.run(find())
    if found.sandbox is None:
        pytest.skip("no sandbox here")
    seen: list[float] = []

    class Watching(First):
        def __init__(self, others: list[ProgramBot]) -> None:
            super().__init__()
            self._others = others

        def move(self, turn: Turn) -> Reply:
            pid = self._others[0].pid
            assert pid is not None
            # the kernel stops a process that is computing a moment after the signal
            while not all(map(stopped, members(pid))):
                time.sleep(0.01)  # no event tells that another process has stopped
            seen.append(processor_time(members(pid)))
            # in which a program that runs would have used some of the processor
            sum(range(20_000_000))
            seen.append(processor_time(members(pid)))
            return super().move(turn)

    made: list[ProgramBot] = []
    maker = fake("computes on", sandboxed=True)
    # where the kernel can freeze a whole group, no process is seen to be stopped
    maker.sandbox = Sandbox(found.sandbox.tier, None)

    def make() -> ProgramBot:
        made.append(maker())
        return made[0]

    against(make, Watching(made))
    assert seen
    assert all(before == after for before, after in zip(seen[::2], seen[1::2], strict=True))


def test_a_program_that_computes_while_it_should_be_stopped_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
    found = asyncio.run(find())
    if found.sandbox is None:
        pytest.skip("no sandbox here")
    made: list[ProgramBot] = []
    # where the kernel can freeze a whole group, signals wake nobody
    maker = fake("computes on", sandboxed=True)
    maker.sandbox = Sandbox(found.sandbox.tier, None)

    class Waking(First):
        """Lets the program's processes go on, as one of them could with luck."""

        async def move(self, turn: Turn) -> Reply:  # type: ignore[override]  # a bot may answer later
            pid = made[0].pid
            assert pid is not None
            before = processor_time(members(pid))
            for one in members(pid):
                os.kill(one, signal.SIGCONT)
            async with asyncio.timeout(600):
                while processor_time(members(pid)) < before + 0.3:  # noqa: ASYNC110  # it happens in other processes
                    await asyncio.sleep(0.01)
            return super().move(turn)

    def make() -> ProgramBot:
        made.append(maker())
        return made[0]

    match = against(make, Waking())
    assert ended(match)[0] is Termination.CRASH
    assert "while its opponent was to move" in ended(match)[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "needs the command"),
        ("'", "cannot be split"),
        ("no-such-program-anywhere", "there is no program"),
        ("sh -c true sandbox=on", "sandbox=on needs a program file"),
    ],
)
def test_a_command_that_starts_nothing_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_program(text)
    with pytest.raises(UnknownBot, match=said):
        maker_of(f"program:{text}")


def test_limits_must_be_positive() -> None:
    with pytest.raises(ValueError, match="memory must be above 0"):
        limits.SandboxLimits(memory=0)
