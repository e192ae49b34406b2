# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that search a position and print the lecture's table."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.cli import main
from engine.games import find
from engine.search import ALGORITHMS, Switch
from lab.commands import table

DOCUMENT = Path(__file__).parents[3] / "docs" / "explanation" / "search.md"


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


def test_switches_replace_or_alter_the_algorithms(capsys: pytest.CaptureFixture[str]) -> None:
    def nodes(*options: str) -> int:
        found: int = answer(capsys, "search", "checkers/lecture", "--depth", "6", *options)["nodes"]
        return found

    assert nodes("--switches", "cuts") == nodes("--algorithm", "alphabeta")
    assert nodes("--switches=-table-move, -DEEPENING,-null_windows,-table") == nodes("--algorithm", "ordering")
    assert nodes("--algorithm", "alphabeta", "--switches=+gains,+killers,+history") == nodes("--algorithm", "ordering")
    assert nodes("--switches", "") == nodes("--algorithm", "minimax")


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
        (["checkers", "--depth", "2", "--position", "X"], "not a position"),
        (
            ["checkers", "--depth", "2", "--switches", "cuts,luck"],
            "no switch is called 'luck'; there are cuts, table, ",
        ),
        (["checkers", "--depth", "2", "--switches=+cuts,table"], "write + or - before every switch"),
    ],
)
def test_errors_are_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert main(["search", *arguments]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1


def test_the_lectures_table_is_the_documents(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "lab", "table")
    document = DOCUMENT.read_text()
    for depth in table.DEPTHS:
        cells = [
            f"{row['nodes']:,} / {row['lecture_nodes']:,}" if row["lecture_nodes"] else f"{row['nodes']:,} / -"
            for row in rows
            if row["depth"] == depth
        ]
        assert f"| {depth} | {' | '.join(cells)} |" in document
    for row in rows:
        if row["algorithm"] in ("minimax", "transposition"):
            assert row["nodes"] == row["lecture_nodes"]
        elif row["lecture_nodes"]:
            assert row["nodes"] < row["lecture_nodes"]


def test_the_table_for_people(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "DEPTHS", (4,))
    assert main(["lab", "table"]) == 0
    assert "3,308" in capsys.readouterr().out


def test_the_document_names_every_algorithm_and_switch() -> None:
    document = DOCUMENT.read_text()
    for algorithm in ALGORITHMS:
        assert f"| `{algorithm}` |" in document
    for switch in Switch:
        assert f"`{switch.name}`" in document
