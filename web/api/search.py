# SPDX-License-Identifier: GPL-3.0-or-later
"""REST route of the search over bots, tournaments and matches, which every page has."""

import asyncio
from typing import Annotated

from msgspec import Meta

from arena.application import Arena
from web.api.endpoint import Answer, Endpoint, Query

FOUND = 8
"""Maximum number of bots in an answer, and of tournaments."""


class SearchQuery(Query, frozen=True):
    """What to search for."""

    text: Annotated[
        str, Meta(min_length=1, max_length=100, description="A part of a name, in any case; or the number of a match.")
    ]


class FoundName(Answer, frozen=True):
    """A bot or a tournament."""

    id: int
    name: str
    """Name of the bot or the tournament."""


class SearchAnswer(Answer, frozen=True):
    """The first bots and tournaments, those first whose names begin with the text, and a match."""

    bots: list[FoundName]
    """Bots whose name contains the text, at most 8."""
    tournaments: list[FoundName]
    """Tournaments whose name contains the text, at most 8."""
    match: int | None
    """The match whose number is the text."""


async def search(arena: Arena, query: SearchQuery) -> SearchAnswer:
    """Search bots and tournaments by name, and matches by number."""
    text = query.text.strip()
    if not text:
        return SearchAnswer(bots=[], tournaments=[], match=None)
    names = arena.store.names
    bots, tournaments, match = await asyncio.gather(
        names.bots(text, FOUND), names.tournaments(text, FOUND), _match(arena, text)
    )
    return SearchAnswer(
        bots=[FoundName(row.id, row.name) for row in bots],
        tournaments=[FoundName(row.id, row.name) for row in tournaments],
        match=match,
    )


async def _match(arena: Arena, text: str) -> int | None:
    """Return the number of the match that ``text`` writes, with or without a "#", if there is such a match."""
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 15):
        return None
    found = await arena.store.matches.row(int(digits))
    return found.id if found else None


ENDPOINTS = (Endpoint("GET", "/api/v1/search", search),)
