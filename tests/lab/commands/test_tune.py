# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that tunes weights."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.cli import main
from bots.weights import from_json
from engine.games import find

CHECKERS = find("checkers")
QUICK = ("--algorithm", "advanced", "--nodes", "100", "--rounds", "20")


def tuned(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["lab", "tune", "checkers", *QUICK, *arguments, "--json"]) == 0
    return msgspec.json.decode(capsys.readouterr().out)


def test_weights_are_tuned_on_self_play_and_on_the_same_games_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, games = str(tmp_path / "weights.json"), str(tmp_path / "games.jsonl")
    found = tuned(capsys, "--out", out, "--play", "12", "--record", games, "--duel", "2")
    assert found["games"] == 12
    assert found["evaluation"] == "lecture"
    assert found["learned"]["after"] < found["learned"]["before"]
    assert sum(found["duel"][one] for one in ("wins", "draws", "losses")) == 2
    assert list(from_json(CHECKERS, Path(out).read_bytes()).weights) == list(found["weights"].values())
    assert list(found["weights"]) == ["men", "kings", "kings in the centre", "advance"]
    # the file has them all: nothing is played, and the same is found
    assert tuned(capsys, "--out", out, "--play", "12", "--record", games)["weights"] == found["weights"]
    assert tuned(capsys, "--out", out, "--games", games)["weights"] == found["weights"]
    # more are added to it, and it can be begun with what was found
    assert tuned(capsys, "--out", out, "--play", "14", "--record", games)["games"] == 14
    assert len(Path(games).read_text().splitlines()) == 14
    assert tuned(capsys, "--out", out, "--evaluation", out, "--games", games)["games"] == 14


def test_quick_games_are_played_into_a_folder_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, folder = str(tmp_path / "weights.json"), tmp_path / "games"
    quick = ("--nodes", "20", "--out", out, "--play", "90", "--folder", str(folder), "--batch", "500")
    found = tuned(capsys, *quick)
    assert found["games"] == 100, "whole files"
    assert found["learned"]["after"] < found["learned"]["before"]
    files = {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    assert len(files) == 1
    assert tuned(capsys, *quick)["weights"] == found["weights"]
    assert {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")} == files


def test_games_of_one_evaluation_teach_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, folder = str(tmp_path / "weights.json"), str(tmp_path / "games")
    quick = ("--algorithm", "play", "--nodes", "20", "--out", out, "--play", "90", "--folder", folder)
    taught = tuned(capsys, *quick, "--evaluation", "lecture", "--player", "material")
    assert (taught["evaluation"], taught["games"]) == ("lecture", 100)
    assert taught["held_out"]["after"] < taught["held_out"]["before"]
    assert tuned(capsys, *quick, "--evaluation", "material")["games"] == 100, "its own games are those"


def test_the_output_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "weights.py"
    assert main(["lab", "tune", "checkers", *QUICK, "--play", "10", "--duel", "2", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "quiet positions of 10 games" in told
    assert "held out: " in told
    assert "new against old: " in told
    assert "WEIGHTS = {" in out.read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chequers"], "no game is called 'chequers'"),
        (["checkers", "--evaluation", "nonsense"], "no evaluation is called 'nonsense'"),
        (["checkers", "--evaluation", "none.json"], "none.json: No such file"),
        (["checkers", "--games", "none.pgn"], "none.pgn: No such file"),
        (["checkers", "--games", "games.txt"], "not a file of games"),
        (["checkers", "--exclude", "none.epd"], "none.epd: No such file"),
        (["checkers", "--play", "0"], "--play must be 1 or more"),
        (["checkers", "--pull", "nan"], "--pull must be 0 or more"),
        (["checkers", "--batch", "0"], "--batch must be 1 or more"),
        (["checkers", "--folder", "none", "--games", "games.pgn"], "--folder cannot be combined with"),
        (["checkers", "--folder", "none", "--player", "nonsense"], "no evaluation is called 'nonsense'"),
        (["checkers", "--player", "material"], "--player needs --folder"),
        (["checkers", "--trust", "2"], "--trust must be 0 to 1"),
        (["checkers", "--play", "3", "--nodes", "10", "--algorithm", "advanced"], "at least 10 games"),
    ],
)
def test_invalid_input_is_an_error(
    arguments: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "tune", *arguments, "--out", str(tmp_path / "weights.json")]) == 2
    assert complaint in capsys.readouterr().err


def test_where_weights_cannot_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for out, complaint in (
        (tmp_path / "weights.txt", "must end in one of"),
        (tmp_path / "no" / "w.json", "does not exist"),
    ):
        assert main(["lab", "tune", "checkers", "--out", str(out)]) == 2
        assert complaint in capsys.readouterr().err


def test_files_without_games_of_the_kind_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text("nonsense\n")
    assert main(["lab", "tune", "checkers", "--games", str(games), "--out", str(tmp_path / "w.json")]) == 2
    told = capsys.readouterr().err
    assert "1 games were skipped" in told
    assert "no game of checkers" in told
