# SPDX-License-Identifier: GPL-3.0-or-later
"""A single server on SQLite loads nothing of clusters, farms and traces."""

import subprocess
import sys
from pathlib import Path

CODE = """
import asyncio, socket, sys
from arena.cli import main as command
from arena.application import Arena

begun = Arena.start

async def started(arena):
    await begun(arena)
    unused = {"nats", "opentelemetry", "psycopg", "ray", "requests", "simpy"}
    print(sorted(unused & set(sys.modules)), file=sys.stderr, flush=True)
    arena.why_lost = "seen"
    arena.lost.set()

Arena.start = started
command(["serve", "--port", "0", "--no-built-in-bots", "--no-browser", "--games", "nim", "--data", sys.argv[1]])
"""


def test_a_single_server_loads_nothing_of_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CODE, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert "[]\n" in done.stderr, done.stderr[-2000:]
