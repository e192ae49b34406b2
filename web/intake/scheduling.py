# SPDX-License-Identifier: GPL-3.0-or-later
"""Visitor scheduler: limits the share of event-loop time for spectators, HTTP requests and new connections.

While bots play, the time of visitors is measured (``Metered``) and taken from a token bucket. While the bucket is
empty, visitors wait in a fair queue with a lane for each address. An address that floods gets no more than its share,
however many connections it opens, and takes no time from bots that play. While no bot plays, visitors have no limit.

The queue is start-time fair queueing by cost (P. Goyal, H. Vin, H. Cheng: "Start-time Fair Queuing", SIGCOMM 1996).
Costs are known only after an item is served. Each name has a lane. The virtual time advances with the served lanes. An
idle lane re-enters at the current virtual time, so it saves up nothing; the cost of a lane delays its next turn.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any, Generic, TypeVar

from web.intake.metering import TokenBucket

Item = TypeVar("Item")

REMEMBERED = 1_000
"""Number of lanes with a stored cost above which lanes without effect are removed."""


class FairQueue(Generic[Item]):
    """Waiting items, in lanes; the lane with the lowest cost is next."""

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


T = TypeVar("T")


class Metered(Generic[T]):
    """Awaits a coroutine and passes the event-loop seconds of each step, without waiting times, to ``spend``."""

    __slots__ = ("_coroutine", "_spend")

    def __init__(self, coroutine: Coroutine[Any, Any, T], spend: Callable[[float], None]) -> None:
        self._coroutine = coroutine
        self._spend = spend

    def __await__(self) -> Generator[Any, Any, T]:
        coroutine, spend, clock = self._coroutine, self._spend, time.perf_counter
        error: BaseException | None = None
        while True:
            began = clock()
            try:
                awaited = coroutine.send(None) if error is None else coroutine.throw(error)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                spend(clock() - began)
            error = None
            try:
                yield awaited
            except BaseException as raised:
                error = raised


AT_ONCE = 4
"""Maximum turns in one iteration of the event loop; bots are read between iterations."""

DEBT = 0.2
"""Maximum debt of visitors, in seconds of event-loop time, so that one request cannot delay the others for longer."""

QUIET = 0.02
"""Seconds without a message from bots after which visitors have no limit. Bots that play at full speed send more often.
"""

SOONEST = 0.002
"""Minimum seconds between two checks of an empty bucket."""


class VisitorScheduler:
    """Decides when visitors may continue."""

    def __init__(self, share: float, burst: float) -> None:
        """``share``: share of event-loop time for visitors; ``burst``: seconds that they may use beyond it at once."""
        self._loop = asyncio.get_running_loop()
        self._bucket = TokenBucket(share, burst, self._loop.time(), DEBT)
        self._waiting: FairQueue[Callable[[], None]] = FairQueue()
        self._given = 0
        self._scheduled: asyncio.Handle | None = None
        self._heard = -inf

    def bot_heard(self) -> None:
        """Record a message from a bot: for ``QUIET`` seconds the share of visitors is limited."""
        self._heard = self._loop.time()

    def spend(self, lane: str, seconds: float) -> None:
        """Charge the time that was spent on a visitor to its lane."""
        now = self._loop.time()
        if now <= self._heard + QUIET:
            self._bucket.take(seconds, now)
        self._waiting.charge(lane, seconds)

    def now(self, lane: str, seconds: float) -> bool:
        """Take a turn of about ``seconds`` and return True; return False if visitors have to wait."""
        if self._waiting or self._given >= AT_ONCE or self._short():
            return False
        self._given += 1
        self.spend(lane, seconds)
        self._schedule()
        return True

    def later(self, lane: str, seconds: float, go: Callable[[], None]) -> Callable[[], None]:
        """Call ``go`` at the lane's turn, after earlier items of the lane; never at once. Returns a function that
        cancels the turn.
        """

        def turn() -> None:
            self.spend(lane, seconds)
            go()

        number = self._waiting.add(lane, turn)
        self._schedule()
        return partial(self._waiting.leave, lane, number)

    def turn(self, lane: str, seconds: float) -> asyncio.Future[None] | None:
        """Return a future that is done at the lane's turn, or None if the turn is now. Cancelling the future, or
        setting an exception, cancels the turn.
        """
        if self.now(lane, seconds):
            return None
        turn = self._loop.create_future()

        def go() -> None:
            if not turn.done():
                turn.set_result(None)

        leave = self.later(lane, seconds, go)
        turn.add_done_callback(lambda _: leave())
        return turn

    def _short(self) -> float:
        """Return the seconds until visitors may continue; 0 if they may now."""
        now = self._loop.time()
        return max(0.0, min(self._bucket.wait(now), self._heard + QUIET - now))

    def _schedule(self) -> None:
        if self._scheduled is None:
            self._scheduled = self._loop.call_soon(self._next_round)

    def _next_round(self) -> None:
        self._scheduled = None
        self._given = 0
        while self._waiting and self._given < AT_ONCE:
            if wait := self._short():
                self._scheduled = self._loop.call_later(max(wait, SOONEST), self._next_round)
                return
            self._given += 1
            self._waiting.take()()
        if self._given:
            self._schedule()
