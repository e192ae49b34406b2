# SPDX-License-Identifier: GPL-3.0-or-later
"""Validations of uploads: accepted ones, and the reasons of rejections. Programs run in the machine's sandbox."""

import asyncio
import dataclasses
import os
from itertools import count
from pathlib import Path

import msgspec
import pytest
from wasmtime import wat2wasm

from arena.protocol.hosting import HostingReport, Validated, ValidationEnded, ValidationLine, ValidationOrders
from bots.bridges import program
from bots.data.endings import BAD_FILE, ENDINGS
from bots.data.format import read, template, write
from bots.hosted.validation import Series
from bots.sandbox import Found, MachineFailed, Program, Running, Sandbox, find
from bots.sandbox.cgroups import CONTROLLERS, Groups
from engine.games import find as find_game
from tests.bots.hosted.programs import SHELL, TEN_LINES, misbehaving, orders, uploaded
from tests.bots.sandbox.test_own_time import crowded
from tests.bots.wasm.modules import module
from tools.debian import BIN

CLASS = TEN_LINES.rpartition("\n\nrun(")[0]
"""The file that only defines the bot."""
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "submitting.md"


@pytest.fixture(scope="module")
def found() -> Found:
    """The sandbox of this machine; skips where there is none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
        found = asyncio.run(find())
    if found.sandbox is None:
        pytest.skip(f"no sandbox here: {'; '.join(found.reasons)}")
    return found


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find the sandbox's commands."""
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")


async def validated(
    given: ValidationOrders, found: Found, capsys: pytest.CaptureFixture[str]
) -> tuple[Validated, list[str]]:
    """Validate; return the result and the log."""
    await Series(given, found).run()
    reports = [msgspec.json.decode(line, type=HostingReport) for line in capsys.readouterr().out.splitlines()]
    *lines, result = reports
    assert isinstance(result, Validated), reports
    return result, [line.text for line in lines if isinstance(line, ValidationLine)]


async def undecided(given: ValidationOrders, found: Found, capsys: pytest.CaptureFixture[str]) -> str:
    """Validate; return why there is no result."""
    await Series(given, found).run()
    *lines, last = [msgspec.json.decode(line, type=HostingReport) for line in capsys.readouterr().out.splitlines()]
    assert isinstance(last, ValidationEnded), last
    assert isinstance(lines[-1], ValidationLine)
    assert lines[-1].text == f"not decided, because the cause may be this machine: {last.why}"
    return last.why


async def test_a_ten_line_bot_is_accepted(tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    result, log = await validated(orders(uploaded(tmp_path, TEN_LINES)), found, capsys)
    assert result == Validated(1, True, "", ["tictactoe"], "2", "The first legal move.")
    assert log[0].endswith("version 2, tictactoe, nim")
    assert log[1].startswith("tictactoe, against itself: ")
    assert log[2].startswith("tictactoe, against random: ")
    assert log[3] == "accepted for tictactoe"


@pytest.mark.parametrize(
    ("source", "entry"),
    [
        (CLASS, "bot"),
        (CLASS.replace("class Mine", "class Base").replace("Bot, run", "Bot") + "\nclass Mine(Base): pass\n", "bot"),
        (CLASS + "\nclass Other(Mine): pass\nclass Another(Mine): pass\n", "bot:Other"),
    ],
    ids=["a class", "a class and its base", "a named class"],
)
async def test_a_file_that_only_defines_a_bot_is_accepted(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str], source: str, entry: str
) -> None:
    result, log = await validated(orders(uploaded(tmp_path, source, entry=entry)), found, capsys)
    assert (result.accepted, result.version) == (True, "2"), log


async def test_the_bot_of_the_documentation_is_accepted(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str]
) -> None:
    source = PAGE.read_text("utf-8").partition("```python\n")[2].partition("```")[0]
    result, log = await validated(orders(uploaded(tmp_path, source)), found, capsys)
    assert (result.accepted, result.games) == (True, ["tictactoe"]), log


REJECTED = {
    "syntax error": ("def", "the program did not start: it ended with exit status 1", "SyntaxError"),
    "ends at once": (misbehaving("ends at once"), "the program did not start: it ended with exit status 3", ""),
    "no bot": ("from bots import Bot", "its file must define a class that inherits from bots.Bot", ""),
    "two bots": (
        CLASS + "\nclass Other(Bot): pass\n",
        "its file defines several classes of bots",
        "the file defines several classes of bots: Mine, Other",
    ),
    "no hello": (misbehaving("move instead of hello"), "the first line must be a hello", ""),
    "token in hello": (misbehaving("hello with token"), "a program's hello has no token", ""),
    "another protocol": (misbehaving("hello of another protocol"), "it speaks version 99 of the protocol", ""),
    "illegal move": (misbehaving("illegal"), "tictactoe, against itself: illegal move", ""),
    "crash": (
        misbehaving("crash"),
        "tictactoe, against itself: crash: it was ended by SIGABRT",
        "  | it was ended by SIGABRT",
    ),
    "garbage": (misbehaving("garbage"), "wrote a line that is not a message", ""),
    "flood": (misbehaving("floods"), "tictactoe, against itself: crash", ""),
    "exception": (
        TEN_LINES.replace("return", "raise ValueError(turn.ply) #"),
        "tictactoe, against itself: crash: ValueError: ",
        "ValueError: ",
    ),
    "other games": (
        TEN_LINES.replace("tictactoe", "go"),
        "this arena offers none of the program's games (go, nim)",
        "",
    ),
}


@pytest.mark.parametrize("case", REJECTED)
async def test_a_faulty_bot_is_rejected(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    source, why, error = REJECTED[case]
    result, log = await validated(orders(uploaded(tmp_path, source)), found, capsys)
    assert (result.accepted, result.games) == (False, [])
    assert why in result.reason
    assert log[-1] == f"rejected: {result.reason}"
    assert any(error in line for line in log), log


async def test_a_bot_that_never_greets_is_rejected(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "HELLO_WITHIN", 0.5)
    result, _ = await validated(orders(uploaded(tmp_path, "while True: pass")), found, capsys)
    assert result.reason == "the program did not start: it wrote no hello within 0.5 s"


async def test_a_bot_that_never_answers_loses_on_time(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str]
) -> None:
    given = orders(uploaded(tmp_path, misbehaving("hangs")), time_control="0.5+0")
    result, _ = await validated(given, found, capsys)
    assert result.reason == "tictactoe, against itself: time: its clock ran out before it answered (0.5+0)"


SLOW = TEN_LINES.replace(
    "    def move(self, turn):",
    """\
    def move(self, turn):
        import os, time
        os.nice(19)
        os.sched_setaffinity(0, {PROCESSOR})
        until = time.process_time() + 0.02
        while time.process_time() < until:
            pass""",
)
"""Needs little of a processor for a move, and has much less of one."""


async def test_a_bot_that_waits_for_a_processor_does_not_lose_on_time(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str]
) -> None:
    with crowded() as processor:
        source = SLOW.replace("PROCESSOR", str(processor))
        given = orders(uploaded(tmp_path, source), time_control="3+0")
        result, log = await validated(given, found, capsys)
    assert result.accepted, log


async def test_missing_control_groups_reject_no_bot(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str]
) -> None:
    assert found.sandbox is not None
    groups = Groups("v1", dict.fromkeys(CONTROLLERS, tmp_path / "gone"))
    broken = dataclasses.replace(found, sandbox=dataclasses.replace(found.sandbox, groups=groups))
    why = await undecided(orders(uploaded(tmp_path, TEN_LINES)), broken, capsys)
    assert why.startswith("the program did not start: the sandbox cannot be started: ")


async def test_a_sandbox_that_fails_later_rejects_no_bot(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = count()
    start = Sandbox.start

    async def once(self: Sandbox, program: Program) -> Running:
        if next(starts):
            raise MachineFailed("the sandbox cannot be started: no more processes")
        return await start(self, program)

    monkeypatch.setattr(Sandbox, "start", once)
    why = await undecided(orders(uploaded(tmp_path, TEN_LINES)), found, capsys)
    assert why == "tictactoe, against itself: the sandbox cannot be started: no more processes"


async def test_a_failure_of_bubblewrap_rejects_no_bot(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if found.tier != "bubblewrap":
        pytest.skip("bubblewrap is missing, and this failure is its own")
    fake = tmp_path / "commands" / "bwrap"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'bwrap: No space left' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    why = await undecided(orders(uploaded(tmp_path, TEN_LINES)), found, capsys)
    assert why == "the program did not start: the sandbox cannot be started: bwrap: No space left"


async def test_a_program_that_was_killed_is_validated_again(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str]
) -> None:
    source = TEN_LINES.replace("return", "import os; os.kill(os.getpid(), 9) #")
    why = await undecided(orders(uploaded(tmp_path, source)), found, capsys)
    assert why == "tictactoe, against itself: it was ended by SIGKILL"


async def test_a_sandbox_that_is_not_found_this_time_rejects_no_bot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = msgspec.structs.replace(orders(uploaded(tmp_path, TEN_LINES)), sandboxed=True)
    why = await undecided(given, Found(None, ("no more processes",)), capsys)
    assert why == "its sandbox did not work this time: no more processes"


async def test_a_validation_that_takes_too_long_is_rejected(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str]
) -> None:
    given = orders(uploaded(tmp_path, TEN_LINES))
    brief = msgspec.structs.replace(given, orders=msgspec.structs.replace(given.orders, validation_time=0.001))
    result, _ = await validated(brief, found, capsys)
    assert result.reason == "the program took more than 0.001 s for its validation, without its waits"


async def test_only_the_wanted_games_are_played(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = uploaded(tmp_path, TEN_LINES)
    result, _ = await validated(orders(mine, games=["nim"], offered=("tictactoe", "nim")), found, capsys)
    assert (result.accepted, result.games) == (True, ["nim"])
    result, _ = await validated(orders(mine, games=["chess"], offered=("chess", "nim")), found, capsys)
    assert result.reason == "the program's hello does not name 'chess', but tictactoe, nim"
    result, _ = await validated(orders(mine, games=["chess"]), found, capsys)
    assert result.reason == "this arena does not offer 'chess'; it offers tictactoe"


@pytest.mark.parametrize("sandboxed", [True, False])
async def test_a_webassembly_bot_needs_no_sandbox(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str], sandboxed: bool
) -> None:
    given = orders(uploaded(tmp_path, wat2wasm(module()), "wasm"))
    result, log = await validated(given, found if sandboxed else Found(None, ("none was found",)), capsys)
    assert (result.accepted, result.games) == (True, ["tictactoe"]), log


async def test_an_executable_is_accepted(tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    result, log = await validated(orders(uploaded(tmp_path, SHELL, "executable")), found, capsys)
    assert (result.accepted, result.version) == (True, "7"), log


async def test_without_a_sandbox_machine_code_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = orders(uploaded(tmp_path, TEN_LINES))
    for language in ("python", "executable"):
        one = msgspec.structs.replace(given.validation.program, language=language)
        changed = msgspec.structs.replace(given, validation=msgspec.structs.replace(given.validation, program=one))
        result, _ = await validated(changed, Found(None, ("none was found",)), capsys)
        assert result.reason.endswith("so it runs no Python and no executables: none was found")


async def test_terminal_escapes_do_not_reach_the_log(
    tmp_path: Path, found: Found, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "import sys; sys.stderr.write('a\\x1b[2J\\x1b]0;title\\x07\\u202eb' * 50_000); sys.exit('x' * 100_000)"
    result, log = await validated(orders(uploaded(tmp_path, source)), found, capsys)
    assert result.reason == "the program did not start: it ended with exit status 1"
    assert all(line.isprintable() and len(line) <= 500 for line in log)


async def test_a_data_bot_is_accepted_without_a_sandbox(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(msgspec.structs.replace(template(find_game("tictactoe")), nodes=100, description="It searches."))
    mine = uploaded(tmp_path, source, "data")
    result, log = await validated(orders(mine), Found(None, ("none was found",)), capsys)
    label = read(source.encode()).label
    assert result == Validated(1, True, "", ["tictactoe"], label, "It searches."), log
    (Path(mine.folder) / mine.entry).write_text('{"kind": "search"}', "utf-8")
    result, _ = await validated(orders(mine), Found(None, ()), capsys)
    assert result.reason == f"the program did not start: {ENDINGS[BAD_FILE]}"
