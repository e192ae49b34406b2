# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of populations: public reads, and reports by breeders with an operator's token."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from aiohttp import web
from msgspec import Meta, Struct

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.features.genomes.api import genomes_of_game
from arena.features.populations import OWNER
from arena.features.populations.analysis import (
    CountedGeneration,
    Node,
    ReadingView,
    SharesOverTime,
    family,
    forebears,
    read,
    shares_over_time,
)
from arena.features.populations.breeding import Breeding
from arena.features.populations.records import GenerationRow, PopulationRecords, PopulationRow
from arena.features.populations.reports import (
    BadReport,
    GenerationReport,
    MemberReport,
    Name,
    PopulationSpec,
    check_generation,
    check_spec,
)
from arena.store.errors import BadName, Conflict, NameTaken
from web.api.access import OPERATOR
from web.api.endpoint import Answer, Endpoint, GameName, One, OnePage, Query
from web.api.games import list_games, recorded
from web.errors import BadRequest, Conflicting, NotFound
from web.feature import LobbySection, WebPart
from web.language import Text
from web.pages import show

ACTIVE = 5
"""Populations in the lobby at most."""

POINTS = 300
"""Generations in a course at most, about evenly apart."""

RECENT, ANCESTORS = 100, 40
"""Generations to search for the ancestors of the best, and maximum number of ancestors in the answer, by first
parents.
"""


class PopulationAnswer(Answer, frozen=True):
    """A population in a list."""

    id: int
    name: str
    """Name of the population."""
    game: str
    schema: str
    """Name of the schema of its genomes, which says what each gene controls."""
    dynamics: str
    """Name of the rule that makes a generation from the one before, such as moran or cma_es."""
    generations: int
    """Number of stored generations."""
    created: float


class PopulationsAnswer(Answer, frozen=True):
    """A page of populations, the newest first."""

    items: list[PopulationAnswer]
    next: str | None
    own: str
    """Game of the population that the server evolves itself; "" for none."""


class ActivePopulationAnswer(Struct, frozen=True):
    """A population with the time of its newest generation."""

    id: int
    name: str
    """Name of the population."""
    game: str
    generations: int
    """Number of stored generations."""
    newest: float
    """Time at which the newest generation was stored, as Unix time in seconds."""


class ActivePopulationsAnswer(Struct, frozen=True):
    """The populations, the one with the newest generation first."""

    items: list[ActivePopulationAnswer]


class ActivePopulations(Query, frozen=True):
    """Parameters of the active populations; without a game: of all games."""

    game: GameName | None = None


class GenerationAnswer(Answer, frozen=True):
    """The weights of a generation: a mean and a deviation for each gene."""

    number: int
    """Number of the generation."""
    games: int
    """Number of games of the population up to this generation."""
    mean: list[float]
    """Mean value of each gene over the members, in the order of `genes` of the settings."""
    sigma: list[float]
    """Standard deviation of each gene over the members, in the same order."""


class MemberRating(Answer, frozen=True):
    """A member's standing on the ladder."""

    member: int
    """Number of the member in its population."""
    bot_id: int
    """Number of the bot that plays by the member's genome."""
    rating: float
    """Rating of the version that plays by the member's genome."""
    games: int
    """Number of rated matches behind the rating."""


class Forebear(Answer, frozen=True):
    """A member, and the member whose measured strength is shown for it: itself, or its nearest measured ancestor."""

    member: int
    """Number of the member."""
    tried: int
    """Number of the member whose strength was measured."""


class PopulationDetailAnswer(PopulationAnswer, frozen=True):
    """A population: its history, its present members, and the ancestry of the best."""

    spec: PopulationSpec
    """The settings with which the population was registered."""
    course: list[GenerationAnswer]
    """Its generations, oldest first; of many, at most 300 about evenly apart."""
    newest: GenerationReport | None
    """The newest generation with all members; null before the first one."""
    lineage: list[MemberReport]
    """The best member, then its nearest ancestors by first parents."""
    family: list[Node]
    """The family tree of the members by first parents, over the last generations."""
    shares: SharesOverTime | None
    """The strategies of its members over the generations of `course`; null where genomes are no strategies with names,
    and before the second generation."""
    reading: ReadingView | None
    """The results of the last games between the members."""
    forebears: list[Forebear]
    """For each member, the member whose measured strength is shown for it."""
    ratings: list[MemberRating]
    """Ladder ratings of the members that play as bots and have rated matches."""


class SeatsOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """The bots that play for a population."""

    names: Annotated[list[Name], Meta(min_length=1, max_length=1_100)]
    """Names of the bots; the arena registers those that are new."""


class SeatAnswer(Struct, frozen=True):
    """A bot that plays for a population, and its new token; the previous token becomes invalid."""

    name: str
    """Name of the bot."""
    token: str
    """The token with which the bot connects. It is not shown again."""


class SeatsAnswer(Struct, frozen=True):
    """Bots that play for a population."""

    items: list[SeatAnswer]


class GenerationStored(Struct, frozen=True):
    """A generation that is in the records."""

    population: int
    """Number of the population."""
    number: int
    """Number of the stored generation."""


async def list_populations(arena: Arena, query: OnePage) -> PopulationsAnswer:
    """List populations, the newest first."""
    page = await arena.store.records(PopulationRecords).page(after=query.after, limit=query.limit)
    return PopulationsAnswer(items=[_answer(row) for row in page.items], next=page.next, own=arena.part(Breeding).game)


async def list_active_populations(arena: Arena, query: ActivePopulations) -> ActivePopulationsAnswer:
    """List at most 5 populations, the one with the newest generation first."""
    return await _active(arena, query.game)


async def _active(arena: Arena, game: str | None) -> ActivePopulationsAnswer:
    rows = await arena.store.records(PopulationRecords).active(game, ACTIVE)
    return ActivePopulationsAnswer([ActivePopulationAnswer(*row) for row in rows])


async def get_population(arena: Arena, query: One) -> PopulationDetailAnswer:
    """Describe a population: its history, its members and the lineage of its best member."""
    row = await arena.store.records(PopulationRecords).get(query.id)
    every = 1 + row.length // POINTS
    course = await arena.store.records(PopulationRecords).generations(row.id, every=every)
    recent = await arena.store.records(PopulationRecords).generations(row.id, since=max(0, row.length - RECENT))
    found = await asyncio.to_thread(_detail, row, course, recent)
    return msgspec.structs.replace(found, ratings=await _ratings(arena, row.game, found.newest))


async def newest_generation(arena: Arena, query: One) -> GenerationReport:
    """Return the newest generation as the process that evolves the population reported it, with its state to resume."""
    row = await arena.store.records(PopulationRecords).get(query.id)
    rows = await arena.store.records(PopulationRecords).generations(row.id, since=max(0, row.length - 1), limit=1)
    if not rows:
        raise NotFound(f"population {row.id} has no generation yet")
    return await asyncio.to_thread(msgspec.json.decode, rows[0].body, type=GenerationReport)


async def create_population(arena: Arena, spec: PopulationSpec) -> PopulationAnswer:
    """Register a population; repeating the request changes nothing."""
    if spec.game not in arena.registry.games:
        raise BadRequest(f"this arena does not offer the game {spec.game[:40]!r}")
    try:
        check_spec(spec)
        return _answer(
            await arena.store.records(PopulationRecords).add(spec.name, spec.game, msgspec.json.encode(spec))
        )
    except BadReport as error:
        raise BadRequest(str(error)) from None
    except NameTaken as error:
        raise Conflicting(str(error)) from None


async def report_generation(arena: Arena, query: One, report: GenerationReport) -> GenerationStored:
    """Report the next generation of a population; repeating the request changes nothing."""
    row = await arena.store.records(PopulationRecords).get(query.id)
    before = await arena.store.records(PopulationRecords).generations(row.id, since=max(0, report.number - 1), limit=1)
    if report.number > row.length:
        raise Conflicting(f"population {row.id} has {row.length} generations; the next is {row.length}")
    previous = msgspec.json.decode(before[0].body, type=GenerationReport) if before and report.number else None
    try:
        check_generation(msgspec.json.decode(row.config, type=PopulationSpec), report, previous)
        await arena.store.records(PopulationRecords).append(row.id, report.number, msgspec.json.encode(report))
    except BadReport as error:
        raise BadRequest(str(error)) from None
    except Conflict as error:
        raise Conflicting(str(error)) from None
    return GenerationStored(row.id, report.number)


async def give_seats(arena: Arena, query: One, order: SeatsOrder) -> SeatsAnswer:
    """Register the bots of a population's members and champions, with new tokens."""
    row = await arena.store.records(PopulationRecords).get(query.id)
    if len(set(order.names)) < len(order.names):
        # the token of the first would be invalid at once
        raise BadRequest("a name is given twice")
    owner, items = OWNER + row.name, []
    try:
        for name in order.names:
            token = make_token()
            bot = await arena.store.bots.seat(
                name, hash_token(token), owner=owner, description=f"Evolved in {row.name}."
            )
            items.append(SeatAnswer(bot.name, token))
    except (BadName, NameTaken) as error:
        raise BadRequest(str(error)) from None
    return SeatsAnswer(items)


def _answer(row: PopulationRow) -> PopulationAnswer:
    spec = msgspec.json.decode(row.config, type=PopulationSpec)
    return PopulationAnswer.of(row, schema=spec.schema, dynamics=spec.dynamics, generations=row.length)


def _detail(
    row: PopulationRow, course: Sequence[GenerationRow], recent: Sequence[GenerationRow]
) -> PopulationDetailAnswer:
    spec = msgspec.json.decode(row.config, type=PopulationSpec)
    points = [_point(each) for each in course]
    reports = [msgspec.json.decode(each.body, type=GenerationReport) for each in recent]
    # the two are read one after the other: the first generation may have come between them
    if reports and (not points or points[-1].number < reports[-1].number):
        points.append(_point(recent[-1]))
    reading = next((read(one.reading, one.number) for one in reversed(reports) if one.reading is not None), None)
    tried = {player.member for player in reading.players if player.member is not None} if reading else set()
    return PopulationDetailAnswer(
        id=row.id,
        name=row.name,
        game=row.game,
        schema=spec.schema,
        dynamics=spec.dynamics,
        generations=row.length,
        created=row.created,
        spec=spec,
        course=points,
        newest=msgspec.structs.replace(reports[-1], kept=msgspec.Raw(b"{}"), reading=None) if reports else None,
        lineage=_lineage(reports) if reports else [],
        family=family(reports),
        shares=_shares([*course, *recent[-1:]]) if reports and reports[-1].census is not None else None,
        reading=reading,
        forebears=[Forebear(member=one, tried=other) for one, other in forebears(reports, tried).items()],
        ratings=[],
    )


async def _ratings(arena: Arena, game: str, newest: GenerationReport | None) -> list[MemberRating]:
    versions = {
        (member.bot, member.version): member.number for member in (newest.members if newest else ()) if member.bot
    }
    if not versions:
        return []
    return [
        MemberRating(member=versions[row.bot, row.version], bot_id=row.bot_id, rating=row.rating, games=row.games)
        for row in await arena.store.records(PopulationRecords).rated(game, versions)
    ]


def _point(row: GenerationRow) -> GenerationAnswer:
    # of all that a generation holds, no more is read than a point needs
    return msgspec.json.decode(row.body, type=GenerationAnswer)


def _shares(rows: Sequence[GenerationRow]) -> SharesOverTime | None:
    found = {one.number: one for one in (msgspec.json.decode(row.body, type=CountedGeneration) for row in rows)}
    return shares_over_time(list(found.values()))


def _lineage(reports: Sequence[GenerationReport]) -> list[MemberReport]:
    known = {member.number: member for report in reports for member in report.members}
    line = [known[reports[-1].best]]
    while len(line) <= ANCESTORS and line[-1].parents and line[-1].parents[0] in known:
        line.append(known[line[-1].parents[0]])
    return line


async def populations_page(arena: Arena, request: web.Request, query: OnePage) -> web.Response:
    """The list of populations."""
    data = {"games": await list_games(arena), "populations": await list_populations(arena, query)}
    return show(request, "populations/populations.js", Text("Populations"), data)


async def population_page(arena: Arena, request: web.Request, query: One) -> web.Response:
    """A population: weights over generations, members, lineage."""
    answer = await get_population(arena, query)
    genomes = await genomes_of_game(arena, answer.game)
    data = {"title": recorded(answer.game).title, "population": answer, "genomes": genomes}
    return show(request, "populations/population.js", answer.name, data)


EDGE = WebPart(
    endpoints=(
        Endpoint("GET", "/populations", populations_page, menu="Populations", group="Build"),
        Endpoint("GET", "/populations/{id}", population_page),
        Endpoint("GET", "/api/v1/populations", list_populations),
        Endpoint("GET", "/api/v1/active-populations", list_active_populations),
        Endpoint("GET", "/api/v1/populations/{id}", get_population),
        Endpoint("GET", "/api/v1/populations/{id}/newest", newest_generation),
        Endpoint("POST", "/api/v1/populations", create_population, access=OPERATOR),
        Endpoint("POST", "/api/v1/populations/{id}/generations", report_generation, access=OPERATOR, audited=False),
        Endpoint("POST", "/api/v1/populations/{id}/seats", give_seats, access=OPERATOR),
    ),
    lobby_sections=(LobbySection("populations/bred.js", _active),),
    static=Path(__file__).parent / "static",
    styles=("populations/style.css",),
)
