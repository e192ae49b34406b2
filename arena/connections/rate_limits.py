# SPDX-License-Identifier: GPL-3.0-or-later
"""Rate limits by key: one token bucket for each key. The caller passes the time."""

from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


class RateLimits(Generic[Key]):
    """A rate a second and a burst for each key."""

    def __init__(self, rate: float, burst: int, most: int = 10_000) -> None:
        """``rate``: events a second, above 0; ``burst``: events at once; ``most``: maximum number of stored keys.

        Raises ValueError for an invalid rate or burst.
        """
        if rate <= 0 or burst < 1:
            raise ValueError(f"the rate must be above 0 and the burst 1 or more (got {rate}, {burst})")
        self._each = 1 / rate
        self._slack = (burst - 1) / rate
        self._most = most
        self._full_at: dict[Key, float] = {}
        """Time at which the bucket of a key is full again; full buckets need no entry."""

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: Key, now: float) -> float:
        """Return the seconds until the next event of a key is allowed; 0: now."""
        return max(0.0, self._full_at.get(key, now) - now - self._slack)

    def take(self, key: Key, now: float) -> bool:
        """Count an event and return True, if it is allowed now."""
        if self.wait(key, now) > 0:
            return False
        full_at = max(self._full_at.pop(key, now), now) + self._each
        if len(self._full_at) >= self._most:
            self._forget(now)
        self._full_at[key] = full_at
        return True

    def give_back(self, key: Key) -> None:
        """Undo one counted event, which is not limited after all."""
        if key in self._full_at:
            self._full_at[key] -= self._each

    def _forget(self, now: float) -> None:
        """Remove full buckets; if these are few, also the oldest ones."""
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        for key in list(self._full_at)[: len(self._full_at) - self._most * 3 // 4]:
            del self._full_at[key]
