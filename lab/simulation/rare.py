# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurement of what is rare until a node dies: connections, matches that are taken over, and lists of matches."""

import asyncio
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from aiohttp import ClientSession, TCPConnector

from arena.cli.support.output import say_error
from arena.protocol import messages as m
from arena.protocol.codec import PROTOCOL, encode
from arena.protocol.watching import Follow
from arena.store import Store
from arena.store.filling import Plan
from arena.store.rows import NewMatch
from engine.games import find
from lab.simulation.clusters import GAME, RealCluster, cpu, database_cpu
from lab.simulation.costs import Rare, Takeover
from lab.simulation.loads import Load
from tests.postgres import Postgres

BOTS, SPECTATORS = 200, 400
"""Connections that are measured."""

AT_ONCE = 16
"""Connections that are opened at the same time."""

SLOW = Load(2, "near", 60, 0.1)
"""Matches in which little happens."""

ORPHANS = Load(3, "far", 200, 0.05)
"""Likewise; the second and the third of three nodes referee half of them each."""

LIVELY = Load(3, "far", 40, 2.0)
"""Matches whose next move shows soon that they go on."""

TAKEOVERS = 3

LISTED = 20_000
"""Live matches in a list that is read."""

READS = 10

TRANSACTIONS = 300
"""Groups of one command that are committed."""

AFTER = 9.0
"""Seconds after the kill of a node until its matches have certainly been taken over."""


async def measure(folder: Path, database: Postgres) -> Rare:
    """Measure everything that is rare, with an empty database."""
    enter, introduce, enter_database, watch = await _connections(folder / "connections", database)
    resume, resume_database = await _resumptions(folder / "resumptions", database)
    listed, listed_database = await _lists(database)
    found = Rare(
        enter, introduce, enter_database, watch, resume, resume_database, listed, listed_database,
        await transaction(database),
    )  # fmt: skip
    say_error(f"rare: {found}")
    return found


async def _connections(folder: Path, database: Postgres) -> tuple[float, float, float, float]:
    """Return what a bot's connection costs its node, another node and the database; and what a spectator's costs."""
    async with AsyncExitStack() as stack:
        cluster = await stack.enter_async_context(RealCluster.running(folder, database, 2))
        http = await stack.enter_async_context(ClientSession(connector=TCPConnector(limit=0)))
        here, elsewhere = cluster.servers
        tokens = await here.register(*(f"caller-{number}" for number in range(BOTS)))
        await asyncio.sleep(2)

        def uses() -> list[float]:
            return [cpu(here.pid), cpu(elsewhere.pid), database_cpu(database)]

        hellos = [
            encode(m.Hello(protocol=PROTOCOL, token=token, games=[GAME], ladder=False, version="1"))
            for token in tokens.values()
        ]

        async def connect() -> None:
            await _greeted(stack, http, here.play_url, hellos)

        async with AsyncExitStack() as first:  # the bots are known when they come back
            await _greeted(first, http, here.play_url, hellos)
        await asyncio.sleep(2)
        enter, introduce, enter_database = await _surplus(uses, connect)
        await stack.enter_async_context(cluster.under(SLOW))
        matches = await asyncio.to_thread(database.ask, "SELECT id FROM match WHERE status = 'live'")

        async def follow() -> None:
            wanted = [encode(Follow(match=matches[number % len(matches)])) for number in range(SPECTATORS)]
            await _greeted(stack, http, here.watch_url, wanted)

        await asyncio.sleep(2)
        watch = (await _surplus(uses, follow))[0]
    return enter / BOTS, introduce / BOTS, enter_database / BOTS, watch / SPECTATORS


async def _greeted(stack: AsyncExitStack, http: ClientSession, url: str, firsts: list[str]) -> None:
    """Open a socket for each first frame, send it, and wait for an answer; the sockets stay open."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def greet(first: str) -> None:
        async with slots:
            socket = await stack.enter_async_context(http.ws_connect(url, compress=0, max_msg_size=0))
            await socket.send_str(first)
            await socket.receive()

    await asyncio.gather(*map(greet, firsts))


async def _surplus(
    uses: Callable[[], list[float]], work: Callable[[], Awaitable[None]], remains: Sequence[float] = (1.0, 1.0, 1.0)
) -> list[float]:
    """Return the processor seconds that some work takes beyond what goes on without it; ``remains``: the shares of that
    which go on during the work.
    """
    loop = asyncio.get_running_loop()
    first, began = uses(), loop.time()
    await asyncio.sleep(5)
    second, middle = uses(), loop.time()
    await work()
    await asyncio.sleep(1)
    third, ended = uses(), loop.time()
    share = (ended - middle) / (middle - began)
    return [
        max(0.0, c - b - part * share * (b - a))
        for a, b, c, part in zip(first, second, third, remains[: len(first)], strict=True)
    ]


async def _resumptions(folder: Path, database: Postgres) -> tuple[float, float]:
    """Return what a match that is taken over costs its new node and the database."""
    async with RealCluster.running(folder, database, 3, doors="a") as cluster, cluster.under(ORPHANS):
        _, dying, heir = cluster.servers

        async def kill() -> None:
            await dying.kill()
            await asyncio.sleep(AFTER)

        await asyncio.sleep(2)
        orphans = await asyncio.to_thread(database.ask, _REFEREED.format("b"))
        # the database works for two nodes from then on, not for three
        node, whole = await _surplus(lambda: [cpu(heir.pid), database_cpu(database)], kill, (1.0, 2 / 3))
    return node / len(orphans), whole / len(orphans)


_REFEREED = "SELECT match.id FROM match JOIN node ON match.owner = node.id WHERE status = 'live' AND node.name = '{}'"
_EVENTS = "SELECT match_id || ' ' || max(number) FROM event WHERE match_id = ANY (ARRAY[{}]) GROUP BY match_id"


async def take_over(folder: Path, database: Postgres) -> list[Takeover]:
    """Kill a node that referees matches again and again, with the bots at another one."""
    found = []
    for number in range(TAKEOVERS):
        async with RealCluster.running(folder / str(number), database, 3, doors="a") as cluster, cluster.under(LIVELY):
            await asyncio.sleep(1 + 0.17 * number)
            matches = await asyncio.to_thread(database.ask, _REFEREED.format("b"))
            began = time.monotonic()
            await cluster.servers[1].kill()
            played = await _moves(database, matches)
            resumed: dict[int, float] = {}
            while len(resumed) < len(matches):
                now = await _moves(database, matches)
                for match in matches:
                    if match not in resumed and now.get(match, 0) > played.get(match, 0):
                        resumed[match] = time.monotonic() - began
                await asyncio.sleep(0.02)
        found.append(Takeover(len(matches), sorted(resumed.values())))
        say_error(f"taken over: {len(matches)} matches, the last one after {max(resumed.values()):.2f} s")
    return found


async def _moves(database: Postgres, matches: list[int]) -> dict[int, int]:
    """Return the number of the last event of each match."""
    rows = await asyncio.to_thread(database.ask, _EVENTS.format(", ".join(map(str, matches))))
    return {int(match): int(last) for match, last in (row.split() for row in rows)}


async def _lists(database: Postgres) -> tuple[float, float]:
    """Return what a match in a list of live matches costs the node that reads it, and the database."""
    database.sweep()
    control = find(GAME).time_control
    plan = Plan(100, LISTED, GAME, control.time_class, str(control), 0, end=time.time())
    async with await Store.open(database.url) as store:
        await store.fill(plan, lambda matches: None)
        await asyncio.to_thread(
            database.change,
            "UPDATE match SET status = 'live', finished = NULL, result = NULL, termination = NULL, plies = NULL",
        )
        await asyncio.to_thread(database.change, "VACUUM ANALYZE match")
        await store.matches.live_owners()
        before, spent = time.process_time(), database_cpu(database)
        for _ in range(READS):  # as the leader does every second
            assert len(await store.matches.live_owners()) == LISTED
        own, whole = time.process_time() - before, database_cpu(database) - spent
    return own / READS / LISTED, whole / READS / LISTED


async def transaction(database: Postgres) -> float:
    """Return the processor time of the thread that writes for the transaction of a group of one command."""
    database.sweep()
    async with await Store.open(database.url) as store:
        versions = []
        for name in ("one", "other"):
            bot = await store.bots.add(name, f"token of {name}")
            versions.append((await store.bots.version(bot.id, "1")).id)
        control = find(GAME).time_control
        new = NewMatch(GAME, control.time_class, str(control), False, 1, None, (), (versions[0], versions[1]))
        match = await store.matches.start(new)
        [writer] = [thread.ident for thread in threading.enumerate() if thread.name == "store-writer"]
        assert writer is not None
        clock = time.pthread_getcpuclockid(writer)
        before = time.clock_gettime(clock)
        for number in range(TRANSACTIONS):
            await store.matches.append(match, [(number, b"{}")])
            await asyncio.sleep(0.01)
        return (time.clock_gettime(clock) - before) / TRANSACTIONS


def flush(folder: Path) -> float:
    """Return the median seconds until a disk has a small piece that was written to a file."""
    taken = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(200):
            file.write(bytes(8192))
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - began)
    return statistics.median(taken)
