# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine's search for a move, which another thread may stop."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

from bots.bridges.process import EngineFailed

Answer = TypeVar("Answer")


class Stopped(EngineFailed):
    """The search was stopped: its move is not needed any more."""


class Thinking(Generic[Answer]):
    """The search of one engine, named in errors by the engine's name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Answer] | None = None

    async def result(self, search: Coroutine[Any, Any, Answer], within: float | None = None) -> Answer:
        """Return what a search answers.

        ``within``: seconds until the engine is given up. Raises Stopped after ``stop``, and EngineFailed after that
        time.
        """
        self._loop = asyncio.get_running_loop()
        task = self._task = self._loop.create_task(search)
        try:
            await asyncio.wait({task}, timeout=within)
            if not task.done():
                raise EngineFailed(f"{self._name} did not answer within {within:.0f} s")
        finally:
            task.cancel()
            self._task = None
        if task.cancelled():
            raise Stopped(f"{self._name} was told to stop")
        return task.result()

    def stop(self) -> None:
        """Stop the search, if there is one. Any thread may call it."""
        task, loop = self._task, self._loop
        if task is not None and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)
