# SPDX-License-Identifier: GPL-3.0-or-later
"""Read all records row by row, from one snapshot of the database, for `arena verify`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, exists, func, not_, or_, select

from arena.rating import elo
from arena.store import tables
from arena.store.backups.manifest import Counts, compare
from arena.store.database.maintenance import is_live_copy
from arena.store.matches import match_query, read_row
from arena.store.rows import EventRow, StoredMatch, points_of
from engine.match.ending import payoffs_of

_AT_ONCE = 1_000
"""Rows that are fetched together."""

_bot, _version, _match = tables.bots.c, tables.versions.c, tables.matches.c
_player, _event, _rating = tables.players.c, tables.events.c, tables.ratings.c


class ChangeRow(NamedTuple):
    """The change of one side's rating by a match."""

    version_id: int
    game: str
    time_class: str
    finished: float
    match_id: int
    seat: int
    result: str
    termination: str
    before: float
    after: float
    opponent: float
    """The opponent's rating right before the same match changed it."""
    payoff: float = 1.0
    """The payoff of the winner."""
    points_first: float | None = None
    """The payoff of seat 0 in a game that is not zero-sum."""
    points_second: float | None = None
    """Likewise of seat 1."""

    @property
    def own_payoff(self) -> float:
        """The payoff of the version, in points; 0 without a result."""
        payoffs = payoffs_of(self.result, self.payoff, points_of(self.points_first, self.points_second))
        return 0.0 if payoffs is None else payoffs[self.seat]


class StoredRating(NamedTuple):
    """The stored rating of a version in a game and time class."""

    version_id: int
    game: str
    time_class: str
    rating: float
    games: int
    wins: int
    draws: int
    losses: int
    wins_by_failure: int
    initial: float
    """The rating before the first match."""
    payoff_sum: float
    payoff_squares: float


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """All ratings of a version, and its rating changes in the order in which their matches ended."""

    version_id: int
    ratings: list[StoredRating]
    changes: list[ChangeRow]


class Orphan(NamedTuple):
    """A row with a missing or contradictory reference."""

    what: str
    where: str
    """The key of the row, for people."""


class Audit:
    """The whole of a database within one transaction; only for the thread that reads it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def matches(self) -> Iterator[StoredMatch]:
        """Yield all matches that have two players, with their events, in order of number."""
        rows = self.stream(match_query().order_by(_match.id))
        query = select(_event.match_id, _event.number, _event.body).order_by(_event.match_id, _event.number)
        events = _by_number(self.stream(query))
        number, body = next(events, _END)
        for row in map(read_row, rows):
            while number < row.id:
                number, body = next(events, _END)
            of_match = [EventRow(each.number, each.body.encode()) for each in body] if number == row.id else []
            yield StoredMatch(row, of_match)

    def versions(self) -> Iterator[VersionRecord]:
        """Yield every version that has a rating or a change of one, in order of number."""
        other = tables.players.alias("other")
        changes = (
            select(
                _player.version_id,
                _match.game,
                _match.time_class,
                _match.finished,
                _match.id,
                _player.seat,
                _match.result,
                _match.termination,
                _player.rating_before,
                _player.rating_after,
                other.c.rating_before,
                _match.payoff,
                _match.points_first,
                _match.points_second,
            )
            .join_from(tables.players, tables.matches)
            .join(other, (other.c.match_id == _player.match_id) & (other.c.seat == 1 - _player.seat))
            .where(_player.rating_after.is_not(None))
            .order_by(_player.version_id, _match.finished, _match.id)
        )
        ratings = select(*(_rating[name] for name in StoredRating._fields)).order_by(_rating.version_id)
        changed, stands = _by_number(self.stream(changes)), _by_number(self.stream(ratings))
        change, rating = next(changed, _END), next(stands, _END)
        while (version := min(change[0], rating[0])) != _LAST:
            record = VersionRecord(int(version), [], [])
            if rating[0] == version:
                record.ratings.extend(StoredRating(*row) for row in rating[1])
                rating = next(stands, _END)
            if change[0] == version:
                record.changes.extend(ChangeRow(*row) for row in change[1])
                change = next(changed, _END)
            yield record

    def missing(self, expected: Counts) -> Iterator[tuple[str, str]]:
        """Yield records that a backup has and the database lacks: place and description."""
        yield from compare(self._connection, expected)

    def is_live_copy(self, file: Path) -> bool:
        """Tell whether a SQLite file was copied from under a running server, without its write-ahead log."""
        return is_live_copy(self._connection, file)

    def orphans(self) -> Iterator[Orphan]:
        """Yield rows with missing references; foreign keys prevent them in a sound database."""
        for what, key, query in _ORPHANS:
            for row in self.stream(query):
                yield Orphan(what, " ".join(f"{name} {value}" for name, value in zip(key, row, strict=True)))

    def stream(self, query: Select[Any]) -> Iterator[Any]:
        """Yield the rows of a query; few are in memory at a time."""
        with self._connection.execute(query, execution_options={"yield_per": _AT_ONCE}) as result:
            yield from result


_LAST = float("inf")
_END: tuple[float, Iterable[Any]] = (_LAST, ())


def _by_number(rows: Iterator[Any]) -> Iterator[tuple[float, Iterable[Any]]]:
    """Group rows by their first column."""
    for number, group in groupby(rows, key=lambda row: row[0]):
        yield number, list(group)


def _lacking(*conditions: Any) -> ColumnElement[bool]:
    return not_(exists().where(*conditions))


_earlier, _left = tables.versions.alias("earlier").c, tables.players.alias("left").c
_left_before = tables.matches.alias("left_before").c
_INHERITED = exists().where(
    _earlier.bot_id == _version.bot_id,
    _earlier.id < _version.id,
    _left.version_id == _earlier.id,
    _left.bot_id == _version.bot_id,
    _left.rating_after == _rating.initial,
    _left_before.id == _left.match_id,
    _left_before.game == _rating.game,
    _left_before.time_class == _rating.time_class,
)
_PLAYERS = select(func.count()).where(_player.match_id == _match.id).scalar_subquery()
_pair = tables.matches.alias("pair").c

_ORPHANS: tuple[tuple[str, tuple[str, ...], Select[Any]], ...] = (
    (
        "events without their match",
        ("match",),
        select(_event.match_id).distinct().where(_lacking(_match.id == _event.match_id)).order_by(_event.match_id),
    ),
    (
        "a player without its match",
        ("match", "seat"),
        select(_player.match_id, _player.seat).where(_lacking(_match.id == _player.match_id)),
    ),
    (
        "a player without its version, or under another bot than its version's",
        ("match", "seat"),
        select(_player.match_id, _player.seat).where(
            _lacking(_version.id == _player.version_id, _version.bot_id == _player.bot_id)
        ),
    ),
    ("a version without its bot", ("version",), select(_version.id).where(_lacking(_bot.id == _version.bot_id))),
    (
        "a rating without its version",
        ("version", "game", "time class"),
        select(_rating.version_id, _rating.game, _rating.time_class).where(_lacking(_version.id == _rating.version_id)),
    ),
    (
        "a rating that starts where no earlier version of the bot stood",
        ("version", "game", "time class"),
        select(_rating.version_id, _rating.game, _rating.time_class)
        .join_from(tables.ratings, tables.versions)
        .where(_rating.initial != elo.INITIAL, not_(_INHERITED)),
    ),
    ("a match without two players", ("match",), select(_match.id).where(_PLAYERS != 2)),
    (
        "a player that is live where its match is not, or the other way round",
        ("match", "seat"),
        select(_player.match_id, _player.seat)
        .join_from(tables.players, tables.matches)
        .where(
            or_(
                _player.live.is_(True) & (_match.status == "finished"),
                _player.live.is_(False) & (_match.status == "live"),
            )
        ),
    ),
    (
        "the second of a pair without the first",
        ("match",),
        select(_match.id).where(_match.pair.is_not(None), _lacking(_pair.id == _match.pair)),
    ),
)
