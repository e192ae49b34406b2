# SPDX-License-Identifier: GPL-3.0-or-later
"""Real clusters under load, and what each of their processes uses meanwhile."""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import msgspec
from aiohttp import ClientSession

from lab.load.jobs import Job, LoadBot, LoadCounts, PlayersJob, WatchersJob
from lab.processes import Child, descendants, started, usage_of
from lab.simulation.costs import Observation
from lab.simulation.loads import Load, places
from tests import nats
from tests.end_to_end.server import Server
from tests.postgres import Postgres

GAME = "checkers"
OPTIONS = (
    "--games", GAME, "--ladder", "false", "--time-controls", f"{GAME}=600+10", "--log-level", "warning",
    "--reconnect-grace", "1", "--info-release", "live", "--spectators-each", "5000",
    "--message-rate", "10000", "--message-burst", "10000",
)  # fmt: skip
NAMES = "abc"

SETTLING = 3.0
"""Seconds between the first moves and the measurement."""

_numbers = itertools.count()


class _Connection(msgspec.Struct):
    name: str = ""
    in_msgs: int = 0
    out_msgs: int = 0


class _Connections(msgspec.Struct):
    connections: list[_Connection]


class Sample(msgspec.Struct):
    """What processes have used so far, and what they have counted."""

    nodes: list[float]
    bus: float
    database: float
    players: float
    watchers: float
    machine: float
    commits: int
    frames: list[int]

    def since(self, before: "Sample", seconds: float) -> "Rates":
        """Return the rates for each second since an earlier sample."""
        return Rates(
            [(late - soon) / seconds for late, soon in zip(self.nodes, before.nodes, strict=True)],
            (self.bus - before.bus) / seconds,
            (self.database - before.database) / seconds,
            (self.players - before.players) / seconds,
            (self.watchers - before.watchers) / seconds,
            (self.machine - before.machine) / seconds,
            (self.commits - before.commits) / seconds,
            [(late - soon) / seconds for late, soon in zip(self.frames, before.frames, strict=True)],
        )


class Rates(msgspec.Struct):
    """Processors that were kept busy, and counts for each second."""

    nodes: list[float]
    bus: float
    database: float
    players: float
    watchers: float
    machine: float
    """All programs of the machine, whosoever they are."""
    commits: float
    frames: list[float]


@dataclass
class RealCluster:
    """Nodes, a bus and a database that run."""

    servers: list[Server]
    bus: nats.Nats
    database: Postgres
    idle: Rates | None = None
    """What it uses without a load."""
    _players: list[Child] = field(default_factory=list)
    _watchers: list[Child] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def running(cls, folder: Path, database: Postgres, nodes: int, *, doors: str = "") -> AsyncIterator[Self]:
        """Run one in a new folder, with an empty database; ``doors``: the nodes that referee no matches."""
        await asyncio.to_thread(_prepare, folder, database, NAMES[:nodes])
        async with AsyncExitStack() as stack:
            bus = stack.enter_context(nats.running("-m", "-1"))
            servers = []
            for name in NAMES[:nodes]:
                own = ["--bus", bus.url, "--node", name, "--no-built-in-bots"]
                own += ["--node-referees", "false"] if name in doors else []
                server = Server(folder / name, *own, *OPTIONS, database=database.url, real=True)
                servers.append(server)
                stack.push_async_callback(server.kill)
                await server.start()
                await server.ready()
            yield cls(servers, bus, database)

    # ---------------------------------------------------------------- what it uses

    async def sample(self) -> Sample:
        """Read what all processes have used so far."""
        frames = await self._frames()
        commits = await asyncio.to_thread(
            self.database.ask, "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        )
        return Sample(
            [cpu(server.pid) for server in self.servers],
            cpu(self.bus.pid),
            database_cpu(self.database),
            sum(cpu(child.pid) for child in self._players),
            sum(cpu(child.pid) for child in self._watchers),
            machine_cpu(),
            int(commits[0]),
            [frames.get(name, 0) for name in NAMES[: len(self.servers)]],
        )

    async def _frames(self) -> dict[str, int]:
        async with ClientSession() as http, http.get(f"{self.bus.monitoring}/connz") as response:
            told = msgspec.json.decode(await response.read(), type=_Connections)
        return {each.name: each.in_msgs + each.out_msgs for each in told.connections}

    async def rates(self, seconds: float) -> Rates:
        """Return what is used in the next seconds."""
        loop = asyncio.get_running_loop()
        began, before = loop.time(), await self.sample()
        await asyncio.sleep(seconds)
        after, ended = await self.sample(), loop.time()
        return after.since(before, ended - began)

    # ---------------------------------------------------------------- loads

    async def tables(self, load: Load) -> list[tuple[LoadBot, LoadBot]]:
        """Register bots that have never played, and return the two of each match."""
        run = next(_numbers)
        names = [f"bot-{run}-{match}-{side}" for match in range(load.matches) for side in "ab"]
        bots = [LoadBot(name, token) for name, token in (await self.servers[0].register(*names)).items()]
        return list(zip(bots[::2], bots[1::2], strict=True))

    @asynccontextmanager
    async def under(self, load: Load) -> AsyncIterator[None]:
        """Put a load on it until the end; at the begin all matches have begun."""
        async with AsyncExitStack() as stack:
            try:
                if load.matches:
                    tables = await self.tables(load)
                    doors = [self.servers[door].play_url for place in places(load) for door in place.doors]
                    job = PlayersJob(doors, GAME, load.rate, tables, rated=False, stamped=bool(load.spectators))
                    self._players.append(await _started(stack, job))
                for room in load.rooms() if load.spectators else []:
                    server = self.servers[room]
                    matches = f"{server.url}/api/v1/matches?status=live&limit=500"
                    share = load.spectators // len(load.rooms())
                    self._watchers.append(
                        await _started(stack, WatchersJob([server.watch_url], matches, share, load.watched))
                    )
                yield
            finally:
                self._players.clear()
                self._watchers.clear()

    async def observe(self, name: str, load: Load, seconds: float, *, fitted: bool) -> Observation:
        """Put a load on it, and return what is used meanwhile."""
        if self.idle is None:
            await asyncio.sleep(SETTLING)
            self.idle = await self.rates(seconds)
        async with self.under(load):
            await asyncio.sleep(SETTLING)
            for child in (*self._players, *self._watchers):
                child.say(b"measure")
            used = await self.rates(seconds)
            played, seen = await _reports(self._players), await _reports(self._watchers)
        await self._until_over()
        # the clients count for a moment longer than the processes are measured, hence their own time
        return Observation(
            name=name,
            load=load,
            fitted=fitted,
            moves=played.moves / seconds,
            viewed=seen.frames / seconds,
            groups=max(0.0, used.commits - self.idle.commits),
            frames=used.frames,
            nodes=used.nodes,
            bus=used.bus,
            database=used.database,
            players=used.players,
            watchers=used.watchers,
            others=used.machine - sum((*used.nodes, used.bus, used.database, used.players, used.watchers)),
            plies=played.moves / max(1, sum(played.endings.values())) if played.endings else 0.0,
            relay=_percentiles(played, "relay"),
            watched=_percentiles(seen, "watched"),
        )

    async def _until_over(self) -> None:
        """Wait until the matches of a load, whose bots are gone, are over."""
        query = "SELECT count(*) FROM match WHERE status = 'live'"
        while (await asyncio.to_thread(self.database.ask, query))[0]:  # noqa: ASYNC110  # it happens in the database
            await asyncio.sleep(0.2)
        await asyncio.sleep(1.0)


def _prepare(folder: Path, database: Postgres, names: str) -> None:
    for name in names:
        (folder / name).mkdir(parents=True)
    database.sweep()


def cpu(pid: int) -> float:
    """Return the processor seconds of a process so far; 0 if it has ended."""
    usage = usage_of(pid)
    return 0.0 if usage is None else usage.cpu


def machine_cpu() -> float:
    """Return the processor seconds of all programs of the machine so far."""
    user, nice, system, _, _, interrupts, soft, *_ = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def database_cpu(database: Postgres) -> float:
    """Return the processor seconds of all processes of the database so far."""
    return sum(map(cpu, [database.pid, *descendants(database.pid, "postgres")]))


def _percentiles(counts: LoadCounts, what: str) -> tuple[float, float]:
    latencies = counts.relay if what == "relay" else counts.watched
    return latencies.percentile(50) or 0.0, latencies.percentile(99) or 0.0


async def _started(stack: AsyncExitStack, job: Job) -> Child:
    child = await stack.enter_async_context(started("lab.load"))
    child.say(msgspec.json.encode(job))
    assert (await child.hear()).strip() == b"ready"
    return child


async def _reports(children: list[Child]) -> LoadCounts:
    counts = LoadCounts()
    for child in children:
        child.say(b"report")
        counts.add(msgspec.json.decode(await child.hear(), type=LoadCounts))
    return counts
