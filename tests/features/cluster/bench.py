# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor time of a relayed move: one server, and a cluster whose referee is here or at another node.

All processes count: servers, the bus and PostgreSQL, in the same database. The clients do not. Three nodes use more
without any load than one server; this part of a move's cost falls with the load, so there are two loads.
"""

import asyncio
import statistics
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from lab.bench.measurements import Measurement
from lab.load.jobs import LoadBot, LoadCounts, PlayersJob
from lab.processes import descendants, started, usage_of
from tests import nats, postgres
from tests.end_to_end.server import Server
from tests.features.cluster import load
from tests.features.cluster.playing import cluster

TABLES, RATES, SECONDS, REPEATS = 40, (5.0, 15.0), 15.0, 3
"""Matches at once, moves a second of each, seconds of a measurement, and measurements of each kind."""

GAME = "checkers"
OPTIONS = ("--games", GAME, "--ladder", "false", "--time-controls", f"{GAME}=600+10", "--log-level", "warning")


def _used(pids: list[int], database: int) -> float:
    """Return the processor seconds of processes, and of all those of the database."""
    every = [*pids, database, *descendants(database, "postgres")]
    return sum(usage.cpu for usage in map(usage_of, every) if usage is not None)


async def _idle(pids: list[int], database: int) -> float:
    """Return milliseconds of processor time in a second without any load."""
    await asyncio.sleep(3)
    before = _used(pids, database)
    await asyncio.sleep(SECONDS)
    return 1e3 * (_used(pids, database) - before) / SECONDS


async def _cost(server: Server, rate: float, pids: list[int], database: int) -> tuple[float, float]:
    """Return microseconds of processor time for a move, and the median delay of a move in milliseconds."""
    names = (f"bot-{rate:.0f}-{table}-{side}" for table in range(TABLES) for side in "ab")
    sides = [LoadBot(name, token) for name, token in (await server.register(*names)).items()]
    job = PlayersJob([server.play_url], GAME, rate, list(zip(sides[::2], sides[1::2], strict=True)), rated=False)
    async with started("lab.load") as clients:
        clients.say(msgspec.json.encode(job))
        assert (await clients.hear()).strip() == b"ready"
        await asyncio.sleep(3)
        clients.say(b"next")
        before = _used(pids, database)
        await asyncio.sleep(SECONDS)
        spent = _used(pids, database) - before
        clients.say(b"next")
        report = msgspec.json.decode(await clients.hear(), type=LoadCounts)
    assert report.moves > SECONDS * TABLES * rate / 2, report
    return 1e6 * spent / report.moves, 1000 * (report.relay.percentile(50) or 0)


@asynccontextmanager
async def _alone(folder: Path, database: str, bus: nats.Nats) -> AsyncIterator[tuple[Server, list[int]]]:
    server = Server(folder, "--no-built-in-bots", *OPTIONS, database=database, real=True)
    await server.start()
    await server.ready()
    try:
        yield server, [server.pid]
    finally:
        await server.stop()


@asynccontextmanager
async def _clustered(
    folder: Path, database: str, bus: nats.Nats, doors: str
) -> AsyncIterator[tuple[Server, list[int]]]:
    async with cluster(folder, database, bus.url, "abc", *OPTIONS, doors=doors) as nodes:
        yield nodes["a"], [*(node.pid for node in nodes.values()), bus.pid]


@dataclass
class _Found:
    """Medians come of these, for one kind of arena."""

    idle: list[float] = field(default_factory=list)
    costs: dict[float, list[tuple[float, float]]] = field(default_factory=lambda: {rate: [] for rate in RATES})
    """By the moves a second of a match."""

    def median(self, rate: float) -> tuple[float, float]:
        """Return the median cost and delay of a move."""
        return statistics.median(cost for cost, _ in self.costs[rate]), statistics.median(
            delay for _, delay in self.costs[rate]
        )


async def _measure() -> dict[str, _Found]:
    """Measure each kind of arena in turn."""
    kinds = {"alone": None, "same node": "", "other node": "ab"}
    found = {kind: _Found() for kind in kinds}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bot-arena-bench-")))
        database = stack.enter_context(postgres.running(folder / "run"))
        database.hurry()
        bus = stack.enter_context(nats.running())
        for repeat in range(REPEATS):
            for kind, doors in kinds.items():
                database.sweep()
                (place := folder / f"{kind}-{repeat}").mkdir()
                running = (
                    _alone(place, database.url, bus) if doors is None else _clustered(place, database.url, bus, doors)
                )
                async with running as (server, pids):
                    found[kind].idle.append(await _idle(pids, database.pid))
                    for rate, costs in found[kind].costs.items():
                        costs.append(await _cost(server, rate, pids, database.pid))
    return found


def _run() -> Iterator[Measurement]:
    """Processor time of a relayed move in a cluster beside one server."""
    found = asyncio.run(_measure())
    for rate in RATES:
        alone, delay = found["alone"].median(rate)
        for kind, most in (("same node", 1.1), ("other node", 1.6)):
            cost, later = found[kind].median(rate)
            yield Measurement(
                what=f"{TABLES * rate:.0f} moves/s: a move of two bots at one of three nodes, refereed at the {kind}",
                unit="µs",
                ours=cost,
                peer=alone,
                peer_name="one server",
                target=most,
                bound="at most",
                note=f"median delay {later:.1f} ms, {later - delay:+.1f} ms",
            )
    yield Measurement(
        what="three nodes without any load",
        unit="ms of processor time a second",
        ours=statistics.median(found["same node"].idle),
        peer=statistics.median(found["alone"].idle),
        peer_name="one server",
        bound="at most",
    )


BENCHMARKS = {"cluster": _run, "cluster-load": load.run}
