# SPDX-License-Identifier: GPL-3.0-or-later
"""The breeder's process: breeds a small population beside an arena, and lets its champion play there.

It is told what to do by one line of JSON on its standard input and tells of its progress in lines of JSON on its
standard output; it ends with its standard input. It stands back behind all other processes.
"""

import asyncio
import contextlib
import logging
import sys
from typing import TextIO

import msgspec

from bots.evolution.breeder import EVERY, Breeder, Refused
from bots.evolution.breeding import VERSION, Arenas, Breed
from bots.evolution.door import Door
from bots.evolution.genes import schema_for
from bots.evolution.obeying import obey
from bots.evolution.seats import Seats

log = logging.getLogger(__name__)

_AGAIN = 5.0
"""Seconds after which an arena that does not answer is asked again."""
_YOUNG = 50
"""Generations after which a population is bred ever more slowly: it changes less, and the records shall not swell."""


class Orders(msgspec.Struct, frozen=True):
    """What the process is told: the arena, an operator's token, whom champions play as, and what to breed."""

    url: str
    token: str
    bot: str
    bot_token: str
    game: str
    size: int = 20
    seed: int = 1
    pace: float = 5.0
    """Seconds from one generation to the next, at least; more when the population is old."""
    every: int = EVERY
    """Generations between two champions."""


class Progress(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the process tells: what it is preparing, or that it breeds."""

    warming: str = ""
    ready: bool = False
    settled: bool = False
    """Whether its bots have been told to play."""


async def breed(orders: Orders) -> None:
    """Breed until cancelled."""
    schema = schema_for(orders.game)
    kind = Breed(VERSION, schema.name, "kendall-whitwell", orders.size, orders.seed)
    seats = Seats(orders.url, asyncio.get_running_loop())
    seats.admit(orders.bot, orders.bot_token)
    door = Door(orders.url, orders.token)
    breeder = Breeder(kind, f"built-in, {schema.name}", door, orders.bot, every=orders.every, seats=seats)
    begun = False
    with await asyncio.to_thread(Arenas, schema.game, 1) as arenas:
        _tell(Progress(ready=True))
        try:
            while True:
                try:
                    if not begun:
                        await asyncio.to_thread(breeder.begin)
                        begun = True
                        _tell(Progress(settled=True))
                    await asyncio.to_thread(breeder.step, arenas)
                    age = breeder.kept.population.generation
                    await asyncio.sleep(orders.pace * max(1.0, age / _YOUNG))
                except Refused as error:
                    # somebody else reported: what the arena has is what there is
                    log.warning("the arena refuses a generation: %s", error)
                    begun = False
                    await asyncio.sleep(_AGAIN)
                except OSError as error:
                    log.info("the arena does not answer: %s", error)
                    await asyncio.sleep(_AGAIN)
        finally:
            await seats.close()


def _tell(progress: Progress) -> None:
    with contextlib.suppress(BrokenPipeError):
        print(msgspec.json.encode(progress).decode(), flush=True)


def main(told: TextIO = sys.stdin) -> int:
    """Read the orders and breed; returns the exit code."""
    return obey("breeder", Orders, breed, told)
