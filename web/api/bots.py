# SPDX-License-Identifier: GPL-3.0-or-later
"""REST routes of the bots: list, details, rating history, results by opponent."""

from typing import Annotated, Literal

from msgspec import Meta

from arena.application import Arena
from arena.rating.difference import difference_of, interval, moments, superiority
from arena.store.rows import BotFilter, BotKind, BotOrder, BotRow, OpponentRow, OwnGames, RatingRow
from web.api.endpoint import Answer, Endpoint, GameName, Limit, One, OnePage
from web.api.games import offered
from web.api.leaderboard import LeaderBot, NamePart, TimeClass, points_a_game
from web.errors import NotFound


class BotAnswer(Answer, frozen=True):
    """A registered bot."""

    id: int
    name: str
    """Name of the bot, unique in the arena."""
    kind: BotKind
    """"built-in": the bot ships with the arena; "own": any other bot, which connects by itself or was uploaded;
    "person": no bot, but a person who plays at the board. Lists of bots leave people out."""
    owner: str
    """Name of the account that manages the bot, or the owner that an operator gave it; empty: none, as of built-in
    bots."""
    description: str
    """One line about the bot by its author; may be empty."""
    created: float
    """Unix time in seconds, like all times of the API."""
    removed: float | None
    """Time of its removal; its matches stay."""
    connected: bool
    """Whether the bot has a connection to the arena now."""
    off_ladder: str
    """Why it plays no rated matches now, in words; empty if it plays them."""


class BotsAnswer(Answer, frozen=True):
    """A page of bots."""

    items: list[BotAnswer]
    next: str | None


class VersionAnswer(Answer, frozen=True):
    """A version of a bot; ratings belong to it."""

    label: str
    """What the bot calls the version, in `version` of `hello`."""
    created: float
    """Time of the version's first connection, as Unix time in seconds."""


class StandingAnswer(Answer, frozen=True):
    """Rating and results of a version in a game and time class."""

    game: str
    time_class: str
    version: str
    rating: float
    """Elo rating after the last rated match."""
    provisional: bool
    """Whether the rating is uncertain, because it comes from few games."""
    games: int
    """Number of rated matches behind the rating."""
    payoff: float | None
    """Points a game: the mean payoff; null in games in which each win counts one point."""
    payoff_interval: tuple[float, float] | None
    """95 % interval of `payoff`."""
    wins: int
    draws: int
    losses: int
    wins_by_failure: int
    """Wins because the opponent crashed, disconnected, or sent an invalid message or an illegal move."""
    own_games: int
    """Games against bots that had the same owner."""
    own: OwnGames
    """"mostly" if nine tenths of the games or more were against bots of the same owner, "only" if all; else empty."""
    last_change: float
    """Change of the rating by the last rated match."""
    last_played: float | None
    """Time of the end of the last rated match, as Unix time in seconds; null: unknown."""


class BotDetailAnswer(BotAnswer, frozen=True):
    """A bot with its versions and their ratings."""

    versions: list[VersionAnswer]
    """The newest 500 versions, oldest first."""
    ratings: list[StandingAnswer]
    """Ratings of these versions, newest first; at most 500."""


class PointAnswer(Answer, frozen=True):
    """A rating after a match."""

    finished: float
    """Time of the end of the match, as Unix time in seconds."""
    match: int
    version: str
    rating: float
    """Elo rating of the version after this match."""


class HistoryAnswer(Answer, frozen=True):
    """Rating history over the newest thousand matches, oldest first."""

    game: str
    time_class: str
    items: list[PointAnswer]
    next: str | None = None


class OpponentAnswer(Answer, frozen=True):
    """Results of rated matches against another bot, over all versions of both."""

    bot: LeaderBot
    """The opponent."""
    games: int
    """Number of rated matches of the two."""
    wins: int
    draws: int
    losses: int
    score: float
    """Share of the points, from 0 to 1."""
    elo: float | None
    """Elo difference by the score; null if unbounded."""
    interval: tuple[float | None, float | None]
    """95 % interval of the Elo difference, computed as if all games were independent; an end is null if unbounded."""
    superiority: float
    """Likelihood, from 0 to 1, that this bot is stronger than the opponent."""


class OpponentsAnswer(Answer, frozen=True):
    """Opponents of a bot in a game and time class, most games first; at most a hundred."""

    game: str
    time_class: str
    items: list[OpponentAnswer]


class SomeBots(OnePage, frozen=True):
    """Parameters: a page of the list, its order and its filters."""

    limit: Limit = 100
    name: NamePart = ""
    status: Annotated[
        Literal["all", "connected"], Meta(description="`connected`: only bots that are connected now.")
    ] = "all"
    sort: Annotated[
        BotOrder,
        Meta(description="The order: by the time of registration, or by name, kind, or status (connected bots first)."),
    ] = "added"
    reverse: Annotated[bool, Meta(description="Whether the order is reversed.")] = False


class OneHistory(One, frozen=True):
    """Which bot, game and time class."""

    game: GameName
    time_class: TimeClass | None = None


NEWEST = 500
"""Maximum number of a bot's versions, and of their ratings, in an answer."""


async def list_bots(arena: Arena, query: SomeBots) -> BotsAnswer:
    """List the registered bots."""
    connected = {entrant.bot.id for entrant in arena.roster}
    chosen = BotFilter(query.name.strip(), connected, query.status == "connected", query.sort, query.reverse)
    page = await arena.store.bots.page(after=query.after, limit=query.limit, chosen=chosen)
    return BotsAnswer(items=[describe(arena, row) for row in page.items], next=page.next)


async def get_bot(arena: Arena, query: One) -> BotDetailAnswer:
    """Return a bot with its versions and their ratings in all games."""
    row = await find_bot(arena, query.id)
    versions = await arena.store.bots.versions(row.id, NEWEST)
    labels = {version.id: version.label for version in versions}
    ratings = await arena.store.ratings.of_bot(row.id, NEWEST)
    known = [rating for rating in ratings if rating.version_id in labels]
    return BotDetailAnswer.of(
        describe(arena, row),
        versions=[VersionAnswer.of(version) for version in versions],
        ratings=[_standing(rating, labels[rating.version_id]) for rating in known],
    )


def _standing(row: RatingRow, version: str) -> StandingAnswer:
    payoff, payoff_interval = points_a_game(row)
    return StandingAnswer.of(row, version=version, payoff=payoff, payoff_interval=payoff_interval)


async def get_history(arena: Arena, query: OneHistory) -> HistoryAnswer:
    """Return the history of a bot's rating in a game."""
    game = offered(arena, query.game)
    row = await find_bot(arena, query.id)
    time_class = query.time_class or arena.registry.time_class(game)
    points = await arena.store.ratings.history(row.id, game.name, time_class)
    items = [PointAnswer.of(point, match=point.match_id) for point in points]
    return HistoryAnswer(game=game.name, time_class=time_class, items=items)


async def get_opponents(arena: Arena, query: OneHistory) -> OpponentsAnswer:
    """Return a bot's results against each opponent in a game."""
    game = offered(arena, query.game)
    row = await find_bot(arena, query.id)
    time_class = query.time_class or arena.registry.time_class(game)
    found = await arena.store.results.of_bot(row.id, game.name, time_class)
    return OpponentsAnswer(game=game.name, time_class=time_class, items=[_opponent(each) for each in found])


async def find_bot(arena: Arena, bot_id: int) -> BotRow:
    """Return a bot. Raises NotFound."""
    row = await arena.store.bots.get(bot_id)
    if row is None:
        raise NotFound(f"no bot has the number {bot_id}")
    return row


def describe(arena: Arena, row: BotRow) -> BotAnswer:
    """Return the API's description of a bot."""
    return BotAnswer.of(row, connected=arena.connected(row.id), off_ladder=arena.conductor.excluded(row.id))


def _opponent(row: OpponentRow) -> OpponentAnswer:
    counts = (row.losses, row.draws, row.wins)
    _, score, _ = moments(counts)
    return OpponentAnswer.of(
        row,
        bot=LeaderBot(id=row.bot_id, name=row.bot, kind=row.kind),
        score=score,
        elo=difference_of(score),
        interval=interval(counts),
        superiority=superiority(counts),
    )


ENDPOINTS = (
    Endpoint("GET", "/api/v1/bots", list_bots),
    Endpoint("GET", "/api/v1/bots/{id}", get_bot),
    Endpoint("GET", "/api/v1/bots/{id}/history", get_history),
    Endpoint("GET", "/api/v1/bots/{id}/opponents", get_opponents),
)
