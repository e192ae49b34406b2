# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits by address or token: slots that addresses share, and token buckets."""

from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

# ---------------------------------------------------------------- address slots
#
# Limited slots shared by address: when all are taken, the busiest address loses its oldest slot.

Holder = TypeVar("Holder", bound=Hashable)


class AddressSlots(Generic[Holder]):
    """Holders of slots by address, in order of arrival.

    There is a limit for all addresses together and one for each address. When no slot is free, the oldest holder of the
    busiest address loses its slot, so clients of other addresses always find room. All operations take constant time.
    """

    def __init__(self, most: int, most_each: int) -> None:
        """``most``: slots in total; ``most_each``: slots for one address."""
        self._most = most
        self._most_each = most_each
        self._holders: dict[str, dict[Holder, None]] = {}
        self._addresses: dict[Holder, str] = {}
        self._by_size: dict[int, dict[str, None]] = {}
        """Addresses by their number of slots."""
        self._busiest = 0
        """Number of slots of the busiest address."""

    def __len__(self) -> int:
        return len(self._addresses)

    def __contains__(self, holder: Holder) -> bool:
        return holder in self._addresses

    def __iter__(self) -> Iterator[Holder]:
        return iter(list(self._addresses))

    def held(self, address: str) -> int:
        """Return the number of slots of an address."""
        return len(self._holders.get(address, ()))

    def enter(self, address: str, holder: Holder) -> Holder | None:
        """Give a slot to a new holder; return the holder that loses its slot, which may be the new one."""
        holders = self._holders.setdefault(address, {})
        holders[holder] = None
        self._addresses[holder] = address
        self._resize(address, len(holders) - 1, len(holders))
        if len(holders) > self._most_each:
            loser = next(iter(holders))
        elif len(self._addresses) > self._most:
            loser = next(iter(self._holders[next(iter(self._by_size[self._busiest]))]))
        else:
            return None
        self.leave(loser)
        return loser

    def leave(self, holder: Holder) -> None:
        """Free the slot of a holder, if it has one."""
        address = self._addresses.pop(holder, None)
        if address is None:
            return
        holders = self._holders[address]
        del holders[holder]
        self._resize(address, len(holders) + 1, len(holders))
        if not holders:
            del self._holders[address]

    def _resize(self, address: str, before: int, after: int) -> None:
        if before:
            same = self._by_size[before]
            del same[address]
            if not same:
                del self._by_size[before]
        if after:
            self._by_size.setdefault(after, {})[address] = None
        if after > self._busiest or self._busiest not in self._by_size:
            self._busiest = after


# ---------------------------------------------------------------- rate limits
#
# Rate limits by key: one token bucket for each key. The caller passes the time.

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
        self.on_change: Callable[[Key], None] = lambda key: None
        """Called with each key whose count changed here."""

    def __len__(self) -> int:
        return len(self._full_at)

    def __iter__(self) -> Iterator[Key]:
        return iter(list(self._full_at))

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
        self.on_change(key)
        return True

    def give_back(self, key: Key) -> None:
        """Undo one counted event, which is not limited after all."""
        if key in self._full_at:
            self._full_at[key] -= self._each
            self.on_change(key)

    def left(self, key: Key, now: float) -> float:
        """Return the seconds until no event of a key is counted any more."""
        return max(0.0, self._full_at.get(key, now) - now)

    def adopt(self, key: Key, left: float, now: float) -> None:
        """Count the events of a key as another server did; ``left``: as that returns."""
        self._full_at.pop(key, None)
        if left <= 0:
            return
        if len(self._full_at) >= self._most:
            self._forget(now)
        self._full_at[key] = now + left

    def _forget(self, now: float) -> None:
        """Remove full buckets; if these are few, also the oldest ones."""
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        for key in list(self._full_at)[: len(self._full_at) - self._most * 3 // 4]:
            del self._full_at[key]
