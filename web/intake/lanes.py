# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is next among many who want the same thing, by what each has cost so far: start-time fair queueing (P. Goyal,
H. Vin, H. Cheng: "Start-time Fair Queuing", SIGCOMM 1996), with costs that are known only afterwards.

Each name has a lane. A virtual time goes on with those who are served. A lane that wants something after a while enters
at the present, so nothing is saved up; what a lane costs puts it back behind those that cost less.
"""

from collections import deque
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
        self._waiting: dict[str, deque[Item]] = {}
        self._due: dict[str, float] = {}
        """When a lane may go on, in virtual time, as far as that is not the present."""
        self._order: list[tuple[float, int, str]] = []
        """A heap with one entry for each lane in which something waits. What it cost since may put it back."""
        self._numbers = count()
        self._now = 0.0
        self._most = REMEMBERED

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return bool(self._waiting)

    def add(self, lane: str, item: Item) -> None:
        """Let an item wait in a lane, behind those that wait there."""
        if lane in self._waiting:
            self._waiting[lane].append(item)
        else:
            self._waiting[lane] = deque((item,))
            self._enter(lane)

    def take(self) -> Item:
        """Take out who is next: the first of the lane that has cost least. Something must wait."""
        while True:
            due, _, lane = heappop(self._order)
            if self._due.get(lane, due) > due:
                self._enter(lane)
                continue
            self._now = max(self._now, due)
            waiting = self._waiting[lane]
            item = waiting.popleft()
            if waiting:
                self._enter(lane)
            else:
                del self._waiting[lane]
            return item

    def charge(self, lane: str, cost: float) -> None:
        """Note what something in a lane has cost."""
        due = max(self._now, self._due.get(lane, 0.0)) + cost
        if self._waiting:
            self._due[lane] = due
            if len(self._due) > self._most:
                self._forget()
        else:  # nobody had to wait for it
            self._now = due
            self._due.clear()

    def _forget(self) -> None:
        """Drop the lanes whose time has come anyhow: they need not be remembered."""
        self._due = {lane: due for lane, due in self._due.items() if due > self._now}
        self._most = max(REMEMBERED, 2 * len(self._due))

    def _enter(self, lane: str) -> None:
        heappush(self._order, (max(self._now, self._due.get(lane, 0.0)), next(self._numbers), lane))
