# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor time of hosted bots: cores for their turns, and the time that their threads waited for a processor.

The arena starts these processes itself, so a lack of processor time is not the bot's fault. This is the referees' only
interface to it. It does not cover bots that run elsewhere.
"""

from collections.abc import Callable, Iterable
from functools import partial

from arena.hosting.cores import Core, Cores
from arena.hosting.processors import FreeProcessors
from arena.hosting.run_queue import RunQueue

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

    def settle(self, pid: int, bots: Iterable[int]) -> None:
        """Record that bots run in a process from now on; bots that shared a process before still share one."""
        self._processes.update(dict.fromkeys(bots, pid))
        for gone in self._queues.keys() - set(self._processes.values()):
            self._queues.pop(gone).close()
        if pid not in self._queues:
            self._queues[pid] = RunQueue(pid)

    def hosts(self, bot_id: int) -> bool:
        """Return whether the arena hosts a bot."""
        return bot_id in self._processes

    def ask(self, granted: Callable[[], None]) -> Core:
        """Request a core for the turn of a hosted bot; see ``Cores.ask``."""
        return self.cores.ask(granted)

    def lateness(self, bot_id: int) -> Lateness | None:
        """Return a function that measures the waiting time of a bot's process from now on; None for other bots."""
        pid = self._processes.get(bot_id)
        if pid is None:
            return None
        queue = self._queues[pid]
        return partial(_since, queue, queue.waited())

    def look(self) -> None:
        """Measure the load of the machine. Call it every second."""
        self._processors.look()
        self.cores.share_out()

    def close(self) -> None:
        """Close the files of all processes."""
        for queue in self._queues.values():
            queue.close()


def _since(queue: RunQueue, before: float) -> float:
    return queue.waited() - before
