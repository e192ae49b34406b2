# SPDX-License-Identifier: GPL-3.0-or-later
"""Three nodes with NATS and PostgreSQL under the load of many matches, each with spectators at every node.

The two bots of a match are connected to different nodes, and one of these, or the third one, referees. Servers,
database, bus and clients share this machine. Unlike the tests, PostgreSQL waits for the disk here.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from lab.bench.measurements import Measurement
from lab.commands.load import register
from lab.load.jobs import LoadCounts, PlayersJob, WatchersJob
from lab.processes import Child, descendants, started, usage_of
from tests import nats, postgres
from tests.features.cluster.playing import cluster

MATCHES = int(os.environ.get("BENCH_LIVE_MATCHES", "300"))
SPECTATORS = 3 * MATCHES
RATE = 1.0
"""Moves a second of each match."""
SECONDS = float(os.environ.get("BENCH_SECONDS", "90"))

LATE = 150.0
"""Milliseconds within which 99 of 100 spectators must have a move."""

SETTLING = 10.0
"""Seconds after the last match began, before the measurement."""

USUAL = frozenset({"decided", "repetition", "no-progress rule", "ply limit"})
"""Terminations that are no forfeits."""

NAMES = "abc"
GAME = "checkers"
OPTIONS = (
    "--games", GAME, "--ladder", "false", "--time-controls", f"{GAME}=60+2", "--log-level", "warning",
    "--info-release", "live",  # spectators read in it when a move was sent
    "--max-connections", "10000", "--max-spectators", "10000", "--spectators-each", "10000",
    "--silent-connections-each", "10000", "--silent-rate", "100000", "--http-connections-each", "10000",
    "--connection-rate", "100000",
)  # fmt: skip


class _Loaded(NamedTuple):
    """What was measured."""

    seconds: float
    players: LoadCounts
    watchers: LoadCounts
    used: dict[str, float]
    """Share of a core that each program kept busy."""


@asynccontextmanager
async def _client(job: PlayersJob | WatchersJob) -> AsyncIterator[Child]:
    async with started("lab.load") as client:
        client.say(msgspec.json.encode(job))
        assert (await client.hear()).strip() == b"ready"
        yield client


def _cpu(pids: Mapping[str, int], database: int) -> dict[str, float]:
    """Return the processor seconds that programs have used so far."""
    every = {name: [pid] for name, pid in pids.items()}
    every["PostgreSQL"] = [database, *descendants(database, "postgres")]
    return {
        name: sum(usage.cpu for usage in map(usage_of, numbers) if usage is not None) for name, numbers in every.items()
    }


async def _measure() -> _Loaded:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bot-arena-bench-")))
        database = stack.enter_context(postgres.running(folder / "run"))
        bus = stack.enter_context(nats.running())
        nodes = await stack.enter_async_context(cluster(folder, database.url, bus.url, NAMES, *OPTIONS, real=True))
        tables = await register(database.url, "load", MATCHES, existing=True)
        play = [node.play_url for node in nodes.values()]
        listed = f"{nodes['a'].url}/api/v1/matches?status=live&limit={MATCHES}"
        watching = WatchersJob([node.watch_url for node in nodes.values()], listed, SPECTATORS, MATCHES)
        players = await stack.enter_async_context(_client(PlayersJob(play, GAME, RATE, tables, stamped=True)))
        watchers = await stack.enter_async_context(_client(watching))
        pids = {f"node {name}": node.pid for name, node in nodes.items()} | {"NATS": bus.pid}
        pids |= {"bots": players.pid, "spectators": watchers.pid}
        await asyncio.sleep(SETTLING)
        players.say(b"next")
        watchers.say(b"next")
        began, before = time.monotonic(), _cpu(pids, database.pid)
        await asyncio.sleep(SECONDS)
        seconds, after = time.monotonic() - began, _cpu(pids, database.pid)
        players.say(b"next")
        watchers.say(b"next")
        moved = msgspec.json.decode(await players.hear(), type=LoadCounts)
        watched = msgspec.json.decode(await watchers.hear(), type=LoadCounts)
    return _Loaded(seconds, moved, watched, {name: (after[name] - used) / seconds for name, used in before.items()})


def run() -> Iterator[Measurement]:
    """Three nodes under the load of 300 matches with 900 spectators."""
    found = asyncio.run(_measure())
    told = f"{MATCHES} matches, {SPECTATORS} spectators, {found.seconds:.0f} s"
    moved, watched = found.players, found.watchers
    forfeits = sum(number for ending, number in moved.endings.items() if ending not in USUAL)
    yield Measurement(
        what=f"{told}: moves a second",
        unit="moves/s",
        ours=moved.moves / found.seconds,
        target=0.95 * MATCHES * RATE,
        of="figure",
        note=f"{watched.frames / found.seconds:,.0f} frames a second to spectators",
    )
    yield Measurement(
        what=f"{told}: forfeits, stalled matches, lost connections and errors",
        unit="",
        ours=forfeits + sum(each.stalls + each.reconnects + sum(each.errors.values()) for each in (moved, watched)),
        target=0,
        of="figure",
        bound="at most",
        note=f"{sum(moved.endings.values())} matches ended; {moved.reconnects + watched.reconnects} connections lost, "
        f"{moved.stalls} stalled; errors: {moved.errors | watched.errors or 'none'}",
    )
    for what, delays in (
        ("from a move sent until 99 % of its spectators have it", watched.watched),
        ("from a move sent until 99 % of the opponents are asked", moved.relay),
    ):
        yield Measurement(
            what=f"{told}: {what}",
            unit="ms",
            ours=1000 * (delays.percentile(99) or 0),
            target=LATE,
            of="figure",
            bound="at most",
            note=f"median {1000 * (delays.percentile(50) or 0):.1f} ms, latest {1000 * delays.largest:.0f} ms, of "
            f"{delays.count:,}",
        )
    for name, share in found.used.items():
        yield Measurement(what=f"{told}: {name}", unit="% of a core", ours=100 * share)
