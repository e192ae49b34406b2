# SPDX-License-Identifier: GPL-3.0-or-later
"""How often somebody may do something: token buckets by key, without a clock of their own."""

from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


class Allowance(Generic[Key]):
    """A burst and a rate a second for each key."""

    def __init__(self, rate: float, burst: int, most: int = 10_000) -> None:
        """``rate``: times a second, above 0; ``burst``: times at once; ``most``: keys that are remembered.

        Raises ValueError for a rate or a burst that allows nothing.
        """
        if rate <= 0 or burst < 1:
            raise ValueError("an allowance has a rate above 0 and a burst of 1 or more")
        self._each = 1 / rate
        self._slack = (burst - 1) / rate
        self._most = most
        self._full_at: dict[Key, float] = {}
        """When a bucket is full again; whose is full needs no entry."""

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: Key, now: float) -> float:
        """Return the seconds until this key may do it again; 0: now."""
        return max(0.0, self._full_at.get(key, now) - now - self._slack)

    def take(self, key: Key, now: float) -> bool:
        """Count one time, if it is allowed now."""
        if self.wait(key, now) > 0:
            return False
        full_at = max(self._full_at.pop(key, now), now) + self._each
        if len(self._full_at) >= self._most:
            self._forget(now)
        self._full_at[key] = full_at
        return True

    def give_back(self, key: Key) -> None:
        """Count one time less: it turned out to be none that is limited."""
        if key in self._full_at:
            self._full_at[key] -= self._each

    def _forget(self, now: float) -> None:
        """Drop what need not be known, and where that is little, those who came first."""
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        for key in list(self._full_at)[: len(self._full_at) - self._most * 3 // 4]:
            del self._full_at[key]
