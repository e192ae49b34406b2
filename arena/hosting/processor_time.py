# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor time of hosted bots: cores for their turns, and the time that their threads waited for a processor.

The arena starts these processes itself, so a lack of processor time is not the bot's fault. This is the referees' only
interface to it. Bots that the arena has placed on other machines get cores there: a turn takes one of that machine's
free cores. It does not cover bots that their authors run.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

from arena.hosting.processors import Core, Cores, FreeProcessors

# ---------------------------------------------------------------- run queue
#
# Run-queue wait: the time that threads of a process were ready to run but had no processor.
#
# Linux reports it for each thread, in the second field of ``/proc/PID/task/*/schedstat``. Without such files, the
# wait is always 0.


class RunQueue:
    """Sum of the run-queue wait of all threads of one process, including threads that have ended."""

    def __init__(self, pid: int, root: Path = Path("/proc")) -> None:
        """The files stay open until ``close``. ``root``: the proc file system."""
        self._tasks = root / str(pid) / "task"
        self._files: dict[str, int] = {}
        """Open files by thread."""
        self._last: dict[str, int] = {}
        """Wait of each thread at the last measurement, in nanoseconds."""
        self._total = 0

    def waited(self) -> float:
        """Return the seconds that all threads together have waited since the first call."""
        first = not self._last
        for thread, wait in self._look():
            if not first:
                self._total += max(0, wait - self._last.get(thread, 0))
            self._last[thread] = wait
        return self._total / 1e9

    def _look(self) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        threads: set[str] = set()
        with suppress(OSError):
            threads.update(each.name for each in self._tasks.iterdir())
        for thread in self._files.keys() - threads:
            self._forget(thread)
        for thread in threads:
            try:
                file = self._files.get(thread)
                if file is None:
                    file = self._files[thread] = os.open(self._tasks / thread / "schedstat", os.O_RDONLY)
                found.append((thread, int(os.pread(file, 64, 0).split()[1])))
            except (OSError, IndexError, ValueError):
                self._forget(thread)  # the thread has ended, or its number belongs to another thread
        return found

    def _forget(self, thread: str) -> None:
        self._last.pop(thread, None)
        file = self._files.pop(thread, None)
        if file is not None:
            os.close(file)

    def close(self) -> None:
        """Close the files."""
        for thread in list(self._files):
            self._forget(thread)


# ---------------------------------------------------------------- processor time


Lateness = Callable[[], float]
"""Returns the seconds that the threads of a bot have waited for a processor since its turn started."""


class ProcessorTime:
    """Processor time of hosted bots, by bot id."""

    def __init__(self, searches: int = 0) -> None:
        """``searches``: maximum concurrent turns of hosted bots; 0: one for each free processor."""
        self._processors = FreeProcessors()
        self.cores = Cores(lambda: searches or self._processors.free)
        self._processes: dict[int, int] = {}
        """Process id by bot id."""
        self._queues: dict[int, RunQueue] = {}
        """Run queue by process id."""
        self._machines: dict[str, Cores] = {}
        """The cores of other machines, by the name of the machine."""
        self._placed: dict[int, str] = {}
        """The other machine of a bot, by bot id."""

    def settle(self, pid: int, bots: Iterable[int]) -> None:
        """Record that bots run in a process from now on; bots that shared a process before still share one."""
        here = dict.fromkeys(bots, pid)
        self._processes.update(here)
        for bot in here:
            self._placed.pop(bot, None)
        for gone in self._queues.keys() - set(self._processes.values()):
            self._queues.pop(gone).close()
        if pid not in self._queues:
            self._queues[pid] = RunQueue(pid)

    def leave(self, bot_id: int) -> None:
        """Record that a bot does not run in a process of the arena any more."""
        self._processes.pop(bot_id, None)
        self._placed.pop(bot_id, None)

    def add_machine(self, machine: str, count: Callable[[], int]) -> None:
        """Add another machine. ``count``: returns the current number of its cores that turns may take."""
        self._machines[machine] = Cores(count)

    def drop_machine(self, machine: str) -> None:
        """Drop a machine: its bots are hosted nowhere until they are placed again, and no turn waits for its cores."""
        cores = self._machines.pop(machine, None)
        self._placed = {bot: other for bot, other in self._placed.items() if other != machine}
        if cores is not None:
            cores.free_all()

    def place(self, machine: str, bots: Iterable[int]) -> None:
        """Record that bots run on another machine, which was added, from now on."""
        for bot in bots:
            self._processes.pop(bot, None)
            self._placed[bot] = machine

    def held(self, machine: str) -> int:
        """Return the number of cores of a machine that turns hold now."""
        cores = self._machines.get(machine)
        return 0 if cores is None else cores.held

    def hosts(self, bot_id: int) -> bool:
        """Return whether the arena hosts a bot, here or on another machine."""
        return bot_id in self._processes or bot_id in self._placed

    def ask(self, bot_id: int, granted: Callable[[], None]) -> Core:
        """Request a core for the turn of a hosted bot, on the machine on which it runs; see ``Cores.ask``."""
        machine = self._placed.get(bot_id)
        return (self.cores if machine is None else self._machines[machine]).ask(granted)

    def lateness(self, bot_id: int) -> Lateness | None:
        """Return a function that measures the waiting time of a bot's process from now on; None for other bots, and
        for those on other machines.
        """
        pid = self._processes.get(bot_id)
        if pid is None:
            return None
        queue = self._queues[pid]
        return partial(_since, queue, queue.waited())

    def look(self) -> None:
        """Measure the load of the machine. Call it every second."""
        self._processors.look()
        for cores in (self.cores, *self._machines.values()):
            cores.share_out()

    def close(self) -> None:
        """Close the files of all processes."""
        for queue in self._queues.values():
            queue.close()


def _since(queue: RunQueue, before: float) -> float:
    return queue.waited() - before
