# SPDX-License-Identifier: GPL-3.0-or-later
"""The values that the store accepts and returns: frozen dataclasses, never live database objects; and cursors of pages.

Times are Unix times in seconds. Seats are 0 (moves first) and 1.
"""

import base64
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Annotated, Generic, Literal, NamedTuple, TypeVar

import msgspec

from arena.protocol.messages import commitment
from arena.rating.payoffs import Payoffs
from arena.store.errors import BadCursor
from engine.match.ending import Ending, Termination, payoffs_of

BotKind = Literal["built-in", "own", "person"]
"""The bot's operator: the arena itself, or the bot's author. A person who plays has a row like a bot's, too."""
MatchKind = Literal["ladder", "challenge", "tournament", "people"]
"""What started the match; "people": a person plays in it."""
MatchStatus = Literal["live", "finished"]
InfoRelease = Literal["live", "delayed", "end"]
"""When spectators see the search info of a move: at once, with the same side's next move, or after the match."""
TournamentStatus = Literal["created", "running", "paused", "finished", "cancelled"]

BotOrder = Literal["added", "name", "kind", "status"]
"""The order of a list of bots; "kind" and "status" (connected first) order equals by name."""

OwnGames = Literal["", "mostly", "only"]
"""How many of the games behind a rating were against bots of the same owner."""
MOSTLY = 0.9
"""Share of the games from which on they are most of them."""

Row = TypeVar("Row")


class Page(NamedTuple, Generic[Row]):
    """A page of a list; ``next``: the cursor of the following page, None at the end.

    ``previous``: the cursor for the newer page (pass it as ``before``), in lists that can be read backwards.
    """

    items: list[Row]
    next: str | None
    previous: str | None = None


@dataclass(frozen=True, slots=True)
class BotRow:
    """A registered bot. Once ``removed`` it is not let in; its records stay and its name is not given again."""

    id: int
    name: str
    kind: BotKind
    owner: str
    description: str
    created: float
    removed: float | None


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version of a bot, which plays matches and has ratings."""

    id: int
    bot_id: int
    label: str
    created: float


class EventRow(NamedTuple):
    """An event of a match: its number, from 0 on without gaps, and its JSON. The store never looks into it."""

    number: int
    body: bytes


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match that is to start. ``players`` are the ids of two versions, by seat."""

    game: str
    time_class: str
    time_control: str | None
    rated: bool
    seed: int
    """The seed of the random opening; at most 63 bits."""
    start: str | None
    """The initial position, None for the game's own."""
    opening: tuple[str, ...]
    players: tuple[int, int]
    pair: int | None = None
    """The first match of the colour-swapped pair that this is the second of."""
    kind: MatchKind = "ladder"
    tournament: int | None = None
    round: str | None = None
    """Which game of the tournament."""
    adjudication: str | None = None
    """How it is adjudicated, as JSON that the store never looks into; None: not at all."""
    dice_secret: str | None = field(default=None, repr=False)
    """What dice are rolled by: 128 bits as 32 hexadecimal digits; None where no dice roll."""
    conditions: str | None = None
    """What the moves of a match by instructions depend on, as JSON that the store never looks into."""
    anonymous: bool = False
    """Whether players' names are hidden until the end."""
    info_release: InfoRelease = "delayed"
    """When spectators see the players' search info."""
    mirrored_dice: bool = False
    """Whether the secret determines the dice by seat and number of the roll, so that another match has the same."""
    owner: int | None = None
    """The server that referees it, where several servers are one arena."""
    epoch: int = 0
    """Number of its referee: 1 for the first server, then 2, and so on; 0 where there is one server."""

    @property
    def sealed(self) -> bool:
        """Whether the dice stay secret after the end, until the other match with the same ones is over."""
        return self.mirrored_dice


def points_of(first: float | None, second: float | None) -> tuple[float, float] | None:
    """Return the payoffs of both seats from their columns, which are empty in zero-sum games."""
    return None if first is None or second is None else (first, second)


def same_owner(one: str, other: str) -> bool:
    """Tell whether two bots have the same owner, by their owners' names; bots without an owner have none."""
    return one.strip().casefold() == other.strip().casefold() != ""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One side of a match."""

    bot_id: int
    bot: str
    bot_kind: BotKind
    version_id: int
    version: str
    rating_before: float
    """When the match started; once a rated match has changed it: right before that change."""
    rating_after: float | None
    """None while the match is live, and when it changed no rating."""
    owner: str = ""
    """The bot's."""

    @property
    def hidden(self) -> bool:
        """Whether the player is hidden; the other fields then have no meaning."""
        return not self.bot_id

    @property
    def person(self) -> bool:
        """Whether a person plays this side."""
        return self.bot_kind == "person"

    @property
    def rating(self) -> float | None:
        """The rating that others see, from before the match; people have none among bots."""
        return None if self.person else self.rating_before

    @property
    def rating_change(self) -> float | None:
        """The rating change by the match; None if it changed no rating."""
        return None if self.rating_after is None else self.rating_after - self.rating_before


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match, its events aside. What only an end brings is None while it is live."""

    id: int
    game: str
    time_class: str
    time_control: str | None
    rated: bool
    seed: int
    start: str | None
    opening: tuple[str, ...]
    pair: int | None
    kind: MatchKind
    players: tuple[PlayerRow, PlayerRow]
    status: MatchStatus
    started: float
    finished: float | None
    result: str | None
    """ "1-0" (seat 0 won), "0-1", "1/2-1/2" or "*" (void)."""
    termination: str | None
    detail: str
    plies: int | None
    """Moves made, those of the opening included."""
    pruned: bool
    """Whether its events were dropped with age; result and ratings stay."""
    tournament: int | None = None
    round: str | None = None
    adjudication: str | None = None
    dice_secret: str | None = field(default=None, repr=False)
    """As in NewMatch; None also in matches with dice from ``seed``."""
    conditions: str | None = None
    anonymous: bool = False
    info_release: InfoRelease = "delayed"
    payoff: float = 1.0
    """Payoff of the winner, in points; 1 without a winner."""
    points: tuple[float, float] | None = None
    """Payoffs of both seats in a game that is not zero-sum; None: ``payoff`` says them."""
    mirrored_dice: bool = False
    sealed: bool = False
    """Whether a match that is not over yet has the same dice or cards, so that both stay hidden although this match may
    be over.
    """
    owner: int | None = field(default=None, repr=False)
    """As in NewMatch."""
    epoch: int = 0
    """As in NewMatch."""

    @property
    def closed(self) -> bool:
        """Whether the public may not see yet what the game hides."""
        return self.status == "live" or self.sealed

    @property
    def sealed_until(self) -> str | None:
        """The game of the tournament at whose end the dice or cards are shown, because it has the same ones; None: they
        are shown at the end of the match itself.
        """
        if not self.sealed or self.round is None:
            return None
        bout, _, game = self.round.rpartition(".")
        return f"{bout}.{int(game) + int(game) % 2}"

    @property
    def dice_seed(self) -> int:
        """The number that the dice are rolled by."""
        return self.seed if self.dice_secret is None else int(self.dice_secret, 16)

    @property
    def dice_commitment(self) -> str | None:
        """The commitment of the secret, published when the match starts."""
        return None if self.dice_secret is None else commitment(self.dice_secret)

    @property
    def told_secret(self) -> str | None:
        """The secret of the dice as it is published when the match is over; None while another match needs it."""
        return None if self.sealed else self.dice_secret

    @property
    def payoffs(self) -> tuple[float, float] | None:
        """The payoff of each seat, in points; None without a result."""
        return None if self.result is None else payoffs_of(self.result, self.payoff, self.points)

    @property
    def ending(self) -> Ending | None:
        """How the match ended; None while it is live."""
        if self.result is None or self.termination is None:
            return None
        return Ending(self.result, Termination(self.termination), self.detail, self.payoff, self.points)


class StoredMatch(NamedTuple):
    """A match with all its events in order."""

    row: MatchRow
    events: list[EventRow]


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A version's rating in a game and time class; before its first match: ``initial`` after 0 games."""

    version_id: int
    game: str
    time_class: str
    rating: float
    games: int
    wins: int
    draws: int
    losses: int
    last_change: float
    last_played: float | None
    initial: float
    """Before the first match: that of the bot's version before, or 1500."""
    wins_by_failure: int
    """The wins where the opponent failed to play on: it crashed, left, or sent a bad message or an illegal move."""
    own_games: int
    """The games against bots that had the same owner."""
    payoff_sum: float
    """Sum of its payoffs, in points."""
    payoff_squares: float
    """Sum of the squares of its payoffs."""
    provisional: bool

    @property
    def payoffs(self) -> Payoffs:
        """Its payoffs, from which points a game and their interval follow."""
        return Payoffs(1, self.games, self.payoff_sum, self.payoff_squares)

    @property
    def own(self) -> OwnGames:
        """Tell whether the rating is from games against bots of the same owner."""
        if not self.own_games:
            return ""
        if self.own_games == self.games:
            return "only"
        return "mostly" if self.own_games >= MOSTLY * self.games else ""


@dataclass(frozen=True, slots=True)
class RatingChangeRow:
    """A rating before and after a match."""

    version_id: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """The outcome of ending a match; ``changes`` by seat, None if it changed no rating."""

    match_id: int
    changes: tuple[RatingChangeRow, RatingChangeRow] | None
    sequel: int | None = None
    """The number of the match that follows, where that was written down with the end: the second of its pair, or the
    same match again.
    """


@dataclass(frozen=True, slots=True)
class LeaderRow:
    """A line of a leaderboard."""

    rank: int
    bot_id: int
    bot: str
    bot_kind: BotKind
    version: str
    rating_row: RatingRow


@dataclass(frozen=True, slots=True)
class BotFilter:
    """Which bots a list has, and their order."""

    name: str = ""
    """A part of the name, in any case."""
    connected: Collection[int] = ()
    """The connected bots."""
    only_connected: bool = False
    order: BotOrder = "added"
    reverse: bool = False


ALL_BOTS = BotFilter()


@dataclass(frozen=True, slots=True)
class LeaderFilter:
    """Which lines of a leaderboard a list holds; ranks stay those of the whole leaderboard."""

    kind: BotKind | None = None
    name: str = ""
    """A part of the bot's name, in any case."""
    since: float | None = None
    """Only versions with a rated match after this Unix time."""

    def admits(self, row: LeaderRow) -> bool:
        """Return whether the list holds this line."""
        last = row.rating_row.last_played
        return (
            self.kind in (None, row.bot_kind)
            and self.name.lower() in row.bot.lower()
            and (self.since is None or (last is not None and last > self.since))
        )


ALL_LEADERS = LeaderFilter()


@dataclass(frozen=True, slots=True)
class TrendRow:
    """The Elo ratings of a version over its newest rated matches in a game and time class."""

    bot_id: int
    version: str
    since: float
    """Unix time of the end of the first of these matches."""
    ratings: list[float]
    """Before the first of these matches, and after each of them, oldest first."""


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """The place of a match among the matches of its players in the same game and time class."""

    twin: int | None
    """The other match of the colour-swapped pair."""
    previous: int | None
    next: int | None
    wins: int
    """Wins of the player on seat 0 of the match, in its newest matches against the other; likewise the others."""
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """How a bot's rated matches against another ended, seen by the former."""

    bot_id: int
    """The other's."""
    bot: str
    kind: BotKind
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How often they met."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A point of a bot's rating history."""

    finished: float
    match_id: int
    version: str
    rating: float
    """After the match."""


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament, its events aside."""

    id: int
    name: str
    game: str
    config: str
    """The tournament's settings, as JSON."""
    status: TournamentStatus
    length: int
    """How many events it has."""
    created: float
    ended: float | None
    """When it was finished or cancelled."""


# ---------------------------------------------------------------- cursors
#
# Pagination cursors: opaque text that says where the next page of a list starts.
#
# A cursor holds the key of the last row, not an offset. So each page costs the same, and rows added meanwhile are
# neither repeated nor skipped.

T = TypeVar("T")

Id = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A key that every database can hold."""


def write_cursor(key: object) -> str:
    """Return the cursor for the key of the last row of a page."""
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).rstrip(b"=").decode()


def read_id(cursor: str) -> int:
    """Return the id in a cursor. Raises BadCursor when it holds none."""
    return read_cursor(cursor, Id)


def read_cursor(cursor: str, kind: type[T]) -> T:
    """Return the key in a cursor. Raises BadCursor when it holds none of this kind."""
    try:
        return msgspec.json.decode(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)), type=kind)
    except ValueError as error:
        raise BadCursor("invalid cursor; use `next` of an earlier answer of this list") from error
