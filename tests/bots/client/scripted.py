# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena that says what a test tells it to, over real sockets."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, TypeVar

from websockets.asyncio.server import ServerConnection, serve

from arena.protocol import messages as wire
from arena.protocol.codec import PLAY_PATH, encode, from_bot
from bots.bot import Bot
from bots.client import BotMaker, Client

PATIENCE = 300.0
"""Seconds until a test gives up, on a machine that is busy with other things."""

Kind = TypeVar("Kind", bound=wire.BotMessage)

PLAYERS = (wire.Player("us", "1"), wire.Player("them", "1"))
LEGAL = ["a1", "b2", "c3"]


class Peer:
    """The arena's end of one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def say(self, *messages: wire.ArenaMessage) -> None:
        """Send messages."""
        for message in messages:
            await self.socket.send(encode(message))

    async def hear(self, kind: type[Kind]) -> Kind:
        """Return the next message, which must be of this kind."""
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.recv()
        assert isinstance(frame, str)
        message = from_bot(frame)
        assert isinstance(message, kind), message
        return message

    async def welcome(self, *matches: int) -> wire.Hello:
        """Hear hello and welcome the bot."""
        hello = await self.hear(wire.Hello)
        await self.say(wire.Welcome(1, "scripted", "us", hello.version, hello.games, list(matches)))
        return hello

    async def silence(self, seconds: float = 0.15) -> None:
        """Make sure that nothing is said for a while after all that was said here has arrived."""
        async with asyncio.timeout(PATIENCE):
            await (await self.socket.ping())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                raise AssertionError(await self.socket.recv())

    def lose(self) -> None:
        """Lose the connection without a word."""
        self.socket.transport.abort()


Script = Callable[[Peer], Awaitable[None]]


class Arena:
    """Serves each connection by the next script."""

    def __init__(self, scripts: Sequence[Script]) -> None:
        self.url = ""
        self._left = list(scripts)
        self._missing = len(scripts)
        self._failure: BaseException | None = None
        self._done = asyncio.Event()

    async def done(self) -> None:
        """Wait until every script was played to its end; raises the first failure of one."""
        async with asyncio.timeout(PATIENCE):
            await self._done.wait()
        if self._failure is not None:
            raise self._failure

    async def serve(self, socket: ServerConnection) -> None:
        """Play the next script; connections after the last script are ignored."""
        if not self._left:
            return
        try:
            await self._left.pop(0)(Peer(socket))
        except BaseException as failure:
            self._failure = self._failure or failure
        self._missing -= 1
        if not self._missing or self._failure:
            self._done.set()


@contextlib.asynccontextmanager
async def scripted(*scripts: Script) -> AsyncIterator[Arena]:
    """Open an arena that plays these scripts."""
    arena = Arena(scripts)
    async with serve(arena.serve, "127.0.0.1", 0) as server:
        arena.url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}{PLAY_PATH}"
        yield arena


async def meet(bot: Bot | BotMaker, *scripts: Script, **options: Any) -> None:
    """Let a bot play in an arena that plays these scripts; raises what goes wrong in a script, or ends the client
    before.
    """
    async with scripted(*scripts) as arena:
        client = Client(bot, url=arena.url, token="t", **options)
        running = asyncio.create_task(client.run())
        done = asyncio.create_task(arena.done())
        await asyncio.wait({running, done}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            done.cancel()
        else:
            await client.close()
            await done
        await running


def match(number: int = 1, ply: int = 0, seat: int = 0, moves: tuple[str, ...] = ()) -> wire.Match:
    """The whole state of a match of some game."""
    return wire.Match(
        match=number,
        game="some",
        seat=seat,
        players=PLAYERS,
        rated=True,
        time_control="10+0",
        start="start",
        opening=[],
        moves=[wire.PlayedMove(move) for move in moves],
        position=f"position {ply}",
        ply=ply,
        to_move=ply % 2,
        clocks=(10_000, 10_000),
    )


def turn(number: int = 1, ply: int = 0, *, draw_offered: bool = False) -> wire.Turn:
    """A question for a move in it."""
    return wire.Turn(
        match=number,
        game="some",
        ply=ply,
        position=f"position {ply}",
        seat=ply % 2,
        legal_moves=LEGAL,
        clocks=(10_000, 10_000),
        draw_offered=draw_offered,
    )


def over(number: int = 1) -> wire.Over:
    """Its end."""
    return wire.Over(number, "1-0", 1.0, "decided")
