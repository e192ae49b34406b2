# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables, and the indices that keep every list a keyset page.

Queries are written on the plain tables at the end: what is read becomes the rows of ``rows``, so no live object leaves
this room.
"""

from sqlalchemy import BigInteger, CheckConstraint, Double, ForeignKey, Index, Integer, Text, func, inspect, text
from sqlalchemy import Table as PlainTable
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


def _key() -> Column[int]:
    return Column(_KEY, primary_key=True)


def _reference(target: str, *, primary_key: bool = False, index: bool = False) -> Column[int]:
    return Column(_KEY, ForeignKey(target), primary_key=primary_key, index=index, nullable=False)


class Base(SQLModel):
    """The root of the tables."""

    metadata = metadata


class Bot(Base, table=True):
    """A registered bot."""

    __table_args__ = (Index("ix_bot_name_folded", func.lower(Column("name", Text)), unique=True),)

    id: int | None = Field(default=None, sa_column=_key())
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

    id: int | None = Field(default=None, sa_column=_key())
    bot_id: int = Field(sa_column=_reference("bot.id"))
    label: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)


class Match(Base, table=True):
    """A match, live or finished; ``opening`` is a JSON list of moves, ``adjudication`` JSON too."""

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
        CheckConstraint("(status = 'finished') = (result IS NOT NULL)", name="finished_with_result"),
    )

    id: int | None = Field(default=None, sa_column=_key())
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
    anonymous: bool = False
    info_release: str = Field(default="delayed", sa_type=Text)


class Player(Base, table=True):
    """One side of a match, and what the match did to its rating.

    ``bot_id`` and ``live`` repeat what other tables say, for the lists of a bot's matches.
    """

    __table_args__ = (Index("ix_player_bot_id_live_match_id", "bot_id", "live", "match_id"),)

    match_id: int = Field(sa_column=_reference("match.id", primary_key=True))
    seat: int = Field(primary_key=True)
    bot_id: int = Field(sa_column=_reference("bot.id"))
    version_id: int = Field(sa_column=_reference("version.id"))
    live: bool = True
    rating_before: float = Field(sa_type=Double)
    rating_after: float | None = Field(default=None, sa_type=Double)


class Event(Base, table=True):
    """An event of a match; ``body`` is JSON that the store never looks into.

    The rows lie in the order they came, not in that of their key: so the moves of many matches fill one page together.
    """

    match_id: int = Field(sa_column=_reference("match.id", primary_key=True))
    number: int = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class Rating(Base, table=True):
    """How a version stands in a game and a time class.

    ``initial``: the rating before its first match. ``wins_by_failure``: the wins where the opponent failed to play on.
    """

    __table_args__ = (Index("ix_rating_leaderboard", "game", "time_class", Column("rating").desc(), "version_id"),)

    version_id: int = Field(sa_column=_reference("version.id", primary_key=True))
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


class Tournament(Base, table=True):
    """A tournament; ``config`` is JSON that the store never looks into, ``length`` the number of its events."""

    __table_args__ = (Index("ix_tournament_status_id", "status", "id"),)

    id: int | None = Field(default=None, sa_column=_key())
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

    tournament_id: int = Field(sa_column=_reference("tournament.id", primary_key=True))
    number: int = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class Population(Base, table=True):
    """A population that is bred; ``config`` is JSON that the store never looks into, ``length`` its generations."""

    id: int | None = Field(default=None, sa_column=_key())
    name: str = Field(sa_type=Text, unique=True)
    game: str = Field(sa_type=Text)
    config: str = Field(sa_type=Text)
    length: int = 0
    created: float = Field(sa_type=Double)


class Generation(Base, table=True):
    """A generation of a population, with its members and their lineage; ``body`` is JSON that the store never looks
    into.
    """

    population_id: int = Field(sa_column=_reference("population.id", primary_key=True))
    number: int = Field(primary_key=True)
    body: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)


class Genome(Base, table=True):
    """What a version of a bot was bred to be; ``body`` is JSON that the store never looks into."""

    version_id: int = Field(sa_column=_reference("version.id", primary_key=True))
    game: str = Field(sa_type=Text)
    body: str = Field(sa_type=Text)


class Portrait(Base, table=True):
    """What a bot has learned of another; ``body`` is JSON that the store never looks into."""

    bot_id: int = Field(sa_column=_reference("bot.id", primary_key=True))
    game: str = Field(sa_type=Text, primary_key=True)
    author_id: int = Field(sa_column=_reference("bot.id", primary_key=True))
    body: str = Field(sa_type=Text)
    updated: float = Field(sa_type=Double)


class Deme(Base, table=True):
    """A deme that a volunteer breeds; ``joined``, ``report`` and ``refusals`` are JSON that the store never looks into.

    Both are empty until it joined, and until it reported.
    """

    id: int | None = Field(default=None, sa_column=_key())
    name: str = Field(sa_type=Text, unique=True)
    token_hash: str | None = Field(default=None, sa_type=Text, unique=True)
    created: float = Field(sa_type=Double)
    game: str | None = Field(default=None, sa_type=Text)
    joined: str = Field(default="", sa_type=Text)
    sequence: int = Field(default=0, sa_type=BigInteger)
    report: str = Field(default="", sa_type=Text)
    seen: float | None = Field(default=None, sa_type=Double)
    reports: int = Field(default=0, sa_type=BigInteger)
    repeated: int = Field(default=0, sa_type=BigInteger)
    refusals: str = Field(default="{}", sa_type=Text)
    quarantined: float | None = Field(default=None, sa_type=Double)
    why: str = Field(default="", sa_type=Text)
    pardons: int = 0


class DemePoint(Base, table=True):
    """A point of a deme's course; ``body`` is JSON that the store never looks into."""

    __tablename__ = "deme_point"

    deme_id: int = Field(sa_column=_reference("deme.id", primary_key=True))
    generation: int = Field(sa_type=BigInteger, primary_key=True)
    body: str = Field(sa_type=Text)


class Exam(Base, table=True):
    """What a deme's best proved worth in the arena's own games; ``body`` is JSON that the store never looks into."""

    __table_args__ = (Index("ix_exam_deme_id_id", "deme_id", "id"),)

    id: int | None = Field(default=None, sa_column=_key())
    deme_id: int = Field(sa_column=_reference("deme.id"))
    game: str = Field(sa_type=Text)
    digest: str = Field(sa_type=Text)
    verdict: str = Field(sa_type=Text)
    body: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)


class Mating(Base, table=True):
    """A genome that was tried in an exam, and went from one deme to another."""

    __table_args__ = (
        Index("ix_mating_taker_id_id", "taker_id", "id"),
        Index("ix_mating_giver_id_id", "giver_id", "id"),
    )

    id: int | None = Field(default=None, sa_column=_key())
    exam_id: int = Field(sa_column=_reference("exam.id"))
    giver_id: int = Field(sa_column=_reference("deme.id"))
    taker_id: int = Field(sa_column=_reference("deme.id"))
    game: str = Field(sa_type=Text)
    offered: float = Field(sa_type=Double)
    arrived: float | None = Field(default=None, sa_type=Double)


class Operator(Base, table=True):
    """Who may order things over the API."""

    name: str = Field(sa_type=Text, primary_key=True)
    token_hash: str = Field(sa_type=Text, unique=True)
    created: float = Field(sa_type=Double)


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
    """Something that an operator did; ``details`` is JSON."""

    __tablename__ = "audit_log"

    id: int | None = Field(default=None, sa_column=_key())
    time: float = Field(sa_type=Double, index=True)
    who: str = Field(sa_type=Text)
    origin: str = Field(sa_type=Text)
    action: str = Field(sa_type=Text)
    details: str = Field(sa_type=Text)


def _plain(model: type[Base]) -> PlainTable:
    table = inspect(model).local_table
    assert isinstance(table, PlainTable)
    return table


bots = _plain(Bot)
versions = _plain(Version)
matches = _plain(Match)
players = _plain(Player)
events = _plain(Event)
ratings = _plain(Rating)
tournaments = _plain(Tournament)
tournament_events = _plain(TournamentEvent)
operators = _plain(Operator)
populations = _plain(Population)
generations = _plain(Generation)
genomes = _plain(Genome)
portraits = _plain(Portrait)
demes = _plain(Deme)
deme_points = _plain(DemePoint)
exams = _plain(Exam)
matings = _plain(Mating)
servers = _plain(Server)
audit_log = _plain(AuditEntry)
