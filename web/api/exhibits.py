# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of evolved bots: uploaded by their owners, public to read."""

import asyncio
from typing import Annotated, Any

from msgspec import Meta, Struct

from arena.application import Arena
from arena.evolution.exhibits import keep, kept
from arena.evolution.populations import Name
from arena.protocol.exhibits import Exhibit
from arena.store.rows import BotRow
from web.api.access import BOT
from web.api.endpoint import Answer, Endpoint, Query
from web.errors import BadRequest, NotAllowed, NotFound


class ExhibitAnswer(Answer, frozen=True):
    """A version of a bot taken apart."""

    bot: str
    bot_id: int
    version: str
    game: str
    genome: dict[str, Any]
    """The genome itself, as a file has it."""
    exhibit: Exhibit


class OneExhibit(Query, frozen=True):
    """Which version of which bot."""

    bot: Annotated[str, Meta(min_length=1, max_length=100)]
    version: Annotated[str, Meta(min_length=1, max_length=100)]


class ExhibitOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """What a version of the bot that says it was bred to be."""

    version: Name
    game: Name
    genome: dict[str, Any]
    exhibit: Exhibit


class Exhibited(Struct, frozen=True):
    """A version that can be shown."""

    bot: str
    version: str


async def get_exhibit(arena: Arena, query: OneExhibit) -> ExhibitAnswer:
    """Return the genome view of an evolved bot: its program, its parameters and its search traces."""
    row = await arena.store.populations.genome(query.bot, query.version)
    found = None if row is None else await asyncio.to_thread(kept, row.body)
    if row is None or found is None or found.exhibit is None:
        raise NotFound(f"nothing is known of what {query.bot[:40]!r} {query.version[:40]!r} was bred to be")
    return ExhibitAnswer(
        bot=row.bot,
        bot_id=row.bot_id,
        version=row.version,
        game=row.game,
        genome=found.genome,
        exhibit=found.exhibit,
    )


async def exhibit(arena: Arena, author: BotRow, order: ExhibitOrder) -> Exhibited:
    """Store the genome view of a built-in bot's version, replacing an earlier one."""
    if author.kind != "built-in":
        # others could say anything: their operator says it, by `arena bots add --genome`
        raise NotAllowed("only built-in bots may report genome views")
    if order.game not in arena.registry.games:
        raise BadRequest(f"{order.game[:40]!r} is not played here")
    version = await arena.store.bots.version(author.id, order.version)
    await arena.store.populations.express(version.id, order.game, keep(order.genome, order.exhibit), anew=True)
    return Exhibited(author.name, version.label)


ENDPOINTS = (
    Endpoint("GET", "/api/v1/exhibits", get_exhibit),
    Endpoint("POST", "/api/v1/exhibits", exhibit, access=BOT),
)
