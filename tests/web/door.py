# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole arena behind a real port, in the test's own process, on a database of its own."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from aiohttp import ClientSession, web

from arena.application import Arena
from arena.cli.features import FEATURES
from arena.connections.admission import hash_token, make_token
from arena.protocol.codec import PLAY_PATH, WATCH_PATH
from arena.settings import Settings
from arena.store import Store
from web.application import PATIENCE, WebFeatures, make_runner
from web.intake.site import IntakeSite

_numbers = count(1)


@dataclass(frozen=True)
class Door:
    """A running server: its address, its arena and an HTTP client."""

    address: str
    arena: Arena
    application: web.Application
    http: ClientSession

    @property
    def play_url(self) -> str:
        """The bots' socket."""
        return f"ws://{self.address}{PLAY_PATH}"

    @property
    def watch_url(self) -> str:
        """The spectators' socket."""
        return f"ws://{self.address}{WATCH_PATH}"

    async def register(self, name: str = "") -> tuple[str, str]:
        """Register a bot, under a new name when none is given; returns its name and its token."""
        name = name or f"bot-{next(_numbers)}"
        token = make_token()
        await self.arena.store.bots.add(name, hash_token(token))
        return name, token


@asynccontextmanager
async def opened(
    folder: Path, settings: Settings, patience: float = PATIENCE, host: str = "", features: WebFeatures = FEATURES
) -> AsyncIterator[Door]:
    """Open an arena on a database in ``folder``; close it in good order.

    ``patience``: seconds for a whole request; ``host``: where it is said to listen.
    """
    store = await Store.open(f"sqlite:///{folder / 'arena.db'}")
    arena = Arena(settings, store, features)
    runner = make_runner(arena, features, host=host, patience=patience, shutdown=1.0)
    await runner.setup()
    try:
        await arena.start()
        await IntakeSite(runner, socket.create_server(("127.0.0.1", 0))).start()
        host, port = runner.addresses[0][:2]
        async with ClientSession(f"http://{host}:{port}") as http:
            yield Door(f"{host}:{port}", arena, runner.app, http)
    finally:
        await arena.stop()
        await runner.cleanup()
        await store.close()
