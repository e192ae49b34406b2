# SPDX-License-Identifier: GPL-3.0-or-later
"""Fair queue: start-time fair queueing by cost (P. Goyal, H. Vin, H. Cheng: "Start-time Fair Queuing", SIGCOMM 1996).

Costs are known only after an item is served. Each name has a lane. The virtual time advances with the served lanes. An
idle lane re-enters at the current virtual time, so it saves up nothing; the cost of a lane delays its next turn.
"""

from collections import OrderedDict
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

Item = TypeVar("Item")

REMEMBERED = 1_000
"""Number of lanes with a stored cost above which lanes without effect are removed."""


class FairQueue(Generic[Item]):
    """Waiting items, in lanes."""

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: dict[str, OrderedDict[int, Item]] = {}
        """Items of each lane by number, in order of arrival; an empty lane stays until its turn."""
        self._count = 0
        self._due: dict[str, float] = {}
        """Virtual time of the next turn of a lane, if it is later than now."""
        self._order: list[tuple[float, int, str]] = []
        """A heap with one entry for each lane with items. Later costs may delay the lane."""
        self._numbers = count()
        self._now = 0.0
        self._most = REMEMBERED

    def __bool__(self) -> bool:
        """Whether any item waits."""
        return self._count > 0

    def add(self, lane: str, item: Item) -> int:
        """Append an item to a lane; return its number, for ``leave``."""
        number = next(self._numbers)
        if lane in self._waiting:
            self._waiting[lane][number] = item
        else:
            self._waiting[lane] = OrderedDict({number: item})
            self._enter(lane)
        self._count += 1
        return number

    def leave(self, lane: str, number: int) -> None:
        """Remove an item, if it still waits."""
        waiting = self._waiting.get(lane)
        if waiting is not None and number in waiting:
            del waiting[number]
            self._left()

    def take(self) -> Item:
        """Remove and return the first item of the lane with the earliest turn. The queue must not be empty."""
        while True:
            due, _, lane = heappop(self._order)
            waiting = self._waiting[lane]
            if not waiting:
                del self._waiting[lane]
                continue
            if self._due.get(lane, due) > due:
                self._enter(lane)
                continue
            self._now = max(self._now, due)
            _, item = waiting.popitem(last=False)
            if waiting:
                self._enter(lane)
            else:
                del self._waiting[lane]
            self._left()
            return item

    def charge(self, lane: str, cost: float) -> None:
        """Add the cost of a served item to its lane."""
        due = max(self._now, self._due.get(lane, 0.0)) + cost
        if self._count:
            self._due[lane] = due
            if len(self._due) > self._most:
                self._forget()
        else:  # no item waited
            self._now = due
            self._due.clear()

    def _left(self) -> None:
        self._count -= 1
        if not self._count:
            self._waiting.clear()
            self._order.clear()

    def _forget(self) -> None:
        """Remove stored turns that are not later than now."""
        self._due = {lane: due for lane, due in self._due.items() if due > self._now}
        self._most = max(REMEMBERED, 2 * len(self._due))

    def _enter(self, lane: str) -> None:
        heappush(self._order, (max(self._now, self._due.get(lane, 0.0)), next(self._numbers), lane))
