# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of matches as files: PGN, PDN, JSON lines and the other formats of records."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated

from msgspec import Meta

from arena.application import Arena
from arena.matches.search_info import shortened
from arena.records.export import LeftOut, MatchFilter, Scribe, as_text, chosen, tournament_of, uncovered
from arena.store import Store
from arena.watching.disclosure import hides
from engine.formats import Format, catalogue
from web.answer_limits import READING
from web.api.endpoint import LATEST, Endpoint, GameName, Moment, Number, Query, Stream, Text
from web.api.matches import check_open, find_match
from web.errors import BadRequest, NotFound

FormatName = Annotated[str, Meta(max_length=16, extra_json_schema={"enum": sorted(catalogue())})]


class OneExport(Query, frozen=True):
    """Parameters: a match and a format."""

    id: Number
    format: FormatName
    """Format of the file."""


async def export_match(arena: Arena, query: OneExport) -> Text:
    """Export a match in the standard format of its game (PGN, PDN) or as a line of JSON."""
    async with READING.taken():
        match = await find_match(arena, query.id)
        check_open(match.row)
        wanted = catalogue().get(query.format)
        if wanted is None or not wanted.covers(match.row.game):
            there = ", ".join(formats(match.row.game))
            raise BadRequest(f"{match.row.game} has no format {query.format[:16]!r}; choose one of: {there}")
        tournament = await tournament_of(arena.store, match.row)
        text = await asyncio.to_thread(as_text, match, wanted, tournament)
    return Text(body=text, media_type="text/plain", filename=f"match-{match.row.id}.{wanted.name}")


class SomeExports(Query, frozen=True):
    """Parameters: a format, and filters for finished matches."""

    format: FormatName
    """Format of the file."""
    game: GameName | None = None
    bot: Number | None = None
    """Only matches of this bot."""
    tournament: Number | None = None
    """Only matches of this tournament."""
    since: Moment | None = None
    """Only matches that ended at this time or later."""
    until: Moment | None = None
    """Only matches that ended before this time."""
    people: bool = True
    """Whether matches in which a person played are included."""


async def export_matches(arena: Arena, query: SomeExports) -> Stream:
    """Export finished matches, newest first, filtered by bot, tournament or time."""
    wanted = catalogue().get(query.format)
    if wanted is None:
        raise BadRequest(f"unknown format {query.format!r}; choose one of: {', '.join(sorted(catalogue()))}")
    if query.game is not None and not wanted.covers(query.game):
        raise BadRequest(uncovered(wanted, query.game))
    if query.bot is not None and await arena.store.bots.get(query.bot) is None:
        raise NotFound(f"no bot has the number {query.bot}")
    name = "matches"
    if query.tournament is not None:
        name = f"tournament-{(await arena.store.tournaments.get(query.tournament)).id}"
    ended = (query.since or 0.0, query.until or LATEST) if query.since or query.until else None
    choice = MatchFilter(query.game, query.bot, query.tournament, ended, people=query.people)
    return Stream(
        parts=_written(arena.store, choice, wanted), media_type="text/plain", filename=f"{name}.{wanted.name}"
    )


async def _written(store: Store, choice: MatchFilter, wanted: Format) -> AsyncGenerator[bytes]:
    """Yield matches as text; skip matches that the format cannot express, or that still hide something. Holds no slot
    while the client reads.
    """
    scribe = Scribe(store, wanted, shortened)
    async for row in chosen(store, choice):
        if hides(row):
            continue
        try:
            async with READING.taken(patient=True):
                text = await scribe.text(row)
        except LeftOut:
            continue
        yield text.encode()


def formats(*games: str) -> list[str]:
    """Return the names of the formats that cover all of these games."""
    return [name for name, each in catalogue().items() if all(map(each.covers, games))]


ENDPOINTS = (
    Endpoint("GET", "/api/v1/matches/export", export_matches, media_type="text/plain"),
    Endpoint("GET", "/api/v1/matches/{id}/export", export_match, media_type="text/plain"),
)
