# SPDX-License-Identifier: GPL-3.0-or-later
"""Populations that are bred, generation by generation, and the genomes of bots that were."""

import time
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, delete, func, insert, select, update

from arena.store import tables
from arena.store.cursors import read_id, write_cursor
from arena.store.errors import Conflict, NameTaken, UnknownPopulation
from arena.store.reader import Reader
from arena.store.rows import GenerationRow, GenomeRow, Page, PopulationRow, RatedRow
from arena.store.texts import storable
from arena.store.upsert import insert_new
from arena.store.writer import Writer

_population, _generation, _genome = tables.populations.c, tables.generations.c, tables.genomes.c
_bot, _version, _rating = tables.bots.c, tables.versions.c, tables.ratings.c


class Populations:
    """Populations of the evolution. Each report names its generation number: none is missing, and none is stored
    twice.
    """

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def add(self, name: str, game: str, config: bytes) -> PopulationRow:
        """Record a population that has no generation yet. Raises NameTaken; the same one again is no other."""
        values = {"name": storable(name), "game": game, "config": config.decode(), "length": 0, "created": time.time()}

        def work(connection: Connection) -> PopulationRow:
            query = select(tables.populations).where(_population.name == values["name"])
            known = connection.execute(query).one_or_none()
            if known is not None:
                row = PopulationRow(**known._mapping)
                if (row.game, row.config) != (values["game"], values["config"]):
                    raise NameTaken(f"there is another population called {row.name}")
                return row
            row_of = insert(tables.populations).returning(_population.id)
            (number,) = connection.execute(row_of, values).one()
            return _get(connection, number)

        return await self._writer.run(work)

    async def get(self, number: int) -> PopulationRow:
        """Return a population. Raises UnknownPopulation."""
        return await self._reader.run(lambda connection: _get(connection, number))

    async def page(self, *, after: str | None = None, limit: int = 50) -> Page[PopulationRow]:
        """Return the populations, the newest first. Raises BadCursor."""
        query = select(tables.populations).order_by(_population.id.desc()).limit(limit + 1)
        if after is not None:
            query = query.where(_population.id < read_id(after))
        found = await self._reader.run(
            lambda connection: [PopulationRow(**row._mapping) for row in connection.execute(query)]
        )
        return Page(found[:limit], write_cursor(found[limit - 1].id) if len(found) > limit else None)

    async def append(self, population: int, number: int, body: bytes) -> None:
        """Add the next generation. The same again does no harm.

        Raises UnknownPopulation, and Conflict where that number is not the next, or another one has it.
        """
        row = {"population_id": population, "number": number, "body": body.decode(), "created": time.time()}

        def work(connection: Connection) -> None:
            length = _get(connection, population).length
            if number == length:
                connection.execute(insert(tables.generations), row)
                grown = update(tables.populations).where(_population.id == population)
                connection.execute(grown.values(length=length + 1))
                return
            query = select(_generation.body).where(
                _generation.population_id == population, _generation.number == number
            )
            if connection.scalar(query) != row["body"]:
                raise Conflict(f"population {population} has {length} generations; the next is {length}, not {number}")

        await self._writer.run(work)

    async def generations(
        self, population: int, *, since: int = 0, every: int = 1, limit: int = 1_000
    ) -> list[GenerationRow]:
        """Return generations in order, from number ``since`` on, those whose number is divisible by ``every``."""
        query = select(_generation.number, _generation.body, _generation.created)
        query = query.where(_generation.population_id == population, _generation.number >= since)
        if every > 1:
            query = query.where(_generation.number % every == 0)
        query = query.order_by(_generation.number).limit(limit)
        return await self._reader.run(
            lambda connection: [
                GenerationRow(number, body.encode(), created) for number, body, created in connection.execute(query)
            ]
        )

    async def express(self, version: int, game: str, body: bytes, *, anew: bool = False) -> None:
        """Record the genome and ancestry of a bot's version; keep an existing record unless ``anew`` is set."""
        row = {"version_id": version, "game": game, "body": body.decode()}

        def work(connection: Connection) -> None:
            if anew:
                connection.execute(delete(tables.genomes).where(_genome.version_id == version))
            connection.execute(insert_new(connection, tables.genomes), row)

        await self._writer.run(work)

    async def genome(self, bot: str, version: str) -> GenomeRow | None:
        """Return the genome record of a bot's version, without its rating."""
        query = (
            select(_bot.id, _bot.name, _version.label, _genome.game, _genome.body)
            .join(tables.versions, _version.id == _genome.version_id)
            .join(tables.bots, _bot.id == _version.bot_id)
            .where(func.lower(_bot.name) == bot.lower(), _version.label == version)
        )
        found = await self._reader.run(lambda connection: connection.execute(query).first())
        return None if found is None else GenomeRow(*found, None, 0)

    async def genomes(self, game: str, *, limit: int = 100) -> Sequence[GenomeRow]:
        """Return the genomes that play a game, the best rated first; those of removed bots are left out."""
        rated = tables.ratings
        query = (
            select(_bot.id, _bot.name, _version.label, _genome.game, _genome.body, _rating.rating, _rating.games)
            .select_from(tables.genomes)
            .join(tables.versions, _version.id == _genome.version_id)
            .join(tables.bots, _bot.id == _version.bot_id)
            .outerjoin(rated, (_rating.version_id == _genome.version_id) & (_rating.game == _genome.game))
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

    async def bred(self, bot: int, limit: int) -> list[tuple[str, str]]:
        """Return which versions of a bot were bred, and for which game, the newest ``limit`` first."""
        query = (
            select(_version.label, _genome.game)
            .join(tables.versions, _version.id == _genome.version_id)
            .where(_version.bot_id == bot)
            .order_by(_version.id.desc())
            .limit(limit)
        )
        found = await self._reader.run(lambda connection: connection.execute(query).all())
        return [(version, game) for version, game in found]

    async def rated(self, game: str, versions: Collection[tuple[str, str]]) -> list[RatedRow]:
        """Return the standings of versions in a game, by bot name and label; versions without matches are omitted."""
        names = {name.lower() for name, _ in versions}
        rated = tables.ratings
        query = (
            select(_bot.id, _bot.name, _version.label, _rating.rating, _rating.games)
            .select_from(rated)
            .join(tables.versions, _version.id == _rating.version_id)
            .join(tables.bots, _bot.id == _version.bot_id)
            .where(func.lower(_bot.name).in_(names), _version.label.in_({label for _, label in versions}))
            .where(_rating.game == game)
        )
        found = await self._reader.run(lambda connection: [RatedRow(*row) for row in connection.execute(query)])
        return [row for row in found if (row.bot, row.version) in versions]


def _get(connection: Connection, number: int) -> PopulationRow:
    row = connection.execute(select(tables.populations).where(_population.id == number)).one_or_none()
    if row is None:
        raise UnknownPopulation(f"no population has the number {number}")
    return PopulationRow(**row._mapping)
