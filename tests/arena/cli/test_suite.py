# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that puts a suite of problems to a bot."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.cli import main
from tests.engines import engine

SUITE = """\
# mates and a stalemate
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "[back] rank";
6rk/6pp/8/6N1/8/8/8/4K3 w - - bm Nf7#; id "smothered";
7k/8/6K1/5Q2/8/8/8/8 w - - am Qf7; id "no stalemate";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a3; id "a matter of taste";
8/8/8/8/8/4k3/8/4K2R w - - id "nothing asked";
"""


@pytest.fixture
def suite(tmp_path: Path) -> str:
    """A file with four problems, three of which any search solves."""
    path = tmp_path / "own.epd"
    path.write_text(SUITE, encoding="utf-8")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """What the command prints for programs."""
    assert main(["suite", *arguments, "--json"]) == 0
    printed: dict[str, Any] = msgspec.json.decode(capsys.readouterr().out)
    return printed


def test_json_for_programs(suite: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, suite, "--depth", "3")
    assert (found["suite"], found["problems"], found["solved"]) == ("own.epd", 4, 3)
    assert [attempt["name"] for attempt in found["attempts"] if not attempt["solved"]] == ["a matter of taste"]
    first = found["attempts"][0]
    assert (first["best"], first["move"], first["failure"]) == (["a1a8"], "a1a8", "")
    assert first["info"]["pv"] == ["a1a8"]
    assert found["nodes"] == sum(attempt["info"]["nodes"] for attempt in found["attempts"])


def test_an_algorithm_may_be_asked_instead_of_a_bot(suite: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, suite, "--algorithm", "alphabeta", "--evaluation", "material", "--depth", "2")
    assert (found["bot"], found["solved"]) == ("alphabeta", 3)
    assert all(attempt["info"]["depth"] <= 2 for attempt in found["attempts"])


def test_switches_are_altered_and_problems_asked_side_by_side(suite: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain = answer(capsys, suite, "--algorithm", "alphabeta", "--depth", "3")
    options = ["--algorithm", "alphabeta", "--depth", "3", "--jobs", "3"]
    altered = answer(capsys, suite, *options, "--switches=+gains,+table,+table-move,+deepening")
    assert [attempt["name"] for attempt in altered["attempts"]] == [attempt["name"] for attempt in plain["attempts"]]
    scores = [[attempt["info"]["score"] for attempt in found["attempts"]] for found in (plain, altered)]
    assert scores[0] == scores[1], "an exact search is repeatable"
    assert altered["nodes"] != plain["nodes"]
    assert all(attempt["seconds"] > 0 for attempt in altered["attempts"])


def test_unsolved_problems_are_listed_in_standard_notation(suite: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", suite, "--nodes", "500"]) == 0
    told = capsys.readouterr().out
    assert "solved 3 of 4 (75.0 %)" in told
    assert "a matter of taste" in told
    assert "smothered" not in told
    assert main(["suite", suite, "--nodes", "500", "--all"]) == 0
    rows = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert any(row.startswith("+ [back] rank Ra8# Ra8# ") for row in rows)
    assert any(row.startswith("+ no stalemate not Qf7 ") for row in rows)


BOT = """
from bots.bot import Bot, Turn

class Mine(Bot):
    games = ("chess",)

    def move(self, turn: Turn) -> str:
        return "a1a8"
"""


def test_a_bot_of_ones_own_may_fail(suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(BOT, encoding="utf-8")
    assert main(["suite", suite, "--bot", str(tmp_path / "mine.py")]) == 0
    told = capsys.readouterr().out
    assert "smothered: illegal move 'a1a8' is not a legal move here\n" in told
    assert re.search(r"solved 1 of 4 \(25\.0 %\) with 0 nodes and [0-9.]+ s a problem", told)


def test_an_outside_engine_is_given_the_limits(suite: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, suite, "--bot", f"uci:{engine('stockfish')} limit.seconds=60", "--depth", "4")
    assert (found["bot"], found["solved"]) == ("stockfish", 3)
    assert {attempt["info"]["depth"] for attempt in found["attempts"]} == {4}


@pytest.mark.parametrize(
    ("text", "options", "why"),
    [
        ("8/8/8/8/8/4k3/8/4K2R w - - id;", [], "own.epd has no problems: no line has bm or am"),
        ("", [], "own.epd has no problems"),
        ("\n6k1/8/8/8/8/8/8/8 w - - bm Ra8;", [], "own.epd, line 2: white has no king"),
        (SUITE, ["--bot", "nobody"], "no bot is called 'nobody'"),
        (SUITE, ["--bot", "uci:echo hi"], "echo: engine process died unexpectedly"),
        (SUITE, ["--depth", "0"], "the depth must be 1 to"),
        (SUITE, ["--evaluation", "taste"], "no evaluation is called 'taste'"),
        (SUITE, ["--switches", "warp"], "no switch is called 'warp'"),
        (SUITE, ["--bot", "uci:cat", "--switches", "table"], "uci:cat does not support --evaluation and --switches"),
        (SUITE, ["--jobs", "0"], "--jobs must be 1 or more (got 0)"),
    ],
)
def test_errors_are_one_line(
    text: str, options: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.epd"
    path.write_text(text, encoding="utf-8")
    assert main(["suite", str(path), *options]) == 2
    assert why in capsys.readouterr().err


def test_a_missing_file_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "nowhere.epd"]) == 2
    assert "cannot read nowhere.epd" in capsys.readouterr().err


# ---------------------------------------------------------------- endgames of Othello

ENDGAMES = """\
% eleven empty squares, and a position whose score is wrong
--XXXXX--OOOXX-OOOOXXOXXOXOXOXXXOXXXOXXX--XOXOXX-XXXOOO--OOOOOX- O;
XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X; h8:+62;
"""


def test_endgames_are_solved_exactly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.OBF"
    path.write_text(ENDGAMES, encoding="utf-8")
    found = answer(capsys, str(path))
    assert (found["suite"], found["problems"], found["solved"]) == ("own.OBF", 2, 1)
    first, second = found["positions"]
    assert first["solved"]
    assert first["expected"] is None
    assert first["nodes"] > 100
    assert (second["value"], second["move"], second["expected"], second["solved"]) == (64, "h8", 62, False)
    assert found["nodes"] == first["nodes"] + second["nodes"]
    assert main(["suite", str(path)]) == 0
    assert "solved 1 of 2 with " in capsys.readouterr().out
    assert not answer(capsys, str(path), "--nodes", "1")["positions"][0]["solved"]


@pytest.mark.parametrize(
    ("text", "options", "why"),
    [
        ("", [], "own.obf has no positions"),
        (ENDGAMES, ["--bot", "play"], "solved exactly, without --bot"),
        (ENDGAMES, ["--jobs", "2"], "solved exactly, without --jobs"),
        (ENDGAMES, ["--seconds", "0"], "--seconds must be more than 0 (got 0.0)"),
        ("\nX--O X", [], "own.obf, line 2: 'X--O X' is not a position"),
    ],
)
def test_errors_of_endgames_are_one_line(
    text: str, options: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.obf"
    path.write_text(text, encoding="utf-8")
    assert main(["suite", str(path), *options]) == 2
    assert why in capsys.readouterr().err
