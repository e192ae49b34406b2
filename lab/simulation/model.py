# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of a cluster: what happens to each move on its way from one bot to the other and to the spectators.

1. The bot sends the move to its node, the *door*. If another node referees the match, the door sends it there over the
   bus.
2. The referee checks it, and its node's writer commits it with others in one transaction.
3. Then the referee answers both bots, over the bus if they are connected elsewhere, and shows the move to the nodes
   with spectators, once each.
4. Each node passes it on to its spectators.

Bots move in steady intervals of random phases. The superposition of many such streams is close to a Poisson process.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from random import Random

import simpy

from lab.simulation.costs import Costs
from lab.simulation.loads import SHOWN, Load, Place, places
from lab.simulation.node import Machines, Node, Programs
from lab.simulation.processors import later

TICK = 0.001
"""Seconds: an event loop of Python that waits for a time wakes up at the next whole millisecond."""

CHECKING = 0.5
"""Share of the referee's work before the commit; the rest follows it. A guess: only their sum is measured."""


@dataclass(eq=False, slots=True)
class Match:
    """A match that goes on. When one ends, the next one of the same bots begins, so it is the same here."""

    number: int
    place: Place
    due: float
    """When the next move is due."""
    plies: int
    """Moves that were committed; the first match began somewhere in the middle."""
    asked: int = 0
    """Number of the newest question for a move; what belongs to an older one is dropped."""
    sent: float = 0.0
    """When the newest move was sent."""
    moved: float = 0.0
    """When the newest move was committed."""

    @property
    def door(self) -> int:
        """The node of the bot to move."""
        return self.place.doors[self.plies % 2]


@dataclass
class Tally:
    """What is counted from some time on."""

    since: float
    sent: int = 0
    moves: int = 0
    """Moves that were committed."""
    viewed: int = 0
    ends: int = 0
    relays: list[tuple[float, float]] = field(default_factory=list)
    """When an opponent's turn came, and the seconds since the move was sent."""
    watches: list[tuple[float, int]] = field(default_factory=list)
    """Seconds from a move sent until spectators had it, and how many."""


class Cluster:
    """A cluster under a load. ``run`` lets time go by."""

    def __init__(self, costs: Costs, load: Load, machines: Machines, seed: int) -> None:
        self.environment = simpy.Environment()
        self.costs = costs
        self.load = load
        self.random = Random(seed)
        self.programs = Programs(self.environment, costs, machines)
        self.nodes = [Node(self.programs, number, self._committed) for number in range(load.nodes)]
        for node in self.nodes:
            node.link(self.nodes)
        self.interval = 1 / load.rate if load.rate else 0.0
        self.tally = Tally(0.0)
        length = max(1, round(costs.plies))
        self._length = length
        self.matches = [
            Match(number, place, self.random.random() * self.interval, self.random.randrange(length))
            for number, place in enumerate(places(load))
        ]
        for match in self.matches:
            later(self.environment, match.due, partial(self._move, match, 0))

    @property
    def now(self) -> float:
        """Seconds since the begin."""
        return self.environment.now

    def run(self, until: float) -> None:
        """Let time go by."""
        self.environment.run(until=until)

    def count(self) -> None:
        """Count anew from now on."""
        self.tally = Tally(self.now)
        self.programs.count()

    # ---------------------------------------------------------------- the bots

    def ask(self, match: Match) -> None:
        """Ask the bot to move, which has the question now."""
        match.asked += 1
        match.due = min(max(match.due + self.interval, self.now), self.now + self.interval)
        # the bots' program wakes up late, and then sends all moves that are due
        wake = math.ceil(match.due / TICK) * TICK
        later(self.environment, wake - self.now, partial(self._move, match, match.asked))

    def _move(self, match: Match, asked: int) -> None:
        if asked != match.asked:
            return
        match.sent = self.now
        self.tally.sent += 1
        self.programs.players(self.costs.clients.move / 2, partial(self._enter, match, asked))

    def _enter(self, match: Match, asked: int) -> None:
        """Handle a move at the door."""
        costs, door, owner = self.costs.node, self.nodes[match.door], self.nodes[match.place.owner]
        check = partial(self._check, match, asked, owner)
        if door is owner:
            door.process.do(costs.door / 3 + costs.referee * CHECKING, check)
        else:
            to_owner = partial(door.post, owner.number, costs.message + costs.referee * CHECKING, check)
            door.process.do(costs.door / 3 + costs.message, to_owner)

    def _received(self, match: Match, asked: int, sent: float) -> None:
        """Give a turn to the bot."""
        if asked == match.asked:
            self.tally.relays.append((self.now, self.now - sent))
            self.ask(match)

    # ---------------------------------------------------------------- the referee

    def _check(self, match: Match, asked: int, owner: Node) -> None:
        if asked == match.asked and match.place.owner == owner.number:
            owner.writer.submit(match.number)

    def _committed(self, node: Node, numbers: list[int]) -> None:
        """Handle the moves of a group that was committed, one after the other, and show them to spectators at once."""
        costs = self.costs.node
        shown: list[tuple[float, int]] = []
        for place, number in enumerate(numbers, 1):
            match = self.matches[number]
            mover = match.door
            match.plies += 1
            match.moved = self.now
            self.tally.moves += 1
            seconds = costs.referee * (1 - CHECKING)
            for door in (mover, match.door):
                seconds += costs.door / 3 if door == node.number else costs.message
            seconds += SHOWN * costs.message * len(match.place.viewers.keys() - {node.number})
            last = place == len(numbers)
            node.process.do(seconds, partial(self._announce, node, match, mover, match.sent, shown, last=last))

    def _announce(
        self, node: Node, match: Match, mover: int, sent: float, shown: list[tuple[float, int]], *, last: bool
    ) -> None:
        """Tell bots and spectators of a move; ``shown``: moves of its group for spectators of this node."""
        told = self.costs.node.message + self.costs.node.door / 3
        if mover != node.number:
            node.post(mover, told)
        turn = partial(self._turn, match, match.asked, sent)
        if match.door == node.number:
            turn()
        else:
            node.post(match.door, told, turn)
        shown += self._show(node, match, sent)
        if match.plies % self._length == 0:
            self._end(node)
        if shown and last:
            self.show(node, shown)

    def _turn(self, match: Match, asked: int, sent: float) -> None:
        received = partial(self._received, match, asked, sent)
        self.programs.players(self.costs.clients.move / 2, received)

    def _end(self, node: Node) -> None:
        self.tally.ends += 1
        for other in self.nodes:
            if other is not node and other.process.alive:
                node.post(other.number, self.costs.node.message)

    # ---------------------------------------------------------------- spectators

    def _show(self, node: Node, match: Match, sent: float) -> Iterable[tuple[float, int]]:
        """Show a move to other nodes, and return what is shown at this one."""
        costs = self.costs.node
        for viewing, viewers in match.place.viewers.items():
            if viewing == node.number:
                yield sent, viewers
            else:
                show = partial(self.show, self.nodes[viewing], [(sent, viewers)])
                node.post(viewing, SHOWN * costs.message + costs.echoed, show)

    def show(self, node: Node, shown: list[tuple[float, int]]) -> None:
        """Show moves, sent at some times, to as many spectators of a node each."""
        costs = self.costs.node
        lengths = [costs.shown + viewers * costs.viewer for _, viewers in shown]
        node.bursts += 1

        def end() -> None:
            at = self.now - costs.burst - sum(lengths)
            for (sent, viewers), length in zip(shown, lengths, strict=True):
                self.tally.viewed += viewers
                self.programs.watchers(node.number, viewers, at + length / 2 - sent, self.tally.watches)
                at += length

        node.process.do(costs.burst + sum(lengths), end)
