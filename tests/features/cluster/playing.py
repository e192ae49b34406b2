# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of one cluster as processes of their own, and raw clients that record the messages that they receive."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import websockets

from tests.end_to_end.server import Server

PATIENCE = 300.0
"""Seconds for what should take some, on a machine that is busy with other things."""

Message = dict[str, Any]


@asynccontextmanager
async def cluster(
    folder: Path, database: str, bus: str, names: str, *options: str, doors: str = "", real: bool = False
) -> AsyncIterator[dict[str, Server]]:
    """Run nodes, one of each letter's name, the first of which leads. Those of ``doors`` referee no matches.

    ``real``: no forks (``tests.forked``), for measurements.
    """
    nodes: dict[str, Server] = {}
    try:
        for name in names:
            (folder / name).mkdir()
            own = ["--bus", bus, "--node", name, "--no-built-in-bots", f"--upload-folder={folder / name / 'uploads'}"]
            own += ["--node-referees", "false"] if name in doors else []
            nodes[name] = Server(folder / name, *own, *options, database=database, real=real)
            await nodes[name].start()
            await nodes[name].ready()
        yield nodes
    finally:
        for node in nodes.values():
            await node.kill()


class Client:
    """A bot or a spectator that connects to nodes in turn, and comes back when it is cut off."""

    def __init__(self, *urls: str) -> None:
        self.log: list[Message] = []
        self.connections = 0
        self._urls = urls
        self._news = asyncio.Event()
        self._socket: websockets.ClientConnection | None = None
        self._running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            url = self._urls[self.connections % len(self._urls)]
            self.connections += 1
            with suppress(OSError, websockets.WebSocketException):
                async with websockets.connect(url) as self._socket:
                    await self.greet()
                    async for frame in self._socket:
                        message = json.loads(frame)
                        await self.answer(message)
                        self.log.append(message)
                        self._news.set()
            self._socket = None
            await asyncio.sleep(0.1)

    async def greet(self) -> None:
        """Send what comes first on a connection."""

    async def answer(self, message: Message) -> None:
        """Answer a message."""

    async def send(self, **message: object) -> None:
        """Send a message; one that cannot be sent is lost."""
        if self._socket is not None:
            with suppress(websockets.ConnectionClosed):
                await self._socket.send(json.dumps(message))

    async def heard(self, holds: Callable[[Message], bool], after: int = 0) -> Message:
        """Return the first message of which something holds, after so many others."""
        async with asyncio.timeout(PATIENCE):
            while True:
                self._news.clear()
                for message in self.log[after:]:
                    if holds(message):
                        return message
                await self._news.wait()

    async def close(self) -> None:
        """Go away for good."""
        self._running.cancel()
        await asyncio.wait({self._running})


class Bot(Client):
    """Plays the first legal move, while it may."""

    def __init__(self, token: str, game: str, *urls: str) -> None:
        self.may_move = asyncio.Event()
        self.may_move.set()
        self.waits = asyncio.Event()
        """Set once it has a turn and may not move."""
        self.moving: set[asyncio.Task[None]] = set()
        self.token = token
        self._game = game
        super().__init__(*urls)

    async def greet(self) -> None:
        """Say who it is."""
        await self.send(
            type="hello", protocol=1, token=self.token, version="1", games=[self._game], capacity=4, legal_moves=True
        )

    async def answer(self, message: Message) -> None:
        """Accept challenges, and play."""
        if message["type"] == "challenged":
            await self.send(type="answer-challenge", challenge=message["challenge"], accept=True)
        elif message["type"] == "turn":
            self.moving.add(asyncio.create_task(self._move(message)))

    async def _move(self, turn: Message) -> None:
        if not self.may_move.is_set():
            self.waits.set()
        await self.may_move.wait()
        await self.send(type="move", match=turn["match"], ply=turn["ply"], move=turn["legal_moves"][0])

    @property
    def acknowledged(self) -> list[tuple[int, int]]:
        """Match and ply of all moves that the arena has accepted, each once."""
        moves = [(message["match"], message["ply"]) for message in self.log if message["type"] == "accepted"]
        return list(dict.fromkeys(moves))


class Watcher(Client):
    """Follows a match."""

    def __init__(self, match: int, *urls: str) -> None:
        self._match = match
        super().__init__(*urls)

    async def greet(self) -> None:
        """Ask for the match."""
        await self.send(type="follow", match=self._match)

    @property
    def ply(self) -> int:
        """The newest ply that it has seen."""
        moved = [message["made"]["ply"] for message in self.log if message["type"] == "move-made"]
        whole = [message["seen"]["ply"] for message in self.log if message["type"] == "snapshot"]
        return max([*moved, *whole], default=0)

    async def saw_end(self) -> None:
        """Wait until it has seen the end: by a message of its own, or, if it was far behind, in a snapshot."""
        await self.heard(
            lambda message: (
                message["type"] == "match-over"
                or (message["type"] == "snapshot" and message["seen"].get("ending") is not None)
            )
        )

    async def saw(self, ply: int) -> None:
        """Wait until it has seen a ply."""
        await self.heard(lambda message: self.ply >= ply)


def is_(kind: str, **values: object) -> Callable[[Message], bool]:
    """Return whether a message has a type, and values."""
    return lambda message: message["type"] == kind and all(message.get(name) == each for name, each in values.items())
