# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches among a few bots, ended by three processes at once in one PostgreSQL: ends a second, and deadlocks.

The processes start matches too, and begin the second match of some pairs. They try to reach twice the target, because
they fall behind on a busy machine. PostgreSQL writes to the disk before each commit. BENCH_ENDS_SECONDS is the length.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from arena.store import Store
from lab.bench.measurements import Benchmark, Measurement
from tests.arena.store.ends import BOTS, deadlocks, rated_games, register
from tests.postgres import Postgres
from tests.postgres import running as postgresql

SECONDS = float(os.environ.get("BENCH_ENDS_SECONDS", "30"))
SERVERS, LEAST = 3, 150
"""Processes, and ends a second of all of them that count as enough."""
RATE = 2 * LEAST / SERVERS


def _run() -> Iterator[Measurement]:
    """Ends of matches a second by several servers, and deadlocks of their transactions."""
    with tempfile.TemporaryDirectory(prefix="bot-arena-bench-") as folder, postgresql(Path(folder)) as server:
        asyncio.run(_register(server))
        before = deadlocks(server)
        ended = _end(server)
        found = deadlocks(server) - before
        counted = rated_games(server)
    where = f"{SERVERS} servers, {len(BOTS)} bots"
    yield Measurement(
        what=f"matches that end a second, {where}", unit="1/s", ours=ended / SECONDS, target=LEAST, of="figure"
    )
    yield Measurement(
        what=f"deadlocks of their transactions in {SECONDS:.0f} s",
        unit="deadlocks",
        ours=found,
        target=0,
        of="figure",
        bound="at most",
        note=f"{ended:,} ends",
    )
    yield Measurement(
        what="ends whose rating change is missing, or counted twice",
        unit="ends",
        ours=abs(counted - 2 * ended) / 2,
        target=0,
        of="figure",
        bound="at most",
    )


async def _register(server: Postgres) -> None:
    async with await Store.open(server.url) as store:
        await register(store)


def _end(server: Postgres) -> int:
    """Let the servers end matches, and return how many ended."""
    commands = [
        [sys.executable, "-m", "tests.arena.store.ends", server.url, str(seed), str(SECONDS), str(RATE)]
        for seed in range(SERVERS)
    ]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    return sum(int(process.communicate()[0]) for process in processes)


BENCHMARKS: dict[str, Benchmark] = {"ends": _run}
