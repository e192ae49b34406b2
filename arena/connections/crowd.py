# SPDX-License-Identifier: GPL-3.0-or-later
"""Places that anybody may take, shared out by address: a crowd from one address takes them from itself."""

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

Holder = TypeVar("Holder", bound=Hashable)


class Crowd(Generic[Holder]):
    """Who holds a place, in the order they came, by address.

    So many places are there in all, and so many for each address. Where there is none left, the oldest holder of the
    busiest address loses its own: whoever comes from elsewhere finds room. All in constant time.
    """

    def __init__(self, most: int, most_each: int) -> None:
        """Have ``most`` places, ``most_each`` of them at most for one address."""
        self._most = most
        self._most_each = most_each
        self._holders: dict[str, dict[Holder, None]] = {}
        self._addresses: dict[Holder, str] = {}
        self._by_size: dict[int, dict[str, None]] = {}
        """Addresses by the number of places that they hold."""
        self._busiest = 0
        """Places that the busiest address holds."""

    def __len__(self) -> int:
        return len(self._addresses)

    def __contains__(self, holder: Holder) -> bool:
        return holder in self._addresses

    def __iter__(self) -> Iterator[Holder]:
        return iter(list(self._addresses))

    def held(self, address: str) -> int:
        """Return how many places an address holds."""
        return len(self._holders.get(address, ()))

    def enter(self, address: str, holder: Holder) -> Holder | None:
        """Give a place to somebody new; returns who loses its own for that, which may be the new one where there is
        no place at all.
        """
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
        """Take a place back, if it is held."""
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
