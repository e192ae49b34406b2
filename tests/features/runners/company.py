# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena whose own process of built-in bots is played by the test, and runners that the test plays over real
sockets.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from aiohttp import ClientWebSocketResponse, WSMsgType

from arena.connections.admission import hash_token, make_token
from arena.features.runners.part import VERSION, RunnersPart
from arena.features.runners.settings import RunnerSettings
from arena.features.uploads.settings import UploadSettings
from arena.protocol.orders import FurtherOrders, HostedBot
from arena.protocol.runner_messages import (
    RUNNER_PATH,
    RUNNERS,
    Beat,
    FromRunner,
    HostUploads,
    Offer,
    Prepared,
    Taken,
    ToRunner,
)
from arena.settings import Settings
from bots.bot import Bot, Turn
from bots.client import Client
from tests.web.door import Door, opened

PATIENCE = 600.0

OFFER = Offer(
    protocol=RUNNERS,
    version=VERSION,
    run="run of the test",
    platform="test",
    cores=4,
    memory=1 << 40,
    speed=5e6,
    sandbox="namespaces",
)

NAMES = ("alpha", "beta", "gamma", "delta")
"""Built-in bots of the test."""

Kind = TypeVar("Kind", bound=ToRunner)


class First(Bot):
    """Plays the first legal move."""

    capacity = 16

    def move(self, turn: Turn) -> str:
        """Return it."""
        assert turn.legal_moves is not None
        return turn.legal_moves[0]


class Hosting:
    """The server's own process of built-in bots, as the test plays it."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.told: list[FurtherOrders] = []

    async def start(self) -> list[HostedBot]:
        """Start it; return its first orders."""
        places = self.door.arena.places
        places.offer(("random", name, "a bot of the test") for name in NAMES)
        places.tell = self.told.append
        return await places.start(os.getpid())

    @property
    def entered(self) -> list[str]:
        """Names of the bots that came back."""
        return [bot.name for further in self.told for bot in further.enter]


class Played:
    """A runner that the test plays."""

    def __init__(self, door: Door, socket: ClientWebSocketResponse, name: str, token: str) -> None:
        self.door = door
        self.socket = socket
        self.name = name
        self.token = token
        self._tasks: list[asyncio.Task[None]] = []

    async def say(self, message: FromRunner) -> None:
        """Send a message."""
        await self.socket.send_str(msgspec.json.encode(message).decode())

    async def hear(self, kind: type[Kind]) -> Kind:
        """Return the next message of a kind; others are passed over."""
        while True:
            frame = await self.socket.receive(PATIENCE)
            assert frame.type is WSMsgType.TEXT, (frame, self.socket.close_code)
            message: Any = msgspec.json.decode(frame.data, type=ToRunner)
            if isinstance(message, kind):
                return message

    async def closed(self) -> int | None:
        """Return the close code, once the arena has closed the socket."""
        async with asyncio.timeout(PATIENCE):
            async for _ in self.socket:
                pass
        return self.socket.close_code

    async def join(self, offer: Offer = OFFER, *, prepared: bool = True) -> Taken:
        """Offer the machine; return the answer."""
        await self.say(msgspec.structs.replace(offer, run=f"run of {self.name}"))
        taken = await self.hear(Taken)
        await self.say(Beat(offer.cores))
        if prepared:
            await self.say(Prepared())
        return taken

    async def play(self, bots: list[HostedBot]) -> None:
        """Connect built-in bots, as the runner's process does; wait until the arena has them."""
        for bot in bots:
            client = Client(First, url=self.door.play_url, token=bot.token, games=["tictactoe"])
            self._tasks.append(asyncio.create_task(client.run()))
        await connected(self.door, *(bot.name for bot in bots))

    async def hang_up(self) -> None:
        """End at once, with all connections, as a process that is killed."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        await self.socket.close()


async def connected(door: Door, *names: str) -> None:
    """Wait until bots are connected."""
    async with asyncio.timeout(PATIENCE):
        while not all(door.arena.roster.named(name) for name in names):  # noqa: ASYNC110  # there is no event for it
            await asyncio.sleep(0.01)


def part_of(door: Door) -> RunnersPart:
    """Return the part of the arena that keeps runners."""
    return door.arena.part(RunnersPart)


@asynccontextmanager
async def arena(folder: Path, uploads: UploadSettings | None = None, **settings: Any) -> AsyncIterator[Door]:
    """Open an arena with runners that may be silent for long."""
    given = {"runner_silence": PATIENCE} | settings
    features = (RunnerSettings(**given), uploads or UploadSettings())
    async with opened(folder, Settings(games="tictactoe", ladder=False, features=features)) as door:
        yield door


async def token_of(door: Door, name: str) -> str:
    """Register a runner; return its token."""
    token = make_token()
    await part_of(door).records.add(name, hash_token(token))
    return token


@asynccontextmanager
async def runner(door: Door, name: str, token: str = "") -> AsyncIterator[Played]:
    """Connect a runner, registered before if it has a token."""
    token = token or await token_of(door, name)
    headers = {"Authorization": f"Bearer {token}"}
    async with door.http.ws_connect(RUNNER_PATH, headers=headers) as socket:
        played = Played(door, socket, name, token)
        try:
            yield played
        finally:
            await played.hang_up()


async def hosted(runner: Played) -> list[int]:
    """Return the numbers of the uploaded bots of the next list of a runner."""
    return [bot.bot for bot in (await runner.hear(HostUploads)).bots]
