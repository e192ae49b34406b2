# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of a cluster: three nodes, the bus and the database fail in every way, while bots play and others watch."""

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Any
from urllib.parse import parse_qs, urlsplit

from arena.store import Store
from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.formats.round_robin import RoundRobin
from lab.proofs.clients import witnesses_play
from lab.proofs.ledger import Ledger
from lab.proofs.players.tournaments import enter
from lab.proofs.server.partitions import Ends, Way
from lab.proofs.server.spectators import compare as compare_watched
from lab.proofs.server.spectators import sockets_watch, told
from tests import nats
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, compare, ended, moves, until

FAULTS = 100
SOCKETS = 24
"""Spectators, who watch at all nodes."""

NAMES = "abc"

GAMES = ("tictactoe", "checkers")
OPTIONS = (
    "--no-built-in-bots", "--games", ",".join(GAMES), "--time-controls", "tictactoe=60+2,checkers=60+2",
    "--ladder-interval", "0.1", "--ladder-pause", "0", "--log-level", "info", "--connection-rate", "100000",
)  # fmt: skip

PATIENCE = 120.0
"""Seconds within which all bots must move again after a fault."""

STOPPED, CUT = 20.0, 12.0
"""Seconds for which a process is stopped, and a way is cut."""

AWAY = ("the database cannot be opened", "the bus at")
"""What a server says that is refused at its start while one of them is away."""

PROGRESS = 2
"""Moves of each bot that show that the arena goes on."""


@dataclass
class _Cluster:
    """Three nodes with a way each to the bus and to the database."""

    ledger: Ledger
    bus: nats.Nats
    nodes: dict[str, Server] = field(default_factory=dict)
    to_bus: dict[str, Way] = field(default_factory=dict)
    to_database: dict[str, Way] = field(default_factory=dict)
    expected: Counter[str] = field(default_factory=Counter)
    """How often each node ended because of a fault."""
    refused: int = 0
    """Starts that were refused, because database or bus was away."""
    witnesses: list[Witness] = field(default_factory=list)
    takeovers: list[float] = field(default_factory=list)
    """Seconds from the kill of a node until the next accepted move in each of its matches."""

    def url(self, random: Random) -> str:
        """Return where a bot connects: at any node, up or down."""
        return random.choice(list(self.nodes.values())).play_url

    @property
    def database(self) -> str:
        """URL of the database without a way between."""
        return self.ledger.postgres.url

    async def leader(self) -> str:
        """Return the name of the node that leads; of any one while none does."""
        found = await self._ask("SELECT name FROM node JOIN leadership ON leadership.node_id = node.id")
        return str(found[0]) if found and found[0] in self.nodes else NAMES[0]

    async def refereed_by(self, name: str) -> list[int]:
        """Return the live matches that a node referees."""
        query = "SELECT match.id FROM match JOIN node ON match.owner = node.id WHERE status = 'live' AND node.name = "
        return [int(number) for number in await self._ask(query + f"'{name}'")]

    async def _ask(self, query: str) -> list[Any]:
        return await asyncio.to_thread(self.ledger.postgres.ask, query)

    def accepted(self, match: int) -> int:
        """Return how many moves of a match were acknowledged."""
        return sum(number == match for each in self.witnesses for number, _ in each.acknowledged)

    async def restart(self, name: str) -> None:
        """Start a node again that has ended, or will: one that lost its lease ends by itself. While bus or database is
        away, a start is refused, and tried again, as a service manager does.
        """
        node = self.nodes[name]
        async with asyncio.timeout(PATIENCE):
            await node.ended()
            self.expected[name] += 1
            while True:
                earlier = len(node.log)
                try:
                    await node.start()
                    return
                except AssertionError:
                    if not any(reason in node.log[earlier:] for reason in AWAY):
                        raise
                    self.refused += 1
                    await asyncio.sleep(0.5)


@asynccontextmanager
async def _cluster(ledger: Ledger) -> AsyncIterator[_Cluster]:
    ledger.postgres.sweep()
    async with AsyncExitStack() as stack:
        bus = stack.enter_context(nats.running())
        cluster = _Cluster(ledger, bus)
        [socket] = parse_qs(urlsplit(ledger.postgres.url).query)["host"]

        async def database() -> Ends:
            return await asyncio.open_unix_connection(f"{socket}/.s.PGSQL.5432")

        async def messages() -> Ends:
            return await asyncio.open_connection("127.0.0.1", bus.port)

        await (await Store.open(ledger.postgres.url)).close()
        for name in NAMES:
            folder = ledger.place(name)
            way = cluster.to_database[name] = Way(database, folder / ".s.PGSQL.5432")
            await stack.enter_async_context(way)
            way = cluster.to_bus[name] = Way(messages)
            await stack.enter_async_context(way)
            options = ["--bus", f"nats://127.0.0.1:{way.port}", "--node", name, *OPTIONS]
            url = ledger.postgres.url.replace(socket, str(folder))
            node = cluster.nodes[name] = Server(folder, *options, database=url, real=True)
            await node.start()
            stack.push_async_callback(node.kill)
        for node in cluster.nodes.values():
            await node.ready()
        yield cluster


# ---------------------------------------------------------------- faults


async def _kill(cluster: _Cluster, name: str) -> None:
    played = {number: cluster.accepted(number) for number in await cluster.refereed_by(name)}
    began = time.monotonic()
    await cluster.nodes[name].kill()
    restart = asyncio.create_task(cluster.restart(name))
    async with asyncio.timeout(PATIENCE):
        while played:
            over = ended(cluster.witnesses)
            for number in [number for number, moved in played.items() if cluster.accepted(number) > moved]:
                cluster.takeovers.append(time.monotonic() - began)
                del played[number]
            played = {number: moved for number, moved in played.items() if number not in over}
            await asyncio.sleep(0.01)
    await restart


async def _kill_leader(cluster: _Cluster, name: str) -> None:
    await _kill(cluster, await cluster.leader())


async def _stop(cluster: _Cluster, name: str) -> None:
    """Stop a node until another has its lease, and let it go on: it must end by itself."""
    pid = cluster.nodes[name].pid
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(STOPPED)
    os.kill(pid, signal.SIGCONT)
    await cluster.restart(name)


async def _kill_bus(cluster: _Cluster, name: str) -> None:
    cluster.bus.kill()
    await asyncio.sleep(2)
    cluster.bus.start()


async def _restart_database(cluster: _Cluster, name: str) -> None:
    await asyncio.to_thread(cluster.ledger.postgres.stop, "immediate")
    await asyncio.sleep(1)
    await asyncio.to_thread(cluster.ledger.postgres.start)


async def _cut_bus(cluster: _Cluster, name: str) -> None:
    cluster.to_bus[name].cut()
    await asyncio.sleep(CUT)
    await cluster.to_bus[name].mend()


async def _cut_database(cluster: _Cluster, name: str) -> None:
    """Cut a node off from the database until another has its lease: it must end by itself."""
    cluster.to_database[name].cut()
    await asyncio.sleep(CUT)
    await cluster.to_database[name].mend()
    await cluster.restart(name)


async def _hand_over(cluster: _Cluster, name: str) -> None:
    assert await cluster.nodes[name].stop() == 0
    await cluster.restart(name)


KINDS: dict[str, Callable[[_Cluster, str], Awaitable[None]]] = {
    "node killed": _kill,
    "leader killed": _kill_leader,
    "node stopped for 20 s": _stop,
    "node stopped in good order": _hand_over,
    "bus killed": _kill_bus,
    "database crashed": _restart_database,
    "way to the bus cut": _cut_bus,
    "way to the database cut": _cut_database,
}

ALONE = ("node killed", "leader killed", "node stopped for 20 s", "node stopped in good order")
"""Faults of which a second one would be of the same node."""


async def prove_cluster(ledger: Ledger) -> None:
    """Faults of a cluster

    Three nodes are one arena, over one database and one bus. Whatever fails, every acknowledged move is in the records
    once and in order, every match has one result, and its ratings count once. Matches go on: after each fault every bot
    moves again. The faults come at random: a node is killed, also the leader, or stopped for 20 seconds and continued,
    or stopped in good order; the bus is killed; the database crashes; the way of a node to one of them is cut; and two
    of them at once. Bots that share no code with the project play at all nodes, on the ladder and in a tournament, and
    record every message that they receive. Spectators at all nodes receive each move once and in order, as the records
    have it, also where they go on at another node.
    """
    faults, random = ledger.times(FAULTS), Random("cluster")
    counts: Counter[str] = Counter()
    waits: dict[str, list[float]] = {}
    async with _cluster(ledger) as cluster:
        names = ("anna", "bert", "cleo", "dora", "emil", "fred")
        tokens = await cluster.nodes["a"].register(*names)
        witnesses = [Witness(name, token, GAMES, pace=0.05) for name, token in tokens.items()]
        cluster.witnesses = witnesses
        async with (
            witnesses_play(witnesses, lambda: cluster.url(random)) as players,
            sockets_watch(list(cluster.nodes.values()), SOCKETS) as spectators,
        ):
            await until(players, lambda: moves(witnesses) > 0)
            tournament = Config(
                name="all",
                game="checkers",
                format=RoundRobin(50),
                entries=tuple(map(Entry, names)),
                concurrency=2,
                rated=True,
            )
            check(tournament)
            await enter(cluster.nodes["a"], tournament)
            for number in range(faults):
                await asyncio.sleep(random.random() * 2)
                kinds = [random.choice(list(KINDS))]
                if number % 10 == 9:
                    other = random.choice([kind for kind in KINDS if kind not in ALONE])
                    kinds += [other] if other != kinds[0] else []
                at = random.choice(NAMES)
                began = time.monotonic()
                # of two faults the second one is of another node
                places = [at, NAMES[(NAMES.index(at) + 1) % len(NAMES)]]
                await asyncio.gather(*(KINDS[kind](cluster, place) for kind, place in zip(kinds, places, strict=False)))
                before = [len(witness.acknowledged) for witness in witnesses]
                healed = time.monotonic()
                try:
                    async with asyncio.timeout(PATIENCE):
                        await until(players, lambda: _moved(witnesses, before))  # noqa: B023  # it is called right here
                except (AssertionError, TimeoutError) as error:
                    error.add_note(f"after fault {number + 1}: {kinds} of {at}")
                    raise
                counts[" and ".join(sorted(kinds))] += 1
                waits.setdefault(kinds[0], []).append(time.monotonic() - healed)
                print(f"  {number + 1}: {kinds} of {at}, {healed - began:.1f} s, then {waits[kinds[0]][-1]:.1f} s")
            watched = await told(spectators)
        assert not watched.faults, watched.faults
        await compare(cluster.nodes["a"], witnesses, dated=False)
        await compare_watched(cluster.nodes["a"], watched.watched)
        for name, node in cluster.nodes.items():
            await node.stop()
            assert "Traceback" not in node.log, (name, node.log[node.log.index("Traceback") - 1500 :][:6000])
        await ledger.verify(cluster.database)
    ledger.note("faults", faults)
    ledger.note_counts("kinds", counts)
    ledger.note("moves acknowledged, all found once", moves(witnesses))
    ledger.note("ends told, all found", len(ended(witnesses)))
    ledger.note("spectators", SOCKETS)
    ledger.note("moves that spectators received one by one", watched.moves)
    ledger.note("ends that spectators received", watched.ends)
    ledger.note("connections that spectators lost", watched.lost)
    ledger.note("matches that a spectator followed further after that", watched.resumed)
    ledger.note("different lists of moves of spectators, all as in the records", len(watched.watched))
    ledger.note("matches that came back to their bots", len(set().union(*(each.resumed for each in witnesses))))
    ledger.note("nodes that ended by a fault and came back", sum(cluster.expected.values()))
    ledger.note("starts that were refused, because database or bus was away", cluster.refused)
    ledger.note("matches of killed nodes that went on", len(cluster.takeovers))
    if cluster.takeovers:
        ledger.note("seconds from the kill of a node until the next accepted move: median", median(cluster.takeovers))
        ledger.note("seconds from the kill of a node until the next accepted move: longest", max(cluster.takeovers))
    for kind, seconds in waits.items():
        ledger.note(f"seconds after “{kind}” until every bot had moved twice: median", median(seconds))
        ledger.note(f"seconds after “{kind}” until every bot had moved twice: longest", max(seconds))


def _moved(witnesses: list[Witness], before: list[int]) -> bool:
    return all(len(each.acknowledged) >= count + PROGRESS for each, count in zip(witnesses, before, strict=True))
