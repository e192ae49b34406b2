# SPDX-License-Identifier: GPL-3.0-or-later
"""The machine's own Chromium is found before one is unpacked."""

from pathlib import Path

import pytest

from tools import debian
from tools.chromium import installed, main


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a browser, and a checkout that has unpacked none."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(debian, "SYSTEM", str(tmp_path / "games"))
    monkeypatch.setattr(debian, "BIN", tmp_path / "bin")
    return tmp_path


def executable(folder: Path, name: str) -> str:
    path = folder / name
    path.touch(mode=0o755)
    return str(path)


def test_none_is_found_where_there_is_none(bare: Path) -> None:
    assert installed() is None


def test_the_headless_shell_is_preferred_to_chromium_and_chrome_and_all_to_one_that_is_unpacked(bare: Path) -> None:
    (bare / "bin").mkdir()
    names = ("google-chrome", "chromium", "chromium-headless-shell")
    for folder, name in ((bare / "bin", "chromium-headless-shell"), *((bare, name) for name in names)):
        path = executable(folder, name)
        assert installed() == path


def test_nothing_is_fetched_where_one_is_found(bare: Path) -> None:
    executable(bare, "chromium")
    main()
