# SPDX-License-Identifier: GPL-3.0-or-later
"""Time that passes when a test says so, and not when the machine has no time for the test."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class StandingClock:
    """The clock of the running event loop; everything that is timed in it goes by this one."""

    def __init__(self) -> None:
        self.now = asyncio.get_running_loop().time()

    async def go(self, seconds: float) -> None:
        """Let time pass; what is due then is done on return."""
        self.now += seconds
        for _ in range(2):
            await asyncio.sleep(0)


@contextmanager
def standing_clock() -> Iterator[StandingClock]:
    """Let the loop's clock stand still but for what it is told. ``asyncio.sleep`` of more than nothing never ends."""
    clock = StandingClock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.get_running_loop(), "time", lambda: clock.now)
        yield clock
