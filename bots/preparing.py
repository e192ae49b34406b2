# SPDX-License-Identifier: GPL-3.0-or-later
"""Getting ready for matches: what compiled code they need is compiled or loaded before any of them is timed."""

import asyncio
import contextlib
import inspect
from collections.abc import Callable, Iterable

from bots.local import Entrant
from bots.threads import Threads
from engine import warm
from engine.game import Game

SOON = 2.0
"""Seconds after which it is told that something is being compiled."""
EVERY = 30.0
"""Seconds between two times that this is told."""


async def prepare(game: Game, entrants: Iterable[Entrant], tell: Callable[[float], None]) -> None:
    """Load the rules of a game and what these bots need to play it, in a thread; compile what was not compiled before.

    ``tell`` is told the seconds so far, now and then, where it takes long. A bot that fails here is not refused: it
    fails again in its first match, where that is judged.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    with Threads(1) as threads:
        work = asyncio.wrap_future(threads.submit(lambda: _load(game, tuple(entrants))))
        wait = SOON
        while not (await asyncio.wait({work}, timeout=wait))[0]:
            tell(loop.time() - began)
            wait = EVERY
        await work


async def _load(game: Game, entrants: Iterable[Entrant]) -> None:
    warm.rules(game)
    for entrant in entrants:
        with contextlib.suppress(Exception):
            bot = entrant.make()
            try:
                await _settled(bot.prepare([game.name]))
            finally:
                await _settled(bot.close())


async def _settled(answer: object) -> None:
    if inspect.isawaitable(answer):
        await answer
