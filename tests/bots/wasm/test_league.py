# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches by instructions: who may enter, what their records keep, and their replays."""

import asyncio
import json
from pathlib import Path

import pytest
from msgspec import structs

from arena.cli import main
from bots.bridges.program import ProgramBot
from bots.contest import Contest, NoEntrant
from bots.series import Played
from bots.wasm.league import NoReplay, modules, replay
from engine.formats import json_lines
from engine.match.ending import Termination
from engine.match.record import PlayedMove, Record
from tests.bots.wasm.modules import FIRST, LOOP, module, write

GAMES = "tictactoe,einstein"

LAST = "(i32.sub (i32.load offset=16 (local.get $turn)) (i32.const 1))"

COUNTING = (
    f"(loop $l (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 999)))) {LAST}"
)
"""Plays the last move, and counts to 999 first."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two modules: one plays the first move, one the last."""
    folder = tmp_path_factory.mktemp("modules")
    return (
        write(folder, module(FIRST, games=GAMES), "first.wat"),
        write(folder, module(COUNTING, games=GAMES), "last.wat"),
    )


@pytest.fixture(scope="module")
def games(files: tuple[Path, Path]) -> Path:
    """A file with the two matches of a series of EinStein würfelt nicht!, in which dice are rolled."""
    file = files[0].with_name("games.jsonl")
    series = [
        "match",
        *(f"wasm:{each}" for each in files),
        "--game",
        "einstein",
        "--instructions",
        "50k",
        "--seed",
        "4",
    ]
    assert main([*series, "--jsonl", str(file)]) == 0
    return file


@pytest.fixture
def record(games: Path) -> Record:
    """The second match, in which the first bot has seat 1."""
    return list(json_lines.read(games.read_text().splitlines()))[1]


def contest_of(files: tuple[Path, Path], instructions: int, time_control: str | None = None) -> Contest:
    """Return a series of tic-tac-toe between two modules."""
    first, second = (f"wasm:{file}" for file in files)
    return Contest("tictactoe", first, second, time_control=time_control, instructions=instructions)


def difference(record: Record, files: tuple[Path, ...]) -> str:
    return asyncio.run(replay(record, modules(list(files)))).difference


def test_the_record_keeps_what_the_moves_depend_on(record: Record, files: tuple[Path, Path]) -> None:
    first, last = modules(list(files))
    tags = record.tags
    assert (record.time_control, tags["Machine"]) == ("50k instructions/move", "2")
    assert tags["Wasmtime"].split(".")[0].isdigit()
    assert (tags["Module0"], tags["Module1"]) == (last, first)
    used = {moved.instructions for moved in record.moves if moved.instructions is not None}
    # one bot answers at once, the other counts first; both always use the same
    assert len(used) == 2
    assert min(used) < 10 < 999 < max(used)


def test_matches_replay_bit_for_bit(games: Path, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    command = ["verify", "--instructions", str(games), "--json", "--modules", *map(str, files)]
    assert main(command) == 0
    checked = json.loads(capsys.readouterr().out)["games"]
    assert [game["problem"] for game in checked] == [None, None]
    assert all(game["moves"] and game["instructions"] for game in checked)


def changed(record: Record, number: int, move: PlayedMove) -> Record:
    moves = [*record.moves]
    moves[number - 1] = move
    return structs.replace(record, moves=tuple(moves))


def test_the_replay_says_where_it_differs(record: Record, files: tuple[Path, Path]) -> None:
    number, moved = next((n, each) for n, each in enumerate(record.moves, 1) if each.instructions)
    assert moved.instructions is not None
    other = changed(record, number, structs.replace(moved, move="a1"))
    assert difference(other, files) == f"move {number}: a1 in the record, {moved.move} in the replay"
    more = changed(record, number, structs.replace(moved, instructions=moved.instructions + 1))
    assert difference(more, files) == (
        f"move {number} ({moved.move}): {moved.instructions + 1:,} instructions in the record, "
        f"{moved.instructions:,} in the replay"
    )
    shorter = structs.replace(record, moves=record.moves[:-1])
    assert difference(shorter, files) == f"the record has {len(record.moves) - 1} moves, the replay {len(record.moves)}"
    result = "0-1" if record.result == "1-0" else "1-0"
    assert difference(structs.replace(record, result=result), files).startswith(f"the end: {result} by decided in the")


def test_a_record_that_cannot_be_replayed_says_why(record: Record, files: tuple[Path, Path]) -> None:
    cases = [
        (structs.replace(record, time_control="60+0"), "not played by instructions"),
        (structs.replace(record, tags={}), "no tag Module0"),
        (structs.replace(record, tags=record.tags | {"Wasmtime": "1.0"}), "version 1.0 of wasmtime"),
        (structs.replace(record, tags=record.tags | {"Machine": "0"}), "version 0 of machine"),
        (structs.replace(record, time_control="many instructions/move"), "not a time control"),
        (structs.replace(record, tags=record.tags | {"Module1": "ab"}), "the module of first"),
        (structs.replace(record, game="go"), "cannot be played again"),
    ]
    for case, reason in cases:
        with pytest.raises(NoReplay, match=reason):
            asyncio.run(replay(case, modules(list(files))))


def test_a_budget_that_is_used_up_loses_and_replays(files: tuple[Path, Path], tmp_path: Path) -> None:
    endless = write(tmp_path, module(LOOP), "endless.wat")
    contest = contest_of((endless, files[0]), 1_000_000)

    async def played() -> Played:
        return contest.noted(await contest.setting().play(await contest.entrants(), 0))

    record = asyncio.run(played()).record
    assert (record.result, record.detail) == ("0-1", "it used up its instructions")
    assert record.termination is Termination.CRASH
    assert difference(record, (endless, files[0])) == ""


@pytest.mark.parametrize(
    ("second", "game", "nodes", "reason"),
    [
        ("random", "tictactoe", None, "is for WebAssembly bots, wasm:FILE, not for random"),
        ("wasm:nowhere.wasm", "tictactoe", None, "there is no file"),
        ("{last}", "tictactoe", 3, "no limits of depth or nodes"),
        ("{last}", "chess", None, "does not play chess, but tictactoe, einstein"),
    ],
)
async def test_other_bots_do_not_enter(
    second: str, game: str, nodes: int | None, reason: str, files: tuple[Path, Path]
) -> None:
    first, last = (f"wasm:{file}" for file in files)
    contest = Contest(game, first, second.format(last=last), nodes=nodes, instructions=1000)
    with pytest.raises(NoEntrant, match=reason):
        await contest.entrants()


def test_a_clock_does_not_go_with_instructions(files: tuple[Path, Path]) -> None:
    contest = contest_of(files, 9, time_control="5+1")
    with pytest.raises(ValueError, match="no time control"):
        contest.setting()


def test_a_match_that_did_not_end_by_its_moves_replays_as_far_as_it_went(
    record: Record, files: tuple[Path, Path]
) -> None:
    started = structs.replace(record, moves=record.moves[:-2], result="*", termination=Termination.VOID)
    assert difference(started, files) == ""
    left = structs.replace(record, moves=record.moves[:-2], termination=Termination.DISCONNECT)
    assert difference(left, files) == ""


async def test_entrants_are_tried_out(files: tuple[Path, Path]) -> None:
    contest = contest_of(files, 9)
    bots = [entrant.make() for entrant in await contest.entrants()]
    assert all(isinstance(bot, ProgramBot) and bot.games == ("tictactoe", "einstein") for bot in bots)
