# SPDX-License-Identifier: GPL-3.0-or-later
"""The lease of this node, and those of the others, in two threads with a connection each.

One thread renews the lease of this node and does nothing else: whatever the other one waits for, the renewal does not.
The other one reads all nodes, takes the leases of dead ones, and makes this node the leader where none leads.
"""

import math
import threading
import time
from collections.abc import Callable

import structlog

from arena.features.cluster.membership.judging import Judge
from arena.features.cluster.records import nodes
from arena.features.cluster.records.line import Line
from arena.features.cluster.rows import ClusterState
from arena.store.errors import StoreError

log = structlog.get_logger("arena.cluster")

RENEWAL = 1.0
"""Seconds between two renewals, and between two reads of all nodes."""


class Leases:
    """The threads of a node. After ``start``, call ``stop``, which gives up the node's lease."""

    def __init__(self, url: str, me: int, tell: Callable[[ClusterState], object]) -> None:
        """``url``: of the database; ``me``: the number of this node; ``tell``: called by a thread with each state that
        was read.
        """
        self._url = url
        self._me = me
        self._tell = tell
        self._ending = threading.Event()
        self._look = threading.Event()
        self._threads = [
            threading.Thread(target=self._renew, name="lease-renewal", daemon=True),
            threading.Thread(target=self._watch, name="lease-watch", daemon=True),
        ]
        self.lost = ""
        """Why this node has no lease any more, for people; "" while it has."""
        self.renewed = time.monotonic()
        """When the lease was last renewed."""
        self._renewals: dict[int, tuple[int, float]] = {}
        """The counter of each other node, and when it was first read."""

    def start(self) -> None:
        """Begin to renew the lease, and to watch the others."""
        for thread in self._threads:
            thread.start()

    def age(self, node: int) -> float:
        """Return the seconds since the lease of a node was renewed, as far as this node knows; infinity without one."""
        since = self.renewed if node == self._me else self._renewals.get(node, (0, -math.inf))[1]
        return time.monotonic() - since

    def look(self) -> None:
        """Have all nodes read at once: a message came of a node that is not known yet."""
        self._look.set()

    def stop(self) -> None:
        """End the threads, give up leadership, and then the lease."""
        self._ending.set()
        self._look.set()
        for thread in self._threads:
            thread.join()
        line = Line(self._url)
        try:
            nodes.leave(line, self._me)
        except StoreError as error:
            log.warning("the lease of this node could not be given up; another node takes it", why=str(error))
        finally:
            line.close()

    def _renew(self) -> None:
        line = Line(self._url)
        while not self._ending.wait(RENEWAL):
            try:
                if not nodes.renew(line, self._me):
                    self.lost = nodes.TAKEN
                    break
                self.renewed = time.monotonic()
            except StoreError as error:
                log.warning("the lease of this node was not renewed", why=str(error))
        line.close()

    def _watch(self) -> None:
        line = Line(self._url)
        judge = Judge()
        while not self._ending.is_set():
            try:
                self._read(line, judge)
            except StoreError as error:
                log.warning("the nodes could not be read", why=str(error))
            self._look.wait(RENEWAL)
            self._look.clear()
        line.close()

    def _read(self, line: Line, judge: Judge) -> None:
        """Read all nodes, take the leases of dead ones, and lead if nobody does."""
        asked = time.monotonic()
        state = nodes.state(line)
        self._note(state)
        counters = {row.id: row.counter for row in state.nodes if row.id != self._me}
        dead = judge.dead(counters, asked, time.monotonic())
        taken = [node for node in dead if self._take(line, node, counters[node])]
        if taken or state.leader not in {row.id for row in state.nodes}:
            nodes.lead(line, self._me)
            state = nodes.state(line)
        self._tell(state)

    def _note(self, state: ClusterState) -> None:
        """Note which leases were renewed since the last read."""
        before, now = self._renewals, time.monotonic()
        renewals = {row.id: before.get(row.id, (-1, now)) for row in state.nodes}
        self._renewals = {
            row.id: renewals[row.id] if renewals[row.id][0] == row.counter else (row.counter, now)
            for row in state.nodes
        }

    def _take(self, line: Line, node: int, counter: int) -> bool:
        try:
            taken = nodes.take(line, node, counter)
        except StoreError as error:
            log.warning("the lease of a dead node cannot be taken yet", node=node, why=str(error))
            return False
        if taken:
            log.warning("took the lease of a node that did not renew it", node=node)
        return taken
