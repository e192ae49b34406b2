# SPDX-License-Identifier: GPL-3.0-or-later
"""FairSemaphore are given to addresses in turn."""

import asyncio
import contextlib

import pytest

from web.answer_limits import ADDRESS, WAITING, FairSemaphore
from web.errors import RequestError


class Queue:
    """Requests for one slot, and the order in which they got it."""

    def __init__(self) -> None:
        self.places = FairSemaphore(1)
        self.served: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, address: str, *, patient: bool = False) -> asyncio.Task[None]:
        """Let an address ask for a place, which it leaves at once."""

        async def hold() -> None:
            ADDRESS.set(address)
            async with self.places.taken(patient=patient):
                self.served.append(address)
                await asyncio.sleep(0)

        self.tasks.append(asyncio.create_task(hold()))
        await asyncio.sleep(0)
        return self.tasks[-1]


async def test_waiting_addresses_take_turns() -> None:
    queue = Queue()
    async with queue.places.taken():
        for address in "aaaabbc":
            await queue.ask(address)
    await asyncio.gather(*queue.tasks)
    assert "".join(queue.served) == "abcabaa"
    assert queue.places.free == 1


async def test_waiting_requests_of_one_address_are_limited() -> None:
    queue = Queue()
    async with queue.places.taken():
        for _ in range(WAITING):
            await queue.ask("a")
        with pytest.raises(RequestError) as caught:
            await (await queue.ask("a"))
        assert (caught.value.status, caught.value.headers["Retry-After"]) == (429, "5")
        await queue.ask("a", patient=True)
        await queue.ask("b")
    await asyncio.gather(*queue.tasks, return_exceptions=True)
    assert queue.served.index("b") == 1
    assert len(queue.served) == WAITING + 2


async def test_a_cancelled_request_holds_no_slot() -> None:
    queue = Queue()
    async with queue.places.taken():
        early, late = await queue.ask("a"), await queue.ask("a")
        early.cancel()
        await asyncio.sleep(0)
    late.cancel()  # in the moment in which it is its turn
    for task in (early, late):
        with contextlib.suppress(asyncio.CancelledError):
            await task
    await (await queue.ask("b"))
    assert queue.places.free == 1
