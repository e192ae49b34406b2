# SPDX-License-Identifier: GPL-3.0-or-later
"""Which leases are dead: a renewal counter that stands still while the database answers.

No I/O; times are seconds on the reader's own monotonic clock. Clocks of different machines are never compared.
"""

from collections.abc import Mapping

PATIENCE = 5.0
"""Seconds for which a counter must be read unchanged."""

GAP = 2.5
"""Seconds between two answered reads at most. After a longer gap all counters are watched anew: while the database, or
this process, stood still, nobody may have been able to renew a lease.
"""


class Judge:
    """Watches renewal counters by the answers of the database."""

    def __init__(self) -> None:
        self._answered: float | None = None
        """When the last answer came."""
        self._seen: dict[int, tuple[int, float]] = {}
        """The counter of each node, and when an answer first had it."""

    def dead(self, counters: Mapping[int, int], asked: float, answered: float) -> list[int]:
        """Return the nodes whose leases may be taken. ``counters``: as an answer has them, by the nodes' numbers;
        ``asked`` and ``answered``: when it was asked for, and when it came.
        """
        if self._answered is None or answered - self._answered > GAP:
            self._seen = {}
        self._answered = answered
        found = []
        for node, counter in counters.items():
            before = self._seen.get(node)
            if before is None or before[0] != counter:
                self._seen[node] = (counter, answered)
            elif asked - before[1] >= PATIENCE:
                found.append(node)
        for node in self._seen.keys() - counters.keys():
            del self._seen[node]
        return found
