# SPDX-License-Identifier: GPL-3.0-or-later
"""What all pools of workers have in common.

A piece of work is a call of a pure function: its result follows from its arguments, for example from a seed and the
number of a game. So a pool may compute pieces in any order, anywhere, and again after the death of a worker.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

ATTEMPTS = 3
"""Attempts at a piece that ends its worker, before it is reported."""

AHEAD = 4
"""Pieces that should be submitted at a time, for each worker."""


class PoolFailed(Exception):
    """A pool cannot be opened, or cannot go on; the message gives the reason, for people."""


class WorkerDied(PoolFailed):
    """A piece ended the process that computed it, again and again."""


class Pool(Executor, ABC):
    """Computes pieces of work; a context manager, whose end drops the pieces that are not computed yet.

    The functions and arguments of a pool of processes or machines must be picklable. A worker keeps the unpickled
    function from piece to piece.
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of pieces that are computed at the same time."""

    @property
    def ahead(self) -> int:
        """The number of pieces that should be submitted and not finished, so that no worker waits."""
        return AHEAD * self.size if self.size > 1 else 1

    @property
    def elsewhere(self) -> bool:
        """Whether workers may be on other machines, which do not have the files of this one."""
        return False

    @property
    def compiles(self) -> bool:
        """Whether ``prepare`` compiles; otherwise the caller should compile in its own process."""
        return False

    def prepare(self, work: Callable[..., Any], *arguments: Any) -> None:
        """Compute a piece once on each machine and drop the result, so that each machine compiles only once.

        Does nothing in a pool on this machine. Raises what the piece raises, and PoolFailed.
        """

    @property
    def speeds(self) -> str:
        """A short text about the speed of each machine; empty if there is only this one."""
        return ""

    def __exit__(self, *_: object) -> None:
        self.shutdown(cancel_futures=True)


class Threads(ThreadPoolExecutor, Pool):
    """A pool of threads of this process, for compiled code that releases the interpreter's lock."""

    def __init__(self, count: int) -> None:
        super().__init__(count, thread_name_prefix="pool")
        self._count = count

    @property
    def size(self) -> int:
        """The number of threads."""
        return self._count

    def __exit__(self, *_: object) -> None:
        """End the threads after their current pieces."""
        self.shutdown(cancel_futures=True)
