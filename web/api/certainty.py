# SPDX-License-Identifier: GPL-3.0-or-later
"""How sure the order on a leaderboard is, and whether there is one: who is likely stronger than whom, and cycles."""

import itertools
from typing import Annotated

import numpy as np
from msgspec import Meta

from arena.application import Arena
from arena.ladder.order import Assessed
from arena.pairing.information import share_wrong
from arena.rating.assessment import second_opinion
from arena.rating.difference import NORMAL_95
from web.api.games import offered
from web.api.leaderboard import LeaderBot, TimeClass, assessed_lines
from web.api.route import Answer, GameName, Query, Route

Players = Annotated[int, Meta(ge=2, le=50, description="The best so many by Bradley-Terry.")]


class CertaintyPlayer(Answer, frozen=True):
    """A version of a bot, and what is said of it among those listed."""

    bot: LeaderBot
    version: str
    rating: float
    """By Bradley-Terry."""
    mass: float
    """By α-Rank: the share of time that evolution spends with it."""
    share: float
    """By Nash averaging: how much of the best choice it is."""
    skill: float
    """What it scores against that choice, less one half."""


class CertaintyAnswer(Answer, frozen=True):
    """The best by Bradley-Terry, and what they are to each other. Matrices have a row and a column for each of them."""

    game: str
    time_class: str
    rated: int
    """Rated matches of all players that this was computed from, at most."""
    advantage: float
    """What it is worth to sit on seat 0, in points."""
    advantage_interval: tuple[float, float]
    draw_rate: float
    """The share of draws between equals."""
    wrong: float
    """The share of pairs of those listed that is expected to stand in the wrong order."""
    groups: int
    """Groups of all players that no matches connect; what their ratings say of each other is little."""
    players: list[CertaintyPlayer]
    superiority: list[list[float]]
    """How sure it is, from 0 to 1, that the row's player is the stronger."""
    points: list[list[float]]
    """What the row's player scored against the column's."""
    games: list[list[float]]
    """How often they met."""


class OneCertainty(Query, frozen=True):
    """Of which leaderboard."""

    game: GameName
    time_class: TimeClass | None = None
    players: Players = 12


async def get_certainty(arena: Arena, query: OneCertainty) -> CertaintyAnswer:
    """Return the certainty of the leaderboard's order, with α-Rank and Nash averaging."""
    game = offered(arena, query.game)
    time_class = query.time_class or arena.registry.time_class(game)
    return certainty(game.name, time_class, await arena.standings.get(game.name, time_class), query.players)


def certainty(game: str, time_class: str, assessed: Assessed, players: int) -> CertaintyAnswer:
    """Return what the API says of the best players and of the order among them."""
    assessment = assessed.assessment
    lines = list(itertools.islice(assessed_lines(assessed, "bradley-terry"), players))
    if assessment is None or not lines:
        return CertaintyAnswer(
            game=game,
            time_class=time_class,
            rated=assessed.games,
            advantage=0.0,
            advantage_interval=(0.0, 0.0),
            draw_rate=0.0,
            wrong=0.0,
            groups=0,
            players=[],
            superiority=[],
            points=[],
            games=[],
        )
    places = {(leader.bot_id, leader.version): place for place, leader in enumerate(assessed.leaders)}
    chosen = np.array([places[line.bot.id, line.version] for line in lines])
    opinion = second_opinion(assessment, chosen)
    square = np.ix_(chosen, chosen)
    found, reach = assessment.fit, NORMAL_95 * assessment.fit.advantage_deviation
    return CertaintyAnswer(
        game=game,
        time_class=time_class,
        rated=assessed.games,
        advantage=found.advantage,
        advantage_interval=(found.advantage - reach, found.advantage + reach),
        draw_rate=found.draw_rate,
        wrong=share_wrong(found.ratings[chosen], found.covariance[square]),
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


ROUTES = (Route("/leaderboard/certainty", OneCertainty, CertaintyAnswer, get_certainty),)
