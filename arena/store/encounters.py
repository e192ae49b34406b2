# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of one bot, or of two bots against each other, counted by the database; and the first moves of the
matches of a bot or of a game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, func, literal, or_, select

from arena.store import tables
from arena.store.database.engines import Reader

OPENINGS = 20
"""Maximum number of openings that a list of two bots has."""

NEWEST = 1_000
"""Newest matches of a bot, or of a game, whose first moves are read."""

SEARCHED = 5_000
"""Newest matches of a bot among which those of one game are looked for."""


@dataclass(frozen=True, slots=True)
class ResultCount:
    """A number of finished matches of a bot that have the same result for it."""

    time_class: str
    seat: int
    rated: bool
    result: str
    termination: str
    matches: int


@dataclass(frozen=True, slots=True)
class MetCount:
    """A number of finished matches between two bots; seat and result as in ``ResultCount``, of the first bot."""

    game: str
    time_class: str
    seat: int
    rated: bool
    result: str
    matches: int


@dataclass(frozen=True, slots=True)
class OpeningCount:
    """The results of two bots after an opening that the arena chose."""

    start: str | None
    opening: list[str]
    wins: int
    """Of the first bot; likewise the others."""
    draws: int
    losses: int

    @property
    def matches(self) -> int:
        """How often they played it."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class FromStart:
    """Which matches begin an opening tree."""

    game: str
    start: str
    """The usual start of the game, as text."""
    time_class: str | None = None
    """None: all."""


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """The first moves of a match."""

    match_id: int
    seat: int
    """Of the bot."""
    result: str
    opening: list[str]
    events: list[bytes]
    """The first events after the opening, as ``shorten`` made them."""


class Encounters:
    """Counts over the finished matches of bots."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def of_bot(self, bot_id: int, game: str, version: str | None = None) -> list[ResultCount]:
        """Return the counts of a bot's matches in a game, over all its versions or those of one version."""
        match, player = tables.matches.c, tables.players.c
        keys = match.time_class, player.seat, match.rated, match.result, match.termination
        query = (
            select(*keys, func.count())
            .select_from(tables.players)
            .join(tables.matches, match.id == player.match_id)
            .where(player.bot_id == bot_id, player.live.is_(False), match.game == game)
            .group_by(*keys)
        )
        if version is not None:
            versions = tables.versions.c
            of_label = select(versions.id).where(versions.bot_id == bot_id, versions.label == version)
            query = query.where(player.version_id == of_label.scalar_subquery())
        return await self._reader.run(lambda connection: [ResultCount(*row) for row in connection.execute(query)])

    async def between(self, one: int, other: int) -> list[MetCount]:
        """Return the counts of the matches between two bots, in all games."""
        return await self._reader.run(lambda connection: _between(connection, one, other))

    async def openings(self, one: int, other: int, game: str) -> list[OpeningCount]:
        """Return the openings of the matches between two bots, the most frequent first, at most ``OPENINGS``."""
        return await self._reader.run(lambda connection: _openings(connection, one, other, game))

    async def newest(self, bot_id: int) -> int:
        """Return the number of the newest finished match of a bot, 0 without one."""
        player = tables.players.c
        query = select(func.max(player.match_id)).where(player.bot_id == bot_id, player.live.is_(False))
        return await self._reader.run(lambda connection: connection.execute(query).scalar() or 0)

    async def newest_of_game(self, game: str) -> int:
        """Return the number of the newest finished match of a game, 0 without one."""
        match = tables.matches.c
        query = select(func.max(match.id)).where(match.game == game, match.status == "finished")
        return await self._reader.run(lambda connection: connection.execute(query).scalar() or 0)

    async def beginnings(
        self, wanted: FromStart, events: int, shorten: Callable[[bytes], bytes], most: int
    ) -> list[FirstMoves]:
        """Return the first moves of the newest matches of all bots, like ``first_moves``; the seat is 0."""
        return await self._reader.run(lambda connection: _beginnings(connection, wanted, events, shorten, most))

    async def first_moves(
        self, bot_id: int, wanted: FromStart, events: int, shorten: Callable[[bytes], bytes], most: int
    ) -> list[FirstMoves]:
        """Return the first moves of a bot's newest matches of a game from its usual start, at most ``NEWEST``.

        ``events``: number of events of each match; ``shorten`` makes each of its first ``most`` characters.
        """
        return await self._reader.run(
            lambda connection: _first_moves(connection, bot_id, wanted, events, shorten, most)
        )


def _met(connection: Connection, one: int, other: int, *columns: Any) -> tuple[Select[Any], Any]:
    """Return the query for the finished matches between two bots, and the column with the seat of the first.

    The query begins at the index of the bot with fewer matches.
    """
    match, player = tables.matches.c, tables.players.c
    few, many = tables.players.alias("few"), tables.players.alias("many")

    def number(bot_id: int) -> int:
        counted = select(func.count()).where(player.bot_id == bot_id, player.live.is_(False))
        return int(connection.execute(counted).scalar_one())

    swapped = number(other) < number(one)
    first, second = (other, one) if swapped else (one, other)
    seat = (many if swapped else few).c.seat
    query = (
        select(*columns, seat)
        .select_from(few)
        .join(many, (many.c.match_id == few.c.match_id) & (many.c.seat == 1 - few.c.seat))
        .join(tables.matches, match.id == few.c.match_id)
        .where(few.c.bot_id == first, few.c.live.is_(False), many.c.bot_id == second)
    )
    return query, seat


def _between(connection: Connection, one: int, other: int) -> list[MetCount]:
    match = tables.matches.c
    keys = match.game, match.time_class, match.rated, match.result
    query, seat = _met(connection, one, other, *keys, func.count().label("number"))
    rows = connection.execute(query.group_by(*keys, seat))
    return [MetCount(row.game, row.time_class, row.seat, row.rated, row.result, row.number) for row in rows]


_WON = {("1-0", 0): 0, ("0-1", 1): 0, ("0-1", 0): 2, ("1-0", 1): 2, ("1/2-1/2", 0): 1, ("1/2-1/2", 1): 1}
"""By result and seat: the place among wins, draws and losses."""


def _openings(connection: Connection, one: int, other: int, game: str) -> list[OpeningCount]:
    match = tables.matches.c
    keys = match.start, match.opening, match.result
    query, seat = _met(connection, one, other, *keys, func.count().label("number"))
    counts: dict[tuple[str | None, str], list[int]] = {}
    for row in connection.execute(query.where(match.game == game).group_by(*keys, seat)):
        place = _WON.get((row.result, row.seat))
        if place is not None:
            counts.setdefault((row.start, row.opening), [0, 0, 0])[place] += row.number
    most = sorted(counts.items(), key=lambda item: (-sum(item[1]), item[0][1]))[:OPENINGS]
    return [OpeningCount(start, msgspec.json.decode(text, type=list[str]), *found) for (start, text), found in most]


def _first_moves(
    connection: Connection,
    bot_id: int,
    wanted: FromStart,
    events: int,
    shorten: Callable[[bytes], bytes],
    most: int,
) -> list[FirstMoves]:
    match, player = tables.matches.c, tables.players.c
    part = (
        select(player.match_id, player.seat)
        .where(player.bot_id == bot_id, player.live.is_(False))
        .order_by(player.match_id.desc())
        .limit(SEARCHED)
        .subquery()
    )
    query = (
        select(part.c.match_id, part.c.seat, match.result, match.opening)
        .join(tables.matches, match.id == part.c.match_id)
        .order_by(part.c.match_id.desc())
    )
    return _read(connection, query, wanted, events, shorten, most)


def _beginnings(
    connection: Connection, wanted: FromStart, events: int, shorten: Callable[[bytes], bytes], most: int
) -> list[FirstMoves]:
    match = tables.matches.c
    query = (
        select(match.id.label("match_id"), literal(0).label("seat"), match.result, match.opening)
        .where(match.status == "finished")
        .order_by(match.id.desc())
    )
    return _read(connection, query, wanted, events, shorten, most)


def _read(
    connection: Connection,
    query: Select[Any],
    wanted: FromStart,
    events: int,
    shorten: Callable[[bytes], bytes],
    most: int,
) -> list[FirstMoves]:
    """Return the first moves of the matches of a query that are wanted, at most ``NEWEST``."""
    match, event = tables.matches.c, tables.events.c
    query = (
        query.where(match.game == wanted.game, match.pruned.is_(False), match.result != "*", match.sealed.is_(False))
        .where(or_(match.start.is_(None), match.start == wanted.start))
        .limit(NEWEST)
    )
    if wanted.time_class is not None:
        query = query.where(match.time_class == wanted.time_class)
    rows = connection.execute(query).all()
    found: dict[int, list[bytes]] = {row.match_id: [] for row in rows}
    numbers = list(found)
    for first in range(0, len(numbers), _AT_ONCE):
        bodies = (
            select(event.match_id, func.substr(event.body, 1, most).label("body"))
            .where(event.match_id.in_(numbers[first : first + _AT_ONCE]), event.number < events)
            .order_by(event.match_id, event.number)
        )
        for row in connection.execute(bodies):
            found[row.match_id].append(shorten(row.body.encode()))
    return [
        FirstMoves(row.match_id, row.seat, row.result, msgspec.json.decode(row.opening, type=list[str]), moves)
        for row in rows
        if (moves := found[row.match_id]) or row.opening != "[]"
    ]


_AT_ONCE = 500
"""Matches whose events one query reads."""
