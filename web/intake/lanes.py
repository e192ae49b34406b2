# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is next among many who want the same thing, by what each has cost so far: start-time fair queueing (P. Goyal,
H. Vin, H. Cheng: "Start-time Fair Queuing", SIGCOMM 1996), with costs that are known only afterwards.

Each name has a lane. A virtual time goes on with those who are served. A lane that wants something after a while enters
at the present, so nothing is saved up; what a lane costs puts it back behind those that cost less.
"""

from collections import OrderedDict
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

Item = TypeVar("Item")

REMEMBERED = 1_000
"""Lanes of which it is known what they cost, before those are dropped of which that does not matter any more."""


class Lanes(Generic[Item]):
    """Items that wait, in lanes."""

    def __init__(self) -> None:
        """Start with nobody."""
        self._waiting: dict[str, OrderedDict[int, Item]] = {}
        """By number, in the order in which they came; empty where all have left, until it would be the lane's turn."""
        self._count = 0
        self._due: dict[str, float] = {}
        """When a lane may go on, in virtual time, as far as that is not the present."""
        self._order: list[tuple[float, int, str]] = []
        """A heap with one entry for each lane that is waited in. What it cost since may put it back."""
        self._numbers = count()
        self._now = 0.0
        self._most = REMEMBERED

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return self._count > 0

    def add(self, lane: str, item: Item) -> int:
        """Let an item wait in a lane, behind those that wait there; returns the number by which it may leave."""
        number = next(self._numbers)
        if lane in self._waiting:
            self._waiting[lane][number] = item
        else:
            self._waiting[lane] = OrderedDict({number: item})
            self._enter(lane)
        self._count += 1
        return number

    def leave(self, lane: str, number: int) -> None:
        """Let an item wait no more; nothing happens where it was taken out already."""
        waiting = self._waiting.get(lane)
        if waiting is not None and number in waiting:
            del waiting[number]
            self._left()

    def take(self) -> Item:
        """Take out who is next: the first of the lane that has cost least. Something must wait."""
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
        """Note what something in a lane has cost."""
        due = max(self._now, self._due.get(lane, 0.0)) + cost
        if self._count:
            self._due[lane] = due
            if len(self._due) > self._most:
                self._forget()
        else:  # nobody had to wait for it
            self._now = due
            self._due.clear()

    def _left(self) -> None:
        self._count -= 1
        if not self._count:
            self._waiting.clear()
            self._order.clear()

    def _forget(self) -> None:
        """Drop the lanes whose time has come anyhow: they need not be remembered."""
        self._due = {lane: due for lane, due in self._due.items() if due > self._now}
        self._most = max(REMEMBERED, 2 * len(self._due))

    def _enter(self, lane: str) -> None:
        heappush(self._order, (max(self._now, self._due.get(lane, 0.0)), next(self._numbers), lane))
