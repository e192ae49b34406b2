# SPDX-License-Identifier: GPL-3.0-or-later
"""The own time of a program: what passes without the time for which a busy machine kept the program from running.

Linux counts for each thread how long it ran, and how long it waited for a processor. A limit on own time judges the
program alone: one that sleeps or computes reaches the limit, one that waits behind others does not. Each wait is
bounded in wall time too, however the program spends it.
https://docs.kernel.org/scheduler/sched-stats.html
"""

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from bots.sandbox.watchdog import contents

Result = TypeVar("Result")
Members: TypeAlias = Callable[[], Iterable[int]]
"""Returns the processes of a program."""
ProcessorTime: TypeAlias = Callable[[], float]
"""Returns the seconds of processor time of a program, with those of its processes that have ended."""

LOOK = 0.25
"""Seconds between two looks at a program."""
UNSEEN = 2 * LOOK
"""Upper bound of the seconds that count between two looks, unless the program used a processor for longer. A longer
interval shows that this process itself did not get a processor.
"""
WALL = 20
"""Wall-time limit of a wait, as a multiple of its limit on own time."""
LEAST_WALL = 60.0
"""Seconds of wall time that every wait has at least."""


class KeptWaiting(Exception):
    """The machine kept a program from running for too long; the message says how long."""


class Thread(NamedTuple):
    """What the kernel counts of a thread."""

    ran: int
    """Nanoseconds on a processor."""
    waited: int
    """Nanoseconds of waiting for one, without a wait that goes on."""
    ready: bool
    """Whether it runs, or waits for a processor."""


Threads: TypeAlias = dict[tuple[int, int], Thread]
"""Process and number → thread."""


class OwnTime:
    """A stopwatch for the own time of a program."""

    def __init__(self, members: Members, processor_time: ProcessorTime) -> None:
        """Start it."""
        self._members = members
        self._processor_time = processor_time
        self._processor = processor_time()
        self._threads = threads(members())
        self._going_on: dict[tuple[int, int], int] = {}
        """Nanoseconds of the wait that goes on, as far as it was subtracted already."""
        self._at = time.monotonic_ns()
        self._used = 0
        self._own = 0

    @property
    def seconds(self) -> float:
        """Own time until the last look."""
        return self._own / 1e9

    def look(self) -> float:
        """Return the own time until now."""
        before, self._threads = self._threads, threads(self._members())
        processor, self._processor = self._processor, self._processor_time()
        began, self._at = self._at, time.monotonic_ns()
        passed = self._at - began
        # processes that began and ended between two looks count here alone
        ended = int((self._processor - processor) * 1e9)
        used = waited = 0
        going_on: dict[tuple[int, int], int] = {}
        for key, thread in self._threads.items():
            last = before.get(key, Thread(0, 0, False))
            used += max(0, thread.ran - last.ran)
            known = self._going_on.get(key, 0)
            wait = thread.waited - last.waited - known
            if last.ready and thread.ready and thread.ran == last.ran:
                going_on[key] = known + passed
                wait = passed
            # threads of one program may wait for each other, so their times are not added
            waited = max(waited, wait)
        self._going_on = going_on
        used = min(max(used, ended), passed)
        self._used += used
        # below 0 for a wait that began before the last look
        own = passed - waited
        self._own = max(self._used, self._own + (own if own < 0 else max(used, min(own, int(UNSEEN * 1e9)))))
        return self.seconds


async def within(seconds: float | None, work: Coroutine[Any, Any, Result], own: OwnTime) -> Result:
    """Return the result of a coroutine that waits for a program.

    Raises TimeoutError, and cancels the coroutine, once ``seconds`` of own time have passed; None: no limit. Raises
    KeptWaiting, and cancels it, where the program did not get that far in ``WALL`` times as long.
    """
    began = time.monotonic()
    task = asyncio.ensure_future(work)
    try:
        while True:
            left = LOOK if seconds is None else min(LOOK, seconds - own.seconds)
            done, _ = await asyncio.wait({task}, timeout=max(0.001, left))
            own.look()
            if done:
                return task.result()
            if seconds is not None and own.seconds >= seconds:
                raise TimeoutError
            passed = time.monotonic() - began
            if seconds is not None and passed >= max(LEAST_WALL, WALL * seconds):
                raise KeptWaiting(f"it could run for {own.seconds:.1f} s in {passed:.0f} s")
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


def threads(pids: Iterable[int]) -> Threads:
    """Return all threads of processes, as far as the kernel counts their times."""
    found: Threads = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for number in map(int, os.listdir(f"/proc/{pid}/task")):  # noqa: PTH208  # at each look, so it must be quick
                with contextlib.suppress(OSError, ValueError):
                    ran, waited, _ = map(int, contents(f"/proc/{pid}/task/{number}/schedstat").split())
                    state = contents(f"/proc/{pid}/task/{number}/stat").rpartition(b")")[2].split(maxsplit=1)[0]
                    found[pid, number] = Thread(ran, waited, state == b"R")
    return found
