# SPDX-License-Identifier: GPL-3.0-or-later
"""Many matches, many spectators, and thousands who do nothing

Five hundred matches of checkers at two moves a second each, a thousand spectators spread over two hundred of them, and
five thousand sockets that do nothing: for ten minutes nobody forfeits, no connection is lost and nothing stalls. For a
minute before, the same without the idle sockets, which takes less than 100 MB of memory; and two thousand spectators of
two hundred matches. The players, the spectators and the server share one machine; a move's way is measured from one bot
to the other. What a busy machine does to it is told, not judged.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

from engine import child
from lab.proofs.ledger import Ledger

SECONDS = 600
SHORT = 60
MATCHES = 500
SPECTATORS = 1_000
CROWD = 2_000
WATCHED = 200
IDLE = 5_000
MEMORY = 100_000_000
"""Bytes that matches and spectators may take."""
RATE = 2.0
"""Moves a second of each match."""


async def prove(ledger: Ledger) -> None:
    """Put an arena under load, for a little while without the idle sockets, which tells what the busy ones take."""
    matches, spectators, watched = (ledger.times(number, 4) for number in (MATCHES, SPECTATORS, WATCHED))
    short = ledger.times(SHORT, 4)
    busy = await _load(ledger.place("busy"), matches, spectators, watched, short)
    crowd = await _load(ledger.place("crowd"), watched, ledger.times(CROWD, 8), watched, short)
    folder, idle = ledger.place("full"), ledger.times(IDLE, 10)
    outcome = await _load(folder, matches, spectators, watched, ledger.times(SECONDS, 4), idle)
    ledger.note("seconds", round(outcome["seconds"]))
    ledger.note("matches", matches)
    ledger.note("spectators", spectators)
    ledger.note("number of idle sockets", idle)
    ledger.note("moves", outcome["moves"])
    ledger.note_counts("how matches ended", outcome["endings"])
    ledger.note("from a move sent until the opponent was asked", _times(outcome["relay"]))
    ledger.note("until a spectator saw it", _times(outcome["watched"]))
    ledger.note(
        f"until one of {ledger.times(CROWD, 8):,} spectators saw it, of {watched} matches", _times(crowd["watched"])
    )
    if outcome["server_cpu"] is not None:
        ledger.note("processors that the server kept busy", f"{outcome['server_cpu']:.2f}")
        ledger.note("memory of the server before", _megabytes(busy["server_bytes_before"]))
        ledger.note("memory that matches and spectators took", _taken(busy))
        ledger.note("memory that all took, the idle sockets too", _taken(outcome))
        assert busy["server_bytes_after"] - busy["server_bytes_before"] < MEMORY, busy
    await ledger.verify(f"sqlite:///{folder / 'arena.db'}")


async def _load(
    folder: Path, matches: int, spectators: int, watched: int, seconds: int, idle: int = 0
) -> dict[str, Any]:
    """Return what ``arena lab load`` tells of an arena that it starts in a folder."""
    options = {
        "matches": matches,
        "moves-per-second": RATE,
        "spectators": spectators,
        "watched": watched,
        "idle": idle,
        "seconds": seconds,
        "data": folder,
    }
    words = [f"--{name}={value}" for name, value in options.items()]
    command = child.command("arena.cli", "lab", "load", "--serve", "--json", *words)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, pass_fds=child.pass_fds())
    printed, _ = await process.communicate()
    outcome: dict[str, Any] = json.loads(printed)
    failed = process.returncode or outcome["forfeits"] or outcome["reconnects"] or outcome["stalls"]
    assert not failed, outcome
    return outcome


def _taken(outcome: dict[str, Any]) -> str:
    return _megabytes(outcome["server_bytes_after"] - outcome["server_bytes_before"])


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _times(percentiles: dict[str, float | None]) -> str:
    told = [f"{value:,.1f} ms ({name} %)" for name, value in percentiles.items() if value is not None and name != "max"]
    return ", ".join(told) or "nobody told"
