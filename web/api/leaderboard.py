# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of the leaderboards: one for each game and time class, and the certainty of their order.

The certainty is the likelihood of superiority, α-Rank and Nash averaging.
"""

import asyncio
import itertools
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from msgspec import Meta, structs

from arena.application import Arena
from arena.ladder.fits import MOST_LEADERS, FitCache, LeaderboardFit
from arena.pairing.information import misordered_share
from arena.rating.assessment import DEFAULT, SYSTEMS
from arena.rating.difference import NORMAL_95
from arena.rating.system import RatingSystem
from arena.store import Store
from arena.store.rows import ALL_LEADERS, BotKind, LeaderFilter, LeaderRow, OwnGames, RatingRow, read_id, write_cursor
from engine.games import counts_points, stakes_of
from engine.time_control import INSTRUCTIONS
from web.api.endpoint import Answer, Cursor, Endpoint, GameName, Limit, Query
from web.api.games import offered
from web.errors import BadRequest

TimeClass = Annotated[
    str,
    Meta(max_length=32, description="bullet, blitz, rapid, classical or instructions; default: the game's time class."),
]


class LeaderBot(Answer, frozen=True):
    """The bot of a row."""

    id: int
    name: str
    """Name of the bot."""
    kind: BotKind
    """ "built-in": the bot ships with the arena; "own": any other bot; "person": a person at the board."""


if TYPE_CHECKING:
    SystemName = str
else:
    SystemName = Annotated[
        Literal[tuple(SYSTEMS)],
        Meta(description="\n".join(f"{name}: {system.description}" for name, system in SYSTEMS.items())),
    ]
"""The name of a rating system."""


class LeaderAnswer(Answer, frozen=True):
    """A row of a leaderboard: a version of a bot."""

    rank: int | None
    """Rank; null while the rating is provisional, unless the system's `complete` is true (/leaderboard/systems)."""
    bot: LeaderBot
    """The bot whose version it is."""
    version: str
    off_ladder: str
    """Why the bot plays no rated matches now, in words; empty if it plays them, and in the answers of the command line,
    which asks no server.
    """
    rating: float
    """Rating by the system of the answer."""
    provisional: bool
    """Whether the rating is uncertain: from few games, or with a large deviation."""
    interval: tuple[float, float] | None
    """95 % interval of the rating, if the system has one."""
    ranks: tuple[int, int] | None
    """95 % interval of the rank, if the system has one."""
    elo: float
    """The Elo rating, for all systems."""
    elo_provisional: bool
    """Whether the Elo rating comes from few games."""
    games: int
    """Number of rated matches of the version in this game and time class."""
    wins: int
    draws: int
    losses: int
    wins_by_failure: int
    """Wins because the opponent crashed, disconnected, or sent an invalid message or an illegal move."""
    own_games: int
    """Games against bots that had the same owner."""
    own: OwnGames
    """"mostly" if nine tenths of the games or more were against bots of the same owner, "only" if all; else empty."""
    payoff: float | None
    """Points a game: the mean payoff; null in games in which each win counts one point."""
    payoff_interval: tuple[float, float] | None
    """95 % interval of `payoff`."""
    last_change: float
    """Change of the Elo rating by the last rated match."""
    last_played: float | None
    """Unix time in seconds."""
    values: dict[str, float]
    """The values of the system's own columns, by name of the column."""


class ColumnAnswer(Answer, frozen=True):
    """A column of a leaderboard beside the rating."""

    name: str
    """A field of the rows: interval, ranks, elo or last_change; else a name in their `values`."""
    title: str
    """Heading of the column, for people."""
    description: str
    """What the column shows, in words."""


class SystemAnswer(Answer, frozen=True):
    """A rating system."""

    name: str
    """Name of the system, for the parameter `system` of /leaderboard."""
    title: str
    """The system's name for people."""
    description: str
    """How the system rates, in words."""
    columns: list[ColumnAnswer]
    """The columns beside the rating, from left to right."""
    complete: bool
    """Whether the system lists all rated versions; otherwise it lists those with the most games."""
    certainty: bool
    """Whether the certainty of the order is computed from its ratings."""


class SystemsAnswer(Answer, frozen=True):
    """All rating systems."""

    items: list[SystemAnswer]


class LeaderboardAnswer(Answer, frozen=True):
    """A page of a leaderboard: ranked versions, best first, then provisional ones. A system whose `complete` is true
    (/leaderboard/systems) ranks provisional versions too.
    """

    game: str
    time_class: str
    system: str
    """Name of the rating system, as in /leaderboard/systems."""
    items: list[LeaderAnswer]
    next: str | None
    most: int | None
    """Number of versions that the system rates, those with the most games; null if it rates all."""
    matches: int
    """Number of rated matches that the ratings come from."""


DAY = 86_400
"""Seconds."""

LeaderKind = Annotated[
    Literal["all", "built-in", "own"],
    Meta(description="Kind of the bots: built-in; or own, which are all others. Default: all."),
]
ActiveDays = Annotated[
    int, Meta(ge=0, le=3650, description="Only versions with a rated match in this number of days; 0: all.")
]
NamePart = Annotated[str, Meta(max_length=100, description="Only bots with this part in their name, in any case.")]


class FilteredLeaders(Query, frozen=True):
    """Parameters: filters of a leaderboard. Ranks stay those of the whole leaderboard."""

    kind: LeaderKind = "all"
    active: ActiveDays = 0
    name: NamePart = ""

    @property
    def chosen(self) -> LeaderFilter:
        """The filter of the store."""
        since = time.time() - self.active * DAY if self.active else None
        return LeaderFilter(None if self.kind == "all" else self.kind, self.name.strip(), since)


class OneLeaderboard(FilteredLeaders, frozen=True, kw_only=True):
    """Parameters: the leaderboard, its filters and its page."""

    game: GameName
    time_class: TimeClass | None = None
    system: SystemName = DEFAULT
    limit: Limit = 100
    after: Cursor | None = None


def describe(system: RatingSystem) -> SystemAnswer:
    """Return the API's description of a rating system."""
    columns = [ColumnAnswer.of(column) for column in system.columns]
    return SystemAnswer.of(system, columns=columns, complete=system.rate is None)


async def list_systems(arena: Arena) -> SystemsAnswer:
    """List the rating systems."""
    return SystemsAnswer(items=[describe(system) for system in SYSTEMS.values()])


TIME_CLASSES = ("bullet", "blitz", "rapid", "classical", INSTRUCTIONS)
"""All time classes, fastest first; ``engine.time_control`` defines them."""


async def get_leaderboard(arena: Arena, query: OneLeaderboard) -> LeaderboardAnswer:
    """List the rated versions of bots in a game, best first."""
    game = offered(arena, query.game)
    time_class = query.time_class or arena.registry.time_class(game)
    return marked(arena, await read_leaderboard(arena.store, arena.rating_fits, game.name, time_class, query))


def marked(arena: Arena, board: LeaderboardAnswer) -> LeaderboardAnswer:
    """Return a leaderboard that tells which bots play no rated matches now."""
    items = [structs.replace(each, off_ladder=arena.conductor.excluded(each.bot.id)) for each in board.items]
    return structs.replace(board, items=items)


async def read_leaderboard(
    store: Store, fits: FitCache[LeaderboardFit], game: str, time_class: str, query: OneLeaderboard
) -> LeaderboardAnswer:
    """Return a leaderboard. Raises BadCursor and StoreError."""
    if SYSTEMS[query.system].rate is None:
        matches = await store.results.games(game, time_class)
        page = await store.ratings.leaderboard(
            game, time_class, after=query.after, limit=query.limit, chosen=query.chosen
        )
        items = [line(row) for row in page.items]
        return LeaderboardAnswer(game, time_class, query.system, items, page.next, None, matches)
    return assessed_board(await fits.get(game, time_class), game, time_class, query)


def assessed_board(assessed: LeaderboardFit, game: str, time_class: str, query: OneLeaderboard) -> LeaderboardAnswer:
    """Return a leaderboard by a system that computes ratings from results. Raises BadCursor."""
    skipped = 0 if query.after is None else read_id(query.after)
    lines = assessed_lines(assessed, SYSTEMS[query.system], query.chosen)
    found = list(itertools.islice(lines, skipped, skipped + query.limit + 1))
    following = write_cursor(skipped + query.limit) if len(found) > query.limit else None
    most = MOST_LEADERS if len(assessed.leaders) == MOST_LEADERS else None
    return LeaderboardAnswer(game, time_class, query.system, found[: query.limit], following, most, assessed.games)


def assessed_lines(
    assessed: LeaderboardFit, system: RatingSystem, chosen: LeaderFilter = ALL_LEADERS
) -> Iterator[LeaderAnswer]:
    """Yield the rows of a leaderboard by a system that computes ratings from results, without removed bots: ranked
    versions, best first, then provisional ones.
    """
    if assessed.assessment is None:
        return
    found = assessed.assessment.ratings[system.name]
    rank = 0
    for place in np.lexsort((-found.rating, found.provisional)).tolist():
        leader = assessed.leaders[place]
        if leader.rating_row.version_id in assessed.removed:
            continue
        settled = not found.provisional[place]
        rank += settled
        if not chosen.admits(leader):
            continue
        rating = float(found.rating[place])
        reach = None if found.deviation is None else NORMAL_95 * float(found.deviation[place])
        yield structs.replace(
            line(leader),
            rank=rank if settled else None,
            rating=rating,
            provisional=not settled,
            interval=None if reach is None else (rating - reach, rating + reach),
            ranks=tuple(found.ranks[place].tolist()) if settled and found.ranks is not None else None,
            values={name: float(values[place]) for name, values in found.values.items()},
        )


async def time_classes(arena: Arena, game: str) -> list[str]:
    """Return the time classes of a game with rated bots."""
    pages = await asyncio.gather(*(arena.store.ratings.leaderboard(game, name, limit=1) for name in TIME_CLASSES))
    return [name for name, page in zip(TIME_CLASSES, pages, strict=True) if page.items]


def points_a_game(row: RatingRow) -> tuple[float | None, tuple[float, float] | None]:
    """Return the mean payoff of a version and its 95 % interval; None in games in which each win counts one point."""
    if not counts_points(row.game):
        return None, None
    return row.payoffs.mean, row.payoffs.interval(stakes_of(row.game)) if row.games else None


def line(row: LeaderRow) -> LeaderAnswer:
    """Return the API's row of a leaderboard."""
    standing = row.rating_row
    payoff, payoff_interval = points_a_game(standing)
    return LeaderAnswer.of(
        standing,
        rank=row.rank,
        bot=LeaderBot(id=row.bot_id, name=row.bot, kind=row.bot_kind),
        version=row.version,
        off_ladder="",
        interval=None,
        ranks=None,
        elo=standing.rating,
        elo_provisional=standing.provisional,
        payoff=payoff,
        payoff_interval=payoff_interval,
        values={},
    )


Players = Annotated[int, Meta(ge=2, le=50, description="Number of players; the answer has the best by Bradley-Terry.")]


class CertaintyPlayer(Answer, frozen=True):
    """A version of a bot with its ratings among the listed players."""

    bot: LeaderBot
    """The bot whose version it is."""
    version: str
    rating: float
    """Bradley-Terry rating."""
    mass: float
    """α-Rank: share in the stationary distribution."""
    share: float
    """Nash averaging: share in the maximum-entropy equilibrium."""
    skill: float
    """Nash averaging: expected score against the equilibrium, minus one half."""


class CertaintyAnswer(Answer, frozen=True):
    """The best players by Bradley-Terry and their pairwise results; matrices have a row and column for each."""

    game: str
    time_class: str
    rated: int
    """Number of rated matches in the computation."""
    advantage: float
    """Advantage of the first move (seat 0), in rating points."""
    advantage_interval: tuple[float, float]
    """95 % interval of this advantage, in rating points."""
    draw_rate: float
    """Share of draws between equally strong players."""
    misordered: float
    """Expected share of misordered pairs among the listed players."""
    groups: int
    """Number of groups of players without matches between them; ratings of different groups are hard to compare."""
    players: list[CertaintyPlayer]
    """The players, the highest rating first; rows and columns of the matrices have the same order."""
    superiority: list[list[float]]
    """Likelihood, from 0 to 1, that the player of the row is stronger than the player of the column."""
    points: list[list[float]]
    """Points of the row's player against the column's player."""
    games: list[list[float]]
    """Number of games between the two players."""


class OneCertainty(FilteredLeaders, frozen=True, kw_only=True):
    """Parameters: the leaderboard, its filters and the number of players."""

    game: GameName
    time_class: TimeClass | None = None
    players: Players = 12


async def get_certainty(arena: Arena, query: OneCertainty) -> CertaintyAnswer:
    """Return the certainty of the leaderboard's order, with α-Rank and Nash averaging."""
    game = offered(arena, query.game)
    time_class = query.time_class or arena.registry.time_class(game)
    found = await arena.rating_fits.get(game.name, time_class)
    return await asyncio.to_thread(certainty, game.name, time_class, found, query.players, query.chosen)


def certainty(
    game: str, time_class: str, assessed: LeaderboardFit, players: int, chosen_by: LeaderFilter = ALL_LEADERS
) -> CertaintyAnswer:
    """Return the API's answer for the best players of a rating fit that a filter admits."""
    assessment = assessed.assessment
    lines = list(itertools.islice(assessed_lines(assessed, SYSTEMS[DEFAULT], chosen_by), players))
    if assessment is None or not lines:
        return CertaintyAnswer(
            game=game,
            time_class=time_class,
            rated=assessed.games,
            advantage=0.0,
            advantage_interval=(0.0, 0.0),
            draw_rate=0.0,
            misordered=0.0,
            groups=0,
            players=[],
            superiority=[],
            points=[],
            games=[],
        )
    places = {(leader.bot_id, leader.version): place for place, leader in enumerate(assessed.leaders)}
    chosen = np.array([places[line.bot.id, line.version] for line in lines])
    opinion = assessed.opinion(chosen.tolist())
    square = np.ix_(chosen, chosen)
    found, reach = assessment.fit, NORMAL_95 * assessment.fit.advantage_deviation
    return CertaintyAnswer(
        game=game,
        time_class=time_class,
        rated=assessed.games,
        advantage=found.advantage,
        advantage_interval=(found.advantage - reach, found.advantage + reach),
        draw_rate=found.draw_rate,
        misordered=misordered_share(found.ratings[chosen], found.covariance[square]),
        groups=len(np.unique(found.groups)),
        players=[
            CertaintyPlayer(bot=line.bot, version=line.version, rating=line.rating, mass=mass, share=share, skill=skill)
            for line, mass, share, skill in zip(
                lines, opinion.mass.tolist(), opinion.share.tolist(), opinion.skill.tolist(), strict=True
            )
        ],
        superiority=opinion.superiority.tolist(),
        points=assessment.points[square].tolist(),
        games=assessment.games[square].tolist(),
    )


class SomeTrends(Query, frozen=True):
    """Parameters: the leaderboard and bots."""

    game: GameName
    bots: Annotated[
        str, Meta(max_length=4000, pattern=r"^\d{1,15}(,\d{1,15})*$", description="Numbers of bots, with commas.")
    ]
    time_class: TimeClass | None = None


class TrendAnswer(Answer, frozen=True):
    """The Elo ratings of a version over its newest rated matches."""

    bot: int
    """Number of the bot."""
    version: str
    since: float
    """Time of the end of the first of these matches."""
    change: float
    """Change of the Elo rating over these matches."""
    ratings: list[float]
    """Before the first of these matches, and after each of them, oldest first."""


class TrendsAnswer(Answer, frozen=True):
    """Trends of versions. A version without a rated match among the newest 200 matches of its bot is absent."""

    game: str
    time_class: str
    items: list[TrendAnswer]


async def get_trends(arena: Arena, query: SomeTrends) -> TrendsAnswer:
    """Return the Elo ratings of some bots over their newest rated matches, at most 30 for each version."""
    game = offered(arena, query.game)
    time_class = query.time_class or arena.registry.time_class(game)
    numbers = [int(number) for number in dict.fromkeys(query.bots.split(","))]
    if len(numbers) > MOST_TRENDS:
        raise BadRequest(f"parameter 'bots': at most {MOST_TRENDS} bots (got {len(numbers)})")
    rows = await arena.store.ratings.trends(numbers, game.name, time_class)
    items = [TrendAnswer.of(row, bot=row.bot_id, change=row.ratings[-1] - row.ratings[0]) for row in rows]
    return TrendsAnswer(game=game.name, time_class=time_class, items=items)


MOST_TRENDS = 100
"""Maximum bots in one request for trends."""


ENDPOINTS = (
    Endpoint("GET", "/api/v1/leaderboard", get_leaderboard),
    Endpoint("GET", "/api/v1/leaderboard/certainty", get_certainty),
    Endpoint("GET", "/api/v1/leaderboard/systems", list_systems),
    Endpoint("GET", "/api/v1/leaderboard/trends", get_trends),
)
