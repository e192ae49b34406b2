# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches as files that other programs read."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta

from arena.application import Arena
from arena.store.rows import MatchRow, StoredMatch
from engine.formats import catalogue
from engine.formats.format import Format
from engine.match import Moved, Termination, decode_event
from engine.record import PlayedMove, Player, Record
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
    text = await asyncio.to_thread(_write, wanted, match)
    return Text(body=text, media_type="text/plain", filename=f"match-{match.row.id}.{wanted.name}")


def formats(game: str) -> list[str]:
    """Return the names of the formats that a game can be written in."""
    return [name for name, each in catalogue().items() if each.covers(game)]


def _write(wanted: Format, match: StoredMatch) -> str:
    return "".join(wanted.write([_record(match.row, match)]))


def _record(row: MatchRow, match: StoredMatch) -> Record:
    events = (decode_event(event.body) for event in match.events)
    first, second = (
        Player(name=player.bot, version=player.version, rating=player.rating_before) for player in row.players
    )
    return Record(
        game=row.game,
        players=(first, second),
        result=row.result or "*",
        start=row.start,
        opening=row.opening,
        moves=tuple(
            PlayedMove(event.move, event.elapsed, event.clock, event.info)
            for event in events
            if isinstance(event, Moved)
        ),
        termination=Termination(row.termination) if row.termination else None,
        detail=row.detail,
        time_control=row.time_control,
        seed=row.seed,
        event="Rated match" if row.rated else "Match",
        site="Bot Arena",
        started=_moment(row.started),
        finished=_moment(row.finished) if row.finished else None,
    )


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


ROUTES = (Route("/matches/{id}/export", OneExport, Text, export_match, media_types=("text/plain",)),)
