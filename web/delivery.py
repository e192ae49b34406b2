# SPDX-License-Identifier: GPL-3.0-or-later
"""How answers leave: in slices, each within a time, counted by ``web.flights`` until the last byte has left.

What waits for a client in memory is its answer, which no route makes larger than a few megabytes, and a slice of it on
the connection. What may be larger is made while it is sent (``Parts``). A client that does not take the next slice in
time is cut off.
"""

import asyncio
import socket
import struct
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler

from web.compression import compress
from web.errors import Refused
from web.flights import FLIGHTS, OVERHEAD, Flight
from web.peers import peer_of
from web.places import ADDRESS

SLICE = 65_536
"""Bytes that are handed to a client's connection at once."""

LINGER = 1.0
"""Seconds that a client has to read the answer to a request whose body was not read, before its connection is closed:
what it still sends would otherwise make its system throw the answer away.
"""

_SOON, _LATE = 0.005, 0.2
"""Seconds between two looks whether an answer has left, or a client: at first, and in the end."""

ANSWER_TIME = web.AppKey("answer-time", float)
"""Seconds in which a client must take the next slice of an answer."""

_FLIGHT = web.RequestKey("flight", Flight)

log = structlog.get_logger(__name__)


class Parts(web.StreamResponse):
    """An answer that is made while it is sent."""

    def __init__(self, parts: AsyncGenerator[bytes], headers: dict[str, str]) -> None:
        super().__init__(headers=headers)
        self.parts = parts


@web.middleware
async def deliver(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Send an answer (the outermost middleware): it has left when this returns, or its client is cut off.

    Where the request has a body that was not read, and did not come in whole by itself, nothing more of it is read, and
    the connection is closed.
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
        except (TimeoutError, Refused):
            log.info("client does not read", path=request.path, remote=peer_of(request).address)
            cut_off(request)
        except ConnectionError:
            pass  # the client is gone, as aiohttp notices too
        except Exception:
            log.exception("an answer broke off", path=request.path)
            cut_off(request)
        return response
    finally:
        flight: Flight | None = request.get(_FLIGHT)
        if flight is not None:
            flight.end()


@web.middleware
async def admit(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse what an answer has no room for (the innermost middleware): before it is made, and when its size is
    known. A long answer is compressed after it is counted.
    """
    flights, address = request.app[FLIGHTS], peer_of(request).key
    flights.admit(address)
    ADDRESS.set(address)
    response = await handler(request)
    if isinstance(response, web.WebSocketResponse):
        return response
    flight = request[_FLIGHT] = flights.begin(address, lambda: cut_off(request))
    try:
        if isinstance(response, Parts):
            flight.stream()
        flight.hold(_size(response) + OVERHEAD)
        if await compress(request, response):
            flight.hold(_size(response) + OVERHEAD)
    except BaseException:
        flight.end()
        if isinstance(response, Parts):
            await response.parts.aclose()
        raise
    return response


def cut_off(request: web.Request) -> None:
    """End a connection at once: what its client has not taken is dropped, here and in the system's own buffers."""
    transport = request.transport
    if transport is not None:
        connection = transport.get_extra_info("socket")
        with suppress(OSError, AttributeError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()


class _Sending:
    """One answer on its way."""

    def __init__(self, request: web.Request) -> None:
        self._request = request
        self._limit = request.app[ANSWER_TIME]
        self._flight: Flight | None = request.get(_FLIGHT)

    async def send(self, response: web.StreamResponse) -> web.StreamResponse:
        """Send a response; return it, or what was sent in its place. Raises TimeoutError, and Refused where nothing
        more of it has room.
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
                    if self._flight is not None:
                        self._flight.hold(len(part) + SLICE + OVERHEAD)
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
            if self._flight is not None:
                self._flight.move()

    async def _end(self, response: web.StreamResponse) -> None:
        async with asyncio.timeout(self._limit):
            await response.write_eof()

    async def _leave(self) -> None:
        """Wait until the connection has handed everything to the system. Raises TimeoutError."""
        transport = self._request.transport
        if transport is None or not (left := transport.get_write_buffer_size()):
            return
        pause = _SOON
        async with asyncio.timeout(self._limit):
            while left and not transport.is_closing():
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LATE)
                before, left = left, transport.get_write_buffer_size()
                if left < before and self._flight is not None:
                    self._flight.move()


def _size(response: web.StreamResponse) -> int:
    """Return the bytes that an answer holds while it is sent, at first."""
    if isinstance(response, web.Response):
        return len(response.body) if isinstance(response.body, bytes) else 0
    return SLICE


async def _linger(request: web.Request) -> None:
    """Tell the client that nothing follows, and wait a moment for it to close, without reading."""
    transport = request.transport
    if transport is not None and transport.can_write_eof():
        transport.write_eof()
    loop = asyncio.get_running_loop()
    end = loop.time() + LINGER
    while request.transport is not None and loop.time() < end:  # noqa: ASYNC110  # aiohttp tells nobody of a lost one
        await asyncio.sleep(_LATE / 4)
