# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots for the tests: raw JSON over a websocket, with nothing of this project in them."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

Message = dict[str, Any]


def bearer(token: str) -> dict[str, str]:
    """Return the headers of a request with a token."""
    return {"Authorization": f"Bearer {token}"}


def patient(url: str, **options: Any) -> connect:
    """Return what connects to a socket, without time limits of its own: a server that is stopped for a while is still
    there.
    """
    return connect(url, max_size=None, open_timeout=None, ping_interval=None, **options)


class RawBot:
    """A connected bot that says hello and answers turns."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.accepted: list[tuple[int, int, str]] = []
        """Match, ply and text of each move that the arena acknowledged."""
        self.over: dict[int, Message] = {}
        self._tried: dict[int, tuple[int, str]] = {}

    async def say(self, kind: str, /, **fields: object) -> None:
        """Send a message."""
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def hear(self, *types: str) -> Message:
        """Return the next message of one of these types (of any when none is named)."""
        while True:
            message: Message = json.loads(await self.socket.recv())
            self._note(message)
            if not types or message["type"] in types:
                return message

    async def hello(self, token: str, games: Sequence[str], **fields: object) -> Message:
        """Say hello and return the answer."""
        await self.say("hello", protocol=1, token=token, games=list(games), **fields)
        return await self.hear("welcome")

    async def play(self, choose: Callable[[Message], str], matches: int = 1) -> None:
        """Answer turns until so many matches are over."""
        while len(self.over) < matches:
            message = await self.hear("turn", "over", "error")
            if message["type"] == "error":
                raise AssertionError(message)
            if message["type"] == "turn":
                await self.move(message, choose(message))

    async def move(self, turn: Message, move: str, info: Message | None = None) -> None:
        """Answer a turn, and report of a search if ``info`` is given."""
        self._tried[turn["match"]] = turn["ply"], move
        report = {} if info is None else {"info": info}
        await self.say("move", match=turn["match"], ply=turn["ply"], move=move, **report)

    def _note(self, message: Message) -> None:
        if message["type"] == "accepted":
            ply, move = self._tried[message["match"]]
            self.accepted.append((message["match"], ply, move))
        elif message["type"] == "over":
            self.over[message["match"]] = message


def first_move(turn: Message) -> str:
    """Choose the first of the legal moves."""
    move: str = turn["legal_moves"][0]
    return move


async def start_match(one: RawBot, other: RawBot, name: str) -> tuple[int, RawBot, RawBot]:
    """Let ``one`` challenge ``other``, which is called ``name``; return the match, the first and the second player."""
    await one.say("challenge", opponent=name, game="tictactoe")
    challenged = await other.hear("challenged")
    await other.say("answer-challenge", challenge=challenged["challenge"], accept=True)
    match = await one.hear("match")
    await other.hear("match")
    first, second = (one, other) if match["to_move"] == match["seat"] else (other, one)
    return match["match"], first, second


@asynccontextmanager
async def connected(url: str, token: str = "") -> AsyncIterator[RawBot]:
    """Connect a bot that has not said anything yet, but shows a token at once where one is given, as the SDK does."""
    async with patient(url, additional_headers=bearer(token) if token else {}) as socket:
        yield RawBot(socket)
