# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that count moves and write out games."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.cli import main
from engine.games import catalogue, find
from engine.walks.playthrough import playthrough


def counted(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["lab", "perft", *arguments, "--json"]) == 0
    found: dict[str, Any] = msgspec.json.decode(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(
    ("arguments", "nodes"),
    [
        (("checkers", "--depth", "9"), 3_963_680),
        (("checkers/lecture", "--depth", "8"), 13_412_443),
        (("nim", "--depth", "0"), 1),
        (("nim/30", "--depth", "1"), 14),
        (("nim", "--position", "7", "--depth", "2"), 6),
    ],
)
def test_leaves_are_counted(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], nodes: int) -> None:
    found = counted(capsys, *arguments)
    assert found["nodes"] == nodes
    assert found["seconds"] > 0
    assert found["nps"] == pytest.approx(nodes / found["seconds"], rel=0.01, abs=1)


def test_leaves_are_counted_move_by_move(capsys: pytest.CaptureFixture[str]) -> None:
    found = counted(capsys, "checkers", "--depth", "5", "--divide")
    assert len(found["moves"]) == 7
    assert sum(found["moves"].values()) == found["nodes"] == 7361


def test_people_see_every_depth(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "perft", "checkers", "--depth", "4"]) == 0
    assert {"7", "49", "302", "1,469"} <= set(capsys.readouterr().out.split())
    assert main(["lab", "perft", "nim", "--depth", "2", "--divide"]) == 0
    assert {"20=7+13", "all"} <= set(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("lab", "perft", "chequers", "--depth", "1"), "no game is called 'chequers'"),
        (("lab", "perft", "checkers", "--depth", "-1"), "must not be negative"),
        (("lab", "perft", "checkers", "--depth", "0", "--divide"), "1 or more"),
        (("lab", "perft", "checkers", "--position", "nowhere", "--depth", "1"), "not a position"),
        (("games", "chequers", "--playthrough"), "no game is called 'chequers'"),
        (("games", "--playthrough"), "needs the NAME of a game"),
        (("games", "nim", "--update", "no/such/folder"), "cannot write"),
    ],
)
def test_errors_are_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], complaint: str) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert complaint in told
    assert told.count("\n") == 1


def test_a_playthrough_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "nim", "--playthrough", "--seed", "7"]) == 0
    assert capsys.readouterr().out == playthrough(find("nim"), 7)


def test_all_playthroughs_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--update", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        f"{name.replace('/', '_')}.txt" for name in catalogue()
    )
