# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of load: many matches and spectators, an hour of steady load, and busy processors."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from engine.native import child
from lab.processes import usage_of
from lab.proofs.clients import playing, undisturbed, watching
from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server

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


async def prove_load(ledger: Ledger) -> None:
    """Many matches, many spectators, and thousands of idle sockets

    Five hundred matches of checkers at two moves a second each, a thousand spectators of two hundred of them, and five
    thousand idle sockets: for ten minutes no bot forfeits, no connection is lost and no match stalls. Before that, a
    minute without the idle sockets takes less than 100 MB of memory, and a minute has two thousand spectators of two
    hundred matches. The players, the spectators and the server share one machine. Delays of moves, from one bot to the
    other, are reported but have no limit here.
    """
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
    """Return the output of ``arena lab load`` for an arena that it starts in a folder."""
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
    return ", ".join(told) or "none"


# ---------------------------------------------------------------- an hour

SOAK_SECONDS = 3600
TABLES = 60
SOAK_SPECTATORS = 60
SOAK_RATE = 2.0
"""Moves a second of each match."""

SAMPLES = 60
GROWTH = 12e6
"""Bytes by which the memory of the last sixth may exceed that of the second: mostly pages of the database.

Each connection keeps up to 4 MiB of them, and a young database is small enough to be kept whole.
"""


async def prove_soak(ledger: Ledger) -> None:
    """Steady load for an hour

    Under steady load for an hour the arena keeps its pace and its memory: no bot forfeits, no connection is lost, and
    after the warm-up the server takes no more memory than SQLite may still add to its page cache, which is bounded.
    """
    tables, seconds = ledger.times(TABLES, 4), ledger.times(SOAK_SECONDS, 4)
    options = ("--no-built-in-bots", "--games", "tictactoe", "--log-level", "warning")
    async with ledger.serving(*options) as server:
        await server.ready()
        async with (
            playing(server, tables, rate=SOAK_RATE) as played,
            watching(server, tables, "tictactoe", watched=tables) as watched,
        ):
            sizes = []
            for _ in range(SAMPLES):
                await asyncio.sleep(seconds / SAMPLES)
                usage = usage_of(server.pid)
                sizes.append(usage.bytes if usage else 0)
        file = server.folder / "arena.db"
    undisturbed(played)
    assert not watched.errors, watched.errors
    sixth = SAMPLES // 6
    early, late = median(sizes[sixth : 2 * sixth]), median(sizes[-sixth:])
    assert late - early < GROWTH, sizes
    ledger.note("seconds", seconds)
    ledger.note("matches at once, each watched", tables)
    ledger.note("moves", played.moves)
    ledger.note_counts("how matches ended", played.endings)
    ledger.note_latency("from a move sent until the opponent was asked", played.relay)
    ledger.note("memory of the server, after a sixth of the time", f"{early / 1e6:,.1f} MB")
    ledger.note("in the last sixth", f"{late / 1e6:,.1f} MB")
    ledger.note("size of the database then", f"{file.stat().st_size / 1e6:,.1f} MB")


# ---------------------------------------------------------------- a busy machine

BUSY_MATCHES = 400
AT_ONCE = 100
"""Matches that are played to compare with, where all clocks start at once."""
LEAST = 20
ENOUGH = 50
"""Matches from which on shares and paces say something."""

LOOPS = 4
LOOP = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
while True:
    pass
"""
"""It ends with the process that started it."""

READY = "the built-in bots are ready"
"""What the server logs when no built-in bot compiles any more; only then matches count."""
MOST_VOID = 0.02
LEAST_PACE = 0.5
LOOK = 1.0
"""Seconds between two looks at how many matches have ended."""
PATIENCE = 1800.0
"""Seconds for compiling, and for the matches."""

BUSY_OPTIONS = (
    "--games", "tictactoe,nim", "--ladder-misordered", "0.01", "--ladder-busy", "0.75", "--log-level", "info",
)  # fmt: skip


async def prove_busy(ledger: Ledger) -> None:
    """Built-in bots on a busy machine

    Four endless loops keep the processors busy while built-in bots play on the ladder, with the ladder's own settings.
    No match is lost on time: a bot's clock starts when a processor is free for its search, and a match is void and
    played again if its search waited for a processor as long as it exceeded its time. At most 2 % of the matches are
    void, and matches finish at least half as fast as if all clocks start at once, however few processors there are.
    """
    compared, count = ledger.times(AT_ONCE), ledger.times(BUSY_MATCHES, LEAST)
    before = None
    if compared >= ENOUGH:
        played, before = await _play(ledger, "at once", compared, "--searches", "1000")
        ledger.note("matches an hour where all clocks start at once", before)
        ledger.note_counts("how these ended", _endings(played))
    played, pace = await _play(ledger, "in turn", count)
    endings = _endings(played)
    ledger.note("endless loops beside", LOOPS)
    ledger.note("matches of built-in bots", len(played))
    ledger.note("matches an hour", pace)
    ledger.note_counts("how they ended", endings)
    assert not endings["time"], [match["detail"] for match in played if match["termination"] == "time"]
    if len(played) >= ENOUGH:
        assert endings["void"] <= MOST_VOID * len(played), endings
    if before is not None:
        assert pace >= LEAST_PACE * before, (pace, before)


async def _play(ledger: Ledger, name: str, count: int, *options: str) -> tuple[list[Any], float]:
    """Let an arena play so many matches beside loops; returns them, and how many it plays in an hour."""
    loops: list[Process] = []
    clock = asyncio.get_running_loop().time
    async with ledger.serving(*BUSY_OPTIONS, *options, name=name, records=f"the records, clocks {name}") as server:
        try:
            async with asyncio.timeout(PATIENCE):
                while READY not in server.log:  # noqa: ASYNC110  # it happens in another process
                    await asyncio.sleep(LOOK)
                before = {match["id"] for match in await _ended(server)}
                loops = [await _start_loop() for _ in range(LOOPS)]
                began = clock()
                played: list[Any] = []
                while len(played) < count:
                    await asyncio.sleep(LOOK)
                    played = [match for match in await _ended(server) if match["id"] not in before]
                passed = clock() - began
        finally:
            for loop in loops:
                loop.kill()
            await asyncio.gather(*(loop.wait() for loop in loops))
    return played, len(played) / passed * 3600


async def _start_loop() -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LOOP), stdin=PIPE, stdout=DEVNULL, start_new_session=True
    )


async def _ended(server: Server) -> list[Any]:
    return await server.all("/matches?status=finished&limit=500")


def _endings(matches: Sequence[Any]) -> Counter[str]:
    return Counter(match["termination"] for match in matches)
