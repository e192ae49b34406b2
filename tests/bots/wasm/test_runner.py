# SPDX-License-Identifier: GPL-3.0-or-later
"""The runner in a process of its own: matches by ``wasm:FILE``, in and outside the sandbox, and its exit statuses."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.protocol import messages as wire
from bots.bridges.program import ProgramBot, ProgramMaker
from bots.catalogue import UnknownBot, make, maker_of
from bots.local import Entrant, play
from bots.sandbox import ProgramFailed, find
from bots.wasm.budget import GUARD, UNTIMED, Budget
from bots.wasm.endings import BAD_FILE, ENDINGS, INSTRUCTIONS_USED_UP, TRAPPED, UNUSABLE
from bots.wasm.spec import parse_wasm
from engine.games import find as find_game
from engine.match.ending import Termination
from engine.match.machine import Match
from tests.bots.wasm.modules import FIRST, GROW, GROWN, LOOP, module, slow_to_compile, write
from tests.c_modules import BOT, compile_c
from tools.debian import BIN

GAME = find_game("tictactoe")

LAST = "(i32.sub (i32.load offset=16 (local.get $turn)) (i32.const 1))"
"""The body of a bot that plays the last move."""


def match_of(spec: str, opponent: str = "random") -> Match:
    """Play a match of tic-tac-toe, the bot of the specification on seat 0."""
    entrants = Entrant("wasm", maker_of(spec)), Entrant("other", maker_of(opponent))
    return asyncio.run(play(GAME, entrants, seed=3))


def ran(file: Path, *arguments: str, lines: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the runner to its end."""
    command = [sys.executable, "-m", "bots.wasm.runner", str(file), *arguments]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=False)


def turn(**fields: object) -> wire.Turn:
    """Return the message of a turn."""
    usual = {"match": 1, "game": "tictactoe", "ply": 0, "position": ".../.../...", "seat": 0, "legal_moves": ["a1"]}
    return msgspec.convert(usual | fields, wire.Turn)


class TestMatches:
    def test_a_module_plays_a_match_and_reports_its_instructions(self, tmp_path: Path) -> None:
        match = match_of(f"wasm:{write(tmp_path, module(LAST))}")
        assert match.ending is not None
        assert match.ending.termination is Termination.DECIDED
        own = [moved for moved in match.moves if moved.seat == 0]
        assert all(moved.info is not None and moved.info.nodes for moved in own)

    def test_the_same_match_uses_the_same_instructions(self, tmp_path: Path) -> None:
        spec = f"wasm:{write(tmp_path, module(LAST))} instructions=10k"
        first, second = match_of(spec, spec), match_of(spec, spec)
        assert first.events == second.events

    def test_in_the_sandbox(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
        found = asyncio.run(find())
        if found.sandbox is None:
            pytest.skip(f"no sandbox here: {'; '.join(found.reasons)}")
        tmp_path.chmod(0o755)
        spec = parse_wasm(f"{write(tmp_path, module(LAST))} sandbox=on")

        async def played() -> Match:
            entrants = Entrant("wasm", ProgramMaker(spec)), Entrant("random", maker_of("random"))
            return await play(GAME, entrants, seed=3)

        match = asyncio.run(played())
        assert match.ending is not None
        assert match.ending.termination is Termination.DECIDED

    def test_a_bot_in_c_never_loses(self, tmp_path: Path) -> None:
        spec = f"wasm:{compile_c(BOT, tmp_path / 'bot.wasm')}"
        for seat, match in ((0, match_of(spec)), (1, match_of("random", spec)), (0, match_of(spec, spec))):
            assert match.ending is not None
            assert match.ending.scores is not None
            assert match.ending.scores[seat] >= 0.5

    @pytest.mark.parametrize(
        ("move", "reason"), [("(unreachable)", "it trapped"), (LOOP, "it used up its instructions")]
    )
    def test_a_bot_that_fails_loses_with_the_reason(self, move: str, reason: str, tmp_path: Path) -> None:
        match = match_of(f"wasm:{write(tmp_path, module(move))} instructions=1M")
        assert match.ending is not None
        assert (match.ending.result, match.ending.termination) == ("0-1", Termination.CRASH)
        assert match.ending.detail == reason

    async def test_a_module_that_cannot_be_used_says_so_when_it_is_tried_out(self, tmp_path: Path) -> None:
        bot = make(f"wasm:{write(tmp_path, '(module)')}")
        assert isinstance(bot, ProgramBot)
        with pytest.raises(ProgramFailed, match="its module cannot be used"):
            await bot.prepare(["tictactoe"])

    async def test_games_and_version_come_from_the_module(self, tmp_path: Path) -> None:
        bot = make(f"wasm:{write(tmp_path, module())} name=mine")
        assert isinstance(bot, ProgramBot)
        await bot.prepare(["tictactoe"])
        assert (bot.name, bot.games) == ("mine", ("tictactoe", "chess"))
        assert len(bot.version) == 12


class TestExitStatus:
    @pytest.mark.parametrize(
        ("text", "status", "reason"),
        [
            (module(LOOP), INSTRUCTIONS_USED_UP, "the module used all of its 500,000 instructions"),
            (module("(unreachable)"), TRAPPED, "the module trapped: it reached an unreachable instruction"),
            (module("(i32.const 9)"), UNUSABLE, "arena_move returned 9"),
            (module(games="no such game!" * 90), UNUSABLE, "texts about itself cannot be used"),
            (module(), 0, ""),
        ],
    )
    def test_the_error_output_says_what_happened(self, text: str, status: int, reason: str, tmp_path: Path) -> None:
        line = msgspec.json.encode(turn()).decode() + "\n"
        done = ran(write(tmp_path, text), "--instructions", "500k", lines=line)
        assert done.returncode == status
        assert reason in done.stderr
        assert status == 0 or status in ENDINGS

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        done = ran(tmp_path / "none.wasm")
        assert (done.returncode, done.stdout) == (BAD_FILE, "")
        assert "No such file" in done.stderr

    @pytest.mark.skipif(sys.platform != "linux", reason="the limits of the process are Linux's")
    def test_a_module_that_exhausts_the_compiler_ends_its_process_alone(self, tmp_path: Path) -> None:
        file = tmp_path / "slow.wasm"
        file.write_bytes(slow_to_compile())
        done = ran(file)
        # the memory ends, or the processor time
        assert -done.returncode in {signal.SIGABRT, signal.SIGXCPU}
        assert done.stdout == ""

    def test_the_limits_of_the_process_leave_room_for_the_whole_memory(self, tmp_path: Path) -> None:
        line = msgspec.json.encode(turn(legal_moves=[str(number) for number in range(20)])).decode()
        done = ran(write(tmp_path, module(GROW)), lines=line + "\n")
        assert json.loads(done.stdout.splitlines()[1])["move"] == str(GROWN)

    def test_resigning_and_offering_a_draw(self, tmp_path: Path) -> None:
        # offers a draw with the first move, and resigns at the second turn
        move = "(select (i32.const 0x40000000) (i32.const -1) (i32.eqz (i32.load offset=24 (local.get $turn))))"
        lines = [turn(), turn(ply=2), wire.DrawOffered(1)]
        done = ran(
            write(tmp_path, module(move)), lines="".join(msgspec.json.encode(each).decode() + "\n" for each in lines)
        )
        kinds = [json.loads(line)["type"] for line in done.stdout.splitlines()]
        assert kinds == ["hello", "offer-draw", "move", "resign", "answer-draw"]

    def test_the_folder_of_a_module_is_not_imported_from(self, tmp_path: Path) -> None:
        hostile = tmp_path / "bots"
        hostile.mkdir()
        (hostile / "__init__.py").write_text("raise SystemExit('the folder of the module was imported from')")
        match = match_of(f"wasm:{write(tmp_path, module(FIRST))}")
        assert match.ending is not None
        assert match.ending.termination is Termination.DECIDED


class TestSpecification:
    def test_words_behind_the_file(self, tmp_path: Path) -> None:
        file = write(tmp_path, module(), "my bot.wat")
        spec = parse_wasm(f"'{file}' instructions=2M sandbox=on name=Mine")
        assert (spec.name, spec.sandboxed) == ("Mine", True)
        assert spec.program.command[-3:] == ("/bot/my bot.wat", "--instructions", "2000000")

    @pytest.mark.parametrize("text", ["", "none.wasm", "{file} depth=3", "{file} instructions=many", "'{file}"])
    def test_a_wrong_specification(self, text: str, tmp_path: Path) -> None:
        with pytest.raises(UnknownBot):
            maker_of("wasm:" + text.format(file=write(tmp_path, module())))

    def test_wasmtime_is_imported_in_the_runner_only(self, tmp_path: Path) -> None:
        code = f"import sys; from bots.catalogue import make; make({f'wasm:{write(tmp_path, module())}'!r}); "
        done = subprocess.run([sys.executable, "-c", code + "assert 'wasmtime' not in sys.modules"], check=False)
        assert done.returncode == 0


class TestBudget:
    def test_a_fixed_budget_hides_the_clock(self) -> None:
        given, limit = Budget(1000).turn(turn(clocks=(5000, 6000), increment=100))
        assert (given.budget, limit) == (1000, 1000)
        assert (given.clock, given.opponent_clock, given.increment) == (-1, -1, 0)

    def test_a_match_by_instructions_gives_the_budget(self) -> None:
        for fixed in (None, 1000):
            given, limit = Budget(fixed).turn(turn(instructions=700))
            assert (given.budget, limit, given.clock) == (700, 700, -1)

    def test_without_a_fixed_budget_the_clock_gives_advice(self) -> None:
        budget = Budget(None)
        assert budget.turn(turn())[0].budget == UNTIMED
        given, limit = budget.turn(turn(clocks=(30_000, 6000), increment=100))
        assert (given.clock, given.opponent_clock, given.increment, limit) == (30_000, 6000, 100, GUARD)
        budget.spent(1_000_000, 0.02)
        # 50,000 instructions in a millisecond; 0.8 of 1,000 and of 100 ms
        assert budget.turn(turn(clocks=(30_000, 6000), increment=100))[0].budget == 50_000 * 880
        assert budget.turn(turn(clocks=(1, 6000)))[0].budget > 0
