# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines that are there are found and not installed; where none can be installed, that is said."""

from pathlib import Path

import pytest

from tools import engines


def place(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).touch(mode=0o755)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without engines and without apt."""
    (tmp_path / "games").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(engines, "_GAMES", str(tmp_path / "games"))
    return tmp_path


def test_an_engine_is_found_on_the_path_and_in_the_games_folder(bare: Path) -> None:
    assert engines.installed("stockfish") is None
    place(bare / "games", "stockfish")
    assert engines.installed("stockfish") == str(bare / "games" / "stockfish")
    place(bare, "stockfish")
    assert engines.installed("stockfish") == str(bare / "stockfish")


def test_nothing_is_done_where_all_are_there(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place(bare, *engines.ENGINES)
    engines.main()
    assert capsys.readouterr().out == ""


def test_what_is_missing_is_told(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place(bare, "gnuchess")
    engines.main()
    assert capsys.readouterr().out.startswith("Engines are missing (stockfish, phalanx, fairymax): ")


def test_a_failed_installation_is_told(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bare / "apt-get").write_text("#!/bin/sh\nexit 100\n")
    (bare / "apt-get").chmod(0o755)
    engines.main()
    told = capsys.readouterr().out
    assert told.startswith(("Engines cannot be installed (stockfish, gnuchess, ", "Engines are missing"))
