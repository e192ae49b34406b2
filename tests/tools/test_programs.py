# SPDX-License-Identifier: GPL-3.0-or-later
"""Installed programs are found; missing ones are named."""

import sys
from pathlib import Path

import pytest

from tools import debian, programs


def place(folder: Path, *names: str) -> None:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).touch(mode=0o755)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without engines and without apt, and a checkout that has unpacked nothing."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(debian, "SYSTEM", str(tmp_path / "games"))
    monkeypatch.setattr(debian, "BIN", tmp_path / "bin")
    return tmp_path


def test_an_engine_is_found_on_the_path_among_the_games_and_among_those_unpacked(bare: Path) -> None:
    assert debian.installed("stockfish") is None
    for folder in (bare / "bin", bare / "games", bare):
        place(folder, "stockfish")
        assert debian.installed("stockfish") == folder / "stockfish"


def test_nothing_is_done_where_all_are_there(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place(bare, *programs.PROGRAMS)
    programs.main()
    assert capsys.readouterr().out == ""


def test_missing_parts_are_reported(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place(bare, "gnuchess")
    programs.main()
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(" are left out: ")[0].rpartition(" ")[2] for line in told] == [
        name for name in programs.PROGRAMS if name != "gnuchess"
    ]
    assert "no apt-get" in told[0]


def test_a_package_that_cannot_be_fetched_is_reported(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (bare / "apt-get").write_text("#!/bin/sh\nexit 100\n")
    (bare / "apt-get").chmod(0o755)
    monkeypatch.setattr(debian, "FOLDER", bare / "tools")
    programs.main()
    expected = "cannot be fetched" if sys.platform == "linux" else "no apt-get"
    assert expected in capsys.readouterr().out
