# SPDX-License-Identifier: GPL-3.0-or-later
"""All that the results of one game and time class say of its players: ratings by several systems, order, cycles."""

from dataclasses import dataclass

import numpy as np

from arena.rating import glicko2
from arena.rating.alpha_rank import alpha_rank
from arena.rating.bradley_terry import Fit, fit
from arena.rating.nash import nash_average
from arena.rating.ranks import rank_intervals, superiorities
from arena.rating.results import Floats, Indices, Results

CERTAIN = 100.0
"""Points to which a 95 % interval must not reach on either side, or the rating is provisional."""

BORROWED = 2.0
"""Games of the expected score that are added to those of each two, so that who met seldom makes no cycles."""


@dataclass(frozen=True, slots=True, eq=False)
class Assessment:
    """Players by number."""

    fit: Fit
    """By Bradley-Terry."""
    ranks: Indices
    """The 95 % interval of each rank by Bradley-Terry, in rows of two."""
    glicko: glicko2.Standings
    """By Glicko-2, a period being a day."""
    points: Floats
    """What the row's player scored against the column's."""
    games: Floats
    """How often they met."""

    @property
    def provisional(self) -> "np.typing.NDArray[np.bool_]":
        """Whose rating by Bradley-Terry is still uncertain: its interval is wide, or most others are not connected."""
        _, first, size = np.unique(self.fit.groups, return_index=True, return_counts=True)
        apart = self.fit.groups != self.fit.groups[first[size.argmax()]]
        wide = np.diff(self.fit.intervals, axis=1)[:, 0] >= 2 * CERTAIN
        provisional: np.typing.NDArray[np.bool_] = wide | apart
        return provisional


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """What is said of some players among each other, in the order in which they were named."""

    superiority: Floats
    """How sure it is that the row's player is the stronger."""
    mass: Floats
    """By α-Rank: the share of time that evolution spends with each."""
    share: Floats
    """By Nash averaging: how much of the best choice each is."""
    skill: Floats
    """What each scores against that choice, less one half."""


def assess(days: Indices, results: Results, players: int) -> Assessment:
    """Return what results say, each row of which was played on a day, counted from any.

    Raises ValueError when a result names others, and when there is no player.
    """
    found = fit(results, players)
    points, games = results.table(players)
    return Assessment(
        found, rank_intervals(found.ratings, found.covariance), _by_days(days, results, players), points, games
    )


def second_opinion(assessment: Assessment, players: Indices) -> Opinion:
    """Return what is said of these players among each other."""
    chosen = np.ix_(players, players)
    ratings = assessment.fit.ratings[players]
    expected = 1 / (1 + 10 ** ((ratings - ratings[:, None]) / 400))
    scores = (assessment.points[chosen] + BORROWED * expected) / (assessment.games[chosen] + BORROWED)
    np.fill_diagonal(scores, 0.5)
    average = nash_average(scores)
    return Opinion(
        superiorities(ratings, assessment.fit.covariance[chosen]), alpha_rank(scores), average.shares, average.skill
    )


def _by_days(days: Indices, results: Results, players: int) -> glicko2.Standings:
    """Return where players stand by Glicko-2 after the last day."""
    standings = glicko2.Standings.unplayed(players)
    order = np.argsort(days, kind="stable")
    starts = np.flatnonzero(np.diff(days[order], prepend=np.iinfo(np.int64).min))
    before: int | None = None
    for start, end in zip(starts, [*starts[1:], len(order)], strict=True):
        rows = order[start:end]
        day = int(days[rows[0]])
        if before is not None and day - before > 1:
            standings = glicko2.after_idleness(standings, day - before - 1)
        before = day
        standings = glicko2.after_many(
            standings, results.first[rows], results.second[rows], results.points[rows], results.games[rows]
        )
    return standings
