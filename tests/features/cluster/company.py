# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of one cluster in the process of a test, over a real bus and a real database."""

import asyncio
import math
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TypeVar

from arena.features.cluster.bus.address import BusAddress
from arena.features.cluster.bus.links import Links
from arena.features.cluster.bus.nats import Bus
from arena.features.cluster.membership.leases import Leases
from arena.features.cluster.records import nodes
from arena.features.cluster.records.line import Line
from arena.features.cluster.rows import ClusterState

T = TypeVar("T")

PATIENCE = 300
"""Seconds for what should take one, on a machine that is busy with other things."""


class Member:
    """A node that keeps what its links tell it. ``open`` first, ``close`` last."""

    def __init__(self, name: str, database: str, bus: str) -> None:
        self.name = name
        self._database = database
        self._bus = Bus(BusAddress.parse(bus), name)
        self.heard: list[tuple[int, bytes]] = []
        self.notes: list[tuple[str, int, bytes]] = []
        self.joined: list[int] = []
        self.gone: list[int] = []
        self.leaders: list[int | None] = []
        self.changed = asyncio.Event()
        self._left = False

    async def open(self) -> None:
        """Become a node, and link."""
        await self._bus.open()
        line = Line(self._database)
        cluster = nodes.found(line)
        me = nodes.join(line, self.name, "http://127.0.0.1:1", "here", os.getpid(), version("bot-arena"))
        assert me is not None, "another node has this name"
        loop = asyncio.get_running_loop()
        self.leases = Leases(self._database, me, lambda state: loop.call_soon_threadsafe(self._see, state))
        self.links = Links(me, cluster, self._bus, look=self.leases.look)
        self.links.on_message = lambda node, body: self._note(self.heard, (node, body))
        self.links.on_note = lambda topic, node, body: self._note(self.notes, (topic, node, body))
        self.links.on_join = lambda node: self._note(self.joined, node)
        self.links.on_gone = lambda node: self._note(self.gone, node)
        self.links.on_leader = lambda node: self._note(self.leaders, node)
        self.links.see(nodes.state(line))
        line.close()
        self.links.start()
        self.leases.start()

    @property
    def id(self) -> int:
        """Its number."""
        return self.links.me

    async def close(self) -> None:
        """Leave; once is enough."""
        if self._left:
            return
        self._left = True
        self.links.stop()
        await asyncio.to_thread(self.leases.stop)
        await self._bus.close()

    def from_(self, sender: "Member") -> list[bytes]:
        """Return what came of another node."""
        return [body for node, body in self.heard if node == sender.id]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds that depends on what the links tell."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self.changed.clear()
                await self.changed.wait()

    async def until_linked(self, others: set[int]) -> None:
        """Wait until it is linked with others, and somebody leads."""
        await self.until(lambda: self.links.leader is not None and others <= set(self.joined))

    async def until_heard(self, sender: "Member", count: int) -> None:
        """Wait until so many messages of another node came."""
        await self.until(lambda: len(self.from_(sender)) >= count)

    async def until_renewed(self, after: float) -> None:
        """Wait until its lease is renewed after a time of the monotonic clock."""
        await self.until(lambda: self.leases.renewed > after)

    async def until_watched(self) -> None:
        """Wait until it has read the lease of each node that it is linked with."""
        await self.until(lambda: all(self.leases.age(other) < math.inf for other in self.joined))

    async def until_away(self) -> None:
        """Wait until the bus is away."""
        await self.until(lambda: bool(self.links.bus_away))

    async def until_back(self) -> None:
        """Wait until it is not."""
        await self.until(lambda: not self.links.bus_away)

    def _see(self, state: ClusterState) -> None:
        self.links.see(state)
        self.changed.set()

    def _note(self, kept: list[T], what: T) -> None:
        kept.append(what)
        self.changed.set()


@asynccontextmanager
async def company(names: str, database: str, bus: str) -> AsyncIterator[list[Member]]:
    """Run nodes, one of each letter's name, that are linked with each other."""
    members = [Member(name, database, bus) for name in names]
    opened: list[Member] = []
    try:
        for member in members:
            await member.open()
            opened.append(member)
        for member in members:
            await member.until_linked({other.id for other in members if other is not member})
        yield members
    finally:
        await asyncio.gather(*(member.close() for member in opened))
