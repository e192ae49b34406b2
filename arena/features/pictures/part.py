# SPDX-License-Identifier: GPL-3.0-or-later
"""Rendered pictures of a running arena: one process renders them one by one, and the newest stay in memory."""

import asyncio
import contextlib
import hashlib
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import Callable
from functools import cache, partial

import msgspec
import structlog

from arena.feature import Part
from arena.features.pictures.process import LENGTH, RENDERED, Job, framed
from arena.hosting.supervisor import start_process
from engine.native import child
from web.answer_limits import RETRY_AFTER, FairSemaphore
from web.errors import RequestError, TooManyRequests

COMMAND = partial(child.command, "arena.features.pictures.process")

KEPT = 32 * 2**20
"""Bytes of pictures in memory."""

MOST_WAITING = 32
"""Pictures that may wait for the process, over all clients."""

RENDER_TIME = 120.0
"""Seconds after which a picture is given up; the process is then replaced."""

IDLE = 300.0
"""Seconds without a picture after which the process ends."""

log = structlog.get_logger(__name__)


class PicturesPart(Part):
    """Pictures of an arena."""

    def __init__(self, kept: int = KEPT, most_waiting: int = MOST_WAITING) -> None:
        self.rendered = 0
        """Number of pictures that the process has rendered."""
        self._kept = kept
        self._most_waiting = most_waiting
        self._cache: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._turns = FairSemaphore(1)
        self._waiting = 0
        self._process: Process | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def picture(self, key: str, make: Callable[[], Job]) -> bytes:
        """Return the picture of a key, as ``key_of`` makes it; ``make``: called in a thread for one that is not in
        memory. Raises RequestError.
        """
        if (known := self._known(key)) is not None:
            return known
        if self._waiting >= self._most_waiting:
            raise TooManyRequests(f"{self._waiting} pictures are waiting to be drawn; try again", float(RETRY_AFTER))
        self._waiting += 1
        try:
            async with self._turns.taken():
                if (known := self._known(key)) is not None:  # another request asked for it
                    return known
                return await self._render(key, await asyncio.to_thread(make))
        finally:
            self._waiting -= 1

    async def stop(self) -> None:
        """End the process."""
        process = self._process
        self._end()
        if process is not None:
            await process.wait()

    def _known(self, key: str) -> bytes | None:
        found = self._cache.get(key)
        if found is not None:
            self._cache.move_to_end(key)
        return found

    async def _render(self, key: str, job: Job) -> bytes:
        try:
            async with asyncio.timeout(RENDER_TIME):
                answer = await self._asked(msgspec.msgpack.encode(job))
        except (TimeoutError, OSError, EOFError) as error:
            self._end()
            log.warning("failed to render a picture", why=repr(error))
            raise _failed() from None
        except BaseException:
            self._end()  # its answer would be the next picture's
            raise
        self._rest()
        if not answer.startswith(RENDERED):
            log.error("failed to render a picture", why=answer[1:].decode(errors="replace"))
            raise _failed()
        self.rendered += 1
        return self._keep(key, answer[1:])

    async def _asked(self, job: bytes) -> bytes:
        """Return the answer of the process, which is started if there is none."""
        if self._idle is not None:
            self._idle.cancel()
        if self._process is None or self._process.returncode is not None:
            self._process = await start_process(*COMMAND(), stdin=PIPE, stdout=PIPE, start_new_session=True)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(framed(job))
        await process.stdin.drain()
        length = int.from_bytes(await process.stdout.readexactly(LENGTH), "big")
        return await process.stdout.readexactly(length)

    def _rest(self) -> None:
        """End the process if no picture follows for long."""
        self._idle = asyncio.get_running_loop().call_later(IDLE, self._end)

    def _end(self) -> None:
        process, self._process = self._process, None
        if self._idle is not None:
            self._idle.cancel()
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    def _keep(self, key: str, picture: bytes) -> bytes:
        self._cache[key] = picture
        self._size += len(picture)
        while self._size > self._kept and len(self._cache) > 1:
            _, oldest = self._cache.popitem(last=False)
            self._size -= len(oldest)
        return picture


def key_of(*content: object) -> str:
    """Return the key of a picture: a hash of all that it shows, and of the program that draws it."""
    return hashlib.blake2b(repr((content, _programs())).encode(), digest_size=16).hexdigest()


@cache
def _programs() -> list[str]:
    from importlib.metadata import version  # with the first picture, because it loads many modules

    return [version(name) for name in ("resvg-py", "pillow")]


def _failed() -> RequestError:
    return RequestError(503, "busy", "the picture could not be drawn; try again", {"Retry-After": RETRY_AFTER})
