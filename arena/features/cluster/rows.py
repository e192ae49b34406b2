# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the records of nodes, and the errors of these records."""

from dataclasses import dataclass

from arena.store.errors import StoreRejected


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node of the cluster; its row is its lease."""

    id: int
    """Its number, which no other node ever has."""
    name: str
    url: str
    """The address at which the other nodes reach its HTTP port."""
    host: str
    """The name of its machine."""
    pid: int
    version: str
    key: int
    """A random number in each of its messages, by which others recognise it."""
    counter: int
    """Number of renewals of its lease."""
    started: float
    """Unix time in seconds, of the database's clock."""


@dataclass(frozen=True, slots=True)
class ClusterState:
    """The nodes and the leader, as one read of the database shows them."""

    nodes: tuple[NodeRow, ...]
    leader: int | None
    """Number of the node that leads; it may have lost its lease."""
    term: int
    """How many nodes have led so far."""


class NotANode(StoreRejected):
    """The server cannot become a node of the cluster."""
