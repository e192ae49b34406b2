# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is best: a leaderboard a game and time class."""

import asyncio
from typing import Annotated

from msgspec import Meta

from arena.application import Arena
from arena.store.errors import BadCursor
from arena.store.rows import BotKind, LeaderRow
from web.api.games import offered
from web.api.route import Answer, Cursor, GameName, Limit, Query, Route
from web.errors import BadRequest

TimeClass = Annotated[
    str, Meta(max_length=32, description="bullet, blitz, rapid or classical; the game's own when left out.")
]


class LeaderBot(Answer, frozen=True):
    """Whose line it is."""

    id: int
    name: str
    kind: BotKind


class LeaderAnswer(Answer, frozen=True):
    """A line of a leaderboard: a version of a bot."""

    rank: int
    bot: LeaderBot
    version: str
    rating: float
    provisional: bool
    """Whether so few games were played that the rating says little yet."""
    games: int
    wins: int
    draws: int
    losses: int
    last_change: float
    """What the last rated match did to the rating."""
    last_played: float | None
    """Unix time in seconds."""


class LeaderboardAnswer(Answer, frozen=True):
    """A page of a leaderboard, the best first."""

    game: str
    time_class: str
    items: list[LeaderAnswer]
    next: str | None


class OneLeaderboard(Query, frozen=True):
    """Which leaderboard."""

    game: GameName
    time_class: TimeClass | None = None
    limit: Limit = 100
    after: Cursor | None = None


TIME_CLASSES = ("bullet", "blitz", "rapid", "classical")
"""All there are, the fastest first; ``engine.time_control`` tells which a time control belongs to."""


async def get_leaderboard(arena: Arena, query: OneLeaderboard) -> LeaderboardAnswer:
    """List the versions of bots that played a game, the best rating first."""
    game = offered(arena, query.game)
    time_class = query.time_class or arena.programme.time_class(game)
    try:
        page = await arena.store.ratings.leaderboard(game.name, time_class, after=query.after, limit=query.limit)
    except BadCursor as error:
        raise BadRequest(str(error)) from None
    items = [line(row) for row in page.items]
    return LeaderboardAnswer(game=game.name, time_class=time_class, items=items, next=page.next)


async def time_classes(arena: Arena, game: str) -> list[str]:
    """Return the time classes in which somebody has a rating in a game."""
    pages = await asyncio.gather(*(arena.store.ratings.leaderboard(game, name, limit=1) for name in TIME_CLASSES))
    return [name for name, page in zip(TIME_CLASSES, pages, strict=True) if page.items]


def line(row: LeaderRow) -> LeaderAnswer:
    """Return what the API says of a line of a leaderboard."""
    standing = row.standing
    return LeaderAnswer(
        rank=row.rank,
        bot=LeaderBot(id=row.bot_id, name=row.bot, kind=row.bot_kind),
        version=row.version,
        rating=standing.rating,
        provisional=standing.provisional,
        games=standing.games,
        wins=standing.wins,
        draws=standing.draws,
        losses=standing.losses,
        last_change=standing.last_change,
        last_played=standing.last_played,
    )


ROUTES = (Route("/leaderboard", OneLeaderboard, LeaderboardAnswer, get_leaderboard),)
