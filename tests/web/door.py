# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole arena behind a real port, in the test's own process, on a database of its own."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, ClientTimeout, web

from arena.application import Arena
from arena.cli.features import FEATURES
from arena.connections.admission import hash_token, make_token
from arena.ladder.fits import leaderboard_fits
from arena.protocol.codec import PLAY_PATH, WATCH_PATH
from arena.settings import Settings
from arena.store import Store
from tests.arena.peers import PATIENCE
from tests.databases import lay
from web import sockets
from web.application import WebFeatures, make_runner
from web.intake import bodies
from web.intake.site import IntakeSite

_numbers = count(1)


def unhurried(games: str, **more: Any) -> Settings:
    """Return settings of an arena under which no time is up while a test, or the machine, stands still.

    Matches have the time class of the defaults: two hands of 170 s are bullet.
    """
    controls = ",".join(f"{game}=170+0.1" for game in filter(None, games.split(",")))
    times = dict.fromkeys(("hello_timeout", "challenge_expiry", "reconnect_grace", "answer_timeout"), PATIENCE)
    rates = {"connection_rate": 1_000.0, "connection_burst": 10_000, "silent_rate": 1_000.0}
    settings: dict[str, Any] = {"games": games, "time_controls": controls, **times, **rates}
    return Settings(**(settings | more))


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


LONG = 86_400.0
"""Seconds that a connection may be idle: the clock of a test may jump ahead by an hour."""


@asynccontextmanager
async def opened(
    folder: Path, settings: Settings, patience: float = LONG, host: str = "", features: WebFeatures = FEATURES
) -> AsyncIterator[Door]:
    """Open an arena on a database in ``folder``; close it in good order.

    ``patience``: seconds for a whole request; ``host``: where it is said to listen. Leaderboards show the
    newest results at once.
    """
    url = f"sqlite:///{folder / 'arena.db'}"
    lay(url)
    store = await Store.open(url)
    arena = Arena(settings, store, features)
    arena.rating_fits = leaderboard_fits(store, patience=0.0)
    runner = make_runner(arena, features, host=host, patience=patience, shutdown=1.0)
    await runner.setup()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bodies, "BODY_TIME", PATIENCE)
        patch.setattr(sockets, "WRITE_LIMIT", PATIENCE)
        try:
            await arena.start()
            await IntakeSite(runner, socket.create_server(("127.0.0.1", 0))).start()
            host, port = runner.addresses[0][:2]
            # without the limits of aiohttp's own, among them 30 s for a connection
            async with ClientSession(f"http://{host}:{port}", timeout=ClientTimeout(total=PATIENCE)) as http:
                yield Door(f"{host}:{port}", arena, runner.app, http)
        finally:
            await arena.stop()
            await runner.cleanup()
            await store.close()
