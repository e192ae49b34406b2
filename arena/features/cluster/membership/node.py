# SPDX-License-Identifier: GPL-3.0-or-later
"""A node: it shares the database with the other nodes by a lease, and is linked with them over the bus."""

import asyncio

import structlog

from arena.features.cluster.bus.links import Links
from arena.features.cluster.bus.nats import Bus, BusError
from arena.features.cluster.membership.entering import Entered, enter
from arena.features.cluster.membership.leases import Leases
from arena.features.cluster.membership.linked import LinkedTenure
from arena.features.cluster.records import nodes
from arena.features.cluster.records.line import Line
from arena.features.cluster.rows import ClusterState, NotANode
from arena.features.cluster.settings import ClusterSettings
from arena.store.database.engines import Engines, Reader
from arena.store.database.tenure import Guard
from arena.store.database.writer import Writer

log = structlog.get_logger("arena.cluster")


class NodeTenure(LinkedTenure):
    """Holds a database together with other nodes, as long as this node's lease lasts."""

    shared = True

    def __init__(self, settings: ClusterSettings, url: str) -> None:
        """``url``: the address at which the other nodes reach this one. Raises ValueError."""
        super().__init__()
        self.name = settings.name()
        self._url = settings.node_url or url
        self._bus = Bus(settings.address(), self.name)

    async def prepare(self) -> None:
        """Reach the bus. Raises NotANode."""
        try:
            await self._bus.open()
        except BusError as error:
            raise NotANode(str(error)) from None

    async def begin(self, engines: Engines, writer: Writer) -> Guard:
        """Become a node. Raises NotANode, and StoreError."""
        url = engines.driver_url
        entered = await asyncio.to_thread(_enter, url, self.name, self._url)
        loop = asyncio.get_running_loop()
        self.leases = Leases(url, entered.me, lambda state: loop.call_soon_threadsafe(self._see, state))
        self.links = Links(entered.me, entered.cluster, self._bus, look=self.leases.look)
        self.links.see(entered.state)
        self.leases.start()
        log.info("this server is a node of a cluster", node=self.name, id=entered.me, cluster=entered.cluster)
        writer.guard = guard = nodes.holding(entered.me)
        await self._begin_epoch(engines, writer)
        return guard

    def details(self) -> dict[str, str | int]:
        """Return what the audit log says about this node."""
        return super().details() | {"node": self.name}

    async def lost(self, reader: Reader) -> str:
        """Return why this node has no lease any more; "" while it has."""
        return "" if self.leases is None else self.leases.lost

    async def leave(self) -> None:
        """Give up leadership and the lease, and close the bus."""
        if self.links is not None:
            self.links.stop()
        if self.leases is not None:
            await asyncio.to_thread(self.leases.stop)
        await self._bus.close()

    def _see(self, state: ClusterState) -> None:
        assert self.links is not None
        self.links.see(state)


def _enter(url: str, name: str, own: str) -> Entered:
    line = Line(url)
    try:
        return enter(line, name, own)
    finally:
        line.close()
