# SPDX-License-Identifier: GPL-3.0-or-later
"""Visitor scheduler: limits the share of event-loop time for spectators, HTTP requests and new connections.

While bots play, the time of visitors is measured and taken from a token bucket. While the bucket is empty, visitors
wait in a fair queue with a lane for each address. An address that floods gets no more than its share, however many
connections it opens, and takes no time from bots that play. While no bot plays, visitors have no limit.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from math import inf

from web.intake.fair_queue import FairQueue
from web.intake.token_bucket import TokenBucket

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
