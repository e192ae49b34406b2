# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables, and the indices that make keyset pagination possible for every list.

Queries use the plain tables at the end and return the values of ``rows``, so no live object leaves this package. Tables
of features are in the features' modules, and use ``Base``, ``key`` and ``reference`` too.
"""

import re
from collections.abc import Sequence

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Connection,
    Double,
    ForeignKey,
    Index,
    Insert,
    Integer,
    Table,
    Text,
    func,
    inspect,
    text,
)
from sqlalchemy import Table as PlainTable
from sqlalchemy.dialects import sqlite
from sqlmodel import Column, Field, MetaData, SQLModel

# SQLite numbers rows by itself only where the key is called INTEGER; it has 64 bits there all the same.
_KEY = BigInteger().with_variant(Integer(), "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def key() -> Column[int]:
    """Return a primary key that the database numbers."""
    return Column(_KEY, primary_key=True)


def reference(target: str, *, primary_key: bool = False, index: bool = False) -> Column[int]:
    """Return a foreign key to ``target``, such as ``bot.id``."""
    return Column(_KEY, ForeignKey(target), primary_key=primary_key, index=index, nullable=False)


class Base(SQLModel):
    """The root of the tables."""

    metadata = metadata


class Bot(Base, table=True):
    """A registered bot."""

    __table_args__ = (Index("ix_bot_name_folded", func.lower(Column("name", Text)), unique=True),)

    id: int | None = Field(default=None, sa_column=key())
    name: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    owner: str = Field(default="", sa_type=Text)
    description: str = Field(default="", sa_type=Text)
    token_hash: str | None = Field(default=None, sa_type=Text, unique=True)
    created: float = Field(sa_type=Double)
    removed: float | None = Field(default=None, sa_type=Double)


class Version(Base, table=True):
    """A version of a bot; ratings belong to it."""

    __table_args__ = (Index("ix_version_bot_id_label", "bot_id", "label", unique=True),)

    id: int | None = Field(default=None, sa_column=key())
    bot_id: int = Field(sa_column=reference("bot.id"))
    label: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)


LIVE_IN_TOURNAMENT = text("status = 'live' AND tournament IS NOT NULL")
"""The matches of which a game of a tournament has one at most."""


class Match(Base, table=True):
    """A match, live or finished; ``opening`` is a JSON list of moves, ``adjudication`` and ``conditions`` are JSON."""

    __table_args__ = (
        Index("ix_match_status_id", "status", "id"),
        Index("ix_match_game_status_id", "game", "status", "id"),
        Index("ix_match_pruned_finished", "pruned", "finished"),
        Index(
            "ix_match_rated_challenge_started",
            "started",
            sqlite_where=text("kind = 'challenge' AND rated AND pair IS NULL"),
            postgresql_where=text("kind = 'challenge' AND rated AND pair IS NULL"),
        ),
        Index(
            "ix_match_tournament_id",
            "tournament",
            "id",
            sqlite_where=text("tournament IS NOT NULL"),
            postgresql_where=text("tournament IS NOT NULL"),
        ),
        Index(
            "ix_match_live_pairing",
            "tournament",
            "round",
            unique=True,
            sqlite_where=LIVE_IN_TOURNAMENT,
            postgresql_where=LIVE_IN_TOURNAMENT,
        ),
        CheckConstraint("(status = 'finished') = (result IS NOT NULL)", name="finished_with_result"),
    )

    id: int | None = Field(default=None, sa_column=key())
    game: str = Field(sa_type=Text)
    time_class: str = Field(sa_type=Text)
    time_control: str | None = Field(default=None, sa_type=Text)
    rated: bool
    seed: int = Field(sa_type=BigInteger)
    start: str | None = Field(default=None, sa_type=Text)
    opening: str = Field(sa_type=Text)
    pair: int | None = Field(default=None, sa_type=BigInteger)
    kind: str = Field(sa_type=Text)
    status: str = Field(default="live", sa_type=Text)
    started: float = Field(sa_type=Double)
    finished: float | None = Field(default=None, sa_type=Double)
    result: str | None = Field(default=None, sa_type=Text)
    termination: str | None = Field(default=None, sa_type=Text)
    detail: str = Field(default="", sa_type=Text)
    plies: int | None = None
    pruned: bool = False
    tournament: int | None = Field(default=None, sa_type=BigInteger)
    round: str | None = Field(default=None, sa_type=Text)
    adjudication: str | None = Field(default=None, sa_type=Text)
    dice_secret: str | None = Field(default=None, sa_type=Text)
    conditions: str | None = Field(default=None, sa_type=Text)
    anonymous: bool = False
    info_release: str = Field(default="delayed", sa_type=Text)
    payoff: float = Field(default=1.0, sa_type=Double)
    points_first: float | None = Field(default=None, sa_type=Double)
    points_second: float | None = Field(default=None, sa_type=Double)
    mirrored_dice: bool = False
    sealed: bool = False
    owner: int | None = Field(default=None, sa_type=BigInteger)
    epoch: int = 0


class MatchPlayer(Base, table=True):
    """One side of a match, with its rating change.

    ``bot_id`` and ``live`` repeat columns of other tables, for the lists of a bot's matches.
    """

    __tablename__ = "player"
    __table_args__ = (Index("ix_player_bot_id_live_match_id", "bot_id", "live", "match_id"),)

    match_id: int = Field(sa_column=reference("match.id", primary_key=True))
    seat: int = Field(primary_key=True)
    bot_id: int = Field(sa_column=reference("bot.id"))
    version_id: int = Field(sa_column=reference("version.id"))
    live: bool = True
    rating_before: float = Field(sa_type=Double)
    rating_after: float | None = Field(default=None, sa_type=Double)


class Event(Base, table=True):
    """An event of a match; ``body`` is JSON that the store never looks into.

    The rows lie in the order they came, not in that of their key: so the moves of many matches fill one page together.
    """

    match_id: int = Field(sa_column=reference("match.id", primary_key=True))
    number: int = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class Rating(Base, table=True):
    """A version's standing in a game and a time class.

    ``initial``: the rating before its first match. ``wins_by_failure``: wins because the opponent failed to continue.
    ``own_games``: the games against bots that had the same owner. ``payoff_sum`` and ``payoff_squares``: the sums over
    all games of the payoff, in points, and of its square.
    """

    __table_args__ = (Index("ix_rating_leaderboard", "game", "time_class", Column("rating").desc(), "version_id"),)

    version_id: int = Field(sa_column=reference("version.id", primary_key=True))
    game: str = Field(sa_type=Text, primary_key=True)
    time_class: str = Field(sa_type=Text, primary_key=True)
    rating: float = Field(sa_type=Double)
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    last_change: float = Field(default=0.0, sa_type=Double)
    last_played: float | None = Field(default=None, sa_type=Double)
    initial: float = Field(sa_type=Double)
    wins_by_failure: int = 0
    own_games: int = 0
    payoff_sum: float = Field(default=0.0, sa_type=Double)
    payoff_squares: float = Field(default=0.0, sa_type=Double)


class Tournament(Base, table=True):
    """A tournament; ``config`` is JSON that the store never looks into, ``length`` the number of its events."""

    __table_args__ = (Index("ix_tournament_status_id", "status", "id"),)

    id: int | None = Field(default=None, sa_column=key())
    name: str = Field(sa_type=Text)
    game: str = Field(sa_type=Text)
    config: str = Field(sa_type=Text)
    status: str = Field(sa_type=Text)
    length: int = 0
    created: float = Field(sa_type=Double)
    ended: float | None = Field(default=None, sa_type=Double)


class TournamentEvent(Base, table=True):
    """An event of a tournament; ``body`` is JSON that the store never looks into."""

    __tablename__ = "tournament_event"

    tournament_id: int = Field(sa_column=reference("tournament.id", primary_key=True))
    number: int = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class Server(Base, table=True):
    """The one row that tells which server owns the database; ``released``: when it stopped in good order, ``probed``:
    when it last wrote only to see whether that works.
    """

    id: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    epoch: int = Field(sa_type=BigInteger)
    version: str = Field(sa_type=Text)
    host: str = Field(sa_type=Text)
    pid: int = Field(sa_type=BigInteger)
    inode: str = Field(sa_type=Text)
    claimed: float | None = Field(default=None, sa_type=Double)
    released: float | None = Field(default=None, sa_type=Double)
    probed: float | None = Field(default=None, sa_type=Double)


class AuditEntry(Base, table=True):
    """An entry of the audit log; ``details`` is JSON."""

    __tablename__ = "audit_log"

    id: int | None = Field(default=None, sa_column=key())
    time: float = Field(sa_type=Double, index=True)
    account: str = Field(sa_type=Text)
    origin: str = Field(sa_type=Text)
    action: str = Field(sa_type=Text)
    details: str = Field(sa_type=Text)


def plain(model: type[Base]) -> PlainTable:
    """Return the table on which queries are written."""
    table = inspect(model).local_table
    assert isinstance(table, PlainTable)
    return table


bots = plain(Bot)
versions = plain(Version)
matches = plain(Match)
players = plain(MatchPlayer)
events = plain(Event)
ratings = plain(Rating)
tournaments = plain(Tournament)
tournament_events = plain(TournamentEvent)
servers = plain(Server)
audit_log = plain(AuditEntry)


# ---------------------------------------------------------------- texts
#
# Texts from outside, made fit for every database and for every page.

_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that turn the direction of the text after them, also of text that is not theirs."""


def storable(text: str) -> str:
    """Return the text without characters that change the direction of writing, and with U+FFFD in place of what
    PostgreSQL or UTF-8 cannot hold: zeros and half surrogates.
    """
    text = _DIRECTIONS.sub("", text)
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# ---------------------------------------------------------------- upsert
#
# INSERT that skips rows with existing keys, for SQLite and PostgreSQL: SQLAlchemy has no common form.

EventTuple = tuple[int, int, str]
"""A row of the table of events: match, number, body."""


def insert_new(connection: Connection, table: Table) -> Insert:
    """Return INSERT … ON CONFLICT DO NOTHING into ``table`` for the connection's database."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    from sqlalchemy.dialects import postgresql  # a tenth of a second, which every command would take

    return postgresql.insert(table).on_conflict_do_nothing()


def insert_events(connection: Connection, rows: Sequence[EventTuple]) -> int:
    """Insert events of live matches; skip taken numbers; return the number of new events.

    Every move of every match comes through here, so each database gets its own fastest statement, without SQLAlchemy.
    """
    if connection.dialect.name == "sqlite":
        return connection.exec_driver_sql(_INTO_SQLITE, list(rows)).rowcount
    arrays = tuple(list(column) for column in zip(*rows, strict=True))
    return connection.exec_driver_sql(_INTO_POSTGRESQL, arrays).rowcount


_INTO_SQLITE = """
INSERT INTO event (match_id, number, body) SELECT ?1, ?2, ?3
WHERE EXISTS (SELECT 1 FROM match WHERE id = ?1 AND status = 'live') ON CONFLICT DO NOTHING
"""
_INTO_POSTGRESQL = """
INSERT INTO event (match_id, number, body)
SELECT * FROM unnest(%s::bigint[], %s::integer[], %s::text[]) AS new (match_id, number, body)
WHERE EXISTS (SELECT 1 FROM match WHERE id = new.match_id AND status = 'live') ON CONFLICT DO NOTHING
"""
