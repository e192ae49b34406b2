# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads of a cluster: how many matches and spectators there are, and at which nodes.

The measurement puts such loads on real clusters, and the model on simulated ones.
"""

from dataclasses import dataclass, field
from itertools import product
from typing import Literal

from msgspec import Struct

Placement = Literal["near", "far", "spread", "local"]
"""Where bots, referees and spectators are. ``near``: both bots and the referee at the first node. ``far``: both bots at
the first node, the referee at the last one. ``spread``: each bot at any node, as a load balancer that knows nothing
sends it; the referee at the node of one of them. ``local``: bots, referee and spectators of each match at one node, the
matches at all nodes.
"""


class Load(Struct, frozen=True):
    """Matches that go on at once, and their spectators."""

    nodes: int
    placement: Placement
    matches: int
    rate: float
    """Moves a second of each match."""
    spectators: int = 0
    watched: int = 0
    """Number of matches that have spectators: the first ones; their spectators are as many for each."""
    seats: Literal["first", "last", "all"] = "all"
    """The nodes to which spectators are connected; the placement ``local`` ignores it."""

    @property
    def moves(self) -> float:
        """Moves a second that the bots mean to make."""
        return self.matches * self.rate

    @property
    def has_pauses(self) -> bool:
        """Whether bots pause between moves, so that the load has a rate of its own."""
        return self.rate < 50

    def rooms(self) -> list[int]:
        """Return the nodes to which spectators are connected."""
        return {"first": [0], "last": [self.nodes - 1], "all": list(range(self.nodes))}[self.seats]


@dataclass(slots=True)
class Place:
    """Where one match is played and watched."""

    doors: list[int]
    """The nodes to which its two bots are connected."""
    owner: int
    """The node that referees it."""
    viewers: dict[int, int] = field(default_factory=dict)
    """The number of its spectators by node."""


def places(load: Load) -> list[Place]:
    """Return the place of each match."""
    found = [_place(load, number) for number in range(load.matches)]
    rooms = load.rooms()
    for number in range(load.spectators if load.watched else 0):
        place = found[number % load.watched]
        turn = number // load.watched
        room = place.owner if load.placement == "local" else rooms[(turn + number % load.watched) % len(rooms)]
        place.viewers[room] = place.viewers.get(room, 0) + 1
    return found


def _place(load: Load, number: int) -> Place:
    last = load.nodes - 1
    match load.placement:
        case "near":
            return Place([0, 0], 0)
        case "far":
            return Place([0, 0], last)
        case "local":
            return Place([number % load.nodes] * 2, number % load.nodes)
    pairs = list(product(range(load.nodes), repeat=2))
    doors = list(pairs[number % len(pairs)])
    return Place(doors, doors[number // len(pairs) % 2])


class NodeWork(Struct):
    """What one node does in a second, in the units of the costs of a node."""

    standing: float = 1.0
    """1: a second of a node that does nothing."""
    door: float = 0.0
    """Moves whose three messages on sockets of bots (the move, its acknowledgement, the next turn) it handles."""
    referee: float = 0.0
    """Moves of matches that it referees."""
    group: float = 0.0
    """Groups of commands that it commits."""
    frame: float = 0.0
    """Frames that it sends to the bus or receives from it."""
    message: float = 0.0
    """Messages in these frames."""
    burst: float = 0.0
    """Times that it shows moves to spectators: those of one group, or of one frame, at once."""
    shown: float = 0.0
    """Moves that it shows to spectators, each counted once."""
    echoed: float = 0.0
    """Those of them in matches that another node referees."""
    viewer: float = 0.0
    """Moves that spectators receive, each counted once for each spectator."""


SPOKEN = 1.5
"""Messages between nodes for each move and each bot that is not at the referee's node: half a move, half an
acknowledgement, half a turn.
"""
SHOWN = 2.0
"""Messages between nodes for each move and each further node that shows it: the move, and whose clock runs."""


def works(load: Load, moves: float) -> list[NodeWork]:
    """Return what each node does in a second with ``moves`` in all; groups, frames and bursts, which depend on
    coincidences, are left out.
    """
    found = [NodeWork() for _ in range(load.nodes)]
    each = moves / load.matches if load.matches else 0.0
    for place in places(load):
        found[place.owner].referee += each
        for door in place.doors:
            found[door].door += each / 2
            if door != place.owner:
                found[door].message += SPOKEN * each
                found[place.owner].message += SPOKEN * each
        for node, viewers in place.viewers.items():
            found[node].shown += each
            found[node].viewer += each * viewers
            if node != place.owner:
                found[node].echoed += each
                found[node].message += SHOWN * each
                found[place.owner].message += SHOWN * each
    return found
