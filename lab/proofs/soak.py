# SPDX-License-Identifier: GPL-3.0-or-later
"""Load for a long time

Under steady load for an hour the arena keeps its pace and its memory: nobody forfeits, no connection is lost, and once
it has warmed up the server takes no more memory than what SQLite may still fill of its page cache, which has a bound.
"""

import asyncio
from statistics import median

from lab.proofs.beside import playing, undisturbed, watching
from lab.proofs.ledger import Ledger
from lab.usage import usage_of
from tests.end_to_end.server import Server

SECONDS = 3600
TABLES = 60
SPECTATORS = 60
RATE = 2.0
"""Moves a second of each match."""

SAMPLES = 60
GROWTH = 12e6
"""Bytes by which the memory of the last sixth may exceed that of the second: mostly pages of the database.

Each connection keeps up to 4 MiB of them, and a young database is small enough to be kept whole.
"""


async def prove(ledger: Ledger) -> None:
    """Play and watch for so long."""
    tables, seconds = ledger.times(TABLES, 4), ledger.times(SECONDS, 4)
    server = Server(ledger.place("server"), "--no-built-in-bots", "--games", "tictactoe", "--log-level", "warning")
    await server.start()
    try:
        await server.ready()
        async with (
            playing(server, tables, rate=RATE) as played,
            watching(server, tables, "tictactoe", watched=tables) as watched,
        ):
            sizes = []
            for _ in range(SAMPLES):
                await asyncio.sleep(seconds / SAMPLES)
                usage = usage_of(server.pid)
                sizes.append(usage.bytes if usage else 0)
    finally:
        await server.stop()
    assert "Traceback" not in server.log, server.log[-3000:]
    undisturbed(played)
    assert not watched.errors, watched.errors
    sixth = SAMPLES // 6
    early, late = median(sizes[sixth : 2 * sixth]), median(sizes[-sixth:])
    assert late - early < GROWTH, sizes
    file = server.folder / "arena.db"
    ledger.note("seconds", seconds)
    ledger.note("matches at once, each watched", tables)
    ledger.note("moves", played.moves)
    ledger.note_counts("how matches ended", played.endings)
    ledger.note_latency("from a move sent until the opponent was asked", played.relay)
    ledger.note("memory of the server, after a sixth of the time", f"{early / 1e6:,.1f} MB")
    ledger.note("in the last sixth", f"{late / 1e6:,.1f} MB")
    ledger.note("size of the database then", f"{file.stat().st_size / 1e6:,.1f} MB")
    await ledger.verify(server.database)
