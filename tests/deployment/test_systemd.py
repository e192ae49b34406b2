# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/deploy/arena.service, as systemd-analyze judges it, and the server under a part of its restrictions."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deployment.front import DEPLOY

UNIT = DEPLOY / "arena.service"
MOST = 45
"""Points of exposure out of 100, of which systemd-analyze calls up to 49 "OK"; without hardening a service has 96."""

LEFT_OUT = ("MemoryDenyWriteExecute", "RestrictNamespaces", "ProtectKernelTunables", "ProtectControlGroups")

ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not installed")


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a program of this machine."""
    program = tmp_path / "arena"
    program.symlink_to(sys.executable)
    text = UNIT.read_text(encoding="utf-8")
    assert "/opt/arena/bin/arena" in text
    unit = tmp_path / "arena.service"
    unit.write_text(text.replace("/opt/arena/bin/arena", str(program)), encoding="utf-8")
    return unit


def analyze(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run systemd-analyze."""
    assert ANALYZE is not None
    return subprocess.run([ANALYZE, *arguments], capture_output=True, text=True, check=False, timeout=600)


@needs_systemd
def test_systemd_finds_no_fault(unit: Path) -> None:
    found = analyze("verify", "--man=no", "--recursive-errors=no", str(unit))
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


@needs_systemd
def test_systemd_finds_faults(unit: Path) -> None:
    unit.write_text(unit.read_text(encoding="utf-8").replace("Restart=on-failure", "Restart=whenever"))
    assert "service restart specifier" in analyze("verify", "--man=no", "--recursive-errors=no", str(unit)).stderr


@needs_systemd
def test_the_service_is_hardened(unit: Path) -> None:
    found = analyze("security", "--offline=true", f"--threshold={MOST}", str(unit))
    assert found.returncode == 0, found.stdout


def test_what_numba_and_bubblewrap_need_is_not_forbidden() -> None:
    settings = dict(re.findall(r"^([A-Za-z]+)=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE))
    assert not settings.keys() & set(LEFT_OUT)
    assert settings["Type"] == "notify"
    page = (DEPLOY.parent / "how-to" / "deployment.md").read_text(encoding="utf-8")
    for name in LEFT_OUT:
        assert f"`{name}`" in page, f"the page says why the unit lacks {name}"
