# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings: leaderboards, rating histories, and rating changes by results."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, or_, select, update

from arena.rating import elo
from arena.store import tables
from arena.store.database.engines import Reader
from arena.store.rows import (
    ALL_LEADERS,
    HistoryRow,
    Id,
    LeaderFilter,
    LeaderRow,
    Page,
    RatingChangeRow,
    RatingRow,
    TrendRow,
    read_cursor,
    write_cursor,
)
from arena.store.tables import insert_new, storable
from engine.match.ending import FORFEITS

FAILURES = FORFEITS
"""Terminations by which a win says more of the opponent's program than of its play."""

_rating = tables.ratings.c
_COLUMNS = [column.name for column in tables.ratings.columns]
_BOTH = (
    select(tables.ratings)
    .where(_rating.version_id.in_((bindparam("first"), bindparam("second"))))
    .where(_rating.game == bindparam("game"), _rating.time_class == bindparam("time_class"))
    .order_by(_rating.version_id)
)
_own, _earlier = tables.versions.alias("own").c, tables.versions.alias("earlier").c
_BEFORE = (
    select(_rating.rating)
    .join(_earlier.id.table, _earlier.id == _rating.version_id)
    .join(_own.id.table, (_own.bot_id == _earlier.bot_id) & (_own.id > _earlier.id))
    .where(_own.id == bindparam("version"))
    .where(_rating.game == bindparam("game"), _rating.time_class == bindparam("time_class"))
    .order_by(_earlier.id.desc())
    .limit(1)
)
_UPDATE = update(tables.ratings).where(
    _rating.version_id == bindparam("of_version"),
    _rating.game == bindparam("of_game"),
    _rating.time_class == bindparam("of_time_class"),
)


class Ratings:
    """The ratings of versions, each in a game and a time class."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def get(self, version_id: int, game: str, time_class: str) -> RatingRow:
        """Return a version's standing; a version without matches has its initial rating."""
        query = select(tables.ratings).filter_by(version_id=version_id, game=game, time_class=time_class)

        def read(connection: Connection) -> RatingRow:
            row = connection.execute(query).one_or_none()
            return _rating_row(row._mapping if row else _unplayed(connection, version_id, game, time_class))

        return await self._reader.run(read)

    async def of_bot(self, bot_id: int, limit: int | None = None) -> list[RatingRow]:
        """Return the standings of a bot's versions in all games, the newest version first; at most ``limit`` (None:
        all).
        """
        query = (
            select(tables.ratings)
            .join(tables.versions)
            .where(tables.versions.c.bot_id == bot_id)
            .order_by(tables.ratings.c.version_id.desc(), tables.ratings.c.game, tables.ratings.c.time_class)
            .limit(limit)
        )
        return await self._reader.run(
            lambda connection: [_rating_row(row._mapping) for row in connection.execute(query)]
        )

    async def leaderboard(
        self,
        game: str,
        time_class: str,
        *,
        after: str | None = None,
        limit: int = 100,
        chosen: LeaderFilter = ALL_LEADERS,
    ) -> Page[LeaderRow]:
        """Return the best first, the removed left out; of equals the older version first. Raises BadCursor.

        Without a filter each page costs the same; with one, the ranks of all versions are counted.
        """
        rating = tables.ratings.c
        query = leader_query(game, time_class).where(tables.bots.c.removed.is_(None)).limit(limit + 1)
        rank = 0
        if chosen != ALL_LEADERS:
            query = _filtered(query, chosen)
        if after is not None:
            rank, points, version_id = read_cursor(after, tuple[Id, float, Id])
            # The first condition is redundant; it lets the database start at an index.
            query = query.where(rating.rating <= points, or_(rating.rating < points, rating.version_id > version_id))

        def read(connection: Connection) -> list[LeaderRow]:
            found = connection.execute(query).all()
            if chosen == ALL_LEADERS:
                return [leader_row(place, row) for place, row in enumerate(found, rank + 1)]
            ranks = _ranks(connection, game, time_class) if found else {}
            return [leader_row(ranks[row.version_id], row) for row in found]

        found = await self._reader.run(read)
        if len(found) <= limit:
            return Page(found, None)
        last = found[limit - 1]
        return Page(found[:limit], write_cursor((last.rank, last.rating_row.rating, last.rating_row.version_id)))

    async def history(self, bot_id: int, game: str, time_class: str, *, limit: int = 1000) -> list[HistoryRow]:
        """Return the ratings of a bot after each of its newest ``limit`` rated matches, in the order they ended."""
        match, player, version = tables.matches.c, tables.players.c, tables.versions.c
        query = (
            select(match.finished, match.id, version.label, player.rating_after)
            .join(tables.matches, match.id == player.match_id)
            .join(tables.versions, version.id == player.version_id)
            .where(player.bot_id == bot_id, player.live.is_(False), player.rating_after.is_not(None))
            .where(match.game == game, match.time_class == time_class)
            .order_by(player.match_id.desc())
            .limit(limit)
        )
        rows = await self._reader.run(lambda connection: connection.execute(query).all())
        return sorted((HistoryRow(*row) for row in rows), key=lambda row: (row.finished, row.match_id))

    async def trends(self, bot_ids: Sequence[int], game: str, time_class: str) -> list[TrendRow]:
        """Return the newest Elo ratings of the versions of some bots, from at most ``TREND`` rated matches of each
        version among the newest ``_NEAR`` matches of its bot. Versions without such matches are left out.
        """
        return await self._reader.run(lambda connection: _trends(connection, bot_ids, game, time_class))


TREND = 30
"""Maximum number of matches of a trend."""

_NEAR = 200
"""Newest matches of a bot in which a trend looks for rated matches of the game and time class."""


def _trends(connection: Connection, bot_ids: Sequence[int], game: str, time_class: str) -> list[TrendRow]:
    match, player, version = tables.matches.c, tables.players.c, tables.versions.c
    newest = (
        select(player.match_id, player.version_id, player.rating_before, player.rating_after)
        .where(player.bot_id == bindparam("bot"), player.live.is_(False))
        .order_by(player.match_id.desc())
        .limit(_NEAR)
        .subquery()
    )
    query: Select[Any] = (
        select(version.label, newest.c.rating_before, newest.c.rating_after, match.finished)
        .select_from(newest)
        .join(tables.matches, match.id == newest.c.match_id)
        .join(tables.versions, version.id == newest.c.version_id)
        .where(newest.c.rating_after.is_not(None), match.game == game, match.time_class == time_class)
        .order_by(newest.c.match_id.desc())
    )
    found = []
    for bot_id in bot_ids:
        of_versions: dict[str, list[Row[Any]]] = {}
        for row in connection.execute(query, {"bot": bot_id}):
            rows = of_versions.setdefault(row.label, [])
            if len(rows) < TREND:
                rows.append(row)
        for label, rows in of_versions.items():
            ratings = [rows[-1].rating_before, *(row.rating_after for row in reversed(rows))]
            found.append(TrendRow(bot_id, label, rows[-1].finished, ratings))
    return found


def _filtered(query: Select[Any], chosen: LeaderFilter) -> Select[Any]:
    """Return a query of ``leader_query`` for the lines that a filter admits."""
    bot, rating = tables.bots.c, tables.ratings.c
    if chosen.kind is not None:
        query = query.where(bot.kind == chosen.kind)
    if chosen.name:
        query = query.where(func.lower(bot.name).contains(storable(chosen.name).lower(), autoescape=True))
    if chosen.since is not None:
        query = query.where(rating.last_played > chosen.since)
    return query


def _ranks(connection: Connection, game: str, time_class: str) -> dict[int, int]:
    """Return the rank of each listed version in the whole leaderboard, by the version's id."""
    query = leader_query(game, time_class).where(tables.bots.c.removed.is_(None))
    numbers = connection.scalars(query.with_only_columns(tables.ratings.c.version_id))
    return {number: rank for rank, number in enumerate(numbers, 1)}


def leader_query(game: str, time_class: str) -> Select[Any]:
    """Return the query for the lines of a leaderboard, the best first; of equals the older version first."""
    rating, version, bot = tables.ratings.c, tables.versions.c, tables.bots.c
    return (
        select(tables.ratings, bot.id.label("bot_id"), bot.name, bot.kind, version.label)
        .join(tables.versions, version.id == rating.version_id)
        .join(tables.bots, bot.id == version.bot_id)
        .where(rating.game == game, rating.time_class == time_class)
        .order_by(rating.rating.desc(), rating.version_id)
    )


def leader_row(rank: int, row: Row[Any]) -> LeaderRow:
    """Return the line of a leaderboard that such a query found."""
    return LeaderRow(rank, row.bot_id, row.name, row.kind, row.label, _rating_row(row._mapping))


def current(connection: Connection, version_ids: tuple[int, int], game: str, time_class: str) -> tuple[float, float]:
    """Return the current ratings of two versions; a version without matches has its initial rating."""
    values = _values(version_ids, game, time_class)
    known = {row.version_id: row.rating for row in connection.execute(_BOTH, values)}
    for version_id in version_ids:
        if version_id not in known:
            known[version_id] = initial(connection, version_id, game, time_class)
    first, second = (known[version_id] for version_id in version_ids)
    return first, second


def initial(connection: Connection, version_id: int, game: str, time_class: str) -> float:
    """Return a version's initial rating: the current rating of the bot's newest rated earlier version, or 1500.

    So new versions of a known bot neither gain rating themselves nor give it to their opponents.
    """
    values = {"version": version_id, "game": game, "time_class": time_class}
    before: float | None = connection.execute(_BEFORE, values).scalar()
    return elo.INITIAL if before is None else before


def change(
    connection: Connection,
    version_ids: tuple[int, int],
    game: str,
    time_class: str,
    score: float,
    payoffs: tuple[float, float],
    played: float,
    *,
    failure: bool = False,
    own: bool = False,
) -> tuple[RatingChangeRow, RatingChangeRow]:
    """Change the ratings of two versions after a match, in the connection's transaction.

    Elo ratings follow from ``score``, that of the first: 1, 0.5 or 0. ``payoffs``: the points of both.

    ``failure``: whether the loser failed to play on (``FAILURES``); ``own``: whether both bots have the same owner.

    Matches that end at once and share players wait for each other, but never in a circle: a transaction has locked the
    versions of all its matches before, see ``locking``.
    """
    values = _values(version_ids, game, time_class)
    rows = {row.version_id: row for row in connection.execute(_BOTH, values)}
    if len(rows) < 2:
        unplayed = sorted(set(version_ids) - rows.keys())
        new = [_unplayed(connection, version_id, game, time_class) for version_id in unplayed]
        connection.execute(insert_new(connection, tables.ratings), new)
        rows = {row.version_id: row for row in connection.execute(_BOTH, values)}
    first, second = (elo.EloRating(rows[each].rating, rows[each].games) for each in version_ids)
    after = elo.rate(first, second, score)
    changes = tuple(
        RatingChangeRow(version_id, before.rating, rating)
        for version_id, before, rating in zip(version_ids, (first, second), after, strict=True)
    )
    updates = [
        {
            "of_version": change.version_id,
            "of_game": game,
            "of_time_class": time_class,
            "rating": change.after,
            "games": row.games + 1,
            "wins": row.wins + (points == 1),
            "draws": row.draws + (points == 0.5),
            "losses": row.losses + (points == 0),
            "last_change": change.after - change.before,
            "last_played": played,
            "wins_by_failure": row.wins_by_failure + (failure and points == 1),
            "own_games": row.own_games + own,
            "payoff_sum": row.payoff_sum + won,
            "payoff_squares": row.payoff_squares + won * won,
        }
        for change, points, won in zip(changes, (score, 1 - score), payoffs, strict=True)
        for row in (rows[change.version_id],)
    ]
    connection.execute(_UPDATE, updates)
    return changes[0], changes[1]


def _values(version_ids: tuple[int, int], game: str, time_class: str) -> dict[str, int | str]:
    first, second = version_ids
    return {"first": first, "second": second, "game": game, "time_class": time_class}


def _unplayed(connection: Connection, version_id: int, game: str, time_class: str) -> dict[str, Any]:
    counts = dict.fromkeys(("games", "wins", "draws", "losses", "wins_by_failure", "own_games"), 0)
    key = {"version_id": version_id, "game": game, "time_class": time_class}
    start = initial(connection, version_id, game, time_class)
    sums = {"last_change": 0.0, "payoff_sum": 0.0, "payoff_squares": 0.0}
    return {**key, "rating": start, "initial": start, **counts, **sums, "last_played": None}


def _rating_row(row: Mapping[Any, Any]) -> RatingRow:
    return RatingRow(**{name: row[name] for name in _COLUMNS}, provisional=row["games"] < elo.PROVISIONAL_GAMES)
