# SPDX-License-Identifier: GPL-3.0-or-later
"""Costs of the parts of a cluster, as they were measured, and the observations that they come from."""

from pathlib import Path

import msgspec
from msgspec import Struct

from lab.simulation.loads import Load, NodeWork

FILE = Path(__file__).with_name("measured.json")
"""What ``measure`` found last."""


class Bus(Struct, frozen=True):
    """Seconds of processor time of NATS."""

    standing: float
    """In each second, for each node."""
    wake: float
    """For a frame of a node from which none was being read."""
    frame: float
    """For each frame that it takes from one node and gives to another."""


class Database(Struct, frozen=True):
    """Seconds of processor time of PostgreSQL."""

    standing: float
    """In each second, for each node."""
    group: float
    """For each transaction of a group of commands."""
    move: float
    """For each move in it."""


class Clients(Struct, frozen=True):
    """Seconds of processor time of the programs that make the load, which share the processors of the measurement."""

    move: float
    """For each move: the one that is sent, and the turn that is received."""
    viewer: float
    """For each move that a spectator receives."""


class Rare(Struct, frozen=True):
    """Seconds of processor time of rare work, and of parts that are measured by themselves."""

    enter: float
    """At the node, for a bot that connects."""
    introduce: float
    """At each other node, for the same bot."""
    enter_database: float
    """In the database, for the same bot."""
    watch: float
    """At the node, for a spectator that connects and follows a match."""
    resume: float
    """At the node, for a match that it takes over."""
    resume_database: float
    """In the database, for the same match."""
    listed: float
    """At the node, for each match in a list of live matches that it reads."""
    listed_database: float
    """In the database, for the same."""
    transaction: float
    """At the node, for the transaction of a group of one command: a part of the cost of a group. The rest comes after
    the commit.
    """


class Costs(Struct, frozen=True):
    """Everything that the model needs to know of the programs."""

    node: NodeWork
    """Seconds of processor time of a node for one of each unit of its work."""
    bus: Bus
    database: Database
    clients: Clients
    rare: Rare
    plies: float
    """Moves of a match."""


class Observation(Struct, frozen=True):
    """One load on one real cluster. Rates are for each second; uses are processors that were kept busy."""

    name: str
    load: Load
    fitted: bool
    """Whether the costs come from it; else it is there to be predicted."""
    moves: float
    viewed: float
    """Frames that spectators received."""
    groups: float
    """Transactions of groups of commands, of all nodes."""
    frames: list[float]
    """Frames that each node sent to the bus or received from it."""
    nodes: list[float]
    """Use of each node."""
    bus: float
    database: float
    players: float
    watchers: float
    others: float
    """Use of all other programs of the machine."""
    plies: float
    """Moves of a match, in the mean of those that ended; 0 if none did."""
    relay: tuple[float, float] = (0.0, 0.0)
    """Seconds from a move sent until the opponent's turn came: median, and the 99th percentile."""
    watched: tuple[float, float] = (0.0, 0.0)
    """Seconds from a move sent until a spectator had it: likewise."""

    @property
    def servers(self) -> float:
        """Use of all processes but the clients."""
        return sum(self.nodes) + self.bus + self.database


class Takeover(Struct, frozen=True):
    """A node was killed that refereed matches, with the bots at another one."""

    matches: int
    resumed: list[float]
    """Seconds from the kill until the next move of each match was accepted."""


class Burst(Struct, frozen=True):
    """Bursts of frames from one client of the bus to others."""

    frames: int
    """Frames of a burst, each to another client."""
    bursts: float
    """Bursts a second."""
    use: float
    """Processors that the bus kept busy."""


class Measured(Struct, frozen=True):
    """What a run of the measurement found."""

    date: str
    commit: str
    python: str
    cores: int
    """Processors that all programs of the measurement shared."""
    flush: float
    """Seconds until a disk of the machine has what was written to it: median."""
    costs: Costs
    observations: list[Observation]
    bursts: list[Burst]
    takeovers: list[Takeover]


def load_measured(path: Path = FILE) -> Measured:
    """Read what was measured. Raises OSError, and msgspec.ValidationError for a file of another form."""
    return msgspec.json.decode(path.read_bytes(), type=Measured)


def save_measured(measured: Measured, path: Path = FILE) -> None:
    """Write what was measured."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(measured), indent=1) + b"\n")
