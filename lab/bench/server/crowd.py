# SPDX-License-Identifier: GPL-3.0-or-later
"""Many spectators: a server on one core, with the clients on the others."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from lab.bench.measurements import Measurement, Skipped
from lab.bench.processes import ROOT

MATCHES = 200
SPECTATORS = 2000
RATE = 1.0
"""Moves a second of each match."""
SECONDS = 60.0
LATE = 1000.0
"""Milliseconds: a spectator whose moves are later than the next move falls behind."""


async def _crowd() -> dict[str, Any]:
    """Return the output of ``arena lab load``."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise Skipped("a core for the server and one for the clients are needed")
    options = {"matches": MATCHES, "moves-per-second": RATE, "spectators": SPECTATORS, "watched": MATCHES}
    words = [f"--{name}={value}" for name, value in (options | {"seconds": SECONDS, "server-core": cores[0]}).items()]
    command = [sys.executable, "-m", "arena.cli", "lab", "load", "--serve", "--json", *words]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    printed, _ = await process.communicate()
    outcome: dict[str, Any] = json.loads(printed) if printed else {}
    if process.returncode:
        raise Skipped(f"the load went wrong: {outcome.get('errors')}, {outcome.get('endings')}")
    return outcome


def run_crowd() -> Iterator[Measurement]:
    """Measure."""
    outcome = asyncio.run(_crowd())
    told = f"{SPECTATORS:,} spectators of {MATCHES} matches at {RATE:g} move a second"
    yield Measurement(
        what=f"{told}: moves a second",
        unit="moves/s",
        ours=outcome["moves_per_second"],
        target=0.95 * MATCHES * RATE,
        of="figure",
        note=f"{outcome['frames_per_second']:,.0f} frames a second; {outcome['reconnects']} connections lost",
    )
    yield Measurement(
        what=f"{told}: from a move until 99 % of the spectators have it",
        unit="ms",
        ours=outcome["watched"]["99"],
        target=LATE,
        of="figure",
        bound="at most",
        note=f"median {outcome['watched']['50']:.1f} ms",
    )
    yield Measurement(
        what=f"{told}: the server's core",
        unit="% of a core",
        ours=100 * outcome["server_cpu"],
        target=100.0,
        of="figure",
        bound="at most",
    )


BENCHMARKS = {"crowd": run_crowd}
