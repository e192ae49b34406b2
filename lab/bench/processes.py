# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that benchmarks start: the arena, load clients, and the programs to compare with.

Programs to compare with are fetched or compiled when needed, into a folder that git ignores.
"""

import contextlib
import json
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from lab.bench.measurements import Skipped
from lab.load.jobs import Job, LoadCounts
from lab.processes import usage_of
from tools.debian import Unavailable, obtain


@contextlib.contextmanager
def running(
    *command: str, reading: bool = False, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run a Python module, and end it at the end; ``reading``: it reads its standard input; ``folder``: the checkout
    that has the module, None: this one.
    """
    source = subprocess.PIPE if reading else subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=folder or ROOT,
        env=environment,
        stdin=source,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def line_of(process: subprocess.Popen[str]) -> str:
    """Return the next line that a process prints. Raises Skipped when it ended."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise Skipped(f"{process.args!r} ended")
    return line.strip()


def tell(process: subprocess.Popen[str], line: str) -> None:
    """Write a line to a process."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def loaded(*options: str) -> dict[str, Any]:
    """Return the output of ``arena lab load --serve``. Raises Skipped if it fails."""
    command = [sys.executable, "-m", "arena.cli", "lab", "load", "--serve", "--json", *options]
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True)
    outcome: dict[str, Any] = json.loads(done.stdout) if done.stdout else {}
    if done.returncode:
        raise Skipped(f"the load went wrong: {outcome.get('errors')}, {outcome.get('endings')}")
    return outcome


def clients(job: Job, seconds: float) -> LoadCounts:
    """Return the report of a process of load clients after some seconds."""
    with running("lab.load", reading=True) as process:
        tell(process, msgspec.json.encode(job).decode())
        line_of(process)
        tell(process, "measure")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        tell(process, "report")
        return msgspec.json.decode(line_of(process), type=LoadCounts)


def cpu(pid: int) -> float:
    """Return the seconds of CPU that a process has used. Raises Skipped if the system does not tell."""
    usage = usage_of(pid)
    if usage is None:
        raise Skipped("only Linux tells the processor time of a process")
    return usage.cpu


# ---------------------------------------------------------------- programs to compare with

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".bench"
PEER_PACKAGES = Path(__file__).with_name("peer_packages.py")
"""The program that calls the packages of others."""
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
    """Return a program of the package of its name: this machine's own, or else unpacked here with further packages.

    Raises Skipped.
    """
    try:
        return obtain(name, name, *packages)
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
    """Run a command and return its output. Raises Skipped when it fails."""
    return timed(command)[0]


def timed(command: list[str], told: str = "") -> tuple[str, float]:
    """Run a command with a standard input; return its output and its seconds of processor time.

    Raises Skipped when it fails.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, input=told)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise Skipped(f"{Path(command[-1]).name} failed: {done.stderr.strip()[-200:]}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
