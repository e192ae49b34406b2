# SPDX-License-Identifier: GPL-3.0-or-later
"""List the nodes of a cluster: which one leads, the matches that each referees, and whether it renews its lease.

The command reads the database twice, 2.5 seconds apart. GET /api/v1/nodes and the page of administration also have what
a node knows of the bus.
"""

import argparse
import asyncio
from datetime import datetime

from arena.cli.support.output import add_json, print_json, print_table, say
from arena.cli.support.records import on_records
from arena.data_directory import add_place
from arena.features.cluster.records.nodes import NodeRecords
from arena.features.cluster.records.owned import Owned
from arena.store import Store

GROUP = "maintain"

PAUSE = 2.5
"""Seconds between two reads, in which a node renews its lease twice."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """List them."""
    nodes = on_records(arguments, _nodes)
    if arguments.json:
        print_json({"items": nodes})
    elif nodes:
        print_table(("node", "address", "machine", "version", "started", "matches", "lease", ""), map(_cells, nodes))
    else:
        say("no node uses this database: it is not of a cluster, or all nodes have stopped")
    return 0


async def _nodes(store: Store) -> list[dict[str, object]]:
    records = store.records(NodeRecords)
    before = {row.id: row.counter for row in (await records.state()).nodes}
    if before:
        await asyncio.sleep(PAUSE)
    state, owned = await records.state(), await store.records(Owned).counts()
    return [
        {
            "id": row.id,
            "name": row.name,
            "url": row.url,
            "host": row.host,
            "pid": row.pid,
            "version": row.version,
            "started": row.started,
            "leads": row.id == state.leader,
            "matches": owned.get(row.id, 0),
            "renewed": before.get(row.id) != row.counter,
        }
        for row in state.nodes
    ]


def _cells(node: dict[str, object]) -> tuple[object, ...]:
    started = datetime.fromtimestamp(float(str(node["started"]))).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    lease = "renewed" if node["renewed"] else "not renewed"
    machine = f"{node['host']}, process {node['pid']}"
    leads = "leads" if node["leads"] else ""
    return node["name"], node["url"], machine, node["version"], started, node["matches"], lease, leads
