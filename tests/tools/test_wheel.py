# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel holds all that the product needs to run, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("arena", "bots", "engine", "web")


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in a wheel built now."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.iterdir()
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def test_every_file_of_the_rooms_is_packed(packed: set[str]) -> None:
    command = ["git", "ls-files", *ROOMS]
    tracked = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    assert not {name for name in tracked if (ROOT / name).is_file()} - packed


def test_the_browser_libraries_are_packed(packed: set[str]) -> None:
    vendor = {path.relative_to(ROOT).as_posix() for path in (ROOT / "web" / "static" / "vendor").iterdir()}
    assert vendor
    assert not vendor - packed


def test_nothing_else_is_packed(packed: set[str]) -> None:
    assert {name.partition("/")[0] for name in packed} == set(ROOMS)
    assert not {name for name in packed if "__pycache__" in name}
