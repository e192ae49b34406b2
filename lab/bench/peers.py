# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers to be measured beside us: fetched or compiled by whoever needs them, into a folder that git ignores."""

import resource
import shutil
import subprocess
import sys
from pathlib import Path

from lab.bench.lines import Skipped
from tools.debian import Unavailable, obtain

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".bench"
LOCK = ROOT / "requirements" / "bench.lock"


def python() -> Path:
    """Return a Python that has the peers' packages. Raises Skipped where they cannot be installed."""
    executable, stamp = FOLDER / "bin" / "python", FOLDER / "installed.lock"
    if stamp.exists() and stamp.read_bytes() == LOCK.read_bytes():
        return executable
    install = [sys.executable, "-m", "tools.install", "pip", "install", "--quiet", "--python", str(executable)]
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(FOLDER)],
        [*install, "--require-hashes", "--requirements", str(LOCK)],
    ):
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
        if done.returncode:
            raise Skipped(f"the peers' packages cannot be installed: {done.stderr.strip()[-200:]}")
    shutil.copyfile(LOCK, stamp)
    return executable


def debian(name: str, *packages: str) -> Path:
    """Return a program of Debian's packages: this machine's own, or else unpacked here. Raises Skipped."""
    try:
        return obtain(name, *packages)
    except Unavailable as reason:
        raise Skipped(f"no {name}: {reason}") from None


def compiled(source: Path) -> Path:
    """Return the program that a C compiler makes of a file. Raises Skipped where there is none."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise Skipped("there is no C compiler")
    FOLDER.mkdir(exist_ok=True)
    program = FOLDER / source.stem
    command = [compiler, "-O3", "-march=native", "-o", str(program), str(source)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Skipped(f"{source.name} cannot be compiled: {done.stderr.strip()[-200:]}")
    return program


def output(command: list[str]) -> str:
    """Run a command and return what it printed. Raises Skipped when it fails."""
    return timed(command)[0]


def timed(command: list[str], told: str = "") -> tuple[str, float]:
    """Run a command that is told something; return what it printed, and the seconds of CPU it took.

    Raises Skipped when it fails.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, input=told)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise Skipped(f"{Path(command[-1]).name} failed: {done.stderr.strip()[-200:]}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
