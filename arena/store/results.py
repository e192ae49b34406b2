# SPDX-License-Identifier: GPL-3.0-or-later
"""Daily result counts by pair of players: the input of rating fits.

The database counts; no match is read by itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BigInteger, Connection, Select, cast, func, select

from arena.store import tables
from arena.store.database.engines import Reader
from arena.store.ratings import leader_query, leader_row
from arena.store.rows import LeaderRow, MatchRow, OpponentRow, SeriesRow
from engine.match.ending import SCORES

DAY = 86_400
"""Seconds."""

_BLOCK = 10_000
"""Rows that are fetched together."""

_PLACES = {result: round(2 - 2 * first) for result, (first, _) in SCORES.items()}
"""The place of a result among seat 0's wins, draws and losses."""


@dataclass(frozen=True, slots=True, eq=False)
class MeetingRows:
    """The versions that have played most, and in rows of equal length how their rated matches ended."""

    leaders: list[LeaderRow]
    """By Elo, the best first; the removed are among them."""
    removed: frozenset[int]
    """The ids of versions whose bots may no longer connect."""
    days: NDArray[np.int64]
    """Days since 1970 on which the matches ended."""
    first: NDArray[np.int64]
    """The version on seat 0, by index in ``leaders``."""
    second: NDArray[np.int64]
    outcomes: NDArray[np.float64]
    """In rows of three how often seat 0 won, drew and lost."""

    @property
    def bots(self) -> NDArray[np.int64]:
        """The bot ids of the versions, by index in ``leaders``."""
        return np.array([leader.bot_id for leader in self.leaders], dtype=np.int64)

    @property
    def before(self) -> NDArray[np.int64]:
        """For each the place of the bot's newest earlier version among them; -1 where there is none."""
        before = np.full(len(self.leaders), -1, dtype=np.int64)
        newest: dict[int, int] = {}
        for place in sorted(range(len(self.leaders)), key=lambda place: self.leaders[place].rating_row.version_id):
            bot_id = self.leaders[place].bot_id
            before[place] = newest.get(bot_id, -1)
            newest[bot_id] = place
        return before


class MatchResults:
    """The results of the rated matches of a game and a time class, counted."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def games(self, game: str, time_class: str) -> int:
        """Return the number of finished rated matches; rating fits are current until it changes."""
        rating = tables.ratings.c
        query = select(func.coalesce(func.sum(rating.games), 0)).where(
            rating.game == game, rating.time_class == time_class
        )
        return await self._reader.run(lambda connection: int(connection.execute(query).scalar_one()) // 2)

    async def read(self, game: str, time_class: str, most: int) -> MeetingRows:
        """Return the matches between those ``most`` versions that have played most, seen at one moment."""
        return await self._reader.run(lambda connection: _read(connection, game, time_class, most))

    async def of_bot(self, bot_id: int, game: str, time_class: str, *, limit: int = 100) -> list[OpponentRow]:
        """Return a bot's results against each opponent in rated matches, over all versions; most games first."""
        return await self._reader.run(lambda connection: _opponents(connection, bot_id, game, time_class)[:limit])

    async def series(self, match: MatchRow) -> SeriesRow:
        """Return the other matches between the players of a match."""
        return await self._reader.run(lambda connection: _series(connection, match))


_NEAR = 1_000
"""Matches of a bot before, after and up to now in which a series is looked for."""


def _series(connection: Connection, row: MatchRow) -> SeriesRow:
    match = tables.matches.c
    twin = row.pair
    if twin is None:
        # the second match of a pair starts soon after the first
        near = select(match.id).where(match.id > row.id, match.id <= row.id + _NEAR, match.pair == row.id).limit(1)
        twin = connection.execute(near).scalar()
    one, other = (player.bot_id for player in row.players)
    if one == other:
        return SeriesRow(twin, None, None, 0, 0, 0)
    own, opponent = tables.players.alias("own"), tables.players.alias("opponent")
    of_one = select(own.c.match_id, own.c.seat).where(own.c.bot_id == one, own.c.live.is_(False))

    def found(*which: Any, newest: bool = True) -> Select[Any]:
        """Return the query for the matches of the series among the first ones that one bot has on either side."""
        number = own.c.match_id.desc() if newest else own.c.match_id
        part = of_one.where(*which).order_by(number).limit(_NEAR).subquery()
        return (
            select(part.c.match_id, part.c.seat, match.result)
            .join(tables.matches, match.id == part.c.match_id)
            .join(opponent, (opponent.c.match_id == part.c.match_id) & (opponent.c.seat != part.c.seat))
            .where(opponent.c.bot_id == other, match.game == row.game, match.time_class == row.time_class)
            .order_by(part.c.match_id.desc() if newest else part.c.match_id)
        )

    results = [0, 0, 0]
    for each in connection.execute(found()):
        if (place := _PLACES.get(each.result)) is not None:
            results[2 - place if each.seat else place] += 1
    before, after = found(own.c.match_id < row.id), found(own.c.match_id > row.id, newest=False)
    return SeriesRow(
        twin,
        connection.execute(before.limit(1)).scalar(),
        connection.execute(after.limit(1)).scalar(),
        *results,
    )


def _opponents(connection: Connection, bot_id: int, game: str, time_class: str) -> list[OpponentRow]:
    match, bot = tables.matches.c, tables.bots.c
    own, other = tables.players.alias("own"), tables.players.alias("other")
    keys = other.c.bot_id, own.c.seat, match.result
    counted = (
        select(*keys, func.count().label("number"))
        .select_from(own)
        .join(tables.matches, match.id == own.c.match_id)
        .join(other, (other.c.match_id == own.c.match_id) & (other.c.seat != own.c.seat))
        .where(own.c.bot_id == bot_id, own.c.live.is_(False), match.rated, match.result.in_(tuple(_PLACES)))
        .where(match.game == game, match.time_class == time_class)
        .group_by(*keys)
    )
    found: dict[int, list[int]] = {}
    for row in connection.execute(counted):
        place = _PLACES[row.result]
        found.setdefault(row.bot_id, [0, 0, 0])[2 - place if row.seat else place] += row.number
    named = select(bot.id, bot.name, bot.kind).where(bot.id.in_(found))
    rows = [OpponentRow(row.id, row.name, row.kind, *found[row.id]) for row in connection.execute(named)]
    return sorted(rows, key=lambda row: (-row.games, row.bot.lower()))


def _read(connection: Connection, game: str, time_class: str, most: int) -> MeetingRows:
    rating, match = tables.ratings.c, tables.matches.c
    listed = rating.game == game, rating.time_class == time_class
    frequent = select(rating.version_id).where(*listed).order_by(rating.games.desc(), rating.version_id).limit(most)
    query = leader_query(game, time_class).where(rating.version_id.in_(frequent))
    rows = connection.execute(query.add_columns(tables.bots.c.removed)).all()
    leaders = [leader_row(place, row) for place, row in enumerate(rows, 1)]
    removed = frozenset(row.version_id for row in rows if row.removed is not None)
    sides = [tables.players.alias(f"player_{seat}") for seat in (0, 1)]
    day = cast(match.finished, BigInteger) // DAY
    keys = (day, sides[0].c.version_id, sides[1].c.version_id, match.result)
    counted = select(*keys, func.count()).select_from(tables.matches).group_by(*keys)
    for seat, side in enumerate(sides):
        counted = counted.join(side, (side.c.match_id == match.id) & (side.c.seat == seat))
        counted = counted.where(side.c.version_id.in_(frequent))
    counted = counted.where(match.game == game, match.status == "finished", match.time_class == time_class)
    counted = counted.where(match.rated, match.result.in_(tuple(_PLACES)))
    places = {leader.rating_row.version_id: place for place, leader in enumerate(leaders)}
    found = connection.execute(counted, execution_options={"yield_per": _BLOCK})
    blocks = [
        np.array([(on, places[one], places[other], _PLACES[result], count) for on, one, other, result, count in block])
        for block in found.partitions()
    ]
    table = np.concatenate([np.zeros((0, 5), dtype=np.int64), *blocks])
    outcomes = np.zeros((len(table), 3))
    outcomes[np.arange(len(table)), table[:, 3]] = table[:, 4]
    return MeetingRows(leaders, removed, table[:, 0], table[:, 1], table[:, 2], outcomes)
