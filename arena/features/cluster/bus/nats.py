# SPDX-License-Identifier: GPL-3.0-or-later
"""The bus between nodes: NATS, by its client nats-py, which delivers at most once.

Once the bus is open, nothing here waits for it: a message that it cannot take now is dropped, and the channels send it
again. A frozen bus raises nothing; heartbeats notice it.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from typing import Any

import nats.aio.client
import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from arena.features.cluster.bus.address import BusAddress

log = structlog.get_logger("arena.cluster")

OPENING = 10.0
"""Seconds within which the bus must be reached at the start."""

AGAIN = 0.2
"""Seconds between two attempts to reach a bus that is away."""

PING = 2
"""Seconds between two pings of the client; the second one without an answer ends the connection."""

UNSENT = 1_048_576
"""Bytes that wait for the bus at most; more is dropped."""

Hear = Callable[[bytes], None]


class BusError(Exception):
    """The bus cannot be used; the message is for people."""


class Bus:
    """A connection to the bus, which is opened again as often as it is lost. Call ``open`` first, ``close`` last."""

    def __init__(self, address: BusAddress, name: str) -> None:
        """``name``: of this node, for the bus's own monitoring."""
        self._address = address
        self._name = name
        self._client = nats.aio.client.Client()
        self._heard: dict[str, Hear] = {}
        self._subscriptions: dict[str, Subscription] = {}
        self._outbox: list[tuple[str, bytes]] = []
        self._changed = asyncio.Event()
        self._closed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.on_back: Callable[[], None] = lambda: None
        """Called when the bus is reached again."""

    async def open(self) -> None:
        """Connect. Raises BusError if that fails."""
        await self._connect(OPENING)
        if not self._address.local and not self._client._server_info.get("auth_required"):  # no public name for it
            await self._client.close()
            raise BusError(
                f"the bus at {self._address.place} accepts everybody who reaches it: configure users or a token in its"
                " server (`authorization`), or run it on loopback"
            )
        self._tasks = [
            asyncio.create_task(self._send(), name="bus"),
            asyncio.create_task(self._keep(), name="bus kept"),
        ]

    async def close(self) -> None:
        """Send what waits, and close the connection."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(nats.errors.Error, OSError, TimeoutError):
            async with asyncio.timeout(1.0):
                await self._send_out()
                await self._client.flush(1)
        await self._client.close()

    def publish(self, subject: str, payload: bytes) -> None:
        """Send a message, with the others of this iteration of the loop; dropped while the bus is away."""
        self._outbox.append((subject, payload))
        self._changed.set()

    def subscribe(self, subject: str, hear: Hear) -> None:
        """Have ``hear`` called with each message on a subject."""
        self._heard[subject] = hear
        self._changed.set()

    def unsubscribe(self, subject: str) -> None:
        """End a subscription."""
        self._heard.pop(subject, None)
        self._changed.set()

    # ------------------------------------------------------------ the client

    async def _connect(self, patience: float) -> None:
        """Connect a new client. Raises BusError after the first failure, or when it takes too long."""
        failed: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()

        async def note(error: Exception) -> None:
            if not failed.done():
                failed.set_result(error)
            log.debug("the bus failed", why=str(error) or type(error).__name__)

        address = self._address
        self._client = client = nats.aio.client.Client()
        self._subscriptions = {}
        connecting = asyncio.ensure_future(
            client.connect(
                self._address.urls,
                name=self._name,
                error_cb=note,
                reconnected_cb=self._reconnected,
                closed_cb=self._ended,
                max_reconnect_attempts=-1,
                reconnect_time_wait=AGAIN,  # type: ignore[arg-type]  # declared as int, and given to asyncio.sleep
                ping_interval=PING,
                tls=self._tls(),
                user=address.user or None,
                password=(lambda: self._secret(address.password)) if address.password else None,
                token=(lambda: self._secret(address.token)) if address.token else None,
            )
        )
        events: set[asyncio.Future[Any]] = {connecting, failed}
        await asyncio.wait(events, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        if connecting.done() and not failed.done():
            await connecting
            return
        connecting.cancel()
        await asyncio.wait({connecting})
        await client.close()
        error = failed.result() if failed.done() else TimeoutError()
        raise BusError(self._explained(error))

    def _explained(self, error: Exception) -> str:
        """Return why the bus cannot be reached, for people."""
        place = self._address.place
        text = str(error).removeprefix("nats: ").strip("'")
        if "authorization violation" in text.lower():
            given = "refuses these credentials" if self._address.user or self._address.token else "wants credentials"
            return f"the bus at {place} {given}: write --bus {self._form}"
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"the certificate of the bus at {place} is not valid here: {error.verify_message}; see --bus-ca"
        if isinstance(error, TimeoutError):
            text = f"no answer within {OPENING:.0f} s"
        return f"the bus at {place} cannot be reached: {text or type(error).__name__}"

    @property
    def _form(self) -> str:
        scheme = "tls" if self._address.tls else "nats"
        return f"{scheme}://USER:PASSWORD@HOST:PORT or {scheme}://TOKEN@HOST:PORT"

    def _tls(self) -> ssl.SSLContext | None:
        return ssl.create_default_context(cafile=self._address.ca or None) if self._address.tls else None

    def _secret(self, text: str) -> str:
        """Return a password or a token, unless the connection is not encrypted although it should be: the client itself
        would send it in clear to a server that says it has no TLS.
        """
        if self._address.tls and not self._client._server_info.get("tls_required"):  # no public name for it
            raise ConnectionError(f"the bus at {self._address.place} offers no TLS")
        return text

    async def _reconnected(self) -> None:
        log.info("the bus is back", bus=self._address.place)
        self.on_back()

    async def _ended(self) -> None:
        """Note that the client gave up, as it does when the bus refuses its credentials."""
        self._closed.set()

    async def _keep(self) -> None:
        """Connect another client whenever one gave up."""
        while True:
            await self._closed.wait()
            self._closed.clear()
            try:
                await self._connect(OPENING)
            except BusError as error:
                log.warning("the bus is away", why=str(error))
                await asyncio.sleep(1.0)
                self._closed.set()
            else:
                self._changed.set()
                await self._reconnected()

    async def _send(self) -> None:
        """Send new messages as they come, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                await self._send_out()
            except (nats.errors.Error, OSError) as error:
                log.debug("the bus takes no messages", why=str(error) or type(error).__name__)

    async def _send_out(self) -> None:
        outbox, self._outbox = self._outbox, []
        client = self._client
        if self._heard.keys() != self._subscriptions.keys():
            await self._subscribe(client)
        for subject, payload in outbox:
            if client.is_connected and client.pending_data_size < UNSENT:
                await client.publish(subject, payload)

    async def _subscribe(self, client: nats.aio.client.Client) -> None:
        for subject in self._subscriptions.keys() - self._heard.keys():
            with contextlib.suppress(nats.errors.Error):
                await self._subscriptions.pop(subject).unsubscribe()
        for subject in self._heard.keys() - self._subscriptions.keys():
            hear = self._heard[subject]

            async def pass_on(message: Msg, hear: Hear = hear) -> None:
                hear(message.data)

            self._subscriptions[subject] = await client.subscribe(subject, cb=pass_on)
