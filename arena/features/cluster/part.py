# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a running arena that links it with the other nodes, if it is a node."""

import asyncio

from arena.application import Arena
from arena.feature import Part
from arena.features.cluster.leases import Leases
from arena.features.cluster.linked import LinkedTenure
from arena.features.cluster.links import Links
from arena.features.cluster.metrics import ClusterMetrics
from arena.features.cluster.records.nodes import Hellos
from arena.features.cluster.records.owned import Owned

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
        self.owned = arena.store.records(Owned)
        if self.links is not None and self.leases is not None:
            self.links.numbers = arena.store.records(Hellos).next
            arena.metrics.registry.register(ClusterMetrics(self.links, self.leases))

    async def run(self) -> None:
        """Link with the other nodes. The links last until the server gives up its lease."""
        if self.links is not None:
            self.links.start()
        await asyncio.Event().wait()

    def trouble(self) -> str:
        """Return that the bus is away; "" while it is not, or only just."""
        away = 0.0 if self.links is None else self.links.bus_away
        return f"the bus between the nodes does not answer since {away:.0f} s" if away > AWAY else ""
