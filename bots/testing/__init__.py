# SPDX-License-Identifier: MIT
"""The contract test for bots: a miniature arena that plays one bot through a real socket and reports its faults.

``check_bot`` tests a Bot, ``check_program`` a program in any language. The miniature arena referees tic-tac-toe itself;
for another game pass recorded ``Positions``, or rules of your own. It checks correctness, not strength: legal moves, in
time, under all events.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from bots.bot import Bot
from bots.client import BotMaker, Client
from bots.testing.arena import TOKEN, BotFault, MiniArena
from bots.testing.checks import CHECKS, Check, lost_connection
from bots.testing.rules import Positions, Recorded, Rules, TicTacToe

__all__ = [
    "CHECKS",
    "TOKEN",
    "BotFault",
    "MiniArena",
    "Positions",
    "Recorded",
    "Rules",
    "TicTacToe",
    "check_bot",
    "check_program",
]

Enter: TypeAlias = Callable[[MiniArena], AbstractAsyncContextManager[None]]
"""Lets a bot play in an arena for as long as the context lasts."""


def check_bot(bot: Bot | BotMaker, rules: Rules | None = None, *, seconds: float = 5.0) -> None:
    """Run a bot, or a factory of bots, through every check; raises BotFault at the first fault.

    ``rules``: a game that it plays; by default tic-tac-toe. ``seconds``: time for each answer.
    """

    @contextlib.asynccontextmanager
    async def enter(arena: MiniArena) -> AsyncIterator[None]:
        client = Client(bot, url=arena.url, token=TOKEN, on_crash="raise")
        running = asyncio.create_task(client.run())
        try:
            yield
        finally:
            await client.close()
            await running

    asyncio.run(_check(enter, rules or TicTacToe(), seconds, CHECKS))


def check_program(
    command: Sequence[str], rules: Rules | None = None, *, seconds: float = 5.0, comes_back: bool = True
) -> None:
    """Run a program in any language through every check; raises BotFault at the first fault.

    The program is started again for each check, and ended afterwards; the environment variables ARENA_URL and
    ARENA_TOKEN give the address and the token. ``comes_back``: whether it reconnects after a lost connection; otherwise
    that is not checked.
    """

    @contextlib.asynccontextmanager
    async def enter(arena: MiniArena) -> AsyncIterator[None]:
        environment = {**os.environ, "ARENA_URL": arena.url, "ARENA_TOKEN": TOKEN}
        process = await asyncio.create_subprocess_exec(*command, env=environment)

        async def watch() -> None:
            arena.blame(f"the program ended with exit code {await process.wait()}")

        watching = asyncio.create_task(watch())
        try:
            yield
        finally:
            watching.cancel()
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    checks = [check for check in CHECKS if comes_back or check is not lost_connection]
    asyncio.run(_check(enter, rules or TicTacToe(), seconds, checks))


async def _check(enter: Enter, rules: Rules, seconds: float, checks: Sequence[Check]) -> None:
    for check in checks:
        async with MiniArena(rules, seconds=seconds) as arena:
            try:
                async with enter(arena):
                    await arena.welcome()
                    await check(arena)
            except BotFault as fault:
                raise BotFault(f"{check.__name__.replace('_', ' ')}: {fault}") from fault
