# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of an engine or program for a move, which another thread may stop."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

Answer = TypeVar("Answer")


class StoppableSearch(Generic[Answer]):
    """The search of one engine or program.

    ``name``: its name in errors; ``failure``: the class of these errors.
    """

    def __init__(self, name: str, failure: type[Exception]) -> None:
        self._name = name
        self._failure = failure
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Answer] | None = None
        self.stopped = False
        """Whether the last search was stopped."""

    @property
    def running(self) -> bool:
        """Whether there is a search."""
        return self._task is not None

    async def result(self, search: Coroutine[Any, Any, Answer], within: float | None = None) -> Answer:
        """Return the answer of a search.

        ``within``: seconds until the search is given up. Raises the class of errors after that time, and after
        ``stop``.
        """
        self._loop = asyncio.get_running_loop()
        task = self._task = self._loop.create_task(search)
        try:
            await asyncio.wait({task}, timeout=within)
            if not task.done():
                raise self._failure(f"{self._name} did not answer within {within:.0f} s")
        finally:
            task.cancel()
            self._task = None
        self.stopped = task.cancelled()
        if self.stopped:
            raise self._failure(f"{self._name} was stopped")
        return task.result()

    def stop(self) -> None:
        """Stop the search, if there is one. Any thread may call it."""
        task, loop = self._task, self._loop
        if task is not None and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)
