# SPDX-License-Identifier: GPL-3.0-or-later
"""The server's own population: its settings, and the breeder, a child process of the lowest priority."""

from dataclasses import dataclass
from functools import partial

import structlog

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.feature import Part, Serving
from arena.features.populations import BREEDER, CHAMPION
from arena.hosting.supervisor import Supervisor
from arena.protocol.orders import BreedingOrders
from arena.settings import check_values, setting
from arena.store.errors import NameTaken
from engine.native import child

COMMAND = partial(child.command, "bots.evolution.process")
HOST = "populations"
"""The breeder's name in ``Arena.hosting``: the feature's."""

log = structlog.get_logger("arena.serve")


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationSettings:
    """The settings of the server's own population. Durations are in seconds."""

    breeding: str = setting(
        "checkers",
        "Game for which the server evolves a small population of evaluation weights, in a process of the lowest "
        "priority. `none`, or a game that is not offered: no population.",
    )
    breeding_size: int = setting(
        20, "Number of members of the population of the setting `breeding`.", least=2, most=1000
    )
    breeding_pace: float = setting(
        5.0, "Minimum time between two generations of the population of the setting `breeding`."
    )
    breeding_every: int = setting(
        10,
        "Number of generations between two tests of the population's best member against the champion, the genome "
        "that won the last test.",
        least=1,
    )

    def __post_init__(self) -> None:
        check_values(self)


class Breeding(Part):
    """The feature's part of an arena."""

    game: str = ""
    """The game of the population that the server evolves, or will evolve when nothing else compiles; "" for none."""


async def keep_breeder(arena: Arena, serving: Serving) -> None:
    """Evolve a population beside a server until cancelled, unless the settings say otherwise."""
    part, game = arena.part(Breeding), arena.settings.of(PopulationSettings).breeding
    if not serving.built_in_bots or game not in arena.registry.games:
        arena.hosting.hosts(HOST, ())
        return
    part.game = game
    await serving.settled()
    if await breeding_orders(arena, serving.url) is None:
        part.game = ""
        log.info("no population evolves", game=game)
        return

    async def orders(pid: int) -> BreedingOrders:
        found = await breeding_orders(arena, serving.url, pid)
        assert found is not None, "the settings do not change"
        return found

    await Supervisor(orders, partial(arena.hosting.heard, HOST), COMMAND, name="breeder").run()


async def breeding_orders(arena: Arena, url: str, pid: int | None = None) -> BreedingOrders | None:
    """Return the breeder's orders for a process, with fresh tokens; None when it has no bot."""
    settings = arena.settings.of(PopulationSettings)
    token, bot_token = make_token(), make_token()
    try:
        bot = await arena.store.bots.admit_built_in(
            CHAMPION, hash_token(bot_token), description="The champion of the population that evolves here."
        )
    except NameTaken as error:
        log.warning("no population evolves", why=str(error))
        bot = None
    if bot is None:
        arena.hosting.hosts(HOST, ())
        return None
    arena.store.operators.admit(BREEDER, hash_token(token))
    if pid is not None:
        arena.processor_time.settle(pid, [bot.id])
    return BreedingOrders(
        url=url,
        token=token,
        bot=bot.name,
        bot_token=bot_token,
        game=settings.breeding,
        size=settings.breeding_size,
        pace=settings.breeding_pace,
        every=settings.breeding_every,
    )
