# SPDX-License-Identifier: GPL-3.0-or-later
"""Monte Carlo tree search by the commands that search, play matches and put suites."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.cli import main
from engine.search.tree import TREE_ALGORITHMS

SUITE = '6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "back rank";\n'


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a command prints for programs."""
    assert main([*arguments, "--json"]) == 0
    return msgspec.json.decode(capsys.readouterr().out)


@pytest.mark.parametrize("algorithm", TREE_ALGORITHMS)
def test_json_for_programs(algorithm: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("search", "tictactoe", "--algorithm", algorithm, "--playouts", "300", "--seed", "1", "--switches=-solver")
    found = answer(capsys, *asked)
    assert found["playouts"] == 300 == sum(each["visits"] for each in found["moves"])
    assert found["move"] == found["pv"][0] == found["moves"][0]["move"]
    assert 0 < found["win_probability"] < 1
    again = answer(capsys, *asked)
    assert found | {"seconds": 0} == again | {"seconds": 0}


def test_the_search_is_reported_while_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "tictactoe", "--algorithm", "uct", "--playouts", "100000", "--threads", "2"]) == 0
    printed = capsys.readouterr().out
    assert "win      50.0 % (proven)" in printed
    assert "playouts a second" in printed
    assert "yes" in printed


def test_a_match_with_an_algorithm_and_playouts(capsys: pytest.CaptureFixture[str]) -> None:
    search = ("--algorithm", "uct", "--playouts", "500")
    found = answer(capsys, "match", "mcts", "random", "--game", "tictactoe", *search, "--games", "4")
    assert found["games"] == 4


def test_a_suite_with_playouts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.epd").write_text(SUITE)
    for arguments in (["--algorithm", "uct", "--playouts", "500"], ["--bot", "uct-1k"], ["--bot", "mcts"]):
        assert answer(capsys, "suite", str(tmp_path / "own.epd"), *arguments)["solved"] == 1


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["search", "nim", "--playouts", "9"], "--playouts and --threads are for Monte Carlo tree search"),
        (["search", "nim", "--depth", "3", "--threads", "2"], "--playouts and --threads are for Monte Carlo"),
        (["search", "nim", "--algorithm", "uct", "--depth", "3"], "has no limit of depth"),
        (["search", "nim", "--algorithm", "uct", "--playouts", "0"], "the number of playouts must be 1 or more"),
        (["search", "nim", "--algorithm", "uct", "--playouts", "5", "--threads", "0"], "threads must be 1 or more"),
        (
            ["search", "nim", "--algorithm", "uct", "--playouts", "5", "--switches", "cuts"],
            "no switch is called 'cuts'; there are solver, ",
        ),
        (["search", "nim", "--algorithm", "uct", "--playouts", "5", "--quiescence"], "--quiescence is not for"),
        (["search", "nim", "--algorithm", "uct"], "set a limit"),
        (["match", "minimax-2", "random", "--game", "nim", "--first", "playouts=5"], "are for bots of Monte Carlo"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) != 0
    printed = capsys.readouterr()
    assert why in printed.err + printed.out


def test_options_of_a_suite_that_do_not_fit_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.epd").write_text(SUITE)
    for arguments, why in (
        (["--bot", "play-1k", "--playouts", "5"], "--playouts is for Monte Carlo tree search"),
        (["--bot", "random", "--playouts", "5"], "--playouts is for Monte Carlo tree search"),
        (["--bot", "mcts", "--depth", "5"], "has no limit of depth"),
    ):
        assert main(["suite", str(tmp_path / "own.epd"), *arguments]) != 0
        assert why in capsys.readouterr().err
