# SPDX-License-Identifier: MIT
"""The SDK without a network: plays one match over standard input and output, in lines of JSON.

The program that starts a bot for a match (``arena connect --program``, ``arena match program:…``) sets LINES in its
environment, and GAME to the game of the match. Then ``run`` speaks in lines, whatever address and token it is given, so
the same file plays from home and as a hosted program.
"""

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Callable
from typing import TextIO

import msgspec

from arena.protocol import codec
from arena.protocol import messages as wire
from arena.protocol.codec import PROTOCOL
from arena.protocol.messages import LONGEST_TEXT
from arena.protocol.terminal import plain_line
from bots.bot import Bot
from bots.client.playing import Playing, Worker

log = logging.getLogger(__name__)

LINES, GAME = "BOT_ARENA_LINES", "BOT_ARENA_GAME"
"""Environment variables: whether to speak in lines, and the name of the game to prepare for."""


def wanted() -> bool:
    """Return whether the process was started to speak in lines."""
    return bool(os.environ.get(LINES))


_playing = False


def has_played() -> bool:
    """Return whether a bot of this process has played, or plays, in lines."""
    return _playing


async def play_lines(make: Callable[[], Bot]) -> None:
    """Play the match that the input describes. Ends with the input, or with the match.

    What the bot prints goes to the error output: the output belongs to the protocol. Raises ValueError if the bot does
    not name its games.
    """
    global _playing
    _playing = True
    output, sys.stdout = sys.stdout, sys.stderr
    bot = make()
    if bot.games is None:
        raise ValueError(f"{type(bot).__name__} must name its games to play without a network")
    worker = Worker(f"bot {bot.name}")
    if game := os.environ.get(GAME):
        await worker.call(bot.prepare, [game])
    _write(output, _hello(bot))

    async def send(message: wire.BotMessage) -> None:
        _write(output, codec.encode(message))

    lines = _lines(asyncio.get_running_loop())
    playing: Playing | None = None
    running: asyncio.Task[None] | None = None
    while line := await lines.get():
        message = codec.from_arena(line)
        if isinstance(message, wire.Error):
            log.warning("%s: %s", message.code, message.message)
        if isinstance(message, wire.Match) and playing is None:
            playing = Playing(message.match, lambda: bot, worker, send)
            running = asyncio.create_task(playing.run())
        if playing is not None:
            playing.receive(message)
        if isinstance(message, wire.Over):
            break
    if playing is not None and running is not None:
        if not running.done():
            playing.abandon()
        await running
        await playing.close()


def _hello(bot: Bot) -> str:
    """Return the greeting: that of the protocol without the token."""
    hello = wire.Hello(
        PROTOCOL,
        "-",
        list(bot.games or ()),
        bot.version,
        description=plain_line(bot.description)[:LONGEST_TEXT],
        open_info=bot.open_info,
    )
    message = msgspec.to_builtins(hello)
    del message["token"]
    return msgspec.json.encode(message).decode()


def _write(output: TextIO, line: str) -> None:
    output.write(line + "\n")
    output.flush()


def _lines(loop: asyncio.AbstractEventLoop) -> "asyncio.Queue[str]":
    """Return a queue of the lines of the input, which ends with an empty one. A thread reads them."""
    queue: asyncio.Queue[str] = asyncio.Queue()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(queue.put_nowait, line)
        loop.call_soon_threadsafe(queue.put_nowait, "")

    threading.Thread(target=read, name="input", daemon=True).start()
    return queue
