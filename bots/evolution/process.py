# SPDX-License-Identifier: GPL-3.0-or-later
"""The breeder's process: evolves a small population beside an arena, and lets its champion play there."""

import asyncio
import logging
import sys
from typing import TextIO

from arena.protocol.orders import BreedingOrders, HostProgress
from bots.child_process import leave, obey, report
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.breeding import VERSION, Arenas, Breed
from bots.evolution.genome import schema_for
from bots.evolution.hosted_population import Breeder
from bots.evolution.seats import Seats

log = logging.getLogger(__name__)

_AGAIN = 5.0
"""Seconds until a retry if the arena does not answer."""
_YOUNG = 50
"""Generations after which breeding slows down, because old populations change less and records cost space."""


async def breed(orders: BreedingOrders) -> None:
    """Breed until cancelled."""
    schema = schema_for(orders.game)
    kind = Breed(VERSION, schema.name, "kendall-whitwell", orders.size, orders.seed)
    seats = Seats(orders.url, asyncio.get_running_loop())
    seats.admit(orders.bot, orders.bot_token)
    rest = RestClient(orders.url, orders.token)
    breeder = Breeder(kind, f"built-in, {schema.name}", rest, orders.bot, every=orders.every, seats=seats)
    begun = False
    with await asyncio.to_thread(Arenas, schema.game, 1) as arenas:
        report(HostProgress(ready=True))
        try:
            while True:
                try:
                    if not begun:
                        await asyncio.to_thread(breeder.begin)
                        begun = True
                        report(HostProgress(settled=True))
                    await asyncio.to_thread(breeder.step, arenas)
                    age = breeder.kept.population.generation
                    await asyncio.sleep(orders.pace * max(1.0, age / _YOUNG))
                except RequestRefused as error:
                    # another process reported, so the arena's state counts
                    log.warning("the arena refuses a generation: %s", error)
                    begun = False
                    await asyncio.sleep(_AGAIN)
                except OSError as error:
                    log.info("the arena does not answer: %s", error)
                    await asyncio.sleep(_AGAIN)
        finally:
            await seats.close()


def main(told: TextIO = sys.stdin) -> int:
    """Read the orders and breed; returns the exit code."""
    return obey("breeder", BreedingOrders, breed, told)


if __name__ == "__main__":
    leave(main())
