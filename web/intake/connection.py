# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection as its bytes arrive: aiohttp's protocol, which is handed no more of them than the connection may send.

What may not be read yet is left with the peer: the transport is not read from, so TCP holds it back there, and the
event loop spends nothing. A visitor, which is everybody but a bot that was let in, takes turns with all others. Frames
that are no messages by themselves, and bytes, are limited for each connection, a bot's too; whole messages are counted
by ``arena.protocol.session.Gate``.

This module is the only one that knows aiohttp from the inside: names with an underscore that are not defined here are
its own (``RequestHandler``, ``Server``, ``AppRunner``).
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from socket import SO_RCVBUF, SOL_SOCKET
from time import perf_counter
from typing import Any, Protocol, cast

from aiohttp import web
from aiohttp.http import WebSocketReader
from aiohttp.streams import StreamReader
from aiohttp.web_protocol import RequestHandler

from arena.spending import SPEND
from web.intake.budget import Bucket
from web.intake.frames import FrameCounter
from web.intake.metered import Metered
from web.intake.turns import Turns
from web.strangers import STRANGERS, Strangers

READ, REQUEST = 50e-6, 300e-6
"""Seconds that reading a piece and answering a request take beside what is measured, about."""

FRAMES_AT_ONCE = 16
"""Frames that are handed on in a row, of any connection."""

BYTES, BYTES_AT_ONCE = 524_288.0, 4_194_304.0
"""Bytes a second that one connection may send in the long run, and at once."""

KERNEL = 65_536
"""Bytes of one connection that the kernel keeps while they are not read, about."""

PERSISTENCE = 5.0
"""Seconds that a connection may be held back for its own excess, without a pause, before it is closed."""

MOST_HEAD = 32_768
"""Bytes of a request's line and headers, about."""

_TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: text/plain\r\nContent-Length: 45\r\n"
    b"Connection: close\r\n\r\na request's line and headers are too long\r\n\r\n"
)


class Known(Protocol):
    """Tells who sends a request, where that is somebody who goes before visitors."""

    def __call__(self, request: web.BaseRequest) -> str:
        """Return a name of its own, "" for visitors."""


KNOWN = web.AppKey("known", Known)


class Sender(Protocol):
    """Who sends on a socket, as the arena knows it."""

    @property
    def known(self) -> bool:
        """Whether it is a bot that was let in."""

    def flood(self) -> None:
        """Learn that it sends more than it may, and has to go."""


@dataclass(frozen=True, slots=True)
class PartLimits:
    """What a connection may send besides whole messages."""

    rate: float
    """Control frames and parts of messages a second in the long run."""
    burst: float
    """Of them at once."""


class IntakeConnection(RequestHandler):
    """One connection, from its first byte to its last."""

    __slots__ = (
        "_address",
        "_admitted",
        "_body",
        "_bytes",
        "_frames",
        "_head",
        "_held",
        "_known",
        "_lane",
        "_leave",
        "_made",
        "_parts",
        "_piped",
        "_refused",
        "_sender",
        "_stopped",
        "_strained",
        "_strangers",
        "_turn",
        "_turns",
        "_visitor",
        "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        manager: web.Server,
        turns: Turns,
        limits: PartLimits,
        strangers: Strangers,
        known: Known,
        *,
        admitted: bool,
        loop: asyncio.AbstractEventLoop,
        **options: Any,
    ) -> None:
        """``admitted``: whether its address was counted already; ``options`` are aiohttp's."""
        super().__init__(manager, loop=loop, **options)
        self._known = known
        self._admitted = admitted
        now = loop.time()
        self._turns = turns
        self._strangers = strangers
        self._made: asyncio.Transport | None = None
        """Also after it is closed."""
        self._address = ""
        """What it counts as coming from."""
        self._lane = ""
        """Where it waits for its turns: before its first request with the new connections of its address."""
        self._parts = Bucket(limits.rate, limits.burst, now)
        self._bytes = Bucket(BYTES, BYTES_AT_ONCE, now)
        self._sender: Sender | None = None
        self._visitor = True
        self._held = b""
        """What came and was not handed on yet."""
        self._waiting = False
        """Whether something will hand on what is held."""
        self._leave: Callable[[], None] | None = None
        """To call when what is held need not wait for its turn any more."""
        self._turn: asyncio.Future[None] | None = None
        """Of the newest request, while it waits."""
        self._stopped = False
        """Whether the transport is not read from because something is held."""
        self._refused = False
        """Whether nothing is taken any more."""
        self._strained = 0.0
        """Seconds for which this connection was held back by its own limits since nothing was held."""
        self._frames: FrameCounter | None = None
        self._body: StreamReader | None = None
        """Of the newest request."""
        self._head = 0
        """Bytes since the newest request."""
        self._piped: float | None = None
        """Since when a request has waited behind each that was answered."""

    def attend(self, sender: Sender) -> None:
        """Note who sends here, now that a socket is open."""
        self._sender = sender

    # ---------------------------------------------------------------- bytes

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # what an opening costs is nobody's share, taken on or not: no visitor could wait less for it; each address may
        # open so many in a while
        self._made = cast(asyncio.Transport, transport)
        if not self._admitted and not self._strangers.admits(transport.get_extra_info("peername")):
            self._refused = True
            self._made.abort()
            return
        self._strangers.come(self._made)
        self._address = self._strangers.address(self._made)
        self._lane = f"{self._address}, new"
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(SOL_SOCKET, SO_RCVBUF, KERNEL)

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._made is not None:
            self._strangers.gone(self._made)
        if self._leave is not None:
            self._leave()
            self._leave = None
        if self._turn is not None and not self._turn.done():
            self._turn.set_exception(ConnectionResetError("nobody waits for the answer any more"))
        self._held = b""
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not data:  # aiohttp goes on with what its parser kept back
            self._read_request(data)
        elif not self._refused:
            self._held += data
            if not self._waiting:
                self._go_on()

    def set_parser(self, parser: WebSocketReader, data_received_cb: Callable[[], None] | None = None) -> None:
        """Read frames from here on; those that came with the handshake are held back like all others."""
        early, self._message_tail = self._message_tail, b""
        self._frames = FrameCounter()
        super().set_parser(parser, data_received_cb)
        if early:
            self._held = early + self._held
            if not self._waiting:
                self._go_on()

    def _go_on(self, *, turn: bool = False) -> None:
        """Hand on a piece of what is held, if it may come now; ``turn``: it is this connection's turn."""
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
        """Wait until this connection's own limits let it go on with a few frames; close it where that does not end."""
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
        """Read on; a request that goes on and on before it is whole is refused. Bodies are for those who read them."""
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
        """Take nothing any more, and read nothing."""
        self._refused = True
        self._held = b""
        self._wait()

    # ---------------------------------------------------------------- requests

    async def start(self) -> None:
        try:
            await Metered(super().start(), self._spend)
        except Exception:
            # aiohttp does not expect a connection that is closed after a request came, and before it is looked at
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
        name = self._known(request)
        self._lane = name or self._address
        if not name:
            self._turn = self._turns.turn(self._lane, REQUEST)
            if self._turn is not None:
                await self._turn
        if self.transport is None:
            raise ConnectionResetError("nobody waits for the answer any more")
        return await Metered(super()._handle_request(request, start_time, request_handler), self._spend)

    def _pipes_on(self) -> bool:
        """Tell whether requests have waited behind one another for too long; no client needs to send them so."""
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
    """Refuse a request that was sent before many others were answered."""
    response = web.Response(status=429, text="wait for an answer before you send many more requests\n")
    response.force_close()
    return response


class IntakeServer(web.Server):
    """Makes the connections of one runner."""

    def __init__(self, made: web.Server, turns: Turns, limits: PartLimits, strangers: Strangers, known: Known) -> None:
        """Take the place of a server that aiohttp ``made``."""
        super().__init__(
            made.request_handler,
            request_factory=made.request_factory,
            handler_cancellation=made.handler_cancellation,
            **made._kwargs,
        )
        self._turns = turns
        self._limits = limits
        self._strangers = strangers
        self._known = known

    def __call__(self) -> IntakeConnection:
        return self._connection(admitted=False)

    def admitted(self) -> IntakeConnection:
        """Make a connection whose address was counted already."""
        return self._connection(admitted=True)

    def _connection(self, *, admitted: bool) -> IntakeConnection:
        return IntakeConnection(
            self,
            self._turns,
            self._limits,
            self._strangers,
            self._known,
            admitted=admitted,
            loop=self._loop,
            **self._kwargs,
        )


class IntakeRunner(web.AppRunner):
    """Runs an application on connections whose bytes are counted."""

    __slots__ = ("_limits", "_share", "turns")

    turns: Turns
    """Of all visitors; there once the runner is set up."""

    def __init__(self, application: web.Application, share: float, limits: PartLimits, **options: Any) -> None:
        """``share``: of the event loop's time, for visitors; ``options`` are aiohttp's. The application says who counts
        connections (``STRANGERS``), and who need not wait (``KNOWN``).
        """
        super().__init__(application, **options)
        self._share = share
        self._limits = limits

    async def _make_server(self) -> web.Server:
        self.turns = Turns(self._share, BURST)
        made = await super()._make_server()
        return IntakeServer(made, self.turns, self._limits, self.app[STRANGERS], self.app[KNOWN])


BURST = 0.3
"""Seconds of the event loop that visitors may take beyond their share now and then: a page with all its files."""


def attend(request: web.Request, sender: Sender) -> None:
    """Tell the connection of a request who sends on the socket that it opened."""
    if isinstance(request.protocol, IntakeConnection):
        request.protocol.attend(sender)
