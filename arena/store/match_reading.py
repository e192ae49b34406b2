# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches read back from their tables."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Select, func, select

from arena.store import tables
from arena.store.rows import EventRow, MatchRow, PlayerRow, StoredMatch

_SEATS = tuple(
    (tables.players.alias(f"player{seat}"), tables.versions.alias(f"version{seat}"), tables.bots.alias(f"bot{seat}"))
    for seat in (0, 1)
)
_COLUMNS = [column.name for column in tables.matches.columns]
_BUFFERED = 100
"""Events that are fetched at once."""
_AT_ONCE = 500
"""Number of matches whose events one query fetches."""


@cache
def match_query() -> Select[Any]:
    """Return the query for matches with their players; the caller adds which, and in what order."""
    columns: list[Any] = [tables.matches]
    source: Any = tables.matches
    for seat, (player, version, bot) in enumerate(_SEATS):
        of_seat = (player.c.match_id == tables.matches.c.id) & (player.c.seat == seat)
        source = source.join(player, of_seat).join(version, version.c.id == player.c.version_id)
        source = source.join(bot, bot.c.id == player.c.bot_id)
        fields = [bot.c.id, bot.c.name, bot.c.kind, version.c.id, version.c.label]
        fields += [player.c.rating_before, player.c.rating_after, bot.c.owner]
        columns += [field.label(f"seat{seat}_{number}") for number, field in enumerate(fields)]
    return select(*columns).select_from(source)


def read_rows(connection: Connection, query: Select[Any], values: Mapping[str, Any] | None = None) -> list[MatchRow]:
    """Return the matches of a query made of ``match_query``, with ``values`` for its parameters."""
    return [read_row(row) for row in connection.execute(query, values)]


def with_events(
    connection: Connection,
    rows: Sequence[MatchRow],
    shorten: Callable[[bytes], bytes] = bytes,
    most: int | None = None,
) -> list[StoredMatch]:
    """Return the matches with their events, each as ``shorten`` makes it of its first ``most`` characters (all: None);
    few are in memory otherwise.
    """
    found: dict[int, list[EventRow]] = {row.id: [] for row in rows}
    event = tables.events.c
    for first in range(0, len(rows), _AT_ONCE):
        ids = [row.id for row in rows[first : first + _AT_ONCE]]
        body = event.body if most is None else func.substr(event.body, 1, most).label("body")
        query = select(event.match_id, event.number, body).where(event.match_id.in_(ids))
        query = query.order_by(event.match_id, event.number)
        query = query.execution_options(stream_results=True, max_row_buffer=_BUFFERED)
        for match_id, of_match in groupby(connection.execute(query), key=lambda row: row.match_id):
            found[match_id] = [EventRow(row.number, shorten(row.body.encode())) for row in of_match]
    return [StoredMatch(row, found[row.id]) for row in rows]


def read_events(
    connection: Connection, match_id: int, first: int, last: int, shorten: Callable[[bytes], bytes]
) -> list[EventRow]:
    """Return the events of a match from one number to another, both included, each as ``shorten`` makes it."""
    event = tables.events.c
    query = select(event.number, event.body).where(event.match_id == match_id, event.number.between(first, last))
    query = query.order_by(event.number).execution_options(stream_results=True, max_row_buffer=_BUFFERED)
    return [EventRow(row.number, shorten(row.body.encode())) for row in connection.execute(query)]


def read_row(row: Row[Any]) -> MatchRow:
    """Return the match in a row of a query made of ``match_query``."""
    count = len(_COLUMNS)
    width = (len(row) - count) // 2
    own = dict(zip(_COLUMNS, row[:count], strict=True))
    own["opening"] = tuple(msgspec.json.decode(own["opening"], type=list[str]))
    first, second = PlayerRow(*row[count : count + width]), PlayerRow(*row[count + width :])
    return MatchRow(**own, players=(first, second))
