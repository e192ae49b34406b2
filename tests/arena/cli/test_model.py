# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that models players."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.cli import main
from engine import formats
from engine.match.record import PlayedMove
from tests.bots.modelling.habitual import NAME, games, write_files


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["model", *arguments, "--json"]) == 0
    return msgspec.json.decode(capsys.readouterr().out)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_files(tmp_path)
    return tmp_path


def test_a_model_is_learned_asked_and_shown(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(files / "anna.json")
    found = answer(capsys, "learn", "--games", str(files / "anna.pgn"), "--player", "habit", "--out", out)
    assert found["games"] == 36
    assert found["names"] == {NAME: 36}
    assert found["skipped"] == {"without the player on one seat": 1}
    assert found["calibrated"]
    assert 0 < found["chunks_used"] < found["chunks_seen"]
    asked = answer(capsys, "predict", "--model", out, "--moves", "e2e4", "e7e5")
    assert len(asked["moves"]) == 29
    assert sum(one["probability"] for one in asked["moves"]) == pytest.approx(1)
    # 1. a3, first in the alphabet, is what she plays
    assert answer(capsys, "predict", "--model", out)["moves"][0]["written"] == "a3"
    page = files / "anna.html"
    shown = answer(capsys, "show", "--model", out, "--top", "3", "--html", str(page))
    assert page.read_text().count("<svg") == 6
    assert "<summary>a2a3: " in page.read_text()
    assert [len(seat["chunks"]) for seat in shown["seats"]] == [3, 3]
    assert shown["seats"][0]["openings"][0]["moves"][0] == "a2a3"
    # one game more, learned on
    more = files / "more.jsonl"
    more.write_text("".join(formats.find("jsonl").write(games(37, "chess", 24)[36:])))
    assert answer(capsys, "learn", "--games", str(more), "--model", out, "--out", out)["games"] == 37


def test_people_see_it_too(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(files / "anna.json")
    assert main(["model", "learn", "--games", str(files / "anna.pdn"), "--out", out]) == 0
    told = capsys.readouterr()
    assert "36 games of checkers by Habit, Anna learned" in told.out
    assert "skipped 1 without the player" in told.err
    assert main(["model", "predict", "--model", out]) == 0
    assert "probability %" in capsys.readouterr().out
    assert main(["model", "show", "--model", out]) == 0
    assert "as Black, 18 games" in capsys.readouterr().out


def test_games_against_the_rules_are_counted(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = games(36, "chess", 24)
    records[3] = replace(records[3], moves=(PlayedMove("e2e5"),))
    path = files / "wrong.jsonl"
    path.write_text("".join(formats.find("jsonl").write(records)))
    found = answer(capsys, "learn", "--games", str(path), "--player", "habit", "--out", str(files / "m.json"))
    assert found["games"] == 35
    assert sum(found["skipped"].values()) == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["learn", "--games", "none.pgn", "--out", "m.json"], "none.pgn: No such file"),
        (["learn", "--games", "anna.pgn", "--player", "nobody", "--out", "m.json"], "no game of 'nobody'"),
        (["learn", "--games", "anna.pgn", "--game", "checkers", "--out", "m.json"], "no game of checkers"),
        (["learn", "--games", "anna.txt", "--out", "m.json"], "not a file of games"),
        (["learn", "--games", "anna.pgn", "--model", "other.json", "--out", "m.json"], "version 99"),
        (["predict", "--model", "none.json"], "none.json: No such file"),
        (["predict", "--model", "anna.pgn"], "not a model"),
    ],
)
def test_invalid_input_is_an_error(
    arguments: list[str],
    complaint: str,
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(files)
    Path("empty").mkdir()
    Path("anna.txt").write_text("")
    Path("other.json").write_text('{"kind": "opponent model", "version": 99}')
    assert main(["model", *arguments]) == 2
    assert complaint in capsys.readouterr().err
    assert not Path("m.json").exists()
