# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits on answers, for each client address and in total: concurrent slow work, and memory of unread answers.

``FairSemaphore`` limits concurrent work; waiting client addresses take turns. ``PendingAnswers`` limits the memory of
answers that clients have not read yet. An address at its limit gets no more answers until its clients read or are
disconnected. When the total limit is reached, the server disconnects the stalled answer of the address that holds the
most memory: the one whose client has not read for the longest time.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

from aiohttp import web

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


OVERHEAD = 32_768
"""Bytes of memory of a pending answer besides its text: request, connection, handler."""

STILL = 1.0
"""Seconds without progress after which an answer counts as stalled."""

STREAMS, STREAMS_OF_ONE = 64, 2
"""Limits on streamed answers: in total, and for one address."""


class PendingAnswer:
    """An answer, or the queued frames of a socket, that one client has not read yet."""

    def __init__(self, answers: "PendingAnswers", address: str, cut: Callable[[], None]) -> None:
        self.address = address
        self.held = 0
        self.moved = answers.now()
        self.streams = False
        self._answers = answers
        self._cut = cut

    def hold(self, size: int) -> None:
        """Set the held bytes to ``size``. Raises RequestError if that exceeds a limit."""
        self._answers.hold(self, size)

    def stream(self) -> None:
        """Count as a streamed answer. Raises RequestError if there are too many."""
        self._answers.stream(self)

    def move(self) -> None:
        """Record progress: the client has read something."""
        self.moved = self._answers.now()

    def end(self) -> None:
        """Release all held bytes. May be called repeatedly."""
        self._answers.end(self)

    def cut(self) -> None:
        """Disconnect the client and release all held bytes."""
        self.end()
        self._cut()


class PendingAnswers:
    """All pending answers. ``most``: bytes in total; ``most_of_one``: bytes of one address; ``now``: a clock."""

    def __init__(self, most: int, most_of_one: int, now: Callable[[], float]) -> None:
        self.now = now
        self.held = 0
        """Held bytes in total."""
        self._most = most
        self._most_of_one = most_of_one
        self._of = Counter[str]()
        """Held bytes by address."""
        self._streams = Counter[str]()
        self._answers: dict[PendingAnswer, None] = {}

    def admit(self, address: str) -> None:
        """Raise RequestError if an address is at its limit; called before the answer is made."""
        if self._of[address] >= self._most_of_one:
            raise _too_many()

    def begin(self, address: str, cut: Callable[[], None]) -> PendingAnswer:
        """Return a new pending answer with zero bytes; ``cut`` closes the client's connection at once."""
        pending = PendingAnswer(self, address, cut)
        self._answers[pending] = None
        return pending

    def hold(self, pending: PendingAnswer, size: int) -> None:
        """Set the held bytes of an answer. Raises RequestError if that exceeds a limit."""
        more = size - pending.held
        others = self._of[pending.address] - pending.held
        if more > 0 and others and others + size > self._most_of_one:
            raise _too_many()
        while more > 0 and self.held - pending.held + size > self._most and self.held > pending.held:
            if not self._make_room(pending):
                raise RequestError(
                    503, "busy", "too many answers are waiting for slow clients", {"Retry-After": RETRY_AFTER}
                )
        self._count(pending, more)

    def stream(self, pending: PendingAnswer) -> None:
        """Count an answer as streamed. Raises RequestError if there are too many of its address, or in total."""
        if self._streams[pending.address] >= STREAMS_OF_ONE:
            message = f"{STREAMS_OF_ONE} downloads to this address are running already"
            raise RequestError(429, "too-many", message, {"Retry-After": RETRY_AFTER})
        if self._streams.total() >= STREAMS:
            raise RequestError(503, "busy", f"{STREAMS} downloads are running already", {"Retry-After": RETRY_AFTER})
        self._streams[pending.address] += 1
        pending.streams = True

    def end(self, pending: PendingAnswer) -> None:
        """Remove an answer."""
        if pending in self._answers:
            del self._answers[pending]
            self._count(pending, -pending.held)
            if pending.streams:
                self._streams[pending.address] -= 1
                if not self._streams[pending.address]:
                    del self._streams[pending.address]

    def _count(self, pending: PendingAnswer, more: int) -> None:
        pending.held += more
        self.held += more
        self._of[pending.address] += more
        if not self._of[pending.address]:
            del self._of[pending.address]

    def _make_room(self, wanting: PendingAnswer) -> bool:
        """Disconnect a stalled answer of the address that holds the most; return whether there was one."""
        still = self.now() - STILL
        waiting = [each for each in self._answers if each.moved <= still and each.held and each is not wanting]
        if not waiting:
            return False
        min(waiting, key=lambda each: (-self._of[each.address], each.moved)).cut()
        return True


PENDING_ANSWERS = web.AppKey("pending-answers", PendingAnswers)


def _too_many() -> RequestError:
    return RequestError(
        429, "too-many", "too many unread answers for this address; read them first", {"Retry-After": RETRY_AFTER}
    )
