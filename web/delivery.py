# SPDX-License-Identifier: GPL-3.0-or-later
"""Sending of answers: in slices with a timeout each, counted by ``web.answer_limits`` until the last byte is sent.

An answer in memory has at most a few megabytes, plus one slice in the connection's buffer. Larger answers are streamed
(``Parts``). The server disconnects a client that does not read the next slice in time. ``respond`` revalidates cached
answers by ETags and ``If-None-Match`` (RFC 9110, 13.1.2).
"""

import asyncio
import hashlib
import socket
import struct
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler

from web.answer_limits import ADDRESS, OVERHEAD, PENDING_ANSWERS, PendingAnswer
from web.clients import client_of
from web.compression import compress
from web.errors import RequestError

SLICE = 65_536
"""Bytes that are written to a connection at once."""

LINGER = 1.0
"""Seconds before the server closes a connection with an unread request body: if the client still sends when the
connection closes, its system discards the answer.
"""

_SOON, _LATE = 0.005, 0.2
"""Shortest and longest polling interval, in seconds, for a sent answer or a closed connection."""

ANSWER_TIME = web.AppKey("answer-time", float)
"""Seconds within which a client must read the next slice of an answer."""

_PENDING = web.RequestKey("pending", PendingAnswer)

log = structlog.get_logger(__name__)


class Parts(web.StreamResponse):
    """A streamed answer."""

    def __init__(self, parts: AsyncGenerator[bytes], headers: dict[str, str]) -> None:
        super().__init__(headers=headers)
        self.parts = parts


@web.middleware
async def deliver(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Send an answer completely, or disconnect the client (the outermost middleware).

    If the request has a body that was not read and has not arrived completely, the connection is closed without reading
    the rest.
    """
    try:
        response = await handler(request)
        if isinstance(response, web.WebSocketResponse) or response.prepared:
            return response
        unread = not request.content.is_eof()
        if unread:
            response.force_close()
        try:
            response = await _Sending(request).send(response)
            if unread:
                await _linger(request)
        except (TimeoutError, RequestError):
            log.info(
                "disconnected a client that does not read its answer",
                path=request.path,
                remote=client_of(request).address,
            )
            cut_off(request)
        except ConnectionError:
            pass  # the client is gone, as aiohttp notices too
        except Exception:
            log.exception("failed to send an answer", path=request.path)
            cut_off(request)
        return response
    finally:
        pending: PendingAnswer | None = request.get(_PENDING)
        if pending is not None:
            pending.end()


@web.middleware
async def admit(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Apply the memory limits of pending answers (the innermost middleware): before an answer is made, and when its
    size is known. A long answer is counted before it is compressed.
    """
    answers, address = request.app[PENDING_ANSWERS], client_of(request).key
    answers.admit(address)
    ADDRESS.set(address)
    response = await handler(request)
    if isinstance(response, web.WebSocketResponse):
        return response
    pending = request[_PENDING] = answers.begin(address, lambda: cut_off(request))
    try:
        if isinstance(response, Parts):
            pending.stream()
        pending.hold(_size(response) + OVERHEAD)
        if await compress(request, response):
            pending.hold(_size(response) + OVERHEAD)
    except BaseException:
        pending.end()
        if isinstance(response, Parts):
            await response.parts.aclose()
        raise
    return response


def cut_off(request: web.Request) -> None:
    """Close a connection at once and drop unsent data, here and in the system's buffers."""
    transport = request.transport
    if transport is not None:
        connection = transport.get_extra_info("socket")
        with suppress(OSError, AttributeError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()


class _Sending:
    """Sends one answer."""

    def __init__(self, request: web.Request) -> None:
        self._request = request
        self._limit = request.app[ANSWER_TIME]
        self._pending: PendingAnswer | None = request.get(_PENDING)

    async def send(self, response: web.StreamResponse) -> web.StreamResponse:
        """Send a response; return it, or the response that replaced it. Raises TimeoutError, and RequestError if a
        memory limit is reached.
        """
        if isinstance(response, Parts):
            await self._send_parts(response)
        elif isinstance(response, web.Response) and isinstance(response.body, bytes) and self._is_long(response):
            response = await self._send_slices(response, response.body)
        else:
            async with asyncio.timeout(self._limit):
                await response.prepare(self._request)
                await response.write_eof()
        await self._leave()
        return response

    def _is_long(self, response: web.Response) -> bool:
        return _size(response) > SLICE and self._request.method != "HEAD"

    async def _send_slices(self, whole: web.Response, body: bytes) -> web.StreamResponse:
        response = web.StreamResponse(status=whole.status, reason=whole.reason, headers=whole.headers)
        if whole.keep_alive is False:
            response.force_close()
        response.content_length = len(body)
        await self._begin(response)
        await self._write(response, body)
        await self._end(response)
        return response

    async def _send_parts(self, response: Parts) -> None:
        async with aclosing(response.parts) as parts:
            whole = self._request.method != "HEAD"
            if whole:
                response.enable_compression()
            await self._begin(response)
            if whole:
                async for part in parts:
                    if self._pending is not None:
                        self._pending.hold(len(part) + SLICE + OVERHEAD)
                    await self._write(response, part)
        await self._end(response)

    async def _begin(self, response: web.StreamResponse) -> None:
        async with asyncio.timeout(self._limit):
            await response.prepare(self._request)

    async def _write(self, response: web.StreamResponse, body: bytes) -> None:
        view = memoryview(body)
        for start in range(0, len(view), SLICE):
            async with asyncio.timeout(self._limit):
                await response.write(view[start : start + SLICE])
                await self._request.writer.drain()
            if self._pending is not None:
                self._pending.move()

    async def _end(self, response: web.StreamResponse) -> None:
        async with asyncio.timeout(self._limit):
            await response.write_eof()

    async def _leave(self) -> None:
        """Wait until the connection's buffer is empty. Raises TimeoutError."""
        transport = self._request.transport
        if transport is None or not (left := transport.get_write_buffer_size()):
            return
        pause = _SOON
        async with asyncio.timeout(self._limit):
            while left and not transport.is_closing():
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LATE)
                before, left = left, transport.get_write_buffer_size()
                if left < before and self._pending is not None:
                    self._pending.move()


def _size(response: web.StreamResponse) -> int:
    """Return the initial memory of an answer, in bytes."""
    if isinstance(response, web.Response):
        return len(response.body) if isinstance(response.body, bytes) else 0
    return SLICE


async def _linger(request: web.Request) -> None:
    """Send end of file and wait a moment for the client to close, without reading."""
    transport = request.transport
    if transport is not None and transport.can_write_eof():
        transport.write_eof()
    loop = asyncio.get_running_loop()
    end = loop.time() + LINGER
    while request.transport is not None and loop.time() < end:  # noqa: ASYNC110  # aiohttp has no event for a lost connection
        await asyncio.sleep(_LATE / 4)


def respond(request: web.Request, body: bytes, content_type: str, headers: dict[str, str]) -> web.Response:
    """Return an answer with an ETag, or status 304 if the client's copy is current."""
    etag = f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = {**headers, "ETag": etag}
    if unchanged(request, etag):
        return web.Response(status=304, headers=headers)
    return web.Response(body=body, content_type=content_type, headers=headers, charset="utf-8")


def unchanged(request: web.Request, etag: str) -> bool:
    """Return whether the client's copy is current, by its strong or weak ETag."""
    known = request.headers.get("If-None-Match", "")
    return known == "*" or etag.removeprefix("W/") in (part.strip().removeprefix("W/") for part in known.split(","))
