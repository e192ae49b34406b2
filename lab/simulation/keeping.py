# SPDX-License-Identifier: GPL-3.0-or-later
"""Leases of nodes, the death of one, and the work that grows with the number of live matches.

The times are those of ``arena.features.cluster``, which this package may not import; a test compares those of leases.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import partial

import simpy

from lab.simulation.model import Cluster, Match
from lab.simulation.node import Node, nothing
from lab.simulation.processors import Then, later

RENEWAL = 1.0
"""Seconds between two renewals of a lease, and between two reads of all nodes."""

PATIENCE = 5.0
"""Seconds for which a lease must be read unchanged before it is taken."""

INTERVAL = 1.0
"""Seconds between two looks of a node at the list of live matches."""

BACK = (0.1, 0.2)
"""Seconds after which a bot that lost its connection comes back: the first delay of ``bots.client.link``."""

SPECTATOR_BACK = (0.5, 1.5)
"""Likewise for a spectator's page."""

Events = Generator[simpy.Event, None, None]


@dataclass
class Death:
    """What happened after a node was killed; times are seconds since then."""

    at: float
    matches: int = 0
    """Matches that it refereed."""
    bots: int = 0
    """Bots that were connected to it."""
    spectators: int = 0
    taken: float = 0.0
    """When another node took its lease."""
    given: float = 0.0
    """When the leader had given its last match to another node."""
    resumed: list[float] = field(default_factory=list)
    """When each of its matches had a referee again."""
    moved: dict[int, float] = field(default_factory=dict)
    """When the next move of each of its matches was committed."""
    watched: list[float] = field(default_factory=list)
    """When each of its spectators followed a match again."""
    standing: list[tuple[float, int]] = field(default_factory=list)
    """How many matches could not go on, at some times."""


class Keeping:
    """The periodic work of all nodes of a cluster. The first node leads."""

    def __init__(self, cluster: Cluster) -> None:
        self.leader = 0
        self.death: Death | None = None
        self._cluster = cluster
        self._environment = cluster.environment
        self._counters = [0] * len(cluster.nodes)
        self._rows = set(range(len(cluster.nodes)))
        """The nodes that have a lease."""
        for node in cluster.nodes:
            for work in (self._renew, self._watch, self._look):
                self._environment.process(work(node))
        self._environment.process(self._lead())

    # ---------------------------------------------------------------- lists of matches

    def _read_list(self, node: Node, matches: int, then: Then = nothing) -> None:
        rare = self._cluster.costs.rare
        node.read(matches * rare.listed_database, matches * rare.listed, then)

    def _look(self, node: Node) -> Events:
        """Look at the node's own matches, or at all of them if it has spectators; the leader does in ``_lead``."""
        yield self._environment.timeout(self._cluster.random.random() * INTERVAL)
        watched = any(node.number in match.place.viewers for match in self._cluster.matches)
        while node.process.alive:
            if node.number != self.leader:
                everything = len(self._cluster.matches)
                self._read_list(node, everything if watched else everything // len(self._rows))
            yield self._environment.timeout(INTERVAL)

    def _lead(self) -> Events:
        """Read the list of all live matches again and again, as the leader does."""
        while True:
            yield self._environment.timeout(INTERVAL)
            node = self._cluster.nodes[self.leader]
            if node.process.alive:
                done = self._environment.event()
                self._read_list(node, len(self._cluster.matches), partial(_succeed, done))
                yield simpy.AnyOf(self._environment, [done, self._environment.timeout(60)])

    # ---------------------------------------------------------------- leases

    def _renew(self, node: Node) -> Events:
        yield self._environment.timeout(self._cluster.random.random() * RENEWAL)
        while node.process.alive:
            self._counters[node.number] += 1
            yield self._environment.timeout(RENEWAL)

    def _watch(self, node: Node) -> Events:
        """Read the leases of all nodes again and again."""
        yield self._environment.timeout(self._cluster.random.random() * RENEWAL)
        seen: dict[int, tuple[int, float]] = {}
        known = set(self._rows)
        while node.process.alive:
            now = self._environment.now
            for other in self._rows - {node.number}:
                counter = self._counters[other]
                if other not in seen or seen[other][0] != counter:
                    seen[other] = counter, now
            for other in [each for each in self._rows & seen.keys() if now - seen[each][1] >= PATIENCE]:
                self._rows.discard(other)
                if self.death is not None:
                    self.death.taken = now - self.death.at
                if other == self.leader:
                    self.leader = node.number
            if known != self._rows:
                known = set(self._rows)
                if node.number == self.leader:
                    self._give(node)
            yield self._environment.timeout(RENEWAL)

    # ---------------------------------------------------------------- the death of a node

    def kill(self, number: int) -> None:
        """Kill a node. Its bots and spectators come back to other nodes."""
        cluster, node = self._cluster, self._cluster.nodes[number]
        node.process.kill()
        self.death = death = Death(cluster.now)
        for match in cluster.matches:
            death.matches += match.place.owner == number
            for side, door in enumerate(match.place.doors):
                if door == number:
                    death.bots += 1
                    later(self._environment, cluster.random.uniform(*BACK), partial(self._connect, match, side))
            viewers = match.place.viewers.pop(number, 0)
            death.spectators += viewers
            for _ in range(viewers):
                back = cluster.random.uniform(*SPECTATOR_BACK)
                later(self._environment, back, partial(self._follow, match))
        self._environment.process(self._note(death))

    def _note(self, death: Death) -> Events:
        cluster = self._cluster
        orphans = [match for match in cluster.matches if not cluster.nodes[match.place.owner].process.alive]
        while True:
            now = self._environment.now - death.at
            death.standing.append((now, sum(not self._goes_on(match) for match in cluster.matches)))
            for match in orphans:
                if match.number not in death.moved and match.moved > death.at:
                    death.moved[match.number] = match.moved - death.at
            yield self._environment.timeout(0.1)

    def _goes_on(self, match: Match) -> bool:
        nodes = self._cluster.nodes
        return nodes[match.place.owner].process.alive and nodes[match.door].process.alive

    def _somewhere(self) -> Node:
        return self._cluster.random.choice([node for node in self._cluster.nodes if node.process.alive])

    def _connect(self, match: Match, side: int) -> None:
        """Let a bot connect to another node, which tells all others."""
        node, rare = self._somewhere(), self._cluster.costs.rare

        def entered() -> None:
            match.place.doors[side] = node.number
            for other in self._cluster.nodes:
                if other is not node and other.process.alive:
                    heard = partial(self._again, match, other) if other.number == match.place.owner else nothing
                    node.post(other.number, rare.introduce, heard)
            self._again(match, node)

        node.read(rare.enter_database, rare.enter, entered)

    def _again(self, match: Match, node: Node) -> None:
        """Let the referee of a match, if it is at a node, ask the bot to move once more."""
        cluster = self._cluster
        if match.place.owner == node.number and cluster.nodes[match.door].process.alive:
            ask = partial(cluster.ask, match)
            if match.door == node.number:
                ask()
            else:
                costs = cluster.costs.node
                match.asked += 1  # what is on the way is not answered any more
                node.post(match.door, costs.message + costs.door / 3, ask)

    def _follow(self, match: Match) -> None:
        """Let a spectator connect to another node."""
        node, death = self._somewhere(), self.death
        assert death is not None

        def followed() -> None:
            viewers = match.place.viewers
            viewers[node.number] = viewers.get(node.number, 0) + 1
            death.watched.append(self._environment.now - death.at)

        node.process.do(self._cluster.costs.rare.watch, followed)

    def _give(self, leader: Node) -> None:
        """Give the matches of dead nodes to others, as the leader does."""
        nodes = [node for node in self._cluster.nodes if node.process.alive]
        orphans = [match for match in self._cluster.matches if match.place.owner not in self._rows]
        parts = [(node, orphans[place :: len(nodes)]) for place, node in enumerate(nodes)]
        self._read_list(leader, len(self._cluster.matches), partial(self._hand_over, leader, parts))

    def _hand_over(self, leader: Node, parts: list[tuple[Node, list[Match]]]) -> None:
        """Give a part of the matches to a node, in a transaction, and then the next part."""
        if not parts:
            if self.death is not None:
                self.death.given = self._environment.now - self.death.at
            return
        (node, matches), *rest = parts

        def told() -> None:
            self._read_list(node, 2 * len(matches), partial(self._take_up, node, matches))

        def written() -> None:
            leader.post(node.number, 0.0, told)
            self._hand_over(leader, rest)

        database = self._cluster.costs.database
        seconds = database.group + len(matches) * database.move
        leader.read(seconds, self._cluster.costs.node.group, written)

    def _take_up(self, node: Node, matches: list[Match]) -> None:
        rare = self._cluster.costs.rare
        for match in matches:
            node.read(rare.resume_database, rare.resume, partial(self._resumed, match, node))

    def _resumed(self, match: Match, node: Node) -> None:
        match.place.owner = node.number
        match.asked += 1
        if self.death is not None:
            self.death.resumed.append(self._environment.now - self.death.at)
        self._again(match, node)


def _succeed(event: simpy.Event) -> None:
    event.succeed()
