# SPDX-License-Identifier: GPL-3.0-or-later
"""The system's own Chromium is found before any is installed."""

from pathlib import Path

import pytest

from tools.chromium import installed, main


def executable(folder: Path, name: str) -> str:
    path = folder / name
    path.touch(mode=0o755)
    return str(path)


def test_none_is_found_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installed() is None


def test_chromium_is_preferred_to_chrome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    chrome = executable(tmp_path, "google-chrome")
    assert installed() == chrome
    chromium = executable(tmp_path, "chromium")
    assert installed() == chromium


def test_nothing_is_installed_where_one_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    executable(tmp_path, "chromium")
    main()
