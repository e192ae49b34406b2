# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that search a position and print the lecture's table."""

from typing import Any

import msgspec
import pytest

from arena.cli import main, table
from engine.games import find


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a command prints for programs."""
    assert main([*arguments, "--json"]) == 0
    return msgspec.json.decode(capsys.readouterr().out)


def test_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(
        capsys, "search", "checkers/lecture", "--algorithm", "minimax", "--evaluation", "material", "--depth", "6"
    )
    assert {"value", "move", "pv", "nodes", "seconds", "iterations"} <= set(found)
    assert (found["value"], found["nodes"]) == (0, 217_537)
    assert found["iterations"] == [{"depth": 6, "nodes": 217_537, "value": 0}]
    assert found["move"] == found["pv"][0]
    game = find("checkers/lecture")
    position = game.look(game.start())
    for text in found["pv"]:
        position = game.play(position, game.parse_move(position, text))


def test_all_iterations_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "search", "checkers/lecture", "--depth", "5")
    assert [iteration["depth"] for iteration in found["iterations"]] == [1, 2, 3, 4, 5]
    assert found["nodes"] == sum(iteration["nodes"] for iteration in found["iterations"])


def test_a_position_in_the_games_notation(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "search", "tictactoe", "--position", "xx./oo./...", "--depth", "1")
    assert found["move"] == "c3"
    assert found["value"] > 0


def test_a_finished_game_has_no_move(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "search", "nim", "--position", "1+1+2", "--depth", "2")
    assert (found["move"], found["pv"]) == (None, [])


def test_people_see_each_iteration(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "tictactoe", "--depth", "3", "--algorithm", "advanced"]) == 0
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines()[1:4]] == ["1", "2", "3"]
    assert "b2" in printed


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chequers", "--depth", "2"], "no game is called"),
        (["checkers"], "--depth"),
        (["checkers", "--depth", "0"], "1 to 100"),
        (["checkers", "--depth", "2", "--evaluation", "taste"], "second-course"),
        (["checkers", "--depth", "2", "--position", "X"], "no position"),
    ],
)
def test_what_cannot_be_searched_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert main(["search", *arguments]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1


def test_the_lectures_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "TABLE_BITS", 18)  # smaller than what depth 8 needs, and quicker to make
    rows = answer(capsys, "table")
    assert len(rows) == 18
    for row in rows:
        if row["algorithm"] == "minimax" or (row["algorithm"] == "transposition" and row["depth"] < 8):
            assert row["nodes"] == row["lecture_nodes"]
        elif row["lecture_nodes"] and row["algorithm"] != "transposition":
            assert row["nodes"] < row["lecture_nodes"]
    assert main(["table"]) == 0
    assert "15,237,252" in capsys.readouterr().out
