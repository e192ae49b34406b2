# SPDX-License-Identifier: GPL-3.0-or-later
"""A token bucket, without a clock of its own: every call is told the time, in seconds on any steady clock."""

from math import inf


class Bucket:
    """Holds up to ``capacity`` of whatever is counted, and is filled by ``rate`` a second.

    What is taken may not be there: then the bucket is in debt until time has filled it, by ``debt`` at most.
    """

    __slots__ = ("_capacity", "_filled", "_least", "_level", "_rate")

    def __init__(self, rate: float, capacity: float, now: float, debt: float = inf) -> None:
        """Start with a full bucket. ``rate`` is above 0."""
        self._least = -debt
        self._rate = rate
        self._capacity = capacity
        self._level = capacity
        self._filled = now

    def take(self, amount: float, now: float) -> None:
        """Take out so much, whether it is there or not."""
        self._level = max(self._least, self._at(now) - amount)
        self._filled = now

    def wait(self, now: float, amount: float = 0.0) -> float:
        """Return the seconds until the bucket holds ``amount``, and is not in debt; 0 when it does now."""
        return max(0.0, (min(amount, self._capacity) - self._at(now)) / self._rate)

    def _at(self, now: float) -> float:
        return min(self._capacity, self._level + max(0.0, now - self._filled) * self._rate)
