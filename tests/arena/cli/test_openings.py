# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that draws a suite of openings."""

from pathlib import Path

import msgspec
import pytest

from arena.cli import main
from engine.formats import json_lines
from engine.formats.suite import from_positions, from_records
from engine.games import find
from engine.search import Limits, Searcher


def drawn(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that the command prints."""
    assert main(["openings", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_openings_of_chess_are_balanced_positions_that_differ(capsys: pytest.CaptureFixture[str]) -> None:
    chess = find("chess")
    options = ("--count", "6", "--plies", "5", "--margin", "40", "--nodes", "500", "--evaluation", "kendall-whitwell")
    lines = drawn(capsys, "chess", *options, "--seed", "3")
    starts = [opening.start for opening in from_positions(lines)]
    assert len(set(starts)) == len(lines) == 6
    judge = Searcher(chess, "play", "kendall-whitwell")
    for start in starts:
        assert start is not None
        judge.clear()
        assert abs(judge.search(chess.parse_position(start), Limits(nodes=500)).value) <= 40
        assert start.split()[1] == "b", "five plies were made"
    assert drawn(capsys, "chess", *options, "--seed", "3") == lines
    assert drawn(capsys, "chess", *options, "--seed", "4") != lines


def test_any_game_is_written_as_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "openings.jsonl"
    options = ["--count", "4", "--plies", "3", "--nodes", "300", "--margin", "200000", "--out", str(path)]
    assert main(["openings", "checkers", *options, "--json"]) == 0
    told = msgspec.json.decode(capsys.readouterr().out)["openings"]
    with path.open(encoding="utf-8") as file:
        read = [list(opening.moves) for opening in from_records(json_lines.FORMAT, file, 3)]
    assert read == told
    assert len(read) == 4


def test_the_exit_code_is_1_if_openings_are_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["openings", "tictactoe", "--count", "10", "--plies", "1", "--margin", "100", "--nodes", "50"]) == 1
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 9
    assert "found only 9 different balanced openings" in printed.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["go"], "no game is called 'go'"),
        (["chess", "--count", "0"], "--count must be 1 or more"),
        (["chess", "--margin", "-1"], "--margin must be 0 or more"),
        (["nim"], "nim needs a --margin"),
        (["chess", "--evaluation", "taste"], "no evaluation is called 'taste'"),
        (["checkers", "--out", "suite.epd"], "cannot write openings of checkers to suite.epd"),
        (["chess", "--out", "nowhere/suite.epd", "--count", "1", "--nodes", "100"], "cannot write nowhere/suite.epd"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["openings", *arguments]) == 2
    assert says in capsys.readouterr().err
