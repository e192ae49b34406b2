# SPDX-License-Identifier: GPL-3.0-or-later
"""How a server becomes a node: the checks at its start, which change nothing, and then its row.

A node that stands in the way may be dead: then its lease is taken, as every node does. If it is alive, the server is
refused.
"""

import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

from arena.features.cluster.membership.judging import Judge
from arena.features.cluster.records import nodes
from arena.features.cluster.records.line import Line
from arena.features.cluster.rows import ClusterState, NodeRow, NotANode

LOOK = 0.5
"""Seconds between two reads of the nodes that stand in the way."""

CLOCK = 5.0
"""Seconds by which the clock of a machine may differ from that of the database."""

Objection = Callable[[NodeRow], str]
"""Returns why a server cannot run beside a node, for people; "" if it can."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A server that became a node."""

    me: int
    cluster: str
    """The random name of the cluster."""
    state: ClusterState


def enter(line: Line, name: str, url: str) -> Entered:
    """Make this server a node. Raises NotANode, and StoreError; then nothing has changed but the leases of the
    dead.
    """
    own = version("bot-arena")
    check_clock(line)
    while True:
        wait_for_the_dead(line, lambda row: objection(row, name, own))
        cluster = nodes.found(line)
        me = nodes.join(line, name, url, socket.gethostname(), os.getpid(), own)
        if me is not None:
            return Entered(me, cluster, nodes.state(line))


def check_clock(line: Line) -> None:
    """Raise NotANode if the clocks of this machine and of the database differ."""
    before = time.time()
    theirs = nodes.clock(line)
    after = time.time()
    off = max(before - theirs, theirs - after)
    if off > CLOCK:
        sign = "ahead of" if before > theirs else "behind"
        raise NotANode(
            f"the clock of this machine is {off:,.0f} s {sign} that of the database: set it (for example with"
            " chrony or systemd-timesyncd), and start again"
        )


def objection(row: NodeRow, name: str, own: str) -> str:
    """Return why a server of a name and version cannot run beside a node; "" if it can."""
    who = f"{row.name} (process {row.pid} on {row.host})"
    if row.name == name:
        return f"a node of the name {who} runs: choose another name with --node"
    if release(row.version) != release(own):
        return (
            f"the node {who} runs arena {row.version}, and this is arena {own}: only releases that differ in the last"
            " number run together. Stop all nodes, and start the newer version"
        )
    return ""


def release(text: str) -> tuple[str, ...]:
    """Return the part of a version that nodes must have in common: all but the number of the patch release."""
    return tuple(text.partition("+")[0].split(".")[:2])


def wait_for_the_dead(line: Line, objects: Objection) -> None:
    """Take the leases of the nodes that stand in the way, once they are dead. Raises NotANode when one is alive."""
    judge = Judge()
    first: dict[int, int] = {}
    while True:
        asked = time.monotonic()
        rows = [(row, why) for row in nodes.state(line).nodes if (why := objects(row))]
        for row, why in rows:
            if row.counter != first.setdefault(row.id, row.counter):
                raise NotANode(why)
        for node in judge.dead({row.id: row.counter for row, _ in rows}, asked, time.monotonic()):
            nodes.take(line, node, first[node])
        if not rows:
            return
        time.sleep(LOOK)  # a lease is a counter in the database, which sends no event
