# SPDX-License-Identifier: GPL-3.0-or-later
"""The turns of visitors: a share of the event loop's time that spectators, requests and new connections have together.

While bots play, what visitors cost is measured and taken from one bucket. While it is empty they wait in the lanes of
their addresses, and the lane that has cost least goes on first. So an address that floods takes no more than its part,
however many connections it has, and none takes time from bots that play. Time that no bot wants is free.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from math import inf

from web.intake.budget import Bucket
from web.intake.lanes import Lanes

AT_ONCE = 4
"""Turns in one round of the event loop at most: bots are heard between two rounds."""

DEBT = 0.2
"""Seconds of the loop's time that visitors owe at most: whoever asks for much costs all others no more."""

QUIET = 0.02
"""Seconds after which nothing that bots said leaves visitors all the time there is. Bots that play as fast as they can
are heard more often.
"""

SOONEST = 0.002
"""Seconds between two looks at an empty bucket at least."""


class Turns:
    """Who may go on, and when."""

    def __init__(self, share: float, burst: float) -> None:
        """Give visitors a ``share`` of the loop's time, and ``burst`` seconds of it beyond now and then."""
        self._loop = asyncio.get_running_loop()
        self._bucket = Bucket(share, burst, self._loop.time(), DEBT)
        self._waiting: Lanes[Callable[[], None]] = Lanes()
        self._given = 0
        self._scheduled: asyncio.Handle | None = None
        self._heard = -inf

    def bot_heard(self) -> None:
        """Note that a bot said something: for a while visitors have their share, and no more."""
        self._heard = self._loop.time()

    def spend(self, lane: str, seconds: float) -> None:
        """Take the time that was spent on a visitor in a lane."""
        now = self._loop.time()
        if now <= self._heard + QUIET:
            self._bucket.take(seconds, now)
        self._waiting.charge(lane, seconds)

    def now(self, lane: str, seconds: float) -> bool:
        """Take a turn that will cost about so much, and return True; False when others wait, or all have to."""
        if self._waiting or self._given >= AT_ONCE or self._short():
            return False
        self._given += 1
        self.spend(lane, seconds)
        self._schedule()
        return True

    def later(self, lane: str, seconds: float, go: Callable[[], None]) -> Callable[[], None]:
        """Call ``go`` when it is the turn of its lane, and its own among those that wait there; never at once. Returns
        what to call for whoever waits no more.
        """

        def turn() -> None:
            self.spend(lane, seconds)
            go()

        number = self._waiting.add(lane, turn)
        self._schedule()
        return partial(self._waiting.leave, lane, number)

    def turn(self, lane: str, seconds: float) -> asyncio.Future[None] | None:
        """Return what is done when it is the turn of somebody in a lane; None when that is now. To cancel it, or to set
        an exception, is to wait no more.
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
        """Return the seconds until visitors have time again, or may have; 0 while they have."""
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
