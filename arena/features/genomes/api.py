# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of genomes and genome views: reported by operators and built-in bots, read by everybody."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Raw, Struct

from arena.application import Arena
from arena.features.genomes.records import GenomeRecords, GenomeRow
from arena.protocol.genome_views import GenomeView
from arena.store.rows import BotRow
from web.api.access import BOT, OPERATOR
from web.api.bots import NEWEST, find_bot
from web.api.endpoint import Answer, Endpoint, GameName, One, Query
from web.api.games import offered
from web.errors import BadRequest, NotAllowed, NotFound
from web.feature import BotSection, WebPart

Name = Annotated[str, Meta(min_length=1, max_length=80)]


class GenomeAnswer(Answer, frozen=True):
    """The genome of a bot's version."""

    bot: str
    """Name of the bot that plays by the genome."""
    bot_id: int
    """Number of that bot."""
    version: str
    game: str
    genome: Raw
    """The genome as its author wrote it: JSON that the arena does not interpret."""
    has_view: bool
    """Whether /genome-views has a view of it."""
    rating: float | None
    """Rating of the version in the game; null: it has no rated match there. A version with ratings in several time
    classes has an entry for each."""
    games: int
    """Number of rated matches behind the rating."""


class GenomesAnswer(Answer, frozen=True):
    """The genomes that play a game, the best rated first."""

    items: list[GenomeAnswer]


class GenomesOf(Query, frozen=True):
    """Which game."""

    game: GameName


class BotGenomeAnswer(Answer, frozen=True):
    """A version with a genome, and the game that the genome plays."""

    version: str
    """Label of the version that plays by the genome."""
    game: str
    """Name of the game that the genome plays."""


class BotGenomesAnswer(Answer, frozen=True):
    """The versions of a bot that have a genome, newest first."""

    items: list[BotGenomeAnswer]


class GenomeOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """The genome of a bot's version."""

    bot: Name
    """Name of the bot that plays by the genome."""
    version: Name
    """Label of the bot's version; a version has one genome, which later requests replace."""
    game: Name
    """Name of the game that the genome plays."""
    genome: dict[str, Any]
    """The genome, as in its file: JSON that the arena does not interpret."""


class GenomeStored(Struct, frozen=True):
    """A version whose genome is stored."""

    bot: str
    """Name of the bot."""
    version: str


class GenomeViewAnswer(Answer, frozen=True):
    """The genome of a bot's version, and its view."""

    bot: str
    """Name of the bot that plays by the genome."""
    bot_id: int
    """Number of that bot."""
    version: str
    game: str
    genome: Raw
    """The genome as its author wrote it."""
    view: GenomeView
    """The genome in parts that pages draw, with its searches on some positions."""


class OneVersion(Query, frozen=True):
    """Which version of which bot."""

    bot: Annotated[str, Meta(min_length=1, max_length=100)]
    """Name of the bot."""
    version: Annotated[str, Meta(min_length=1, max_length=100)]
    """Label of the version."""


class GenomeViewOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """The genome of a version of the bot that sends it, and its view."""

    version: Name
    """Label of the version that plays by the genome, of the bot that sends the request."""
    game: Name
    """Name of the game that the genome plays."""
    genome: dict[str, Any]
    """The genome, as in its file: JSON that the arena does not interpret."""
    view: GenomeView
    """The genome in parts that pages draw; it replaces an earlier view of the version."""


async def list_genomes(arena: Arena, query: GenomesOf) -> GenomesAnswer:
    """List the bots that play by genomes in a game, best rating first."""
    offered(arena, query.game)
    return await genomes_of_game(arena, query.game)


async def genomes_of_game(arena: Arena, game: str) -> GenomesAnswer:
    """Return the bots that play by genomes in a game, offered or not, best rating first."""
    rows = await arena.store.records(GenomeRecords).of_game(game)
    return GenomesAnswer(items=await asyncio.to_thread(lambda: [_answer(row) for row in rows]))


async def list_bot_genomes(arena: Arena, query: One) -> BotGenomesAnswer:
    """List the versions of a bot that have a genome, newest first."""
    return await _genomes_of(arena, await find_bot(arena, query.id))


async def _genomes_of(arena: Arena, bot: BotRow) -> BotGenomesAnswer:
    found = await arena.store.records(GenomeRecords).of_bot(bot.id, NEWEST)
    return BotGenomesAnswer(items=[BotGenomeAnswer(version=version, game=game) for version, game in found])


async def store_genome(arena: Arena, body: GenomeOrder) -> GenomeStored:
    """Store the genome of a bot's version; register the version if it is new."""
    _check_game(arena, body.game)
    bot = await arena.store.bots.named(body.bot)
    if bot is None or bot.removed is not None:
        raise BadRequest(f"no bot is called {body.bot[:40]!r}")
    version = await arena.store.bots.version(bot.id, body.version)
    await arena.store.records(GenomeRecords).put(version.id, body.game, body.genome)
    return GenomeStored(bot.name, version.label)


async def get_genome_view(arena: Arena, query: OneVersion) -> GenomeViewAnswer:
    """Return the genome view of an evolved bot: its program, its parameters and its search traces."""
    row = await arena.store.records(GenomeRecords).get(query.bot, query.version)
    view = None if row is None else await asyncio.to_thread(lambda: row.view)
    if row is None or view is None:
        raise NotFound(f"there is no genome view of {query.bot[:40]!r} {query.version[:40]!r}")
    return GenomeViewAnswer(
        bot=row.bot, bot_id=row.bot_id, version=row.version, game=row.game, genome=row.genome, view=view
    )


async def store_genome_view(arena: Arena, author: BotRow, body: GenomeViewOrder) -> GenomeStored:
    """Store the genome view of a built-in bot's version, replacing an earlier one."""
    if author.kind != "built-in":
        # other bots could report anything; their operator uses `arena genome`
        raise NotAllowed("only built-in bots may report genome views")
    _check_game(arena, body.game)
    version = await arena.store.bots.version(author.id, body.version)
    await arena.store.records(GenomeRecords).put(version.id, body.game, body.genome, body.view, replace=True)
    return GenomeStored(author.name, version.label)


def _check_game(arena: Arena, game: str) -> None:
    if game not in arena.registry.games:
        raise BadRequest(f"this arena does not offer the game {game[:40]!r}")


def _answer(row: GenomeRow) -> GenomeAnswer:
    return GenomeAnswer(
        bot=row.bot,
        bot_id=row.bot_id,
        version=row.version,
        game=row.game,
        genome=row.genome,
        has_view=row.has_view,
        rating=row.rating,
        games=row.games,
    )


EDGE = WebPart(
    anywhere=True,
    endpoints=(
        Endpoint("GET", "/api/v1/genomes", list_genomes),
        Endpoint("GET", "/api/v1/bots/{id}/genomes", list_bot_genomes),
        Endpoint("GET", "/api/v1/genome-views", get_genome_view),
        Endpoint("POST", "/api/v1/genomes", store_genome, access=OPERATOR),
        Endpoint("POST", "/api/v1/genome-views", store_genome_view, access=BOT),
    ),
    bot_sections=(BotSection("genomes/section.js", _genomes_of),),
    static=Path(__file__).parent / "static",
    styles=("genomes/style.css",),
)
