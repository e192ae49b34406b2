# SPDX-License-Identifier: GPL-3.0-or-later
"""What a Python program in a sandbox may read of the machine."""

import os
import sys
from pathlib import Path

import pytest

from bots.sandbox.python import readable_paths

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sandboxes need Linux")


def test_a_link_to_the_interpreter_shows_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``~/.local`` has the default data directory, and links to interpreters in ``bin``."""
    installed, local, environment = (tmp_path / name for name in ("python", ".local", "environment"))
    for prefix in (installed, local, environment):
        (prefix / "bin").mkdir(parents=True)
    (installed / "lib/python3.11").mkdir(parents=True)
    (installed / "lib/python3.11/os.py").touch()
    (local / "share/bot-arena").mkdir(parents=True)
    (local / "lib/python3.11/site-packages").mkdir(parents=True)
    (environment / "pyvenv.cfg").touch()
    (installed / "bin/python3.11").touch()
    (local / "bin/python3.11").symlink_to(installed / "bin/python3.11")
    (environment / "bin/python").symlink_to(local / "bin/python3.11")
    monkeypatch.setattr(sys, "executable", str(environment / "bin/python"))
    monkeypatch.setattr(sys, "prefix", str(environment))
    monkeypatch.setattr(sys, "base_prefix", str(installed))
    found = readable_paths()
    assert {installed, environment, local / "bin"} <= set(found)
    assert not any(path in (local / "share/bot-arena").parents for path in found)
