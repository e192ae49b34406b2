# SPDX-License-Identifier: GPL-3.0-or-later
"""Places for work that takes long or much memory, such as reading a whole match: given to addresses in turn."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

from web.errors import Refused

ADDRESS = ContextVar("ADDRESS", default="")
"""Of the client whose request is being answered."""

WAITING = 8
"""Requests of one address that may wait for a place."""

RETRY_AFTER = "5"
"""Seconds, as the header has them."""


class Places:
    """So many places. Who asks waits behind others of its address; free places go to each address in turn."""

    def __init__(self, count: int) -> None:
        self.free = count
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By address, in the order in which they are served."""

    @asynccontextmanager
    async def taken(self, *, patient: bool = False) -> AsyncIterator[None]:
        """Hold a place. Raises Refused where enough requests of the address wait, unless it is ``patient``."""
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
            message = "requests of this address wait for their answers already"
            raise Refused(429, "too-many", message, {"Retry-After": RETRY_AFTER})
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
        """Give free places to those whose turn it is."""
        while self.free and self._waiting:
            address = next(iter(self._waiting))
            queue = self._waiting.pop(address)
            turn = queue.popleft()
            if queue:
                self._waiting[address] = queue  # behind the others
            if not turn.done():
                self.free -= 1
                turn.set_result(None)


READING = Places(1)
"""For reading whole matches: each keeps a thread busy, and some ten megabytes in memory where it is long."""
