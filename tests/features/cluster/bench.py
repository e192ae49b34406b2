# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor time of a relayed move: one server, and a cluster whose referee is here or at another node.

All processes count: servers, the bus and PostgreSQL. The clients do not. Three nodes use more without any load than one
server; this part of a move's cost falls with the load, so there are two loads. A move whose referee is at another node
needs a round trip of the bus, the cost of which is measured, too.
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
from tests.features.cluster.round_trips import round_trips

TABLES, RATES, SECONDS, ROUNDS = 40, (5.0, 15.0), 6.0, 10
"""Matches at once, moves a second of each, seconds of a measurement, and measurements of each kind."""

IDLE = 20.0
"""Seconds in which all arenas are measured without any load."""

GAME = "checkers"
OPTIONS = ("--games", GAME, "--ladder", "false", "--time-controls", f"{GAME}=600+10", "--log-level", "warning")


@dataclass
class _Arena:
    """A kind of arena, which runs as long as the benchmark, with a database of its own."""

    server: Server
    """To which the bots connect."""
    pids: list[int]
    """Of its servers and the bus."""
    database: postgres.Postgres
    sides: list[LoadBot] = field(default_factory=list)
    idle: float = 0.0
    """Milliseconds of processor time in a second without any load."""
    costs: dict[float, list[float]] = field(default_factory=lambda: {rate: [] for rate in RATES})
    """Microseconds of processor time for a move, by the moves a second of a match."""
    delays: dict[float, list[float]] = field(default_factory=lambda: {rate: [] for rate in RATES})
    """Median delays of a move in milliseconds, likewise."""

    @property
    def used(self) -> float:
        """Processor seconds of its processes, and of all those of the database, so far."""
        database = self.database.pid
        every = [*self.pids, database, *descendants(database, "postgres")]
        return sum(usage.cpu for usage in map(usage_of, every) if usage is not None)

    async def register(self) -> None:
        """Register the bots."""
        names = (f"bot-{table}-{side}" for table in range(TABLES) for side in "ab")
        self.sides = [LoadBot(name, token) for name, token in (await self.server.register(*names)).items()]

    async def measure(self, rate: float) -> None:
        """Measure the cost of a move."""
        tables = list(zip(self.sides[::2], self.sides[1::2], strict=True))
        job = PlayersJob([self.server.play_url], GAME, rate, tables, rated=False)
        async with started("lab.load") as clients:
            clients.say(msgspec.json.encode(job))
            assert (await clients.hear()).strip() == b"ready"
            await asyncio.sleep(3)
            clients.say(b"next")
            before = self.used
            await asyncio.sleep(SECONDS)
            spent = self.used - before
            clients.say(b"next")
            report = msgspec.json.decode(await clients.hear(), type=LoadCounts)
        assert report.moves > SECONDS * TABLES * rate / 2, report
        self.costs[rate].append(1e6 * spent / report.moves)
        self.delays[rate].append(1000 * (report.relay.percentile(50) or 0))


@asynccontextmanager
async def _alone(folder: Path, database: postgres.Postgres) -> AsyncIterator[_Arena]:
    server = Server(folder, "--no-built-in-bots", *OPTIONS, database=database.url, real=True)
    await server.start()
    await server.ready()
    try:
        yield _Arena(server, [server.pid], database)
    finally:
        await server.stop()


@asynccontextmanager
async def _clustered(folder: Path, database: postgres.Postgres, doors: str) -> AsyncIterator[_Arena]:
    with nats.running() as bus:
        async with cluster(folder, database.url, bus.url, "abc", *OPTIONS, doors=doors, real=True) as nodes:
            yield _Arena(nodes["a"], [*(node.pid for node in nodes.values()), bus.pid], database)


async def _measure() -> tuple[dict[str, _Arena], list[float]]:
    """Measure each kind of arena in turn, and the bus alone, many times, so that a busy moment of the machine affects
    all. Return the arenas, and the microseconds of processor time for a round trip of the bus.
    """
    arenas: dict[str, _Arena] = {}
    trips = []
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bot-arena-bench-")))
        for kind, doors in (("one server", None), ("same node", ""), ("other node", "ab")):
            (place := folder / kind).mkdir()
            database = stack.enter_context(postgres.running(place / "run"))
            database.hurry()
            running = _alone(place, database) if doors is None else _clustered(place, database, doors)
            arenas[kind] = await stack.enter_async_context(running)
            await arenas[kind].register()
        bus = await stack.enter_async_context(round_trips())
        await asyncio.sleep(3)
        before = {kind: arena.used for kind, arena in arenas.items()}
        await asyncio.sleep(IDLE)
        for kind, arena in arenas.items():
            arena.idle = 1e3 * (arena.used - before[kind]) / IDLE
        for _ in range(ROUNDS):
            for rate in RATES:
                for arena in arenas.values():
                    await arena.measure(rate)
                trips.append(await bus.measure(2.0))
    return arenas, trips


def _run() -> Iterator[Measurement]:
    """Processor time of a relayed move in a cluster beside one server."""
    arenas, trips = asyncio.run(_measure())
    alone = arenas["one server"]
    for rate in RATES:
        for kind, most in (("same node", 1.1), ("other node", 1.6)):
            found = arenas[kind]
            ratios = [ours / peer for ours, peer in zip(found.costs[rate], alone.costs[rate], strict=True)]
            low, middle, high = statistics.quantiles(ratios, n=4)
            later = statistics.median(found.delays[rate])
            yield Measurement(
                what=f"{TABLES * rate:.0f} moves/s: a move of two bots at one of three nodes, refereed at the {kind}",
                unit="µs",
                ours=statistics.median(found.costs[rate]),
                peer=statistics.median(alone.costs[rate]),
                peer_name="one server",
                target=most,
                bound="at most",
                note=f"{ROUNDS} ratios: median {middle:.2f}, half of them from {low:.2f} to {high:.2f};"
                f" median delay {later:.1f} ms, {later - statistics.median(alone.delays[rate]):+.1f} ms",
            )
    yield Measurement(
        what="a round trip of the bus alone, between two bare clients",
        unit="µs",
        ours=statistics.median(trips),
        peer=statistics.median(alone.costs[RATES[0]]),
        peer_name=f"a move of one server at {TABLES * RATES[0]:.0f} moves/s",
        bound="at most",
    )
    yield Measurement(
        what="three nodes without any load",
        unit="ms of processor time a second",
        ours=arenas["same node"].idle,
        peer=alone.idle,
        peer_name="one server",
        bound="at most",
    )


BENCHMARKS = {"cluster": _run, "cluster-load": load.run}
