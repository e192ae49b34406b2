# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes of bots' versions in the database, with their views. Genomes are JSON that the records do not interpret."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from msgspec import Raw, Struct
from sqlalchemy import Connection, Text, delete, func, select
from sqlmodel import Field

from arena.protocol.genome_views import GenomeView
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.tables import Base, bots, insert_new, plain, ratings, reference, versions


class Genome(Base, table=True):
    """The genome of a bot's version; ``body`` is the JSON of the genome, or of ``_WithView``."""

    version_id: int = Field(sa_column=reference("version.id", primary_key=True))
    game: str = Field(sa_type=Text)
    body: str = Field(sa_type=Text)


_genomes = plain(Genome)
_genome, _bot, _version, _rating = _genomes.c, bots.c, versions.c, ratings.c

TABLES = (_genomes,)


class _WithView(Struct, frozen=True):
    genome: Raw
    view: Raw


@dataclass(frozen=True, slots=True)
class GenomeRow:
    """The genome of a bot's version, and the rating of that version in the genome's game."""

    bot_id: int
    bot: str
    version: str
    game: str
    body: str
    rating: float | None
    games: int

    @property
    def genome(self) -> Raw:
        """The genome as JSON."""
        found = self._with_view()
        return Raw(self.body.encode()) if found is None else found.genome

    @property
    def has_view(self) -> bool:
        """Whether there is a view."""
        return self._with_view() is not None

    @property
    def view(self) -> GenomeView | None:
        """The view."""
        found = self._with_view()
        return None if found is None else msgspec.json.decode(found.view, type=GenomeView)

    def _with_view(self) -> _WithView | None:
        try:
            return msgspec.json.decode(self.body, type=_WithView)
        except msgspec.ValidationError:
            return None


class GenomeRecords:
    """The genomes of bots' versions."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def put(
        self, version: int, game: str, genome: object, view: GenomeView | None = None, *, replace: bool = False
    ) -> None:
        """Store the genome of a version, and its view; keep the existing record unless ``replace`` is set."""
        body = msgspec.json.encode(genome if view is None else {"genome": genome, "view": view})
        row = {"version_id": version, "game": game, "body": body.decode()}

        def work(connection: Connection) -> None:
            if replace:
                connection.execute(delete(_genomes).where(_genome.version_id == version))
            connection.execute(insert_new(connection, _genomes), row)

        await self._writer.run(work)

    async def get(self, bot: str, version: str) -> GenomeRow | None:
        """Return the genome of a bot's version, without its rating."""
        query = (
            select(_bot.id, _bot.name, _version.label, _genome.game, _genome.body)
            .join(versions, _version.id == _genome.version_id)
            .join(bots, _bot.id == _version.bot_id)
            .where(func.lower(_bot.name) == bot.lower(), _version.label == version)
        )
        found = await self._reader.run(lambda connection: connection.execute(query).first())
        return None if found is None else GenomeRow(*found, None, 0)

    async def of_game(self, game: str, *, limit: int = 100) -> Sequence[GenomeRow]:
        """Return the genomes that play a game, the best rated first, without those of removed bots."""
        query = (
            select(_bot.id, _bot.name, _version.label, _genome.game, _genome.body, _rating.rating, _rating.games)
            .select_from(_genomes)
            .join(versions, _version.id == _genome.version_id)
            .join(bots, _bot.id == _version.bot_id)
            .outerjoin(ratings, (_rating.version_id == _genome.version_id) & (_rating.game == _genome.game))
            .where(_genome.game == game, _bot.removed.is_(None))
            .order_by(_rating.rating.is_(None), _rating.rating.desc(), _genome.version_id)
            .limit(limit)
        )
        return await self._reader.run(
            lambda connection: [
                GenomeRow(number, bot, version, game, body, rating, games or 0)
                for number, bot, version, game, body, rating, games in connection.execute(query)
            ]
        )

    async def of_bot(self, bot: int, limit: int) -> list[tuple[str, str]]:
        """Return the newest versions of a bot that have a genome: label and game."""
        query = (
            select(_version.label, _genome.game)
            .join(versions, _version.id == _genome.version_id)
            .where(_version.bot_id == bot)
            .order_by(_version.id.desc())
            .limit(limit)
        )
        found = await self._reader.run(lambda connection: connection.execute(query).all())
        return [(version, game) for version, game in found]
