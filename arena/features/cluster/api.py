# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of the nodes of a cluster, for administrators. Each node answers with its own view of the others."""

import math

from arena.application import Arena
from arena.features.accounts.access import ADMINISTRATOR
from arena.features.accounts.api.refusals import ERRORS
from arena.features.cluster.part import ClusterPart
from arena.features.cluster.records.nodes import NodeRecords
from arena.features.cluster.rows import NodeRow
from web.api.endpoint import Answer, Endpoint


class NodeAnswer(Answer, frozen=True):
    """A node that has a lease."""

    id: int
    """Its number; no other node ever has it."""
    name: str
    """Name of the node."""
    url: str
    """The address at which the other nodes reach its HTTP port."""
    host: str
    """The name of its machine."""
    pid: int
    """The number of its process."""
    version: str
    """Version of its software."""
    started: float
    """Unix time in seconds at which it became a node."""
    leads: bool
    """Whether it leads: it pairs bots and holds tournaments."""
    matches: int
    """Number of live matches that it referees."""
    renewed: float | None
    """Seconds since its lease was renewed, as the answering node saw it; null: not seen yet."""
    silence: float | None
    """Seconds since the answering node heard of it over the bus; null: never."""
    waiting: int
    """Messages of the answering node to it that it has not acknowledged."""
    waiting_bytes: int
    """Their size in bytes, about."""


class NodesAnswer(Answer, frozen=True):
    """The nodes of the cluster, by number."""

    node: str
    """Name of the answering node; empty if the server is alone."""
    term: int
    """How many nodes have led so far."""
    bus_away: float
    """Seconds since the bus answered this node last; 0 while it works."""
    items: list[NodeAnswer]


async def list_nodes(arena: Arena) -> NodesAnswer:
    """List the nodes of the cluster, with their leases, their matches, and the links of the answering node to them."""
    part = arena.part(ClusterPart)
    state = await arena.store.records(NodeRecords).state()
    owned = await part.owned.counts()
    return NodesAnswer(
        node=part.name,
        term=state.term,
        bus_away=0.0 if part.links is None else part.links.bus_away,
        items=[_answer(part, row, owned.get(row.id, 0), leads=row.id == state.leader) for row in state.nodes],
    )


def _answer(part: ClusterPart, row: NodeRow, matches: int, *, leads: bool) -> NodeAnswer:
    silence = math.inf if part.links is None else part.links.silence(row.id)
    age = math.inf if part.leases is None else part.leases.age(row.id)
    waiting, size = (0, 0) if part.links is None else part.links.lag(row.id)
    return NodeAnswer.of(
        row,
        leads=leads,
        matches=matches,
        renewed=age if math.isfinite(age) else None,
        silence=silence if math.isfinite(silence) else None,
        waiting=waiting,
        waiting_bytes=size,
    )


ENDPOINTS = (Endpoint("GET", "/api/v1/nodes", list_nodes, access=ADMINISTRATOR, errors=ERRORS),)
