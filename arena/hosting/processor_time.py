# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor time of hosted bots: when there is a core for a turn, and how long its bot waited for a processor.

The arena started these processes itself, so a bot that gets no processor is the arena's fault, not the bot's. Referees
learn of it here and nowhere else. Of bots that run elsewhere the arena knows nothing of the kind.
"""

from collections.abc import Callable, Iterable
from functools import partial

from arena.hosting.cores import Core, Cores
from arena.hosting.processors import FreeProcessors
from arena.hosting.run_queue import RunQueue

Lateness = Callable[[], float]
"""Returns the seconds for which the threads of a bot have waited for a processor since its turn began."""


class ProcessorTime:
    """The processor time of the hosted bots, which are known by their ids."""

    def __init__(self, searches: int = 0) -> None:
        """``searches``: how many turns of hosted bots may go on at once; 0: one for each processor that is free."""
        self._processors = FreeProcessors()
        self.cores = Cores(lambda: searches or self._processors.free)
        self._processes: dict[int, int] = {}
        """By bot, the process that it runs in."""
        self._queues: dict[int, RunQueue] = {}
        """By process."""

    def settle(self, pid: int, bots: Iterable[int]) -> None:
        """Note that bots run in a process from now on, all in the same one as far as they were in one before."""
        self._processes.update(dict.fromkeys(bots, pid))
        for gone in self._queues.keys() - set(self._processes.values()):
            self._queues.pop(gone).close()
        if pid not in self._queues:
            self._queues[pid] = RunQueue(pid)

    def hosts(self, bot_id: int) -> bool:
        """Tell whether a bot runs in a process of the arena."""
        return bot_id in self._processes

    def ask(self, granted: Callable[[], None]) -> Core:
        """Claim a core for the turn of a hosted bot; see ``Cores.ask``."""
        return self.cores.ask(granted)

    def lateness(self, bot_id: int) -> Lateness | None:
        """Return what tells how late a bot's process is from now on; None where it runs elsewhere."""
        pid = self._processes.get(bot_id)
        if pid is None:
            return None
        queue = self._queues[pid]
        return partial(_since, queue, queue.waited())

    def look(self) -> None:
        """Take in how busy the machine is. To be called every second."""
        self._processors.look()
        self.cores.share_out()

    def close(self) -> None:
        """Let go of the files of all processes."""
        for queue in self._queues.values():
            queue.close()


def _since(queue: RunQueue, before: float) -> float:
    return queue.waited() - before
