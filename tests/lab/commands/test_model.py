# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that studies models of players."""

from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.cli import main
from tests.bots.modelling.habitual import NAME, write_files

KEYS = {"train", "test_moves", "predictions", "bins", "coverage", "calibration_error", "log_loss", "baselines"}


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["lab", "model", *arguments, "--json"]) == 0
    return msgspec.json.decode(capsys.readouterr().out)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_files(tmp_path)
    return tmp_path


def test_a_report(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(files / "anna.pgn")
    found = answer(
        capsys, "report", "--games", path, "--player", "habit", "--train", "12,20", "--test", "6", "--no-search"
    )
    assert found["player"] == "habit"
    assert [one["train"] for one in found["reports"]] == [12, 20]
    for one in found["reports"]:
        assert set(one) >= KEYS | {"after_opening"}
        assert set(one["after_opening"]) >= KEYS - {"train"}
        assert one["test_moves"] == found["reports"][0]["test_moves"]
        assert sum(each["predicted"] for each in one["bins"]) == one["predictions"]
        assert one["coverage"] == pytest.approx(one["predictions"] / one["test_moves"])
        assert set(one["baselines"]) == {"uniform", "most frequent", "capture"}
        uniform = one["baselines"]["uniform"]
        assert one["log_loss"] < uniform["log_loss"]
        assert uniform["difference"] == pytest.approx(uniform["log_loss"] - one["log_loss"])
        assert uniform["interval"][0] < uniform["difference"] < uniform["interval"][1]
        assert set(one["readings"]) == {"text", "visual", "both", "rules", "calibrated"}
        assert one["readings"]["calibrated"]["log_loss"] == one["log_loss"]


def test_a_report_with_searches(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(
        capsys,
        *(
            "report",
            "--games",
            str(files / "anna.pdn"),
            "--train",
            "12",
            "--test",
            "3",
            "--depth",
            "1",
            "--nodes",
            "50",
        ),
    )
    (report,) = found["reports"]
    assert "alpha-beta depth 4" in report["baselines"]
    assert "blend" in report["readings"]


def test_a_report_of_a_folder(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = files / "study.html"
    words = [
        "lab",
        "model",
        "report",
        "--games",
        str(files),
        "--train",
        "12",
        "--test",
        "4",
        "--no-search",
        "--html",
        str(page),
    ]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert page.read_text().count("<svg") == 2
    assert all(line in unescape(page.read_text()) for line in told.splitlines())
    assert "published" in told
    assert "(36); chess" in told
    assert "(36); checkers" in told
    found = answer(capsys, "report", "--games", str(files), "--train", "12", "--test", "4", "--no-search")
    assert [one["player"] for one in found["players"]] == [NAME, NAME]


def test_worth_is_measured_against_some(capsys: pytest.CaptureFixture[str]) -> None:
    effort = ("--known", "2", "--pairs", "2", "--nodes", "50", "--plain-nodes", "60")
    found = answer(capsys, "worth", "--against", "minimax-2", *effort)
    assert (found["game"], found["nodes"], found["plain_nodes"]) == ("checkers", 50, 60)
    assert [one["opponent"] for one in found["opponents"]] == ["minimax-2", "all"]
    assert all(one["games"] == 4 and one["cost"] > 0 for one in found["opponents"])
    assert main(["lab", "model", "worth", "--against", "minimax-2", *effort]) == 0
    assert "time of a move" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["report", "--games", "anna.pgn", "--train", "some"], "--train must be numbers of games"),
        (["report", "--games", "anna.pgn", "--train", "40"], "too few to learn from 40"),
        (["report", "--games", "anna.pgn", "--test", "0"], "must be 1 or more"),
        (["report", "--games", "empty"], "no files of games"),
        (["worth", "--against", "minimax-2,nobody"], "there is no 'nobody'; there are minimax-2"),
        (["worth", "--against", ","], "names nobody"),
        (["worth", "--plain-nodes", "0"], "must be 1 or more"),
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
    assert main(["lab", "model", *arguments]) == 2
    assert complaint in capsys.readouterr().err
