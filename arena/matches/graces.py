# SPDX-License-Identifier: GPL-3.0-or-later
"""The graces of a match: how long it waits for bots that are away."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

from arena.hosting.readiness import Hosting
from arena.matches.seat import Seat

_ROUNDING = 0.002
"""Seconds by which a timer may be early, by rounding."""


def _nothing(_: int) -> None:
    pass


class Graces:
    """A reconnection timer for each absent seat. A built-in bot's time starts when it is ready."""

    def __init__(
        self,
        seats: Iterable[Seat],
        seconds: float,
        hosting: Hosting,
        now: Callable[[], float],
        over: Callable[[int], None],
    ) -> None:
        """``now`` reads the match clock; ``over`` is called with the index of a seat whose time ended."""
        self._seats = tuple(seats)
        self._seconds = seconds
        self._hosting = hosting
        self._now = now
        self._over = over
        self._loop = asyncio.get_running_loop()

    def start(self, index: int) -> None:
        """Wait for a bot that is away from now on."""
        self._seats[index].away = self._now()
        self._wait(index)

    def over(self, index: int) -> bool:
        """Tell whether the grace of a bot that is away is over; wait on where it is not."""
        if self.waited(self._seats[index]):
            return True
        # a built-in bot is still compiling; or the process was suspended, and no bot could reconnect
        self._wait(index)
        return False

    def waited(self, seat: Seat) -> bool:
        """Tell whether the grace of a bot that is away is over."""
        return self._now() >= self._end(seat) - _ROUNDING

    def look(self) -> None:
        """Re-evaluate the waiting times."""
        for index, seat in enumerate(self._seats):
            if seat.grace is not None:
                self._wait(index)

    def stop(self) -> None:
        """Stop all timers."""
        for seat in self._seats:
            if seat.grace is not None:
                seat.grace.cancel()
        self._over = _nothing  # it refers to the referee, whose memory must be freed at once

    def _wait(self, index: int) -> None:
        seat = self._seats[index]
        if seat.grace is not None:
            seat.grace.cancel()
        seat.grace = self._loop.call_later(max(0.0, self._end(seat) - self._now()), partial(self._over, index))

    def _end(self, seat: Seat) -> float:
        return self._hosting.grace_begins(seat) + self._seconds
