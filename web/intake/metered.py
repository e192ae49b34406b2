# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurement of the event-loop time of a coroutine: the sum of its steps, without waiting times."""

import time
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Metered(Generic[T]):
    """Awaits a coroutine and passes the seconds of each step to ``spend``."""

    __slots__ = ("_coroutine", "_spend")

    def __init__(self, coroutine: Coroutine[Any, Any, T], spend: Callable[[float], None]) -> None:
        self._coroutine = coroutine
        self._spend = spend

    def __await__(self) -> Generator[Any, Any, T]:
        coroutine, spend, clock = self._coroutine, self._spend, time.perf_counter
        error: BaseException | None = None
        while True:
            began = clock()
            try:
                awaited = coroutine.send(None) if error is None else coroutine.throw(error)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                spend(clock() - began)
            error = None
            try:
                yield awaited
            except BaseException as raised:
                error = raised
