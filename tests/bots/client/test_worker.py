# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a bot's methods run."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator

import pytest

from bots.client.playing import Worker
from tests.bots.client.scripted import PATIENCE


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("test")
    yield worker
    worker.close()


async def test_plain_functions_run_in_one_thread_that_is_not_this_one(worker: Worker) -> None:
    threads = {await worker.call(threading.get_ident) for _ in range(3)}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_coroutines_run_here(worker: Worker) -> None:
    async def where() -> int:
        await asyncio.sleep(0)
        return threading.get_ident()

    either: list[Callable[[], int | Awaitable[int]]] = [where, lambda: where()]
    for method in either:
        assert await worker.call(method) == threading.get_ident()


async def test_an_exception_of_the_method_is_raised_by_the_call(worker: Worker) -> None:
    def fail() -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        await worker.call(fail)


async def test_calls_keep_their_order(worker: Worker) -> None:
    done: list[int] = []
    await asyncio.gather(*(worker.call(done.append, number) for number in range(20)))
    assert done == list(range(20))


async def test_a_cancelled_call_that_has_not_begun_is_left_out(worker: Worker) -> None:
    go = threading.Event()
    done: list[str] = []
    first = asyncio.create_task(worker.call(go.wait, PATIENCE))
    second = asyncio.create_task(worker.call(done.append, "second"))
    await asyncio.sleep(0.05)
    second.cancel()
    await asyncio.wait({second})
    go.set()
    assert await first
    await worker.call(done.append, "third")
    assert done == ["third"]
