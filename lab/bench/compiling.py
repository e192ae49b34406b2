# SPDX-License-Identifier: GPL-3.0-or-later
"""Seconds of processor time to compile every built-in bot's search of chess, beside an older version in the same run.

Both compile into empty caches, in turn. The older version is a commit of this repository; where its history is not
there, our figure stands alone.
"""

import io
import json
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lab.bench.lines import Line, Skipped
from lab.bench.peers import ROOT
from lab.bench.start import surroundings

BEFORE = "ad27b7f"
"""The version that is compared with."""

GAME = "chess"
REPEATS = 3
SHOWN = 6
"""Functions that the note tells."""


def cold(checkout: Path) -> Any:
    """Compile everything in a new process with an empty cache; return what ``lab.bench.cold`` printed."""
    with tempfile.TemporaryDirectory(prefix="arena-cache-") as cache:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).with_name("cold.py")), GAME],
            cwd=checkout,
            env=surroundings(Path(cache)),
            check=False,
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise Skipped(f"{checkout.name} cannot be compiled: {done.stderr.strip()[-200:]}")
    return json.loads(done.stdout.splitlines()[-1])


def checked_out(commit: str, folder: Path) -> Path:
    """Write the sources of a commit into a folder. Raises Skipped where the history is not there."""
    command = ["git", "archive", commit, "engine", "bots", "arena"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    if done.returncode:
        raise Skipped(f"there is no commit {commit} here")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def run() -> Iterator[Line]:
    """Measure both in turn."""
    with tempfile.TemporaryDirectory(prefix="arena-before-") as folder:
        try:
            before: Path | None = checked_out(BEFORE, Path(folder))
            why = ""
        except (Skipped, OSError) as reason:
            before, why = None, str(reason)
        found = [(cold(ROOT), cold(before) if before else None) for _ in range(REPEATS)]
    ours = [each["seconds"] for each, _ in found]
    theirs = [each["seconds"] for _, each in found if each is not None]
    last = found[-1][0]
    most = ", ".join(f"{name.rpartition('engine.')[2]} {seconds:.1f} s" for name, seconds in last["most"][:SHOWN])
    yield Line(
        what=f"compiling every built-in bot's search of {GAME}, cold",
        unit="s CPU",
        ours=statistics.median(ours),
        peer=statistics.median(theirs) if theirs else None,
        peer_name=BEFORE if theirs else "",
        target=0.5,
        bound="at most",
        note=why or f"{last['functions']} functions, most for {most}",
    )
