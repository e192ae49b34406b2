# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that benchmarks measure."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from lab.bench.lines import Skipped
from lab.bench.peers import ROOT
from lab.load.jobs import Job, Report
from lab.usage import usage_of


@contextlib.contextmanager
def running(*command: str, reading: bool = False) -> Iterator[subprocess.Popen[str]]:
    """Run a Python module, and end it at the end; ``reading``: it reads what is written to it."""
    source = subprocess.PIPE if reading else subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT, stdin=source, stdout=subprocess.PIPE, text=True
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
    """Return what ``arena lab load --serve`` prints. Raises Skipped when it could not run, or failed."""
    command = [sys.executable, "-m", "arena.cli", "lab", "load", "--serve", "--json", *options]
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True)
    outcome: dict[str, Any] = json.loads(done.stdout) if done.stdout else {}
    if done.returncode:
        raise Skipped(f"the load went wrong: {outcome.get('errors')}, {outcome.get('endings')}")
    return outcome


def clients(job: Job, seconds: float) -> Report:
    """Return what a process of load clients measures in some seconds."""
    with running("lab.load", reading=True) as process:
        tell(process, msgspec.json.encode(job).decode())
        line_of(process)
        tell(process, "measure")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        tell(process, "report")
        return msgspec.json.decode(line_of(process), type=Report)


def cpu(pid: int) -> float:
    """Return the seconds of CPU that a process has used. Raises Skipped where nobody can tell."""
    usage = usage_of(pid)
    if usage is None:
        raise Skipped("only Linux tells what a process uses")
    return usage.cpu
