# SPDX-License-Identifier: GPL-3.0-or-later
"""A real receiver of webhooks on a loopback address."""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import msgspec
from aiohttp import web
from multidict import CIMultiDictProxy

from arena.features.feeds.settings import WebhookSettings
from tests.arena.peers import PATIENCE


class Received(NamedTuple):
    """A request."""

    headers: CIMultiDictProxy[str]
    body: bytes

    @property
    def json(self) -> Any:
        """The decoded body."""
        return msgspec.json.decode(self.body)


class Receiver:
    """Takes requests and answers them with the next of ``statuses``, or with 204."""

    def __init__(self, address: str, port: int) -> None:
        self.address, self.port = address, port
        self.received: asyncio.Queue[Received] = asyncio.Queue()
        self.statuses: list[int] = []
        self.headers: dict[str, str] = {}

    @property
    def url(self) -> str:
        """The address for webhooks."""
        return f"http://{self.address}:{self.port}/hook"

    async def next(self) -> Received:
        """Return the next request, once it has arrived."""
        async with asyncio.timeout(PATIENCE):
            return await self.received.get()

    async def handle(self, request: web.Request) -> web.Response:
        """Take a request."""
        self.received.put_nowait(Received(request.headers, await request.read()))
        return web.Response(status=self.statuses.pop(0) if self.statuses else 204, headers=self.headers)


@asynccontextmanager
async def receiving(address: str = "127.0.0.1") -> AsyncIterator[Receiver]:
    """Open a receiver."""
    listening = socket.create_server((address, 0))
    receiver = Receiver(address, listening.getsockname()[1])
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", receiver.handle)
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        await web.SockSite(runner, listening).start()
        yield receiver
    finally:
        await runner.cleanup()


def allowing(receiver: Receiver, networks: Sequence[str] = ("127.0.0.1",), **more: Any) -> WebhookSettings:
    """Return settings under which webhooks reach a receiver."""
    return WebhookSettings(webhook_allow=",".join(networks), webhook_ports=str(receiver.port), **more)
