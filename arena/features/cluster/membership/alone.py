# SPDX-License-Identifier: GPL-3.0-or-later
"""A server without a bus holds the database for itself alone. Nodes that left their leases in it must be dead."""

import asyncio

from arena.features.cluster.membership.entering import wait_for_the_dead
from arena.features.cluster.membership.linked import LinkedTenure
from arena.features.cluster.records import nodes
from arena.features.cluster.records.line import Line
from arena.features.cluster.rows import NodeRow
from arena.store.database.engines import Engines
from arena.store.database.tenure import Guard
from arena.store.database.writer import Writer


class AloneTenure(LinkedTenure):
    """Holds the database for this server alone, and takes the leases of all nodes."""

    hint = "; they are the nodes of a cluster, and a node starts with --bus"

    async def begin(self, engines: Engines, writer: Writer) -> Guard:
        """Refuse to run beside a node that is alive, although it lost its lock for a moment."""
        if not engines.on_sqlite:
            await asyncio.to_thread(_wait, engines.driver_url)
        return await super().begin(engines, writer)

    def taking(self) -> Guard:
        """Take the leases of all nodes: a transaction of theirs is then refused."""
        return nodes.remove_all


def _wait(url: str) -> None:
    line = Line(url)
    try:
        wait_for_the_dead(line, _objection)
    finally:
        line.close()


def _objection(row: NodeRow) -> str:
    return (
        f"the node {row.name} (process {row.pid} on {row.host}) uses this database: start this server as a node, too,"
        " with --bus, or stop all nodes first"
    )
