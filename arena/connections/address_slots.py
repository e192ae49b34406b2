# SPDX-License-Identifier: GPL-3.0-or-later
"""Limited slots shared by address: when all are taken, the busiest address loses its oldest slot."""

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

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
