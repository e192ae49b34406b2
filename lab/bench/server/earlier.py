# SPDX-License-Identifier: GPL-3.0-or-later
"""A single server beside the same of an earlier version: processor time of a relayed move, and of a start.

The earlier version is the last commit before clusters. Both run in turn, with the same packages, and each with a cache
of compiled code of its own.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from lab.bench.measurements import Measurement, Skipped
from lab.bench.processes import ROOT
from lab.bench.server.start import Started, begin, checked_out, surroundings

T = TypeVar("T")

BEFORE = "dab20256"
"""The last commit before clusters."""

PACKAGES = ("arena", "bots", "engine", "lab", "tools", "web")
VENDOR = Path("web", "static", "vendor")
"""Libraries of the browser, which git does not have."""

REPEATS = int(os.environ.get("BENCH_REPEATS", "7"))

COLD = 2
"""Starts of each version without compiled code."""

MATCHES, RATE, SECONDS = 100, 5.0, 12.0
"""Matches at once, moves a second of each, and seconds of a measurement."""

SAME = 1.03
"""How much more a move may cost."""


def cpu_of_move(checkout: Path, cache: Path) -> float:
    """Return the microseconds of processor time that a server of a version spends on a move."""
    options = (f"--matches={MATCHES}", f"--moves-per-second={RATE:g}", f"--seconds={SECONDS:g}", "--unrated")
    command = [sys.executable, "-m", "arena.cli", "lab", "load", "--serve", "--json", *options]
    done = subprocess.run(command, cwd=checkout, env=surroundings(cache), check=False, capture_output=True, text=True)
    if done.returncode:
        raise Skipped(f"the load of {checkout.name} went wrong: {done.stderr.strip()[-300:]} {done.stdout[-300:]}")
    return float(json.loads(done.stdout)["server_cpu_per_move"])


def start(checkout: Path, cache: Path) -> Started:
    """Start a server of a version with its built-in bots, until one has moved."""
    return begin(cache, checkout)


def cold_start(checkout: Path, cache: Path) -> Started:
    """Start a server of a version without compiled code."""
    with tempfile.TemporaryDirectory(prefix="arena-cache-") as empty:
        return begin(Path(empty), checkout)


def _in_turn(measure: Callable[[Path, Path], T], sides: list[tuple[Path, Path]], repeats: int) -> list[tuple[T, T]]:
    """Return pairs of figures, ours and the earlier version's; every other pair begins with the latter."""
    found = []
    for repeat in range(repeats):
        measured = [measure(*side) for side in (sides if repeat % 2 == 0 else sides[::-1])]
        ours, before = measured if repeat % 2 == 0 else measured[::-1]
        found.append((ours, before))
    return found


def _line(what: str, unit: str, pairs: Sequence[tuple[float, float]], most: float | None) -> Measurement:
    ratios = sorted(ours / before for ours, before in pairs)
    now, then = (statistics.median(side) for side in zip(*pairs, strict=True))
    return Measurement(
        what=f"{what}: median ratio of {len(pairs)} pairs",
        unit="",
        ours=statistics.median(ratios),
        target=most,
        of="figure",
        bound="at most",
        note=f"from {ratios[0]:.3f} to {ratios[-1]:.3f}; medians {now:,.4g} and {then:,.4g} {unit} ({BEFORE})",
    )


def run() -> Iterator[Measurement]:
    """Measure both versions in turn."""
    with tempfile.TemporaryDirectory(prefix="arena-before-") as folder:
        before = checked_out(BEFORE, Path(folder, "sources"), PACKAGES)
        shutil.copytree(ROOT / VENDOR, before / VENDOR)
        sides = [(ROOT, Path(folder, "cache")), (before, Path(folder, "cache-before"))]
        _in_turn(cpu_of_move, sides, 1)  # compiles
        yield _line("CPU of a relayed move", "µs", _in_turn(cpu_of_move, sides, REPEATS), SAME)
        _in_turn(start, sides, 1)
        warm, cold = _in_turn(start, sides, REPEATS), _in_turn(cold_start, sides, COLD)
    for how, pairs in (("warm", warm), ("cold", cold)):
        moved = [(ours.moved, earlier.moved) for ours, earlier in pairs]
        used = [(ours.cpu, earlier.cpu) for ours, earlier in pairs]
        yield _line(f"{how} start until a built-in bot has moved", "s", moved, None)
        yield _line(f"{how} start until a built-in bot has moved", "s CPU", used, None)


BENCHMARKS = {"earlier": run}
