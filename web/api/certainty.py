# SPDX-License-Identifier: GPL-3.0-or-later
"""REST route for the certainty of a leaderboard's order: likelihood of superiority, α-Rank and Nash averaging."""

import itertools
from typing import Annotated

import numpy as np
from msgspec import Meta

from arena.application import Arena
from arena.ladder.order import Assessed
from arena.pairing.information import share_wrong
from arena.rating.assessment import second_opinion
from arena.rating.difference import NORMAL_95
from web.api.endpoint import Answer, Endpoint, GameName, Query
from web.api.games import offered
from web.api.leaderboard import LeaderBot, TimeClass, assessed_lines

Players = Annotated[int, Meta(ge=2, le=50, description="Number of players, the best by Bradley-Terry.")]


class CertaintyPlayer(Answer, frozen=True):
    """A version of a bot with its ratings among the listed players."""

    bot: LeaderBot
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
    draw_rate: float
    """Share of draws between equally strong players."""
    wrong: float
    """Expected share of misordered pairs among the listed players."""
    groups: int
    """Number of groups of players without matches between them; ratings of different groups are hard to compare."""
    players: list[CertaintyPlayer]
    superiority: list[list[float]]
    """Likelihood, from 0 to 1, that the player of the row is stronger than the player of the column."""
    points: list[list[float]]
    """Points of the row's player against the column's player."""
    games: list[list[float]]
    """Number of games between the two players."""


class OneCertainty(Query, frozen=True):
    """Parameters: the leaderboard and the number of players."""

    game: GameName
    time_class: TimeClass | None = None
    players: Players = 12


async def get_certainty(arena: Arena, query: OneCertainty) -> CertaintyAnswer:
    """Return the certainty of the leaderboard's order, with α-Rank and Nash averaging."""
    game = offered(arena, query.game)
    time_class = query.time_class or arena.registry.time_class(game)
    return certainty(game.name, time_class, await arena.standings.get(game.name, time_class), query.players)


def certainty(game: str, time_class: str, assessed: Assessed, players: int) -> CertaintyAnswer:
    """Return the API's answer for the best players of a rating fit."""
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


ENDPOINTS = (Endpoint("GET", "/api/v1/leaderboard/certainty", get_certainty),)
