# SPDX-License-Identifier: GPL-3.0-or-later
"""A runner's connection to the arena: offers the machine, connects again when it is lost, and fetches files."""

import asyncio
import contextlib
import random
import ssl
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlsplit

import aiohttp
import msgspec
import structlog

from arena.hosting.processors import FreeProcessors
from arena.protocol.errors import CloseCode
from arena.protocol.runner_messages import (
    BEAT,
    RUNNER_PATH,
    UPLOADS_PATH,
    Beat,
    Declined,
    FromRunner,
    Leave,
    Offer,
    ToRunner,
)

log = structlog.get_logger("arena.runner")

SCHEMES = {"ws": "http", "wss": "https", "http": "http", "https": "https"}

FIRST_WAIT, LONGEST_WAIT = 0.5, 15.0
"""Seconds before another attempt to connect: doubled each time."""

TIMEOUT = 30.0
"""Seconds for the answer to a request."""


class RunnerRefused(Exception):
    """The arena does not take this runner on, and another attempt would not help."""


def base_of(url: str, play_path: str) -> str:
    """Return the address of an arena by HTTP without the paths of its sockets. Raises ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"{url!r} is not an address of an arena; write https://HOST or http://127.0.0.1:PORT")
    path = parts.path.rstrip("/").removesuffix(play_path).removesuffix(RUNNER_PATH)
    return f"{SCHEMES[parts.scheme]}://{parts.netloc}{path.rstrip('/')}"


class RunnerLink:
    """The connection of a runner."""

    def __init__(
        self,
        base: str,
        token: str,
        offer: Offer,
        heard: Callable[[ToRunner], None],
        lost: Callable[[], None],
        *,
        proxied: bool,
        patience: float | None = None,
    ) -> None:
        """``base``: the address by HTTP; ``heard``: called with each message but ``Declined``; ``lost``: called when a
        connection ends; ``proxied``: whether to use the proxies that environment variables name; ``patience``: seconds
        without a connection after which ``run`` raises RunnerRefused; None: never.
        """
        self._base = base
        self._token = token
        self._offer = offer
        self._heard = heard
        self._lost = lost
        self._proxied = proxied
        self._patience = patience
        self._processors = FreeProcessors()
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._session: aiohttp.ClientSession | None = None
        self._outgoing: asyncio.Queue[FromRunner] = asyncio.Queue()
        self._stopping = asyncio.Event()

    @property
    def connected(self) -> bool:
        """Whether the arena hears messages."""
        return self._socket is not None

    def send(self, message: FromRunner) -> None:
        """Queue a message; it is dropped where there is no connection."""
        if self._socket is not None:
            self._outgoing.put_nowait(message)

    def leave(self) -> None:
        """Tell the arena that the runner stops; the link ends with the connection."""
        self._stopping.set()
        self.send(Leave())

    async def close(self) -> None:
        """End the connection, and make no other."""
        self._stopping.set()
        if self._socket is not None:
            await self._socket.close()

    async def run(self) -> None:
        """Stay connected until ``leave`` or ``close``. Raises RunnerRefused."""
        headers = {"Authorization": f"Bearer {self._token}"}
        clock = asyncio.get_running_loop().time
        alone, wait = clock(), FIRST_WAIT
        async with aiohttp.ClientSession(headers=headers, trust_env=self._proxied) as session:
            self._session = session
            while not self._stopping.is_set():
                began = clock()
                trouble = await self._attempt(session)
                if trouble is None:
                    alone, trouble = clock(), "the connection was lost"
                    if alone - began > LONGEST_WAIT:
                        wait = FIRST_WAIT
                if self._stopping.is_set():
                    return
                if self._patience is not None and clock() - alone > self._patience:
                    raise RunnerRefused(f"{self._base}: {trouble}")
                log.warning("no connection to the arena", why=trouble, next_try=f"{wait:.1f} s")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), wait * random.uniform(0.5, 1.0))
                wait = min(2 * wait, LONGEST_WAIT)

    async def _attempt(self, session: aiohttp.ClientSession) -> str | None:
        """Connect once, and run the connection; return why it failed, or None. Raises RunnerRefused."""
        address = self._base + RUNNER_PATH
        try:
            async with asyncio.timeout(TIMEOUT):
                socket = await session.ws_connect(address, max_msg_size=0, autoping=True, compress=0)
        except aiohttp.WSServerHandshakeError as error:
            return self._judge_status(error.status)
        except aiohttp.ClientConnectorCertificateError as error:
            raise RunnerRefused(f"the certificate of {self._base} is not valid: {error.certificate_error}") from None
        except (aiohttp.InvalidURL, ssl.SSLError, aiohttp.ClientConnectorSSLError) as error:
            raise RunnerRefused(f"{self._base} cannot be reached: {error}") from None
        except (aiohttp.ClientError, OSError) as error:
            return str(error) or type(error).__name__
        except TimeoutError:
            return f"no answer within {TIMEOUT:g} s"
        return await self._converse(socket)

    def _judge_status(self, status: int) -> str:
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise RunnerRefused(
                f"{self._base} does not know this token: `arena runners add NAME` on the server prints one, and "
                "`arena runners remove NAME` revokes it"
            )
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return f"the arena answers HTTP {status}"
        raise RunnerRefused(
            f"{self._base} answers HTTP {status} to a runner: it is not an arena, or one of a version without runners"
        )

    async def _converse(self, socket: aiohttp.ClientWebSocketResponse) -> str | None:
        """Run one connection until it ends; return why the arena did not take the runner on yet, or None."""
        self._outgoing = asyncio.Queue()
        self._socket = socket
        decoder = msgspec.json.Decoder(ToRunner)
        declined: str | None = None
        tasks = []
        try:
            await socket.send_str(msgspec.json.encode(self._offer).decode())
            tasks = [asyncio.create_task(self._beat()), asyncio.create_task(self._write(socket))]
            async for frame in socket:
                if frame.type is not aiohttp.WSMsgType.TEXT:
                    continue
                try:
                    message = decoder.decode(frame.data)
                except msgspec.DecodeError as error:
                    raise RunnerRefused(f"{self._base} does not answer as an arena does: {error}") from None
                if isinstance(message, Declined):
                    if not message.again:
                        raise RunnerRefused(message.why)
                    declined = message.why
                else:
                    self._heard(message)
        except (aiohttp.ClientError, OSError) as error:
            log.info("the connection failed", why=str(error))
        finally:
            self._socket = None
            for task in tasks:
                task.cancel()
            await socket.close()
            self._lost()
        if socket.close_code == CloseCode.REMOVED:
            raise RunnerRefused("the arena revoked the token of this runner")
        return declined

    async def _beat(self) -> None:
        while True:
            self._processors.look()
            self.send(Beat(max(1, min(self._offer.cores, self._processors.free))))
            await asyncio.sleep(BEAT)

    async def _write(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        with contextlib.suppress(aiohttp.ClientError, ConnectionError):
            while True:
                await socket.send_str(msgspec.json.encode(await self._outgoing.get()).decode())

    async def fetch(self, upload: int, most: int) -> bytes:
        """Return the file of an upload, of ``most`` bytes at most. Raises OSError."""
        assert self._session is not None, "uploads come over a connection"
        try:
            async with asyncio.timeout(TIMEOUT), self._session.get(f"{self._base}{UPLOADS_PATH}/{upload}") as answer:
                if answer.status != HTTPStatus.OK:
                    raise OSError(f"the arena answers HTTP {answer.status}")
                body = await answer.content.read(most + 1)
                while len(body) <= most and (more := await answer.content.read(most + 1 - len(body))):
                    body += more
        except (aiohttp.ClientError, TimeoutError) as error:
            raise OSError(str(error) or type(error).__name__) from None
        if len(body) > most:
            raise OSError(f"it has more than {most:,} bytes")
        return body
