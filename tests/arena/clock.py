# SPDX-License-Identifier: GPL-3.0-or-later
"""Time that passes when a test says so, and not when the machine has no time for the test."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class StandingClock:
    """The clock of the running event loop; everything that is timed in it goes by this one."""

    def __init__(self) -> None:
        self.now = asyncio.get_running_loop().time()

    async def go(self, seconds: float) -> None:
        """Let time pass; due callbacks have run on return."""
        self.now += seconds
        for _ in range(2):
            await asyncio.sleep(0)


@contextmanager
def standing_clock() -> Iterator[StandingClock]:
    """Stop the loop's clock; only the test moves it. ``asyncio.sleep`` of more than nothing never ends.

    Afterwards it goes on from where it was put: no loop's time runs backwards.
    """
    loop = asyncio.get_running_loop()
    clock, right = StandingClock(), loop.time
    loop.time = lambda: clock.now  # type: ignore[method-assign]  # that is what this is for
    try:
        yield clock
    finally:
        ahead = max(0.0, clock.now - right())
        loop.time = lambda: right() + ahead  # type: ignore[method-assign]  # likewise


class Suspended:
    """What finds suspensions, as a test says."""

    seconds = 0.0

    def __init__(self, _: object) -> None:
        Suspended.seconds = 0.0

    def mark(self) -> None:
        """The test says when."""

    def suspended(self) -> float:
        """Return how long the process was suspended so far."""
        return Suspended.seconds


def suspend(clock: StandingClock, seconds: float) -> None:
    """Let time pass in which the process does not run."""
    clock.now += seconds
    Suspended.seconds += seconds
