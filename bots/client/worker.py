# SPDX-License-Identifier: MIT
"""Where a bot's methods run."""

import asyncio
import inspect
import queue
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Worker:
    """Runs one bot's methods: coroutines on the event loop, plain functions one after another in a thread of the bot's
    own.

    The thread is a daemon, so that a bot that never stops thinking cannot keep the process alive.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def call(
        self,
        method: Callable[Arguments, Result | Awaitable[Result]],
        *arguments: Arguments.args,
        **keywords: Arguments.kwargs,
    ) -> Result:
        """Return the method's result; raises its exceptions. A cancelled call that has not started is skipped."""
        if inspect.iscoroutinefunction(method):
            answer: Result | Awaitable[Result] = method(*arguments, **keywords)
        else:
            answer = await asyncio.wrap_future(self._submit(method, *arguments, **keywords))
        if inspect.isawaitable(answer):
            return await answer
        return answer

    def close(self) -> None:
        """End the thread after its current work."""
        self._calls.put(None)

    def _submit(
        self, method: Callable[Arguments, Result], *arguments: Arguments.args, **keywords: Arguments.kwargs
    ) -> Future[Result]:
        future: Future[Result] = Future()

        def call() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    result = method(*arguments, **keywords)
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(result)

        self._calls.put(call)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        return future

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
