# SPDX-License-Identifier: GPL-3.0-or-later
"""The two sockets: frames between aiohttp and the arena's connections, nothing else.

Pages of other websites open them where ``web.origins`` allows it.
"""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from arena.application import Arena
from arena.protocol.errors import CloseCode
from arena.protocol.version import MAX_MESSAGE, PLAY_PATH
from web.api.order import shown_token
from web.delivery import cut_off
from web.errors import Refused
from web.flights import FLIGHTS, OVERHEAD
from web.heartbeat import Heartbeat
from web.intake.connection import Known, attend
from web.keys import ARENA
from web.metrics import METRICS
from web.origins import check_origin
from web.peers import peer_of
from web.strangers import STRANGERS

HEARTBEAT = 25.0
"""Seconds of silence at most after which a spectator is pinged; who says nothing for half as long more is gone."""
MEASURED = 10.0
"""Seconds between two pings of a bot at most, which tell how long the way to it takes."""
SOONEST = 0.8
"""The least part of both: each socket has a period of its own, so that thousands are not pinged at once."""

WRITE_LIMIT = 20.0
"""Seconds that one frame may take to leave for a peer that does not read."""

CLOSE_LIMIT = 3.0
"""Seconds to wait for the peer's half of the closing handshake."""

ROOM = 16_384
"""Bytes on their way to a peer below which a frame is sent at once."""

_MOST_BYTES, _HEADER = 4, 14
"""Of a character in UTF-8, and of what stands before a frame."""

AT_ONCE = 16
"""Frames taken from one peer in a row: its flood must not keep the others waiting."""

OPEN = web.AppKey("sockets", set[web.WebSocketResponse])
"""The sockets that are open."""

POLITE = (WSCloseCode.OK, WSCloseCode.GOING_AWAY)
"""What a peer closes with that means to."""

log = structlog.get_logger(__name__)


class Line(Protocol):
    """The arena's side of a socket, a bot's or a spectator's."""

    close_code: CloseCode | None
    close_reason: str
    over: bool
    """Whether the socket is to be closed once nothing is left to send."""
    bounded: bool
    """Whether what waits for the peer counts among the answers of its address (``web.flights``); what waits for bots is
    bounded by the arena.
    """
    stir: Callable[[], None]
    """Set here: called whenever there may be something to send, or ``over`` was set."""
    vouched: Callable[[], None]
    """Set here: called once the arena knows who the peer is."""

    def receive(self, frame: str | bytes) -> None:
        """Take a frame from the peer."""

    def next_frame(self) -> str | None:
        """Give out the next frame to send, if there is one."""

    def lost(self) -> None:
        """Learn that the socket is gone."""

    @property
    def known(self) -> bool:
        """Whether the peer is a bot that was let in."""

    def flood(self) -> None:
        """Learn that the peer sends more than it may, and has to go."""


async def play(request: web.Request) -> web.WebSocketResponse:
    """Serve a bot."""
    arena = request.app[ARENA]
    caller = arena.caller(peer_of(request).key, shown_token(request))
    if not arena.takes(caller):
        raise Refused(429, "too-many", "too many connections from this address said no hello", {"Retry-After": "1"})
    socket = await _open(request)
    connection = arena.accept(caller)
    return await _carry(request, socket, connection, connection.trips.add)


def knowing(arena: Arena) -> Known:
    """Return what tells apart the bots that ask for their socket and show a token that is known; "" for others."""

    def known(request: web.BaseRequest) -> str:
        token = shown_token(request) if request.path == PLAY_PATH else ""
        return arena.known(token) if token else ""

    return known


async def watch(request: web.Request) -> web.WebSocketResponse:
    """Serve a spectator."""
    socket = await _open(request)
    spectator = request.app[ARENA].watch(peer_of(request).key)
    request.app[STRANGERS].known(request.transport)
    return await _carry(request, socket, spectator)


async def close_all(application: web.Application) -> None:
    """Close the sockets that outlived the arena (a handler of ``on_shutdown``)."""
    sockets = application[OPEN]
    closing = [socket.close(code=CloseCode.GOING_AWAY, message=b"the arena stops") for socket in sockets]
    await asyncio.gather(*closing, return_exceptions=True)


def new_socket() -> web.WebSocketResponse:
    """Return a socket that keeps this door's limits; whoever reads it answers pings."""
    return web.WebSocketResponse(
        autoping=False, timeout=CLOSE_LIMIT, max_msg_size=MAX_MESSAGE + 1, writer_limit=0, compress=False
    )


async def _open(request: web.Request) -> web.WebSocketResponse:
    check_origin(request)
    socket = new_socket()
    if not socket.can_prepare(request):
        raise Refused(426, "websocket-only", "this address speaks WebSocket only", {"Upgrade": "websocket"})
    await socket.prepare(request)
    return socket


async def _carry(
    request: web.Request,
    socket: web.WebSocketResponse,
    line: Line,
    measured: Callable[[float], None] | None = None,
) -> web.WebSocketResponse:
    """Move frames both ways until either side has enough; ``measured`` is told round trips in seconds."""
    kind = request.path.rpartition("/")[2]
    received = request.app[METRICS].frames.labels(kind, "received")
    outgoing = _Outgoing(request, socket, line, request.app[METRICS].frames.labels(kind, "sent").inc)
    request.app[OPEN].add(socket)
    line.stir = outgoing.stir
    strangers, transport = request.app[STRANGERS], request.transport
    line.vouched = partial(strangers.known, transport)
    heartbeat = outgoing.ping(measured)
    outgoing.stir()
    attend(request, line)
    taken = 0
    try:
        async for message in socket:
            heartbeat.heard()
            match message.type:
                case WSMsgType.TEXT | WSMsgType.BINARY:
                    received.inc()
                    line.receive(message.data)
                case WSMsgType.PING:
                    with suppress(ConnectionError):
                        await socket.pong(message.data)
                case WSMsgType.PONG:
                    heartbeat.pong(bytes(message.data))
                case _:
                    break
            taken += 1
            if taken % AT_ONCE == 0:
                await asyncio.sleep(0)
    except Exception:
        log.exception("socket failed", path=request.path, remote=request.remote)
        await socket.close(code=CloseCode.INTERNAL_ERROR, message=b"internal error")
    finally:
        heartbeat.stop()
        request.app[OPEN].discard(socket)
        if socket.close_code in POLITE and not line.close_reason:
            line.close_reason = "it left"
        line.lost()
        strangers.unknown(transport)
        await outgoing.finish()
        del line.stir, line.vouched  # which refer back
    return socket


class _Outgoing:
    """What goes out through one socket: at once while there is room, and by a task of its own while there is none."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse, line: Line, count: Callable[[], None]):
        self._request = request
        self._socket = socket
        self._line = line
        self._count = count
        self._task: asyncio.Task[None] | None = None

    def stir(self) -> None:
        """Send what the line has to say. Never raises, and never waits."""
        if self._task is not None:
            return
        try:
            while (frame := self._line.next_frame()) is not None:
                if not self._has_room(frame):
                    self._task = asyncio.create_task(self._write(frame))
                    return
                self._send_at_once(frame)
        except ConnectionError:
            return  # the reading side notices as well, and tells the arena
        except Exception:
            log.exception("nothing more can be sent", path=self._request.path, remote=self._request.remote)
            self._hang_up()
        if self._line.over:
            self._task = asyncio.create_task(self._write())

    def ping(self, measured: Callable[[float], None] | None) -> Heartbeat:
        """Ping the peer from now on, a bot often and a spectator when it is silent."""
        patience = 1.5 * HEARTBEAT
        period = random.uniform(SOONEST, 1) * (HEARTBEAT if measured is None else MEASURED)
        return Heartbeat(
            self._socket, self._has_room, self._hang_up, period=period, patience=patience, measured=measured
        )

    def _has_room(self, frame: str = "") -> bool:
        """Tell whether what was sent before has left, mostly, and nobody would have to wait with this frame."""
        transport = self._request.transport
        if transport is None:
            return True
        size = transport.get_write_buffer_size()
        return size < ROOM and size + _MOST_BYTES * len(frame) + _HEADER < transport.get_write_buffer_limits()[1]

    def _send_at_once(self, frame: str) -> None:
        sending = self._socket.send_str(frame)
        try:
            sending.send(None)
        except StopIteration:
            pass
        else:
            raise RuntimeError("a frame for which there is room had to wait")
        self._count()

    async def _write(self, first: str | None = None) -> None:
        """Send a frame for which there is no room, and the rest, waiting for the peer; then close if that is what the
        line wants. Who takes too long is cut off.
        """
        line, socket = self._line, self._socket
        flight = self._request.app[FLIGHTS].begin(peer_of(self._request).key, self._hang_up)
        try:
            while (frame := first or line.next_frame()) is not None:
                first = None
                if line.bounded:
                    flight.hold(len(frame) + OVERHEAD)
                async with asyncio.timeout(WRITE_LIMIT):
                    await socket.send_str(frame)
                flight.move()
                self._count()
            if line.over:
                self._request.app[STRANGERS].unknown(self._request.transport)
                async with asyncio.timeout(2 * CLOSE_LIMIT):
                    await socket.close(code=line.close_code or CloseCode.NORMAL, message=_reason(line.close_reason))
            else:
                self._task = None
        except ConnectionError:
            pass  # the reading side notices as well, and tells the arena
        except (TimeoutError, Refused):
            log.info("peer does not read", path=self._request.path, remote=self._request.remote)
            self._hang_up()
        except Exception:
            log.exception("nothing more can be sent", path=self._request.path, remote=self._request.remote)
            self._hang_up()
        finally:
            flight.end()

    def _hang_up(self) -> None:
        """End the connection at once, which ends the reading side too."""
        cut_off(self._request)

    async def finish(self) -> None:
        """Wait for what is being sent, which may be in the middle of the closing handshake; then the peer has a moment
        more to read what is left.
        """
        try:
            if self._task is not None:
                await asyncio.wait({self._task}, timeout=2 * CLOSE_LIMIT)
        finally:
            if self._task is not None:
                self._task.cancel()
            if self._request.transport is not None:
                asyncio.get_running_loop().call_later(CLOSE_LIMIT, self._request.transport.abort)


def _reason(text: str) -> bytes:
    """Return a close reason cut to the 123 bytes that a close frame has room for."""
    return text.encode()[:123].decode(errors="ignore").encode()
