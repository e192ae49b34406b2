# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of a search: depth, nodes, time and stop; time management; the timer thread of all searches."""

import contextlib
import heapq
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count

import numpy as np
from numpy.typing import NDArray

from engine.kernel import inlined
from engine.search.memory import ABORTED, LIMIT, MAX_DEPTH, NODES, STOP

Cells = NDArray[np.int64]
"""``Memory.control`` of a running search."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search; the first that is reached ends it, but depth 1 is always completed. None: no limit.

    Searches with limits of depth, nodes or playouts only are deterministic.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    soft_seconds: float | None = None
    """No iteration begins after about this time: earlier if the best move is stable, later if not."""
    playouts: int | None = None
    """Monte Carlo tree search only: playouts, as the other searches have a depth."""

    def __post_init__(self) -> None:
        if self.depth is not None and not 1 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"the depth must be 1 to {MAX_DEPTH} plies (got {self.depth})")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"the node limit must be 1 or more (got {self.nodes})")
        if self.playouts is not None and self.playouts < 1:
            raise ValueError(f"the number of playouts must be 1 or more (got {self.playouts})")
        if self.seconds is not None and not self.seconds >= 0:
            raise ValueError(f"the time limit must not be negative (got {self.seconds} s)")
        if self.soft_seconds is not None and not self.soft_seconds >= 0:
            raise ValueError(f"the soft time limit must not be negative (got {self.soft_seconds} s)")


@inlined
def given_up(control: Cells, visits: int) -> bool:
    """Count visited positions; return whether a limit or a stop ends the search, which is then marked as aborted."""
    if control[NODES] + visits > control[LIMIT] or control[STOP]:
        control[ABORTED] = 1
        return True
    control[NODES] += visits
    return False


class Stop:
    """Ends a search from another thread within milliseconds. May be set before the search begins."""

    def __init__(self) -> None:
        self._set = False
        self._cells: list[tuple[Cells, int]] = []

    def set(self) -> None:
        """End all searches that have this stop."""
        self._set = True
        for control, cell in list(self._cells):
            control[cell] = 1

    def is_set(self) -> bool:
        """Return whether ``set`` was called."""
        return self._set

    def attach(self, control: Cells, cell: int = STOP) -> None:
        """Connect a running search, which ends once ``cell`` of its cells is not 0."""
        self._cells.append((control, cell))
        if self._set:
            control[cell] = 1

    def detach(self, control: Cells) -> None:
        """Disconnect a search."""
        self._cells = [other for other in self._cells if other[0] is not control]


# ---------------------------------------------------------------- time management

STABILITY = (1.7, 1.3, 1.05, 0.9, 0.8, 0.7)
"""Factor of the soft time limit by the number of iterations in a row with the same best move."""

DROP = 0.3
"""A fall of the value by this many pawn units from one iteration to the next extends the soft time limit."""
DROP_FACTOR = 1.4
"""Factor of the soft time limit after such a fall."""


class TimeManager:
    """Soft time limit of one search: shorter if the best move is stable, longer if the value falls."""

    def __init__(self, seconds: float) -> None:
        """``seconds``: the time for an ordinary position."""
        self._seconds = seconds
        self._move: int | None = None
        self._stable = 0
        self._value = 0.0
        self._before = 0.0

    def note(self, move: int, pawns: float) -> None:
        """Note the best move of an iteration, and its value in pawn units."""
        self._stable = self._stable + 1 if move == self._move else 0
        self._before = pawns if self._move is None else self._value
        self._move, self._value = move, pawns

    def over(self, elapsed: float) -> bool:
        """Return whether no further iteration should begin after this many seconds."""
        factor = STABILITY[min(self._stable, len(STABILITY) - 1)]
        if self._value < self._before - DROP:
            factor *= DROP_FACTOR
        return elapsed >= self._seconds * factor


# ---------------------------------------------------------------- timers


class Alarms:
    """Timers that call functions at set times, from one thread for all searches of a process.

    A thread for each search would have to be started before the search and awaited after it. On a busy machine each of
    these waits for a processor, and both are charged to the bot's clock. The thread starts with the first alarm.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._set: list[tuple[float, int]] = []
        """A heap of due times and numbers of alarms."""
        self._rings: dict[int, Callable[[], None]] = {}
        """The functions of the alarms that were not cancelled, by number."""
        self._numbers = count()
        self._thread: threading.Thread | None = None

    @contextlib.contextmanager
    def after(self, seconds: float, ring: Callable[[], None]) -> Iterator[None]:
        """Call ``ring`` once after this time, at once if it is 0 or less; leaving the block cancels the call.

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
        """Ring the alarms that are due; return the seconds until the next alarm, None without one."""
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
"""The alarms of this process."""


@contextlib.contextmanager
def ended_by(control: Cells, stop: Stop | None, seconds: float | None, cell: int = STOP) -> Iterator[None]:
    """Let a stop and a limit of time end the search that runs in the block: both set ``cell`` of its cells."""
    stop = stop or Stop()
    stop.attach(control, cell)
    try:
        with contextlib.ExitStack() as stack:
            if seconds is not None:
                stack.enter_context(ALARMS.after(seconds, partial(control.__setitem__, cell, 1)))
            yield
    finally:
        stop.detach(control)
