# SPDX-License-Identifier: GPL-3.0-or-later
"""The two sockets: frames between aiohttp and the arena's connections, nothing else.

Neither uses cookies, and what spectators see is public, so a page of any origin may open them.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Protocol

import structlog
from aiohttp import WSMsgType, web

from arena.protocol.errors import CloseCode
from arena.protocol.version import MAX_MESSAGE
from web.errors import Refused
from web.keys import ARENA
from web.metrics import METRICS

HEARTBEAT = 25.0
"""Seconds between pings; a peer that leaves one unanswered for half as long is gone."""

WRITE_LIMIT = 20.0
"""Seconds that one frame may take to leave for a peer that does not read."""

CLOSE_LIMIT = 3.0
"""Seconds to wait for the peer's half of the closing handshake."""

_MOST_BYTES = 4
"""Of a character, in UTF-8."""

OPEN = web.AppKey("sockets", set[web.WebSocketResponse])
"""The sockets that are open."""

log = structlog.get_logger(__name__)


class Line(Protocol):
    """The arena's side of a socket, a bot's or a spectator's."""

    close_code: CloseCode | None
    close_reason: str

    def receive(self, frame: str | bytes) -> None:
        """Take a frame from the peer."""

    def frames(self) -> AsyncIterator[str]:
        """Yield the frames to send; ends when the socket shall be closed."""

    def lost(self) -> None:
        """Learn that the socket is gone."""


async def play(request: web.Request) -> web.WebSocketResponse:
    """Serve a bot."""
    socket = await _open(request)
    return await _carry(request, socket, request.app[ARENA].accept(request.remote or ""))


async def watch(request: web.Request) -> web.WebSocketResponse:
    """Serve a spectator."""
    socket = await _open(request)
    return await _carry(request, socket, request.app[ARENA].watch(request.remote or ""))


async def close_all(application: web.Application) -> None:
    """Close the sockets that outlived the arena (a handler of ``on_shutdown``)."""
    sockets = application[OPEN]
    closing = [socket.close(code=CloseCode.GOING_AWAY, message=b"the arena stops") for socket in sockets]
    await asyncio.gather(*closing, return_exceptions=True)


def new_socket() -> web.WebSocketResponse:
    """Return a socket that keeps this door's limits."""
    return web.WebSocketResponse(
        heartbeat=HEARTBEAT, timeout=CLOSE_LIMIT, max_msg_size=MAX_MESSAGE + 1, writer_limit=0, compress=False
    )


async def _open(request: web.Request) -> web.WebSocketResponse:
    socket = new_socket()
    if not socket.can_prepare(request):
        raise Refused(426, "websocket-only", "this address speaks WebSocket only", {"Upgrade": "websocket"})
    await socket.prepare(request)
    return socket


async def _carry(request: web.Request, socket: web.WebSocketResponse, line: Line) -> web.WebSocketResponse:
    """Move frames both ways until either side has enough."""
    kind = request.path.rpartition("/")[2]
    received = request.app[METRICS].frames.labels(kind, "received")
    sent = request.app[METRICS].frames.labels(kind, "sent")
    request.app[OPEN].add(socket)
    writer = asyncio.create_task(_write(request, socket, line, sent.inc))
    try:
        async for message in socket:
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                break
            received.inc()
            line.receive(message.data)
            await asyncio.sleep(0)  # one peer's flood must not keep the others waiting
    except Exception:
        log.exception("socket failed", path=request.path, remote=request.remote)
        await socket.close(code=CloseCode.INTERNAL_ERROR, message=b"internal error")
    finally:
        request.app[OPEN].discard(socket)
        line.lost()
        try:
            await asyncio.wait({writer}, timeout=2 * CLOSE_LIMIT)  # it may be in the middle of the closing handshake
        finally:
            writer.cancel()
    return socket


async def _write(request: web.Request, socket: web.WebSocketResponse, line: Line, count: Callable[[], None]) -> None:
    """Send what the arena has to say, then close; a peer that takes too long is cut off."""
    try:
        async for frame in line.frames():
            if _leaves_at_once(request.transport, frame):
                await socket.send_str(frame)
            else:
                async with asyncio.timeout(WRITE_LIMIT):
                    await socket.send_str(frame)
            count()
        async with asyncio.timeout(2 * CLOSE_LIMIT):
            await socket.close(code=line.close_code or CloseCode.NORMAL, message=_reason(line.close_reason))
    except ConnectionError:
        pass  # the reading side notices as well, and tells the arena
    except TimeoutError:
        log.info("peer does not read", path=request.path, remote=request.remote)
        _hang_up(request)
    except Exception:
        log.exception("nothing more can be sent", path=request.path, remote=request.remote)
        _hang_up(request)


def _leaves_at_once(transport: asyncio.Transport | None, frame: str) -> bool:
    """Tell whether there is room for a frame, so that no clock need run while it is sent."""
    if transport is None:
        return False
    return transport.get_write_buffer_size() + _MOST_BYTES * len(frame) < transport.get_write_buffer_limits()[1]


def _hang_up(request: web.Request) -> None:
    """End the connection at once, which ends the reading side too."""
    if request.transport:
        request.transport.abort()


def _reason(text: str) -> bytes:
    """Return a close reason cut to the 123 bytes that a close frame has room for."""
    return text.encode()[:123].decode(errors="ignore").encode()
