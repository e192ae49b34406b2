# SPDX-License-Identifier: GPL-3.0-or-later
"""Alarms that end searches when their time is up, in one thread for all searches of a process.

A thread for each search would have to be started before the search and awaited after it. On a busy machine each of
these waits for a processor, and both are charged to the bot's clock.
"""

import contextlib
import heapq
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count


class Alarms:
    """Calls functions at set times, from a thread of its own that starts with the first alarm."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._set: list[tuple[float, int]] = []
        """A heap: when each alarm is due, and its number."""
        self._rings: dict[int, Callable[[], None]] = {}
        """By number, what the alarms call that were not cancelled."""
        self._numbers = count()
        self._thread: threading.Thread | None = None

    @contextlib.contextmanager
    def after(self, seconds: float, ring: Callable[[], None]) -> Iterator[None]:
        """Call ``ring`` once after so many seconds, unless the block is left before; never after it is left. Where no
        time is left, call it at once.

        ``ring`` must be quick, and must not set alarms.
        """
        if seconds <= 0:
            ring()
            yield
            return
        number = next(self._numbers)
        due = time.monotonic() + seconds
        with self._changed:
            self._rings[number] = ring
            heapq.heappush(self._set, (due, number))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="alarms", daemon=True)
                self._thread.start()
            elif self._set[0] == (due, number):
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._rings.pop(number, None)

    def _run(self) -> None:
        with self._changed:
            while True:
                self._changed.wait(self._ring_due())

    def _ring_due(self) -> float | None:
        """Ring what is due, and return the seconds until the next alarm; None: there is none."""
        while self._set:
            due, number = self._set[0]
            left = due - time.monotonic()
            if number in self._rings and left > 0:
                return min(left, threading.TIMEOUT_MAX)
            heapq.heappop(self._set)
            if number in self._rings:
                self._rings.pop(number)()
        return None


ALARMS = Alarms()
"""Those of this process."""
