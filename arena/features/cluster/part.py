# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a running arena that links it with the other nodes, if it is a node."""

import structlog

from arena.application import Arena
from arena.feature import Part
from arena.features.cluster.bus.links import Links
from arena.features.cluster.membership.leases import Leases
from arena.features.cluster.membership.linked import LinkedTenure
from arena.features.cluster.metrics import ClusterMetrics
from arena.features.cluster.play.keeping import Keeping
from arena.features.cluster.play.peers import Nodes
from arena.features.cluster.records.nodes import Hellos
from arena.features.cluster.records.owned import Owned
from arena.features.cluster.settings import ClusterSettings
from arena.store.errors import StoreError

log = structlog.get_logger("arena.cluster")

AWAY = 10.0
"""Seconds without the bus after which a node is not ready: a load balancer then sends it no new visitors."""


class ClusterPart(Part):
    """The node of a cluster that this server is. Alone, it does nothing, and ``links`` is None."""

    everywhere = True

    def __init__(self, arena: Arena) -> None:
        tenure = arena.store.tenure
        linked = tenure if isinstance(tenure, LinkedTenure) else LinkedTenure()
        self.name: str = linked.name
        self.links: Links | None = linked.links
        self.leases: Leases | None = linked.leases
        self._keeping: Keeping | None = None
        self.owned = arena.store.records(Owned)
        if self.links is not None and self.leases is not None:
            self.links.numbers = arena.store.records(Hellos).next
            arena.metrics.registry.register(ClusterMetrics(self.links, self.leases))
            settings = arena.settings.of(ClusterSettings)
            self._keeping = Keeping(arena, self.links, Nodes(arena, self.links, referees=settings.node_referees))

    async def run(self) -> None:
        """Link with the other nodes, and play with them. The links last until the server gives up its lease."""
        if self.links is None or self._keeping is None:
            return
        self.links.start()
        await self._keeping.run()

    async def stop(self) -> None:
        """Hand the matches of this node over to the others."""
        if self._keeping is not None:
            try:
                await self._keeping.hand_over()
            except StoreError as error:
                log.warning("the matches of this node could not be handed over; others take them", why=str(error))

    def trouble(self) -> str:
        """Return that the bus is away; "" while it is not, or only just."""
        away = 0.0 if self.links is None else self.links.bus_away
        return f"the bus between the nodes has not answered for {away:.0f} s" if away > AWAY else ""
