# SPDX-License-Identifier: GPL-3.0-or-later
"""Processors, and the processes that share them.

A process does its jobs in the order in which they came, as an event loop does, but for those of its other threads. The
processes that are ready take turns, one job each. A job is not interrupted.
"""

from collections import deque
from collections.abc import Callable
from functools import partial

import simpy

Then = Callable[[], None]
Length = float | Callable[[], float]
"""Seconds of a job; a function is called when the job begins."""

SLICE = 0.005
"""Seconds after which a thread of Python lets another one go on."""


class Processors:
    """Several processors of one machine."""

    def __init__(self, environment: simpy.Environment, count: int) -> None:
        self.environment = environment
        self.free = count
        self.ready: deque[Process] = deque()
        """Processes that have a job and no processor, the longest waiting first."""


class Process:
    """A process, which does as many jobs at once as it has threads that can run together."""

    def __init__(self, processors: Processors, width: int = 1, wake: float = 0.0) -> None:
        """``width``: jobs that it does at once; ``wake``: seconds that a job takes in addition if none was running."""
        self.alive = True
        self.busy = 0.0
        """Seconds of processor time so far."""
        self._jobs: deque[tuple[Length, Then]] = deque()
        self._wake = wake
        self._idle = width
        """Threads that neither have a processor nor wait for one."""
        self._processors = processors

    def do(self, length: Length, then: Then) -> None:
        """Do a job after those that wait, and then call ``then``; a process that was killed does nothing."""
        if self.alive:
            if self._wake and self._idle and not self._jobs and isinstance(length, float):
                length += self._wake
            self._jobs.append((length, then))
            if self._idle:
                self._idle -= 1
                self._seek()

    def do_first(self, seconds: float, then: Then) -> None:
        """Do a short job of another thread before those that wait: an event loop lets other threads of Python go on
        whenever it sends or receives.
        """
        if self.alive:
            self._jobs.appendleft((seconds, then))
            if self._idle:
                self._idle -= 1
                self._seek()

    def _seek(self) -> None:
        """Let a thread begin the next job, or wait for a processor."""
        processors = self._processors
        if processors.free and not processors.ready:
            processors.free -= 1
            self._begin()
        else:
            processors.ready.append(self)

    def _begin(self) -> None:
        length, then = self._jobs.popleft()
        seconds = length if isinstance(length, float) else length()
        event = simpy.events.Timeout(self._processors.environment, seconds)
        event.callbacks = [partial(self._end, seconds, then)]

    def _end(self, seconds: float, then: Then, _: simpy.Event) -> None:
        processors = self._processors
        processors.free += 1
        if self.alive:
            self.busy += seconds
            then()
        if self._jobs:
            self._seek()
        else:
            self._idle += 1
        while processors.free and processors.ready:
            process = processors.ready.popleft()
            if process._jobs:
                processors.free -= 1
                process._begin()
            else:  # another thread of it was faster, or it was killed
                process._idle += 1

    def do_in_slices(self, seconds: float, then: Then) -> None:
        """Do a long job of another thread of the process, which lets other jobs go on after each slice."""
        rest = seconds - SLICE
        self.do(min(seconds, SLICE), then if rest <= 0 else lambda: self.do_in_slices(rest, then))

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self.alive = False
        self._jobs.clear()


def later(environment: simpy.Environment, seconds: float, then: Then) -> None:
    """Call a function after some seconds."""
    if seconds <= 0:
        then()
        return
    event = environment.timeout(seconds)
    event.callbacks = [lambda _: then()]
