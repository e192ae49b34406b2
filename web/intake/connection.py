# SPDX-License-Identifier: GPL-3.0-or-later
"""Rate-limited connection: aiohttp's protocol class with limits on incoming bytes and frames.

A connection above its limits is not read: TCP flow control stops the peer, at no cost for the event loop. Visitors (all
clients except authenticated bots) take turns (``web.intake.scheduling``). Bytes, control frames and message fragments
are limited for each connection, also for bots; ``arena.protocol.session.Gate`` limits whole messages.

This is the only module that uses aiohttp's internals: names with an underscore that are not defined here belong to
aiohttp's ``RequestHandler``, ``Server`` and ``AppRunner``.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from socket import SO_RCVBUF, SOL_SOCKET
from time import perf_counter
from typing import Any, Protocol, cast

from aiohttp import web
from aiohttp.http import WebSocketReader
from aiohttp.http_exceptions import LineTooLong
from aiohttp.streams import StreamReader
from aiohttp.web_protocol import RequestHandler

from arena.spending import SPEND
from web.errors import RequestError, json_answer
from web.intake.connection_limits import CONNECTION_LIMITS, ConnectionLimits
from web.intake.metering import FrameCounter, TokenBucket
from web.intake.scheduling import Metered, VisitorScheduler
from web.prefix import PATH_PREFIX, request_factory

READ, REQUEST = 50e-6, 300e-6
"""Estimated seconds of reading a piece and of answering a request that are not measured."""

FRAMES_AT_ONCE = 16
"""Frames of one connection that are passed on in a row."""

BYTES, BYTES_AT_ONCE = 524_288.0, 4_194_304.0
"""Bytes that one connection may send: a second in the long run, and at once."""

KERNEL = 65_536
"""Receive buffer of one connection in the kernel, in bytes."""

PERSISTENCE = 5.0
"""Seconds above its limits, without a pause, after which a connection is closed."""

MOST_HEAD = 32_768
"""Maximum bytes of a request's line and headers, approximately."""

_LONG = b'{"error":{"code":"too-large","message":"the line and the headers of the request are too long"}}'
_TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(_LONG), _LONG)
)


class Identify(Protocol):
    """Identifies requests that have priority over visitors."""

    def __call__(self, request: web.BaseRequest) -> str:
        """Return a unique name for the sender, or "" for visitors."""


IDENTIFY = web.AppKey("identify", Identify)


class Sender(Protocol):
    """The arena's session of the peer of a socket."""

    @property
    def known(self) -> bool:
        """Whether the peer is an authenticated bot."""

    def flood(self) -> None:
        """End the session because the peer exceeds its rate limit."""


@dataclass(frozen=True, slots=True)
class PartLimits:
    """Limits on control frames and message fragments of a connection."""

    rate: float
    """Frames a second in the long run."""
    burst: float
    """Frames at once."""


class IntakeConnection(RequestHandler):
    """One rate-limited connection."""

    __slots__ = (
        "_address",
        "_admitted",
        "_body",
        "_bytes",
        "_connection_limits",
        "_frames",
        "_head",
        "_held",
        "_identify",
        "_lane",
        "_leave",
        "_made",
        "_parts",
        "_piped",
        "_refused",
        "_sender",
        "_stopped",
        "_strained",
        "_turn",
        "_turns",
        "_visitor",
        "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        manager: web.Server,
        turns: VisitorScheduler,
        limits: PartLimits,
        connection_limits: ConnectionLimits,
        identify: Identify,
        *,
        admitted: bool,
        loop: asyncio.AbstractEventLoop,
        **options: Any,
    ) -> None:
        """``admitted``: whether the connection is already counted for its address; ``options``: aiohttp's."""
        super().__init__(manager, loop=loop, **options)
        self._identify = identify
        self._admitted = admitted
        now = loop.time()
        self._turns = turns
        self._connection_limits = connection_limits
        self._made: asyncio.Transport | None = None
        """The transport, also after it is closed."""
        self._address = ""
        """The address that the connection counts for."""
        self._lane = ""
        """Lane in the visitor scheduler; before the first request the lane of new connections of the address."""
        self._parts = TokenBucket(limits.rate, limits.burst, now)
        self._bytes = TokenBucket(BYTES, BYTES_AT_ONCE, now)
        self._sender: Sender | None = None
        self._visitor = True
        self._held = b""
        """Received bytes that are not passed on yet."""
        self._waiting = False
        """Whether a callback is scheduled that passes on the held bytes."""
        self._leave: Callable[[], None] | None = None
        """Cancels the turn that the held bytes wait for."""
        self._turn: asyncio.Future[None] | None = None
        """Turn of the newest request, while it waits."""
        self._stopped = False
        """Whether reading is paused because bytes are held."""
        self._refused = False
        """Whether all further bytes are dropped."""
        self._strained = 0.0
        """Seconds above its own limits since no bytes were held."""
        self._frames: FrameCounter | None = None
        self._body: StreamReader | None = None
        """Body of the newest request."""
        self._head = 0
        """Bytes since the newest request."""
        self._piped: float | None = None
        """Time since which pipelined requests have always been waiting."""

    def attend(self, sender: Sender) -> None:
        """Set the session of the peer after a WebSocket was opened."""
        self._sender = sender

    # ---------------------------------------------------------------- bytes

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # the cost of opening a connection is charged to no lane; the rate of new connections of an address is limited
        self._made = cast(asyncio.Transport, transport)
        if not self._admitted and not self._connection_limits.admits(transport.get_extra_info("peername")):
            self._refused = True
            self._made.abort()
            return
        self._connection_limits.opened(self._made)
        self._address = self._connection_limits.address(self._made)
        self._lane = f"{self._address}, new"
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(SOL_SOCKET, SO_RCVBUF, KERNEL)

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._made is not None:
            self._connection_limits.closed(self._made)
        if self._leave is not None:
            self._leave()
            self._leave = None
        if self._turn is not None and not self._turn.done():
            self._turn.set_exception(ConnectionResetError("the client disconnected before the answer"))
        self._held = b""
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not data:  # aiohttp continues with bytes that its parser kept
            self._read_request(data)
        elif not self._refused:
            self._held += data
            if not self._waiting:
                self._go_on()

    def set_parser(self, parser: WebSocketReader, data_received_cb: Callable[[], None] | None = None) -> None:
        """Switch to frames; frames that arrived with the handshake are limited like all others."""
        early, self._message_tail = self._message_tail, b""
        self._frames = FrameCounter()
        super().set_parser(parser, data_received_cb)
        if early:
            self._held = early + self._held
            if not self._waiting:
                self._go_on()

    def _go_on(self, *, turn: bool = False) -> None:
        """Pass on a piece of the held bytes if the limits allow it; ``turn``: it is this connection's turn."""
        self._waiting = False
        self._leave = None
        if self.transport is None or self._refused or self._close or self._force_close:
            self._refuse()
            return
        now = self._loop.time()
        if self._parts.wait(now) or self._bytes.wait(now):
            self._hold_back(now)
        elif self._is_visitor() and not turn and not self._turns.now(self._lane, READ):
            self._wait()
            self._leave = self._turns.later(self._lane, READ, partial(self._go_on, turn=True))
        else:
            self._hand_on(now)
            if self._held:
                self._wait()
                self._loop.call_soon(self._go_on)
            else:
                self._strained = 0.0
                self._read_again()

    def _hold_back(self, now: float) -> None:
        """Wait until the connection's own limits allow some frames; close it if it stays above its limits."""
        wait = max(self._parts.wait(now, FRAMES_AT_ONCE), self._bytes.wait(now, BYTES / 10))
        self._strained += wait
        if self._strained > PERSISTENCE:
            self._refuse()
            if self._sender is not None:
                self._sender.flood()
            else:
                self.force_close()
        else:
            self._wait()
            self._loop.call_later(wait, self._go_on)

    def _hand_on(self, now: float) -> None:
        began = perf_counter()
        if self._frames is None:
            piece, self._held = self._held, b""
        else:
            end, parts = self._frames.cut(self._held, FRAMES_AT_ONCE)
            piece, self._held = self._held[:end], self._held[end:]
            self._parts.take(parts, now)
        self._bytes.take(len(piece), now)
        if self._frames is None:
            self._read_request(piece)
        else:
            super().data_received(piece)
        if self._visitor:
            self._turns.spend(self._lane, perf_counter() - began)
        else:
            self._turns.bot_heard()

    def _read_request(self, piece: bytes) -> None:
        """Parse a piece of a request; refuse a request whose line and headers are too long."""
        requests, in_body = self._request_count, self._body is not None and not self._body.is_eof()
        super().data_received(piece)
        if self._request_count != requests:
            self._head = 0
            self._body = self._messages[-1][1] if self._messages else None
        elif not in_body:
            self._head += len(piece)
            if self._head > MOST_HEAD and not self._messages and self.transport is not None:
                if not self._request_in_progress:
                    self.transport.write(_TOO_LONG)
                self._refuse()
                self.force_close()

    def _wait(self) -> None:
        self._waiting = True
        if not self._stopped:
            self._stopped = True
            self._pause_transport_reading()

    def _read_again(self) -> None:
        if self._stopped:
            self._stopped = False
            if not self._reading_paused and not self._buffer_paused:
                self._resume_transport_reading()

    def _resume_transport_reading(self) -> None:
        if not self._stopped:
            super()._resume_transport_reading()

    def _refuse(self) -> None:
        """Stop reading and drop all further bytes."""
        self._refused = True
        self._held = b""
        self._wait()

    # ---------------------------------------------------------------- requests

    async def start(self) -> None:
        try:
            await Metered(super().start(), self._spend)
        except Exception:
            # aiohttp raises if the connection is closed between the arrival of a request and its handling
            if self._manager is not None:
                raise

    async def _handle_request(
        self,
        request: web.BaseRequest,
        start_time: float | None,
        request_handler: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
    ) -> tuple[web.StreamResponse, bool]:
        if self._pipes_on():
            request_handler = _too_many
        SPEND.set(self._spend)
        name = self._identify(request)
        self._lane = name or self._address
        if not name:
            self._turn = self._turns.turn(self._lane, REQUEST)
            if self._turn is not None:
                await self._turn
        if self.transport is None:
            raise ConnectionResetError("the client disconnected before the answer")
        return await Metered(super()._handle_request(request, start_time, request_handler), self._spend)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer as the REST API does where aiohttp cannot read a request: its path is not known then.

        Browsers send no such requests.
        """
        super().handle_error(request, status, exc, message)
        code, why = "bad-request", "the request is not valid HTTP"
        if isinstance(exc, LineTooLong):
            why = "the line or a header of the request is too long"
        elif status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            code, why = "internal-error", "internal error; see the server's log"
        answer = json_answer(RequestError(status, code, why))
        answer.force_close()
        return answer

    def _pipes_on(self) -> bool:
        """Return whether the client has been pipelining requests for too long; no client needs that."""
        now = self._loop.time()
        if not self._messages:
            self._piped = None
        elif self._piped is None:
            self._piped = now
        return self._piped is not None and now - self._piped > PERSISTENCE

    def _is_visitor(self) -> bool:
        if self._visitor and self._sender is not None and self._sender.known:
            self._visitor = False
        return self._visitor

    def _spend(self, seconds: float) -> None:
        if self._is_visitor():
            self._turns.spend(self._lane, seconds)


async def _too_many(request: web.BaseRequest) -> web.StreamResponse:
    """Refuse a pipelined request."""
    response = web.Response(status=429, text="wait for an answer before you send many more requests\n")
    response.force_close()
    return response


class IntakeServer(web.Server):
    """Creates the connections of one runner."""

    def __init__(
        self,
        made: web.Server,
        turns: VisitorScheduler,
        limits: PartLimits,
        connection_limits: ConnectionLimits,
        identify: Identify,
        path_prefix: str,
    ) -> None:
        """Replace a server that aiohttp ``made``."""
        super().__init__(
            made.request_handler,
            request_factory=request_factory(made.request_factory, path_prefix),
            handler_cancellation=made.handler_cancellation,
            **made._kwargs,
        )
        self._turns = turns
        self._limits = limits
        self._connection_limits = connection_limits
        self._identify = identify

    def __call__(self) -> IntakeConnection:
        return self._connection(admitted=False)

    def admitted(self) -> IntakeConnection:
        """Create a connection that is already counted for its address."""
        return self._connection(admitted=True)

    def _connection(self, *, admitted: bool) -> IntakeConnection:
        return IntakeConnection(
            self,
            self._turns,
            self._limits,
            self._connection_limits,
            self._identify,
            admitted=admitted,
            loop=self._loop,
            **self._kwargs,
        )


class IntakeRunner(web.AppRunner):
    """Runs an application on rate-limited connections."""

    __slots__ = ("_limits", "_share", "turns")

    turns: VisitorScheduler
    """Scheduler of all visitors; set when the runner is set up."""

    def __init__(self, application: web.Application, share: float, limits: PartLimits, **options: Any) -> None:
        """``share``: share of event-loop time for visitors; ``options``: aiohttp's. The application provides the
        connection limits (``CONNECTION_LIMITS``) and identifies requests with priority (``IDENTIFY``).
        """
        super().__init__(application, **options)
        self._share = share
        self._limits = limits

    async def _make_server(self) -> web.Server:
        self.turns = VisitorScheduler(self._share, BURST)
        made = await super()._make_server()
        limits = self.app[CONNECTION_LIMITS]
        return IntakeServer(made, self.turns, self._limits, limits, self.app[IDENTIFY], self.app[PATH_PREFIX])


BURST = 0.3
"""Seconds of event-loop time that visitors may use beyond their share at once, enough for a page with all its files."""


def attend(request: web.Request, sender: Sender) -> None:
    """Set the session of the WebSocket that a request opened."""
    if isinstance(request.protocol, IntakeConnection):
        request.protocol.attend(sender)
