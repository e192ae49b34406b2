# SPDX-License-Identifier: MIT
"""The SDK: connects a Bot to an arena over a WebSocket, or plays in lines of JSON without a network (``lines``).

``run`` is all that most bots need; ``Client`` is for bots that challenge others or run beside other asyncio code.
"""

import asyncio
import contextlib
import logging
import signal
from typing import Any

from arena.protocol.terminal import log_to_terminal
from bots.bot import Bot
from bots.client.client import BotMaker, Client
from bots.client.errors import ArenaError, ChallengeRefused, NotReady, Rejected, Unreachable
from bots.client.lines import play_lines, wanted

__all__ = ["ArenaError", "BotMaker", "ChallengeRefused", "Client", "NotReady", "Rejected", "Unreachable", "play", "run"]


def run(bot: Bot | BotMaker, *, url: str, token: str, **options: Any) -> None:
    """Play a bot in an arena until SIGINT or SIGTERM; ``options`` are those of ``Client``. Raises ValueError
    as ``Client``, Rejected and Unreachable as ``Client.run``.
    """
    log_to_terminal(logging.INFO, "%(asctime)s %(message)s")
    asyncio.run(play(bot, url=url, token=token, **options))


async def play(bot: Bot | BotMaker, *, url: str, token: str, **options: Any) -> None:
    """What ``run`` does, for a program that has an event loop already."""
    if wanted():
        await play_lines((lambda: bot) if isinstance(bot, Bot) else bot)
        return
    client = Client(bot, url=url, token=token, **options)
    closing: set[asyncio.Task[None]] = set()

    def leave() -> None:
        closing.add(asyncio.create_task(client.close()))

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # not on Windows, and not outside the main thread: there the caller's own way of ending it counts
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, leave)
    await client.run()
    await asyncio.gather(*closing)
