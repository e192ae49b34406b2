# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of moves into the database: the group commit of each node, and the disk that all transactions share."""

from collections.abc import Callable
from functools import partial

import simpy

from lab.simulation.costs import Costs
from lab.simulation.processors import Process, Then, later

GATHERING = 0.005
"""Seconds between two commits of a node at least, as in ``arena.store.database.writer``."""

TRIPS = 4
"""Round trips of a transaction to the database: BEGIN, the lock of the node's lease, the insertion, COMMIT."""

GROUP = 1_000
"""Commands that one transaction takes at most; likewise."""


class Disk:
    """The log of the database. A flush takes its time, and takes everything along that was written before it began."""

    def __init__(self, environment: simpy.Environment, seconds: float) -> None:
        self.flushes = 0
        self._environment = environment
        self._seconds = seconds
        self._flushing = False
        self._waiting: list[Then] = []

    def flush(self, then: Then) -> None:
        """Call ``then`` once everything is on the disk."""
        if not self._seconds:
            then()
            return
        self._waiting.append(then)
        if not self._flushing:
            self._begin()

    def _begin(self) -> None:
        self._flushing = True
        self.flushes += 1
        batch, self._waiting = self._waiting, []

        def end() -> None:
            self._flushing = False
            for then in batch:
                then()
            if self._waiting and not self._flushing:
                self._begin()

        later(self._environment, self._seconds, end)


Committed = Callable[[list[int]], None]


class Writer:
    """The thread of a node that writes commands in groups."""

    def __init__(
        self,
        environment: simpy.Environment,
        costs: Costs,
        node: Process,
        backend: Process,
        disk: Disk,
        hop: float,
        committed: Committed,
    ) -> None:
        """``backend``: the database's process for it; ``hop``: seconds of the way there; ``committed``: called with the
        commands of each group.
        """
        self.groups = 0
        self._environment = environment
        self._costs = costs
        within = min(costs.rare.transaction, costs.node.group)
        self._step = within / (TRIPS + 1)
        """Seconds of the thread between two answers of the database."""
        self._after = costs.node.group - within
        """Seconds after the commit: the tasks learn of it."""
        self._node = node
        self._backend = backend
        self._disk = disk
        self._hop = hop
        self._committed = committed
        self._queue: list[int] = []
        self._busy = False
        self._last = -GATHERING

    def submit(self, command: int) -> None:
        """Write a command, known by a number."""
        self._queue.append(command)
        if not self._busy:
            self._busy = True
            later(self._environment, self._last + GATHERING - self._environment.now, self._take)

    def _take(self) -> None:
        self._node.do(self._step, self._begin)

    def _begin(self) -> None:
        group, self._queue = self._queue[:GROUP], self._queue[GROUP:]
        database = self._costs.database
        self._trip(group, (database.group + len(group) * database.move) / TRIPS, 1)

    def _trip(self, group: list[int], seconds: float, number: int) -> None:
        """Ask the database once more, and return to the node, whose other threads let this one go on soon."""
        last = number == TRIPS

        def asked() -> None:
            self._backend.do(seconds, partial(self._disk.flush, answered) if last else answered)

        def answered() -> None:
            later(self._environment, self._hop, back)

        def back() -> None:
            then = partial(self._end, group) if last else partial(self._trip, group, seconds, number + 1)
            self._node.do_first(self._step, then)

        later(self._environment, self._hop, asked)

    def _end(self, group: list[int]) -> None:
        self.groups += 1
        self._last = self._environment.now
        self._node.do(self._after, partial(self._committed, group))
        if self._queue:
            later(self._environment, GATHERING, self._take)
        else:
            self._busy = False
