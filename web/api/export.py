# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches as files that other programs read."""

import asyncio
from typing import Annotated

from msgspec import Meta

from arena.application import Arena
from arena.records import as_text, tournament_of
from engine.formats import catalogue
from web.api.matches import find_match
from web.api.route import Number, Query, Route, Text
from web.errors import BadRequest


class OneExport(Query, frozen=True):
    """Which match, and how it shall be written."""

    id: Number
    format: Annotated[str, Meta(max_length=16, extra_json_schema={"enum": sorted(catalogue())})]


async def export_match(arena: Arena, query: OneExport) -> Text:
    """Write a match in a format of the field (PDN, for draughts), or as a line of JSON."""
    match = await find_match(arena, query.id)
    wanted = catalogue().get(query.format)
    if wanted is None or not wanted.covers(match.row.game):
        there = ", ".join(formats(match.row.game))
        raise BadRequest(f"{match.row.game} cannot be written as {query.format[:16]!r}; there is: {there}")
    tournament = await tournament_of(arena.store, match.row)
    text = await asyncio.to_thread(as_text, match, wanted, tournament)
    return Text(body=text, media_type="text/plain", filename=f"match-{match.row.id}.{wanted.name}")


def formats(game: str) -> list[str]:
    """Return the names of the formats that a game can be written in."""
    return [name for name, each in catalogue().items() if each.covers(game)]


ROUTES = (Route("/matches/{id}/export", OneExport, Text, export_match, media_types=("text/plain",)),)
