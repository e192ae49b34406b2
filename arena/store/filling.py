# SPDX-License-Identifier: GPL-3.0-or-later
"""Fill an empty database with synthetic bots and finished matches, for scale testing.

Rows are inserted in blocks, without SQLAlchemy and the writer, and the indices are made at the end: millions take
minutes. The data are consistent: every rating follows from the results. The matches have no moves, like old matches.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sqlalchemy import Index, Table, func, select

from arena.rating import elo
from arena.rating.difference import score_of
from arena.store import tables
from arena.store.database.engines import Engines
from arena.store.errors import StoreError
from engine.match.ending import SCORES

_BLOCK = 20_000
"""Matches that are written together."""

_SPREAD = 200.0
"""Standard deviation of the bots' true strength, in rating points."""

_DRAWN = 0.1
"""Share of drawn matches."""

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of bots and matches to generate."""

    bots: int
    matches: int
    game: str
    time_class: str
    time_control: str
    seed: int = 0
    end: float = 1_800_000_000.0
    """Unix time at which the last match ended; each of the others ended a second before the next."""


@dataclass(slots=True)
class _SyntheticBot:
    """A bot while its matches are generated."""

    strength: float
    rating: float = elo.INITIAL
    points: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Losses, draws, wins."""
    change: float = 0.0
    played: float | None = None


def fill(engines: Engines, plan: Plan, progress: Callable[[int], None] = lambda matches: None) -> None:
    """Fill an empty database; ``progress`` is called with the number of matches written so far.

    Raises StoreError when there are bots already, and ValueError when matches are wanted of fewer than two bots, or
    fewer than none.
    """
    if min(plan.bots, plan.matches) < 0:
        raise ValueError(f"the numbers of bots and matches must not be negative (got {plan.bots}, {plan.matches})")
    if plan.matches and plan.bots < 2:
        raise ValueError("a match needs two bots")
    with engines.reading.connect() as connection:
        if connection.execute(select(func.count()).select_from(tables.bots)).scalar_one():
            raise StoreError("only an empty database can be filled")
    heavy = (tables.matches, tables.players, tables.ratings)
    with engines.writing.begin() as connection:
        for index in _indices(heavy):
            index.drop(connection)
    pooled = engines.writing.raw_connection()
    try:
        copy = _into_sqlite if engines.on_sqlite else _into_postgresql
        for table, rows in _made_up(plan, progress):
            copy(pooled.dbapi_connection, table, rows)
        (_settle_sqlite if engines.on_sqlite else _settle_postgresql)(pooled.dbapi_connection)
    finally:
        pooled.close()
    with engines.writing.begin() as connection:
        for index in _indices(heavy):
            index.create(connection)


def _indices(of: Sequence[Table]) -> list[Index]:
    return [index for table in of for index in sorted(table.indexes, key=lambda index: str(index.name))]


# ---------------------------------------------------------------- the rows to write


def _made_up(plan: Plan, progress: Callable[[int], None]) -> Iterator[tuple[Table, Rows]]:
    """Yield blocks of rows, each with its table; referenced rows come first."""
    random = Random(plan.seed)
    start = plan.end - plan.matches
    numbers = range(1, plan.bots + 1)
    yield tables.bots, [(each, f"bot-{each}", "own", "", "", f"{each:064x}", start, None) for each in numbers]
    yield tables.versions, [(each, each, "1", start) for each in numbers]
    bots = [_SyntheticBot(random.gauss(elo.INITIAL, _SPREAD)) for _ in numbers]
    for first in range(1, plan.matches + 1, _BLOCK):
        matches, players = [], []
        for number in range(first, min(first + _BLOCK, plan.matches + 1)):
            match, sides = _match(plan, number, bots, random)
            matches.append(match)
            players += sides
        yield tables.matches, matches
        yield tables.players, players
        progress(first + len(matches) - 1)
    yield (
        tables.ratings,
        [_rating(plan, version, bot) for version, bot in enumerate(bots, 1) if sum(bot.points)],
    )


def _match(plan: Plan, number: int, bots: Sequence[_SyntheticBot], random: Random) -> tuple[tuple[Any, ...], Rows]:
    """Return the row of a match and those of its players; the bots change."""
    ids = random.sample(range(1, len(bots) + 1), 2)
    one, other = (bots[each - 1] for each in ids)
    chance = random.random()
    won = chance < _DRAWN / 2 + (1 - _DRAWN) * score_of(one.strength - other.strength)
    score = 0.5 if random.random() < _DRAWN else float(won)
    finished = plan.end - plan.matches + number
    before = one.rating, other.rating
    after = elo.rate(elo.EloRating(one.rating, sum(one.points)), elo.EloRating(other.rating, sum(other.points)), score)
    for bot, rating, points in ((one, after[0], score), (other, after[1], 1 - score)):
        bot.change = rating - bot.rating
        bot.rating, bot.played = rating, finished
        bot.points[round(2 * points)] += 1
    result = next(result for result, (first, _) in SCORES.items() if first == score)
    kind = plan.game, plan.time_class, plan.time_control, True
    drawn = None, "[]", None, "ladder", "finished"
    ended = finished - 60, finished, result, "decided", "", 60, True
    of_no_tournament = None, None, None
    shown = None, None, False, "delayed", 1.0, None, None, False, False
    alone = None, 0
    sides = [(number, seat, ids[seat], ids[seat], False, before[seat], after[seat]) for seat in (0, 1)]
    return (number, *kind, number, *drawn, *ended, *of_no_tournament, *shown, *alone), sides


def _rating(plan: Plan, version: int, bot: _SyntheticBot) -> tuple[Any, ...]:
    losses, draws, wins = bot.points
    tally = losses + draws + wins, wins, draws, losses
    key = version, plan.game, plan.time_class
    return (*key, bot.rating, *tally, bot.change, bot.played, elo.INITIAL, 0, 0, wins - losses, wins + losses)


# ---------------------------------------------------------------- how it is written


def _names(table: Table) -> str:
    return ", ".join(column.name for column in table.columns)


def _into_sqlite(connection: Any, table: Table, rows: Rows) -> None:
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN IMMEDIATE")
    marks = ", ".join("?" * len(table.columns))
    connection.executemany(f"INSERT INTO {table.name} ({_names(table)}) VALUES ({marks})", rows)
    connection.execute("COMMIT")


def _settle_sqlite(connection: Any) -> None:
    connection.execute("PRAGMA foreign_keys = ON")


def _into_postgresql(connection: Any, table: Table, rows: Rows) -> None:
    command = f"COPY {table.name} ({_names(table)}) FROM STDIN"
    with connection.transaction(), connection.cursor() as cursor, cursor.copy(command) as copy:
        for row in rows:
            copy.write_row(row)


def _settle_postgresql(connection: Any) -> None:
    """Set the number sequences after the inserted numbers, and run the maintenance that the server runs for tables over
    time.
    """
    with connection.transaction(), connection.cursor() as cursor:
        for table in (tables.bots, tables.versions, tables.matches):
            newest = f"(SELECT coalesce(max(id), 1) FROM {table.name})"
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {newest})")
    connection.autocommit = True
    try:
        connection.execute("VACUUM ANALYZE")
    finally:
        connection.autocommit = False
