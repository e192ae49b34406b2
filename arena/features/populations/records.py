# SPDX-License-Identifier: GPL-3.0-or-later
"""Populations and their generations in the database."""

import time
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from msgspec import MsgspecError, json
from sqlalchemy import Connection, Double, Text, func, insert, select, update
from sqlmodel import Field

from arena.features.populations.reports import BadReport, GenerationReport, PopulationSpec, check_generation
from arena.records.verification import Finding
from arena.store.audit import Audit
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.errors import Conflict, NameTaken, Unknown
from arena.store.rows import Page, read_id, write_cursor
from arena.store.tables import Base, bots, key, plain, ratings, reference, storable
from arena.store.tables import versions as versions_table


class Population(Base, table=True):
    """A population; ``config`` is the JSON of its settings, ``length`` its number of generations."""

    id: int | None = Field(default=None, sa_column=key())
    name: str = Field(sa_type=Text, unique=True)
    game: str = Field(sa_type=Text)
    config: str = Field(sa_type=Text)
    length: int = 0
    created: float = Field(sa_type=Double)


class Generation(Base, table=True):
    """A generation of a population; ``body`` is the JSON of its report."""

    population_id: int = Field(sa_column=reference("population.id", primary_key=True))
    number: int = Field(primary_key=True)
    body: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)


_populations, _generations = plain(Population), plain(Generation)
_population, _generation = _populations.c, _generations.c
_bot, _version, _rating = bots.c, versions_table.c, ratings.c

TABLES = (_populations, _generations)


class UnknownPopulation(Unknown):
    """No population has that number."""


@dataclass(frozen=True, slots=True)
class PopulationRow:
    """A population, its generations aside."""

    id: int
    name: str
    game: str
    config: str
    """The settings of the evolution, as JSON."""
    length: int
    """How many generations it has; they are numbered from 0."""
    created: float


class ActivePopulation(NamedTuple):
    """A population with the time of its newest generation."""

    id: int
    name: str
    game: str
    length: int
    newest: float


class GenerationRow(NamedTuple):
    """A generation: its number, its JSON, and when it was reported."""

    number: int
    body: bytes
    created: float


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A version of a bot and its rating in some game."""

    bot_id: int
    bot: str
    version: str
    rating: float
    games: int


class PopulationRecords:
    """The populations. Each report names its generation number: none is missing, and none is stored
    twice.
    """

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def add(self, name: str, game: str, config: bytes) -> PopulationRow:
        """Record a population that has no generation yet. Raises NameTaken; the same one again is no other."""
        values = {"name": storable(name), "game": game, "config": config.decode(), "length": 0, "created": time.time()}

        def work(connection: Connection) -> PopulationRow:
            query = select(_populations).where(_population.name == values["name"])
            known = connection.execute(query).one_or_none()
            if known is not None:
                row = PopulationRow(**known._mapping)
                if (row.game, row.config) != (values["game"], values["config"]):
                    raise NameTaken(f"there is another population called {row.name}")
                return row
            row_of = insert(_populations).returning(_population.id)
            (number,) = connection.execute(row_of, values).one()
            return _get(connection, number)

        return await self._writer.run(work)

    async def get(self, number: int) -> PopulationRow:
        """Return a population. Raises UnknownPopulation."""
        return await self._reader.run(lambda connection: _get(connection, number))

    async def page(self, *, after: str | None = None, limit: int = 50) -> Page[PopulationRow]:
        """Return the populations, the newest first. Raises BadCursor."""
        query = select(_populations).order_by(_population.id.desc()).limit(limit + 1)
        if after is not None:
            query = query.where(_population.id < read_id(after))
        found = await self._reader.run(
            lambda connection: [PopulationRow(**row._mapping) for row in connection.execute(query)]
        )
        return Page(found[:limit], write_cursor(found[limit - 1].id) if len(found) > limit else None)

    async def active(self, game: str | None, limit: int) -> list[ActivePopulation]:
        """Return populations of a game, or of all games, the one with the newest generation first."""
        newest = (_generation.population_id == _population.id) & (_generation.number == _population.length - 1)
        columns = (_population.id, _population.name, _population.game, _population.length)
        query = select(*columns, _generation.created.label("newest")).join(_generations, newest)
        if game is not None:
            query = query.where(_population.game == game)
        query = query.order_by(_generation.created.desc()).limit(limit)
        return await self._reader.run(lambda connection: [ActivePopulation(*row) for row in connection.execute(query)])

    async def append(self, population: int, number: int, body: bytes) -> None:
        """Add the next generation. The same again does no harm.

        Raises UnknownPopulation, and Conflict where that number is not the next, or another one has it.
        """
        row = {"population_id": population, "number": number, "body": body.decode(), "created": time.time()}

        def work(connection: Connection) -> None:
            length = _get(connection, population).length
            if number == length:
                connection.execute(insert(_generations), row)
                grown = update(_populations).where(_population.id == population)
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

    async def rated(self, game: str, versions: Collection[tuple[str, str]]) -> list[RatedRow]:
        """Return the standings of versions in a game, by bot name and label; versions without matches are omitted."""
        names = {name.lower() for name, _ in versions}
        query = (
            select(_bot.id, _bot.name, _version.label, _rating.rating, _rating.games)
            .select_from(ratings)
            .join(versions_table, _version.id == _rating.version_id)
            .join(bots, _bot.id == _version.bot_id)
            .where(func.lower(_bot.name).in_(names), _version.label.in_({label for _, label in versions}))
            .where(_rating.game == game)
        )
        found = await self._reader.run(lambda connection: [RatedRow(*row) for row in connection.execute(query)])
        return [row for row in found if (row.bot, row.version) in versions]


def _get(connection: Connection, number: int) -> PopulationRow:
    row = connection.execute(select(_populations).where(_population.id == number)).one_or_none()
    if row is None:
        raise UnknownPopulation(f"no population has the number {number}")
    return PopulationRow(**row._mapping)


def check_populations(audit: Audit, checked: Counter[str]) -> Iterator[Finding]:
    """Check every generation against its population's genes and the generation before."""
    count = select(func.count()).where(_generation.population_id == _population.id).scalar_subquery()
    wrong = select(_population.id, _population.length, count).where(_population.length != count)
    for number, length, stored in audit.stream(wrong):
        yield Finding("a population has the generations it says", f"population {number}", f"{length}, not {stored}")
    for population, rows in groupby(_all_generations(audit), key=itemgetter(0)):
        before: GenerationReport | None = None
        where = f"population {population.id}"
        try:
            spec = json.decode(population.config, type=PopulationSpec)
            for expected, (_, row) in enumerate(rows):
                checked["generations"] += 1
                where = f"population {population.id}, generation {row.number}"
                generation = json.decode(row.body, type=GenerationReport)
                if not row.number == generation.number == expected:
                    raise BadReport(f"this row should be generation {expected}")
                check_generation(spec, generation, before)
                before = generation
        except (MsgspecError, BadReport) as error:
            yield Finding("a generation follows from the one before", where, str(error))


def _all_generations(audit: Audit) -> Iterator[tuple[PopulationRow, GenerationRow]]:
    """Yield the generations of every population, in order of number."""
    for row in list(audit.stream(select(_populations).order_by(_population.id))):
        population = PopulationRow(**row._mapping)
        query = select(_generation.number, _generation.body, _generation.created)
        query = query.where(_generation.population_id == population.id).order_by(_generation.number)
        for number, body, created in audit.stream(query):
            yield population, GenerationRow(number, body.encode(), created)
