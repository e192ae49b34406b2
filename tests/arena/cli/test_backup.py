# SPDX-License-Identifier: GPL-3.0-or-later
import json
from pathlib import Path

import pytest

from arena.cli import main
from tests.databases import found


def test_a_backup_is_an_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path / "arena")
    main(["bots", "add", "marion", "--data", str(tmp_path / "arena")])
    copy = tmp_path / "copy" / "arena.db"
    copy.parent.mkdir()
    assert main(["backup", str(copy), "--data", str(tmp_path / "arena")]) == 0
    capsys.readouterr()
    assert main(["bots", "list", "--data", str(copy.parent), "--json"]) == 0
    assert [bot["name"] for bot in json.loads(capsys.readouterr().out)["items"]] == ["marion"]
    assert main(["backup", str(copy), "--data", str(tmp_path / "arena")]) == 2
    assert "exists already" in capsys.readouterr().err


def test_prune_tells_how_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path)
    assert main(["prune", "--days", "30", "--data", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"matches": 0}
