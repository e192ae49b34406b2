# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel made of an installed distribution can be installed and holds the same code."""

import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tools.repack import repack


def test_the_wheel_of_elo_installs(tmp_path: Path) -> None:
    wheel = repack("elo", tmp_path)
    target = tmp_path / "target"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(target)]
    subprocess.run([*command, str(wheel)], check=True)
    assert (target / "elo.py").read_bytes() == Path(str(distribution("elo").locate_file("elo.py"))).read_bytes()


def test_the_wheel_holds_nothing_of_the_installation(tmp_path: Path) -> None:
    names = zipfile.ZipFile(repack("elo", tmp_path)).namelist()
    assert not [name for name in names if name.endswith(("INSTALLER", "REQUESTED", ".pyc", "direct_url.json"))]


def test_compiled_code_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not pure Python"):
        repack("numpy", tmp_path)
