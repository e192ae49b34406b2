# SPDX-License-Identifier: GPL-3.0-or-later
"""Paginated lists of matches by index: the match numbers on a page, at the same cost for every page."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, select

from arena.store import tables
from arena.store.cursors import read_id, write_cursor
from arena.store.match_reading import match_query, read_rows
from arena.store.rows import MatchRow, MatchStatus, Page

_match, _player = tables.matches.c, tables.players.c


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches a list holds."""

    statuses: tuple[MatchStatus, ...]
    game: str | None = None
    bot_id: int | None = None
    tournament: int | None = None
    ended: tuple[float, float] | None = None
    """From the one Unix time on and before the other."""
    public: bool = False
    """Whether a bot's list omits live matches that hide the players."""


@dataclass(frozen=True, slots=True)
class Part:
    """The page's bounds: older than one cursor or newer than the other; without cursors the newest matches."""

    after: str | None
    before: str | None
    limit: int


def read_page(connection: Connection, wanted: Wanted, part: Part) -> Page[MatchRow]:
    """Return a page, the newest first. Raises BadCursor."""
    older = None if part.after is None else read_id(part.after)
    newer = None if part.before is None else read_id(part.before)
    bound = None if wanted.ended is None else _started_before(connection, wanted.ended[1])
    ids: list[int] = []
    # each status has an index of its own; together they give the page
    for status in wanted.statuses:
        keys, number = _keys(status, wanted)
        if older is not None:
            keys = keys.where(number < older)
        if newer is not None:
            keys = keys.where(number > newer)
        if bound is not None:
            keys = keys.where(number <= bound)
        keys = keys.order_by(number.desc() if newer is None else number).limit(part.limit + 1)
        ids += connection.execute(keys).scalars()
    ids.sort(reverse=newer is None)
    shown = ids[: part.limit]
    if not shown:
        return Page([], None)
    more = len(ids) > part.limit or newer is not None  # a page of newer matches has its own cursor's match after it
    rows = read_rows(connection, match_query().where(_match.id.in_(shown)).order_by(_match.id.desc()))
    return Page(rows, write_cursor(rows[-1].id) if more else None, write_cursor(rows[0].id))


def _keys(status: MatchStatus, wanted: Wanted) -> tuple[Select[Any], Any]:
    """Return the query for the numbers of a status, and the column they are in."""
    number: Any = _match.id
    keys: Select[Any] = select(number).where(_match.status == status)
    if wanted.bot_id is not None:
        # One row a match, even where a bot plays itself; this way round the list starts at the bot's own index.
        number = _player.match_id
        keys = select(number).distinct().where(_player.bot_id == wanted.bot_id, _player.live.is_(status == "live"))
        hiding = wanted.public and status == "live"
        if hiding or (wanted.game, wanted.tournament, wanted.ended) != (None, None, None):
            keys = keys.join(tables.matches, _match.id == number)
        if hiding:
            keys = keys.where(_match.anonymous.is_(False))
    if wanted.game is not None:
        keys = keys.where(_match.game == wanted.game)
    if wanted.tournament is not None:
        keys = keys.where(_match.tournament == wanted.tournament)
    if wanted.ended is not None:
        keys = keys.where(_match.finished >= wanted.ended[0], _match.finished < wanted.ended[1])
    return keys, number


def _started_before(connection: Connection, moment: float) -> int:
    """Return the greatest number of a match that started before a Unix time, or 0.

    Matches are numbered as they start, so bisection finds it by about twenty look-ups of the primary key. A list of
    matches that ended before that time starts there, and skips only the matches that were live then.
    """
    query = select(_match.id, _match.started).where(_match.id <= bindparam("most")).order_by(_match.id.desc()).limit(1)
    low, high = 0, connection.execute(select(func.max(_match.id))).scalar() or 0
    while low < high:
        middle = (low + high + 1) // 2
        row = connection.execute(query, {"most": middle}).first()
        if row is None or row.started < moment:
            low = middle
        else:
            high = row.id - 1
    return low
