# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of long lists over HTTP, from SQLite and from PostgreSQL, of an arena that ``arena lab fill`` made.

Its size comes from the environment: BENCH_BOTS and BENCH_MATCHES. The full size, 100,000 bots and 10,000,000 matches,
takes minutes to fill in and some gigabytes, so the usual one is smaller.
"""

import os
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import msgspec

from lab.bench import processes
from lab.bench.measurements import Measurement
from lab.bench.processes import line_of, running
from tests.postgres import running as postgresql

BOTS = int(os.environ.get("BENCH_BOTS", "100000"))
MATCHES = int(os.environ.get("BENCH_MATCHES", "300000"))

ASKED = 30
"""Times each page is asked for."""

PAGES = {
    "the leaderboard": "/api/v1/leaderboard?game=checkers",
    "the leaderboard by Elo": "/api/v1/leaderboard?game=checkers&system=elo",
    "a page far down the leaderboard by Elo": "/api/v1/leaderboard?game=checkers&system=elo&after=",
    "a bot's matches": "/api/v1/matches?status=finished&bot=7",
    "the newest matches": "/api/v1/matches?status=finished",
    "the newest matches, live and finished": "/api/v1/matches?status=all",
    "matches that ended before a time": "/api/v1/matches?status=all&until=1799900000",
}


def milliseconds(url: str) -> float:
    """Return the median time of an answer."""
    times = []
    for _ in range(ASKED):
        began = time.perf_counter()
        with urllib.request.urlopen(url, timeout=30) as response:
            response.read()
        times.append(time.perf_counter() - began)
    return 1000 * statistics.median(times[1:])


def far_down(url: str) -> str:
    """Return the cursor of a page some tenths down the leaderboard."""
    after = ""
    for _ in range(max(1, BOTS // 1000)):
        with urllib.request.urlopen(f"{url}&limit=200{after and f'&after={after}'}", timeout=30) as response:
            answer = msgspec.json.decode(response.read())
        if answer["next"] is None:
            break
        after = answer["next"]
    return str(after)


def measured(place: str, database: str) -> Iterator[Measurement]:
    """Fill a database and ask a server on it."""
    filling = [sys.executable, "-m", "arena.cli", "lab", "fill", f"--bots={BOTS}", f"--matches={MATCHES}", "--json"]
    began = time.monotonic()
    processes.output([*filling, place])
    note = f"{BOTS:,} bots, {MATCHES:,} matches, filled in {time.monotonic() - began:.0f} s"
    quiet = ("--no-built-in-bots", "--no-browser", "--log-level=error", "--games=checkers")
    with running("arena.cli", "serve", "--json", "--port=0", *quiet, place) as server:
        url = msgspec.json.decode(line_of(server))["url"].rstrip("/")
        for what, path in PAGES.items():
            cursor = far_down(url + path.partition("&after")[0]) if path.endswith("after=") else ""
            yield Measurement(
                what=f"{what}, {database}",
                unit="ms",
                ours=milliseconds(url + path + cursor),
                note=note,
                target=50.0,
                of="figure",
                bound="at most",
            )


def run() -> Iterator[Measurement]:
    """Time them."""
    with tempfile.TemporaryDirectory(prefix="arena-lists-") as folder:
        yield from measured(f"--data={folder}", "SQLite")
    with tempfile.TemporaryDirectory(prefix="arena-lists-") as folder, postgresql(Path(folder) / "run") as postgres:
        yield from measured(f"--database-url={postgres.url}", "PostgreSQL")


BENCHMARKS = {"lists": run}
