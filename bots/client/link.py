# SPDX-License-Identifier: MIT
"""A connection to an arena that is made again, after growing delays, whenever it is lost."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, InvalidURI, WebSocketException

from arena.protocol import codec
from arena.protocol import messages as wire
from arena.protocol.errors import CloseCode
from bots.client.address import is_local
from bots.client.errors import ArenaError, NotReady, Rejected, Unreachable

log = logging.getLogger(__name__)

_FINAL = frozenset(
    {
        CloseCode.UNKNOWN_TOKEN,
        CloseCode.REMOVED,
        CloseCode.REPLACED,
        CloseCode.TOO_MANY_VERSIONS,
        CloseCode.UNSUPPORTED_PROTOCOL,
    }
)

_TRY_AGAIN = frozenset({408, 425, 429})
"""HTTP status codes below 500 after which a retry may succeed."""

_WELCOME_WITHIN = 20.0
"""Seconds."""

_STEADY = 5.0
"""Seconds that a connection must last to count as stable: its loss then resets the retry delay."""

_LONGEST_MESSAGE = 16 * 2**20
"""Bytes; a whole match may be longer than a bot's messages may be."""


@dataclass(slots=True)
class Backoff:
    """Delays in seconds that double from ``first`` to ``longest``, each with jitter, so that many bots do not come back
    at the same moment.
    """

    first: float = 0.2
    longest: float = 30.0
    _tries: int = field(default=0, init=False)
    _random: random.Random = field(default_factory=random.Random, init=False, repr=False)

    def reset(self) -> None:
        """Reset the delay, because a connection was made."""
        self._tries = 0

    def next(self, at_least: float = 0.0) -> float:
        """Return the next delay: half of it fixed, half of it random, and no shorter than ``at_least``."""
        delay = min(self.first * 2.0 ** min(self._tries, 30), self.longest)
        self._tries += 1
        return at_least + delay * self._random.uniform(0.5, 1.0)


class Link:
    """Connects to ``url``, says hello, hands every message on, and begins again with growing delays until ``close``.

    ``hello`` makes the first message of each connection; ``receive`` gets every message of the arena's; ``lost`` is
    called when a connection ends.
    """

    def __init__(
        self,
        url: str,
        *,
        hello: Callable[[], Awaitable[wire.Hello]],
        receive: Callable[[wire.ArenaMessage], None],
        lost: Callable[[], None],
        patience: float | None = None,
    ) -> None:
        self._url = url
        self._hello = hello
        self._receive = receive
        self._lost = lost
        self._patience = patience
        self._backoff = Backoff()
        self._socket: ClientConnection | None = None
        self._closing = asyncio.Event()
        self._goodbye: wire.Goodbye | None = None
        self._last_error = ""
        self._wanted = False
        """Whether to close the connection or to send ``hello`` again: requested since the last ``hello``."""

    async def send(self, message: wire.BotMessage) -> bool:
        """Send a message; it is dropped when there is no connection. Returns whether there was one."""
        if self._socket is None:
            return False
        try:
            await self._socket.send(codec.encode(message))
        except ConnectionClosed:
            return False
        return True

    async def close(self) -> None:
        """Close the connection and make no other."""
        self._closing.set()
        await self.reconnect()

    async def reconnect(self) -> None:
        """Close the connection and reconnect at once, to send ``hello`` again."""
        self._wanted = True
        if self._socket is not None:
            await self._socket.close()

    async def run(self) -> None:
        """Stay connected until ``close``. Raises Rejected when trying again would not help, Unreachable when patience
        is at an end.
        """
        clock = asyncio.get_running_loop().time
        alone_since = clock()
        while not self._closing.is_set():
            try:
                began = clock()
                if await self._converse():
                    alone_since = clock()
                    if alone_since - began > _STEADY:
                        self._backoff.reset()
                trouble = "the connection was lost"
            except InvalidStatus as error:
                status = error.response.status_code
                if status < 500 and status not in _TRY_AGAIN:
                    raise Rejected(
                        f"{self._url} is not the play socket of an arena: it answers HTTP {status}"
                    ) from error
                trouble = f"the arena answers HTTP {status}"
            except InvalidURI as error:
                raise Rejected(str(error)) from error
            except (OSError, WebSocketException, TimeoutError, ArenaError) as error:
                if isinstance(error, Rejected | NotReady):
                    raise
                trouble = str(error) or type(error).__name__
            if self._closing.is_set():
                return
            if self._wanted:
                continue
            if self._patience is not None and clock() - alone_since > self._patience:
                raise Unreachable(f"{self._url}: {trouble}")
            delay = self._backoff.next((self._goodbye.retry_after or 0) / 1000 if self._goodbye else 0.0)
            log.warning("%s: %s; next try in %.1f s", self._url, trouble, delay)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), delay)

    async def _converse(self) -> bool:
        """Run one connection until it ends; return whether the arena welcomed the bot."""
        self._goodbye, self._last_error = None, ""
        welcomed = self._wanted = False
        hello = await self._hello()
        # a proxy cannot reach this machine's own addresses; for other addresses the environment variables name the
        # proxy
        proxy: Literal[True] | None = None if is_local(self._url) else True
        connection = connect(
            self._url,
            # a bot with a known token is exempt from the limits of its address
            additional_headers={"Authorization": f"Bearer {hello.token}"},
            compression=None,
            max_size=_LONGEST_MESSAGE,
            proxy=proxy,
            close_timeout=2,
        )
        async with connection as socket:
            if self._wanted:
                # asked for while there was no connection to close
                return False
            self._socket = socket
            try:
                await self.send(hello)
                while True:
                    async with asyncio.timeout(None if welcomed else _WELCOME_WITHIN):
                        message = self._decode(await socket.recv())
                    if message is None:
                        continue
                    if isinstance(message, wire.Welcome):
                        welcomed = True
                    self._note(message)
                    self._receive(message)
            except ConnectionClosed as closed:
                self._judge(closed.rcvd.code if closed.rcvd else None, closed.rcvd.reason if closed.rcvd else "")
            finally:
                self._socket = None
                self._lost()
        return welcomed

    @staticmethod
    def _decode(frame: str | bytes) -> wire.ArenaMessage | None:
        try:
            return codec.from_arena(frame if isinstance(frame, str) else frame.decode())
        except (codec.Refusal, UnicodeError) as error:
            log.debug("passed over a message that this version does not know: %s", error)
            return None

    def _note(self, message: wire.ArenaMessage) -> None:
        match message:
            case wire.Error():
                self._last_error = message.message
                log.warning("the arena refused a message (%s): %s", message.code, message.message)
            case wire.Goodbye():
                self._goodbye = message
                log.info("the arena says goodbye: %s", message.reason)

    def _judge(self, code: int | None, reason: str) -> None:
        """Raise Rejected if the close code or the arena's ``goodbye`` forbids to reconnect."""
        if self._closing.is_set():
            return
        words = (self._goodbye.reason if self._goodbye else "") or self._last_error or reason
        if code in _FINAL:
            raise Rejected(f"the arena closed the connection: {words or CloseCode(code).name.lower()} ({code})", code)
        if self._goodbye is not None and self._goodbye.retry_after is None:
            raise Rejected(f"the arena sent the bot away: {words or code}", code)
