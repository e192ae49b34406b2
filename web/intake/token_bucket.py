# SPDX-License-Identifier: GPL-3.0-or-later
"""Token bucket rate limiter. The caller passes the time, in seconds of a monotonic clock."""

from math import inf


class TokenBucket:
    """A bucket of up to ``capacity`` tokens that gains ``rate`` tokens a second.

    Callers may take more tokens than there are; the bucket is then in debt, by ``debt`` at most.
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
        """Take tokens, also beyond the current level."""
        self._level = max(self._least, self._at(now) - amount)
        self._filled = now

    def wait(self, now: float, amount: float = 0.0) -> float:
        """Return the seconds until the bucket holds ``amount`` and is not in debt; 0 if it does now."""
        return max(0.0, (min(amount, self._capacity) - self._at(now)) / self._rate)

    def _at(self, now: float) -> float:
        return min(self._capacity, self._level + max(0.0, now - self._filled) * self._rate)
