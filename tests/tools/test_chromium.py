# SPDX-License-Identifier: GPL-3.0-or-later
"""The machine's own Chromium is found before one is unpacked; Playwright's driver gets the library that it lacks."""

import subprocess
from pathlib import Path

import pytest

from tools import chromium, debian
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


def test_a_driver_without_its_library_gets_it(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(bare, "chromium")
    node = bare / "node"
    # a loader that finds the library or complains, as that of the system does
    node.write_text(
        "#!/bin/sh\n"
        'test -e "${LD_LIBRARY_PATH%%:*}/libatomic.so.1" && echo "v24 $1" && exit\n'
        "echo 'error while loading shared libraries: libatomic.so.1' >&2; exit 127\n"
    )
    node.chmod(0o755)
    monkeypatch.setattr(chromium, "compute_driver_executable", lambda: (str(node), "cli.js"))
    monkeypatch.setattr(chromium, "LIBRARIES", bare / "libatomic")
    monkeypatch.setattr(chromium, "DRIVER", bare / "driver")

    def unpack(*packages: str, into: Path) -> None:
        assert packages == ("libatomic1",)
        (into / "usr/lib/machine").mkdir(parents=True)
        (into / "usr/lib/machine/libatomic.so.1").touch()

    monkeypatch.setattr(debian, "unpack", unpack)
    main()
    assert subprocess.run([bare / "driver", "--version"], capture_output=True, text=True, check=True).stdout == (
        "v24 --version\n"
    )
