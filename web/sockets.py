# SPDX-License-Identifier: GPL-3.0-or-later
"""WebSockets for bots and spectators: move frames between aiohttp and the arena's sessions.

``Heartbeat`` measures round-trip times and detects dead peers. Pages of other websites may open sockets if
``web.security`` allows it.
"""

import asyncio
import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from arena.application import Arena
from arena.protocol.codec import MAX_MESSAGE, PLAY_PATH, WATCH_PATH
from arena.protocol.errors import CloseCode
from web.answer_limits import OVERHEAD, PENDING_ANSWERS
from web.api.access import shown_token
from web.api.endpoint import Endpoint
from web.clients import client_of
from web.delivery import cut_off
from web.errors import RequestError
from web.intake.connection import Identify, attend
from web.intake.connection_limits import CONNECTION_LIMITS
from web.metrics import METRICS
from web.security import check_origin


class Heartbeat:
    """Pings a socket in regular intervals and disconnects a peer that has been silent for too long."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        has_room: Callable[[], bool],
        dead: Callable[[], None],
        *,
        period: float,
        patience: float,
        measured: Callable[[float], None] | None = None,
    ) -> None:
        """Ping every ``period`` seconds, the first time at once, and pass round-trip times in seconds to ``measured``.
        Without ``measured``, ping only after ``period`` seconds of silence. Call ``dead`` after ``patience`` seconds of
        silence. Skip a ping if ``has_room`` returns False, because the peer reads too slowly.
        """
        self._socket = socket
        self._has_room = has_room
        self._dead = dead
        self._period = period
        self._patience = patience
        self._measured = measured
        self._loop = asyncio.get_running_loop()
        self._heard = self._loop.time()
        """Time of the last frame from the peer."""
        self._pinged = 0.0
        self._sent: dict[bytes, float] = {}
        """Send times of unanswered pings, oldest first."""
        if measured is not None:
            self._ping()
        self._timer = self._loop.call_at(self._due(), self._wake, self._due())

    def heard(self) -> None:
        """Record that the peer sent a frame."""
        self._heard = self._loop.time()

    def pong(self, payload: bytes) -> None:
        """Handle a pong; ignore one that answers no ping."""
        if payload not in self._sent:
            return
        sent = self._sent.pop(payload)
        # pongs come in order, and a peer may answer only the newest ping (RFC 6455, section 5.5.3)
        self._sent = {other: at for other, at in self._sent.items() if at > sent}
        if self._measured is not None:
            self._measured(self._loop.time() - sent)

    def stop(self) -> None:
        """Stop pinging."""
        self._timer.cancel()

    def _due(self) -> float:
        last = self._pinged if self._measured is not None else max(self._heard, self._pinged)
        return min(last + self._period, self._heard + self._patience)

    def _wake(self, due: float) -> None:
        now = self._loop.time()
        if now - due > HELD_UP:
            # the server was blocked or suspended: frames that the peer sent meanwhile are still unread
            self._heard = max(self._heard, now - self._patience + HELD_UP)
        if now >= self._heard + self._patience:
            self._dead()
            return
        if now >= self._due():
            self._ping()
        self._timer = self._loop.call_at(self._due(), self._wake, self._due())

    def _ping(self) -> None:
        self._pinged = self._loop.time()
        if not self._has_room():
            return
        payload = secrets.token_bytes(8)
        sending = self._socket.ping(payload)
        try:
            sending.send(None)
        except StopIteration:
            self._sent[payload] = self._pinged
        except ConnectionError:
            pass  # the reading side notices as well
        else:
            raise RuntimeError("a ping had to wait although the buffer has room")


HELD_UP = 1.0
"""If a timer is later than this, in seconds, the server was blocked; peers then get this much time."""


HEARTBEAT = 25.0
"""Maximum seconds of silence before a spectator is pinged; after 1.5 times as long the server disconnects it."""
MEASURED = 10.0
"""Maximum seconds between two pings of a bot, which measure its round-trip time."""
SOONEST = 0.8
"""Minimum share of both periods: each socket gets a random period, so that thousands are not pinged at once."""

WRITE_LIMIT = 20.0
"""Seconds that sending one frame may take."""

CLOSE_LIMIT = 3.0
"""Seconds to wait for the peer's part of the closing handshake."""

ROOM = 16_384
"""A frame is sent at once while fewer bytes than this are in the connection's buffer."""

_MOST_BYTES, _HEADER = 4, 14
"""Maximum bytes of a character in UTF-8, and of a frame header."""

AT_ONCE = 16
"""Frames read from one peer in a row, so that a flood does not delay the others."""

OPEN = web.AppKey("sockets", set[web.WebSocketResponse])
"""All open sockets."""

POLITE = (WSCloseCode.OK, WSCloseCode.GOING_AWAY)
"""Close codes of an intended close."""

log = structlog.get_logger(__name__)


class SocketSession(Protocol):
    """The arena's session of a socket, for a bot or a spectator."""

    close_code: CloseCode | None
    close_reason: str
    over: bool
    """Whether to close the socket after all frames are sent."""
    bounded: bool
    """Whether unsent frames count as pending answers of the address (``web.answer_limits``); the arena limits the
    frames for bots itself.
    """
    stir: Callable[[], None]
    """Set by this module; the session calls it when there may be frames to send, or when it sets ``over``."""
    vouched: Callable[[], None]
    """Set by this module; the session calls it when the arena has identified the peer."""

    def receive(self, frame: str | bytes) -> None:
        """Handle a frame from the peer."""

    def next_frame(self) -> str | None:
        """Return the next frame to send, if there is one."""

    def lost(self) -> None:
        """Handle the loss of the socket."""

    @property
    def known(self) -> bool:
        """Whether the peer is an authenticated bot."""

    def flood(self) -> None:
        """End the session because the peer exceeds its rate limit."""


async def play(arena: Arena, request: web.Request) -> web.WebSocketResponse:
    """Serve the WebSocket of a bot."""
    caller = arena.caller(client_of(request).key, shown_token(request))
    if not arena.takes(caller):
        raise RequestError(
            429, "too-many", "too many connections from this address have not sent hello", {"Retry-After": "1"}
        )
    socket = await opened(request)
    connection = arena.accept(caller)
    return await carry(request, socket, connection, connection.trips.add)


def bot_identifier(arena: Arena) -> Identify:
    """Return a function that identifies a bot's request for its socket by its token; "" for other requests."""

    def known(request: web.BaseRequest) -> str:
        token = shown_token(request) if request.path == PLAY_PATH else ""
        return arena.known(token) if token else ""

    return known


async def watch(arena: Arena, request: web.Request) -> web.WebSocketResponse:
    """Serve the WebSocket of a spectator."""
    socket = await opened(request)
    spectator = arena.watch(client_of(request).key)
    request.app[CONNECTION_LIMITS].identified(request.transport)
    return await carry(request, socket, spectator)


ENDPOINTS = (Endpoint("GET", PLAY_PATH, play), Endpoint("GET", WATCH_PATH, watch))


async def close_all(application: web.Application) -> None:
    """Close all sockets when the server stops (handler of ``on_shutdown``)."""
    sockets = application[OPEN]
    closing = [socket.close(code=CloseCode.GOING_AWAY, message=b"the server is stopping") for socket in sockets]
    await asyncio.gather(*closing, return_exceptions=True)


def new_socket() -> web.WebSocketResponse:
    """Return a socket with this server's limits; the reader of the socket answers pings."""
    return web.WebSocketResponse(
        autoping=False, timeout=CLOSE_LIMIT, max_msg_size=MAX_MESSAGE + 1, writer_limit=0, compress=False
    )


async def opened(request: web.Request) -> web.WebSocketResponse:
    """Open the socket of a request. Raises RequestError for one of a page of another site, and without an upgrade."""
    check_origin(request)
    socket = new_socket()
    if not socket.can_prepare(request):
        raise RequestError(
            426, "websocket-only", "this address accepts only WebSocket connections", {"Upgrade": "websocket"}
        )
    await socket.prepare(request)
    return socket


async def carry(
    request: web.Request,
    socket: web.WebSocketResponse,
    session: SocketSession,
    measured: Callable[[float], None] | None = None,
) -> web.WebSocketResponse:
    """Move frames in both directions until the socket closes; ``measured`` receives round-trip times in seconds."""
    kind = request.path.rpartition("/")[2]
    received = request.app[METRICS].frames.labels(kind, "received")
    outgoing = _Outgoing(request, socket, session, request.app[METRICS].frames.labels(kind, "sent").inc)
    request.app[OPEN].add(socket)
    session.stir = outgoing.stir
    connection_limits, transport = request.app[CONNECTION_LIMITS], request.transport
    session.vouched = partial(connection_limits.identified, transport)
    heartbeat = outgoing.ping(measured)
    outgoing.stir()
    attend(request, session)
    taken = 0
    try:
        async for message in socket:
            heartbeat.heard()
            match message.type:
                case WSMsgType.TEXT | WSMsgType.BINARY:
                    received.inc()
                    session.receive(message.data)
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
        if socket.close_code in POLITE and not session.close_reason:
            session.close_reason = "closed by the client"
        session.lost()
        connection_limits.unidentified(transport)
        await outgoing.finish()
        del session.stir, session.vouched  # break reference cycles
    return socket


class _Outgoing:
    """Sends the frames of one socket: at once while the buffer has room, otherwise in a task."""

    def __init__(
        self, request: web.Request, socket: web.WebSocketResponse, session: SocketSession, count: Callable[[], None]
    ):
        self._request = request
        self._socket = socket
        self._session = session
        self._count = count
        self._task: asyncio.Task[None] | None = None

    def stir(self) -> None:
        """Send the frames of the session. Never raises and never waits."""
        if self._task is not None:
            return
        try:
            while (frame := self._session.next_frame()) is not None:
                if not self._has_room(frame):
                    self._task = asyncio.create_task(self._write(frame))
                    return
                self._send_at_once(frame)
        except ConnectionError:
            return  # the reader sees this error too and ends the session
        except Exception:
            log.exception("failed to send a frame", path=self._request.path, remote=self._request.remote)
            self._hang_up()
        if self._session.over:
            self._task = asyncio.create_task(self._write())

    def ping(self, measured: Callable[[float], None] | None) -> Heartbeat:
        """Start pinging the peer: a bot regularly, a spectator when it is silent."""
        patience = 1.5 * HEARTBEAT
        period = random.uniform(SOONEST, 1) * (HEARTBEAT if measured is None else MEASURED)
        return Heartbeat(
            self._socket, self._has_room, self._hang_up, period=period, patience=patience, measured=measured
        )

    def _has_room(self, frame: str = "") -> bool:
        """Return whether the connection's buffer has room for the frame."""
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
            raise RuntimeError("a frame had to wait although the buffer has room")
        self._count()

    async def _write(self, first: str | None = None) -> None:
        """Send the frames that wait for buffer space; then close the socket if the session is over. Disconnect a peer
        that reads too slowly.
        """
        session, socket = self._session, self._socket
        pending = self._request.app[PENDING_ANSWERS].begin(client_of(self._request).key, self._hang_up)
        try:
            while (frame := first or session.next_frame()) is not None:
                first = None
                if session.bounded:
                    pending.hold(len(frame) + OVERHEAD)
                async with asyncio.timeout(WRITE_LIMIT):
                    await socket.send_str(frame)
                pending.move()
                self._count()
            if session.over:
                self._request.app[CONNECTION_LIMITS].unidentified(self._request.transport)
                async with asyncio.timeout(2 * CLOSE_LIMIT):
                    await socket.close(
                        code=session.close_code or CloseCode.NORMAL, message=_reason(session.close_reason)
                    )
            else:
                self._task = None
        except ConnectionError:
            pass  # the reader sees this error too and ends the session
        except (TimeoutError, RequestError):
            log.info("disconnected a peer that does not read", path=self._request.path, remote=self._request.remote)
            self._hang_up()
        except Exception:
            log.exception("failed to send a frame", path=self._request.path, remote=self._request.remote)
            self._hang_up()
        finally:
            pending.end()

    def _hang_up(self) -> None:
        """Close the connection at once; this also ends the reader."""
        cut_off(self._request)

    async def finish(self) -> None:
        """Wait for the sending task and the closing handshake; then give the peer a moment to read the rest."""
        try:
            if self._task is not None:
                await asyncio.wait({self._task}, timeout=2 * CLOSE_LIMIT)
        finally:
            if self._task is not None:
                self._task.cancel()
            if self._request.transport is not None:
                asyncio.get_running_loop().call_later(CLOSE_LIMIT, self._request.transport.abort)


def _reason(text: str) -> bytes:
    """Return a close reason, cut to the 123 bytes of a close frame."""
    return text.encode()[:123].decode(errors="ignore").encode()
