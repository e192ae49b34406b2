# SPDX-License-Identifier: GPL-3.0-or-later
"""Suspensions of the whole process, and a clock that stands still during them; matches use this clock.

A process may be stopped by a signal, frozen with its container, or paused with its machine. No player is charged for
that time. A blocked event loop is different: a client could block it on purpose to gain time. Therefore time counts
as a suspension only if all of these hold:

- For over a second neither the event loop nor a thread that sets a mark every quarter of a second has run. A call that
  blocks only the loop does not count.
- The process used the processor for less than half of that time. Long computations do not count.
- Its threads did not wait for a processor. A busy machine does not count. Linux reports these waits
  (``/proc/self/task/*/schedstat``); on other systems a second without processor time counts as a suspension.

The sleep of a laptop needs no correction: steady clocks stand still during it.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import structlog

log = structlog.get_logger("arena.suspension")


class Reading(NamedTuple):
    """Counters of the process, reported by the system, in seconds."""

    steady: float
    """The steady clock."""
    busy: float
    """Processor time, of all threads."""
    waited: float
    """Time in which the watched threads were ready to run but had no processor; 0 if the system does not report it."""


class Watch:
    """Counts the time that the process was suspended. May be used by several threads."""

    def __init__(self, read: Callable[[], Reading], steady: Callable[[], float] = time.monotonic) -> None:
        """``read`` returns all counters; ``steady`` returns the steady clock alone, which is cheaper."""
        self._read = read
        self._steady = steady
        self._lock = threading.Lock()
        self._last = read()
        self._alive = self._last.steady
        """When the process was last known to run."""
        self._suspended = 0.0

    def mark(self) -> None:
        """Note that the process runs, and how busy it was. To be called every ``INTERVAL`` by a thread of its own."""
        with self._lock:
            self._look()

    def suspended(self) -> float:
        """Return for how many seconds the process was suspended so far."""
        now = self._steady()
        if now - self._alive > SHORTEST:
            with self._lock:
                self._look()
        else:
            self._alive = max(self._alive, now)
        return self._suspended

    def _look(self) -> None:
        before, self._last = self._last, self._read()
        now = self._last
        gap = now.steady - self._alive
        ran = now.busy - before.busy + now.waited - before.waited
        self._alive = max(self._alive, now.steady)
        if gap > SHORTEST and ran < gap / 2:
            self._suspended += gap
            log.warning("the process was suspended", seconds=round(gap, 1))


class PlayClock:
    """The clock of all matches: the event loop's, less the time in which the process was suspended."""

    def __init__(self) -> None:
        """Start unwatched: until ``start``, suspensions count as any other time."""
        self._watch: Watch | None = None
        self._latest = float("-inf")
        self._ended = threading.Event()
        self._tick: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """Return the time in seconds. To be called on the event loop."""
        now = asyncio.get_running_loop().time()
        if self._watch is not None:
            now -= self._watch.suspended()
        # uvloop reads its clock once a round: right after a suspension it still has the old time
        self._latest = max(self._latest, now)
        return self._latest

    def start(self) -> None:
        """Watch for suspensions from now on. To be called on the event loop."""
        loop_thread = threading.get_native_id()
        started = threading.Event()

        def run() -> None:
            system = System((loop_thread, threading.get_native_id()))
            self._watch = watch = Watch(system.read)
            started.set()
            while not self._ended.wait(INTERVAL):
                watch.mark()
            system.close()

        threading.Thread(target=run, name="suspension watch", daemon=True).start()
        started.wait()
        self._come_round()

    def stop(self) -> None:
        """Watch no more. To be called on the event loop."""
        self._watch = None
        self._ended.set()
        if self._tick is not None:
            self._tick.cancel()

    def _come_round(self) -> None:
        """Note that the loop runs, also while nothing else happens."""
        self.now()
        self._tick = asyncio.get_running_loop().call_later(2 * INTERVAL, self._come_round)


class System:
    """Reads the counters of this process from the system."""

    def __init__(self, threads: tuple[int, ...]) -> None:
        """``threads``: whose waiting for a processor counts, by their native ids. Files stay open until ``close``."""
        self._files: list[int] = []
        for thread in threads:
            with suppress(OSError):  # Linux alone has them
                self._files.append(os.open(f"/proc/self/task/{thread}/schedstat", os.O_RDONLY))

    def read(self) -> Reading:
        """Read it."""
        return Reading(time.monotonic(), time.process_time(), sum(map(_waited, self._files)))

    def close(self) -> None:
        """Close the files."""
        while self._files:
            os.close(self._files.pop())


def _waited(file: int) -> float:
    return int(os.pread(file, 64, 0).split()[1]) / 1e9


SHORTEST = 1.0
"""Seconds: a shorter gap counts as lateness, not as a suspension."""

INTERVAL = SHORTEST / 4
"""Seconds between two marks of the thread. Each one costs a fifth of a millisecond. The loop makes half as many."""
