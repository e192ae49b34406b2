# SPDX-License-Identifier: GPL-3.0-or-later
"""Fair semaphore: limits concurrent work that is slow or needs much memory; waiting client addresses take turns."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

from web.errors import RequestError

ADDRESS = ContextVar("ADDRESS", default="")
"""Address of the client of the current request."""

WAITING = 8
"""Requests of one address that may wait."""

RETRY_AFTER = "5"
"""Value of the Retry-After header, in seconds."""


class FairSemaphore:
    """A semaphore with one queue for each address; free slots go to the addresses in turn (round robin)."""

    def __init__(self, count: int) -> None:
        self.free = count
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Queues by address; the next address is first."""

    @asynccontextmanager
    async def taken(self, *, patient: bool = False) -> AsyncIterator[None]:
        """Hold a slot. Raises RequestError if too many requests of the address wait already, unless ``patient``."""
        await self._take(ADDRESS.get(), patient=patient)
        try:
            yield
        finally:
            self.free += 1
            self._serve()

    async def _take(self, address: str, *, patient: bool) -> None:
        if self.free and not self._waiting:
            self.free -= 1
            return
        queue = self._waiting.setdefault(address, deque())
        if len(queue) >= WAITING and not patient:
            message = f"{WAITING} requests of this address are waiting already; wait for their answers"
            raise RequestError(429, "too-many", message, {"Retry-After": RETRY_AFTER})
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.free += 1
                self._serve()
            raise

    def _serve(self) -> None:
        """Give free slots to the next addresses."""
        while self.free and self._waiting:
            address = next(iter(self._waiting))
            queue = self._waiting.pop(address)
            turn = queue.popleft()
            if queue:
                self._waiting[address] = queue  # behind the others
            if not turn.done():
                self.free -= 1
                turn.set_result(None)


READING = FairSemaphore(1)
"""For reading whole matches: a long match takes a thread and about ten megabytes of memory."""
