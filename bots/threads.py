# SPDX-License-Identifier: GPL-3.0-or-later
"""Coroutines in threads: work of bots that would hold up an event loop, several pieces at once."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Self, TypeVar

Result = TypeVar("Result")


class Threads:
    """Runs coroutine functions to their end in threads, each in an event loop of its own; what is left is cancelled."""

    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="bots")
        self._running: dict[asyncio.Task[Any], asyncio.AbstractEventLoop] = {}
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        for task, loop in list(self._running.items()):
            # it may have come to its end just now
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(task.cancel)
        self._pool.shutdown(cancel_futures=True)

    def submit(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Future[Result]:
        """Let it run as soon as a thread is free."""
        return self._pool.submit(lambda: asyncio.run(self._run(work)))

    async def _run(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        self._running[task] = asyncio.get_running_loop()
        try:
            if self._ended:
                raise asyncio.CancelledError
            return await work()
        finally:
            del self._running[task]
