# SPDX-License-Identifier: GPL-3.0-or-later
"""All rating systems of the leaderboard, found by discovery, and their ratings from the same games."""

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

import arena.rating
from arena.rating.bradley_terry import SYSTEM as BRADLEY_TERRY
from arena.rating.bradley_terry import Fit, superiorities
from arena.rating.difference import score_of
from arena.rating.game_theory import alpha_rank, nash_average
from arena.rating.results import Floats, Indices, Results
from arena.rating.system import Booleans, RatedGames, Ratings, RatingSystem

BORROWED = 2.0
"""Games with the expected score, added to each pair's games, so that pairs with few games make no cycles."""


def _found() -> dict[str, RatingSystem]:
    names = (f"arena.rating.{info.name}" for info in pkgutil.iter_modules(arena.rating.__path__))
    systems = (getattr(importlib.import_module(name), "SYSTEM", None) for name in names if name != __name__)
    return {system.name: system for system in systems if system is not None}


SYSTEMS: Mapping[str, RatingSystem] = _found()
"""Every rating system by name, in alphabetical order of their modules."""

DEFAULT = BRADLEY_TERRY.name
"""The system of the leaderboard unless another one is chosen."""


@dataclass(frozen=True, slots=True, eq=False)
class Assessment:
    """The ratings of players, by number, in every system that computes them from results."""

    ratings: Mapping[str, Ratings]
    """By name of the system."""
    points: Floats
    """The score of the row's player against the column's."""
    games: Floats
    """Number of games between the row's player and the column's."""

    @property
    def bradley_terry(self) -> Ratings:
        """The ratings by Bradley-Terry."""
        return self.ratings[BRADLEY_TERRY.name]

    @property
    def fit(self) -> Fit:
        """The Bradley-Terry fit, which the certainty of the order is computed from."""
        found = self.bradley_terry.fit
        assert found is not None, "Bradley-Terry computes a fit"
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """The ratings of some players among each other, in the given order."""

    superiority: Floats
    """The probability that the player of the row is stronger."""
    mass: Floats
    """By α-Rank: the share of time that evolution spends with each."""
    share: Floats
    """By Nash averaging: the share of each in the Nash mixture."""
    skill: Floats
    """The score of each player against the Nash mixture, minus one half."""


def assess(
    days: Indices,
    results: Results,
    players: int,
    *,
    bots: Indices | None = None,
    before: Indices | None = None,
    listed: Booleans | None = None,
) -> Assessment:
    """Compute the ratings of every system; the parameters are described at ``RatedGames``.

    By default each player is its own bot, and listed. Raises ValueError if a result names another player, and without
    players.
    """
    played = RatedGames(
        days,
        results,
        players,
        np.arange(players) if bots is None else bots,
        np.full(players, -1) if before is None else before,
        np.ones(players, dtype=np.bool_) if listed is None else listed,
    )
    ratings = {name: system.rate(played) for name, system in SYSTEMS.items() if system.rate}
    return Assessment(ratings, *results.table(players))


def second_opinion(assessment: Assessment, players: Indices) -> Opinion:
    """Return α-Rank and Nash averaging of these players among each other."""
    chosen = np.ix_(players, players)
    ratings = assessment.fit.ratings[players]
    expected = score_of(ratings[:, None] - ratings)
    scores = (assessment.points[chosen] + BORROWED * expected) / (assessment.games[chosen] + BORROWED)
    np.fill_diagonal(scores, 0.5)
    average = nash_average(scores)
    return Opinion(
        superiorities(ratings, assessment.fit.covariance[chosen]), alpha_rank(scores), average.shares, average.skill
    )
