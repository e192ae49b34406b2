# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that settles margins."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.cli import main
from engine.search.margins import MARGINS, Margins
from lab.tuning.spsa import TUNED

QUICK = ("checkers", "--rounds", "2", "--nodes", "60")


def settled(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["lab", "margins", *QUICK, *arguments, "--json"]) == 0
    return msgspec.json.decode(capsys.readouterr().out)


def test_tuned_margins_are_saved_and_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "margins.json"
    found = settled(capsys, "--out", str(out), "--duel", "2", "--seed", "3")
    margins = Margins(**found["margins"])
    assert msgspec.json.decode(out.read_bytes()) == found["margins"]
    assert sum(found["pairs"]) == 2
    assert all(row.least <= getattr(margins, name) <= row.most for name, row in TUNED.items())
    assert all(getattr(margins, name) == getattr(MARGINS, name) for name in Margins._fields if name not in TUNED)
    assert settled(capsys, "--out", str(out), "--seed", "3")["margins"] == found["margins"]
    assert settled(capsys, "--out", str(out), "--begin", str(out), "--seed", "4")["margins"] != {}


def test_the_output_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "margins", *QUICK, "--out", str(tmp_path / "m.json"), "--duel", "1"]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in TUNED)
    assert "new against old: " in told


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chequers"], "no game is called 'chequers'"),
        (["einstein"], "einstein has no margins"),
        (["checkers", "--evaluation", "nonsense"], "no evaluation is called 'nonsense'"),
        (["checkers", "--begin", "none.json"], "none.json: No such file"),
        (["checkers", "--begin", "other.json"], "unknown margin 'courage'"),
        (["checkers", "--begin", "wild.json"], "aspiration_window must be 6 to 80 (got 0)"),
        (["checkers", "--rounds", "0"], "--rounds must be 1 or more"),
        (["checkers", "--out", "nowhere/m.json"], "the folder nowhere does not exist"),
    ],
)
def test_invalid_input_is_refused_before_any_game(
    arguments: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("other.json").write_text('{"courage": 1}')
    Path("wild.json").write_text('{"aspiration_window": 0}')
    assert main(["lab", "margins", *(arguments if "--out" in arguments else [*arguments, "--out", "m.json"])]) == 2
    assert complaint in capsys.readouterr().err
    assert not Path("m.json").exists()
