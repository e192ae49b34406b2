# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is best: a leaderboard a game and time class."""

import asyncio
import itertools
from collections.abc import Iterator
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta, structs

from arena.application import Arena
from arena.ladder.order import MOST, Assessed, Standings
from arena.rating.difference import NORMAL_95
from arena.rating.glicko2 import PROVISIONAL
from arena.store import Store
from arena.store.cursors import read_id, write_cursor
from arena.store.rows import BotKind, LeaderRow
from web.api.games import offered
from web.api.route import Answer, GameName, Limit, OnePage, Route

TimeClass = Annotated[
    str, Meta(max_length=32, description="bullet, blitz, rapid or classical; the game's own when left out.")
]


class LeaderBot(Answer, frozen=True):
    """Whose line it is."""

    id: int
    name: str
    kind: BotKind


System = Annotated[
    Literal["bradley-terry", "elo", "glicko-2"],
    Meta(
        description="bradley-terry: the likeliest of all results together, with the 95 % intervals of rating and rank. "
        "elo: as every match changed it. glicko-2: with its uncertainty, day by day."
    ),
]


class LeaderAnswer(Answer, frozen=True):
    """A line of a leaderboard: a version of a bot."""

    rank: int | None
    """Among the settled; null while the rating is provisional, except by Elo, which ranks all."""
    bot: LeaderBot
    version: str
    rating: float
    provisional: bool
    """Whether the rating says little yet: for too few games, or by its own uncertainty."""
    interval: tuple[float, float] | None
    """The rating's 95 % interval, where the system knows one."""
    ranks: tuple[int, int] | None
    """The 95 % interval of the rank among the settled, likewise."""
    elo: float
    """The Elo rating, as every match changed it, whatever the system."""
    elo_provisional: bool
    """Whether it comes from few games."""
    games: int
    wins: int
    draws: int
    losses: int
    wins_by_failure: int
    """The wins where the opponent crashed, left, or sent a bad message or an illegal move."""
    last_change: float
    """What the last rated match did to the Elo rating."""
    last_played: float | None
    """Unix time in seconds."""


class LeaderboardAnswer(Answer, frozen=True):
    """A page of a leaderboard: the settled, the best first, then the provisional. By Elo all in one order."""

    game: str
    time_class: str
    system: str
    items: list[LeaderAnswer]
    next: str | None
    most: int | None
    """How many versions are assessed, those that have played most, where there are more; null: all are."""


class OneLeaderboard(OnePage, frozen=True, kw_only=True):
    """Which leaderboard."""

    game: GameName
    time_class: TimeClass | None = None
    system: System = "bradley-terry"
    limit: Limit = 100


TIME_CLASSES = ("bullet", "blitz", "rapid", "classical")
"""All there are, the fastest first; ``engine.time_control`` tells which a time control belongs to."""


async def get_leaderboard(arena: Arena, query: OneLeaderboard) -> LeaderboardAnswer:
    """List the versions of bots that played a game, the best rating first."""
    game = offered(arena, query.game)
    time_class = query.time_class or arena.registry.time_class(game)
    return await read_leaderboard(arena.store, arena.standings, game.name, time_class, query)


async def read_leaderboard(
    store: Store, standings: Standings, game: str, time_class: str, query: OneLeaderboard
) -> LeaderboardAnswer:
    """Return a leaderboard. Raises BadCursor and StoreError."""
    if query.system == "elo":
        page = await store.ratings.leaderboard(game, time_class, after=query.after, limit=query.limit)
        items = [line(row) for row in page.items]
        return LeaderboardAnswer(game, time_class, query.system, items, page.next, None)
    return assessed_board(await standings.get(game, time_class), game, time_class, query)


def assessed_board(assessed: Assessed, game: str, time_class: str, query: OneLeaderboard) -> LeaderboardAnswer:
    """Return a leaderboard by a system that knows how sure it is. Raises BadCursor."""
    skipped = 0 if query.after is None else read_id(query.after)
    found = list(itertools.islice(assessed_lines(assessed, query.system), skipped, skipped + query.limit + 1))
    following = write_cursor(skipped + query.limit) if len(found) > query.limit else None
    most = MOST if len(assessed.leaders) == MOST else None
    return LeaderboardAnswer(game, time_class, query.system, found[: query.limit], following, most)


def assessed_lines(assessed: Assessed, system: System) -> Iterator[LeaderAnswer]:
    """Yield the lines of a leaderboard by a system that knows how sure it is, the removed left out: the settled, the
    best first, then the provisional, which have no rank.
    """
    if assessed.assessment is None:
        return
    assessment = assessed.assessment
    if system == "glicko-2":
        ratings, deviations = assessment.glicko.rating, assessment.glicko.deviation
        provisional = deviations >= PROVISIONAL
    else:
        ratings, deviations = assessment.fit.ratings, assessment.fit.deviations
        provisional = assessment.provisional
    rank = 0
    for place in np.lexsort((-ratings, provisional)).tolist():
        leader = assessed.leaders[place]
        if leader.standing.version_id in assessed.removed:
            continue
        settled = not provisional[place]
        rank += settled
        rating, reach = float(ratings[place]), NORMAL_95 * float(deviations[place])
        best, worst = assessment.ranks[place].tolist()
        yield structs.replace(
            line(leader),
            rank=rank if settled else None,
            rating=rating,
            provisional=not settled,
            interval=(rating - reach, rating + reach),
            ranks=(best, worst) if settled and system == "bradley-terry" else None,
        )


async def time_classes(arena: Arena, game: str) -> list[str]:
    """Return the time classes in which somebody has a rating in a game."""
    pages = await asyncio.gather(*(arena.store.ratings.leaderboard(game, name, limit=1) for name in TIME_CLASSES))
    return [name for name, page in zip(TIME_CLASSES, pages, strict=True) if page.items]


def line(row: LeaderRow) -> LeaderAnswer:
    """Return what the API says of a line of a leaderboard."""
    standing = row.standing
    return LeaderAnswer.of(
        standing,
        rank=row.rank,
        bot=LeaderBot(id=row.bot_id, name=row.bot, kind=row.bot_kind),
        version=row.version,
        interval=None,
        ranks=None,
        elo=standing.rating,
        elo_provisional=standing.provisional,
    )


ROUTES = (Route("/leaderboard", OneLeaderboard, LeaderboardAnswer, get_leaderboard),)
