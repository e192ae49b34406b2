# SPDX-License-Identifier: GPL-3.0-or-later
"""All that the results of one game and time class say of its players: ratings by several systems, order, cycles."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena.rating import glicko2, repeats
from arena.rating.alpha_rank import alpha_rank
from arena.rating.bradley_terry import Fit, fit
from arena.rating.logistic import score_of
from arena.rating.nash import nash_average
from arena.rating.ranks import rank_intervals, superiorities
from arena.rating.results import Floats, Indices, Results

Booleans = NDArray[np.bool_]

CERTAIN = 100.0
"""Points to which a 95 % interval must not reach on either side, or the rating is provisional."""

BORROWED = 2.0
"""Games with the expected score, added to each pair's games, so that pairs with few games make no cycles."""


@dataclass(frozen=True, slots=True, eq=False)
class Assessment:
    """Players by number."""

    fit: Fit
    """By Bradley-Terry."""
    provisional: Booleans
    """Players whose Bradley-Terry rating is still uncertain: the interval is wide, or no games connect the player with
    the players of the most games.
    """
    ranks: Indices
    """The 95 % interval of each rank by Bradley-Terry among the ranked players, in rows of two; 0 for others."""
    glicko: glicko2.Standings
    """By Glicko-2, a period being a day."""
    points: Floats
    """The score of the row's player against the column's."""
    games: Floats
    """How often they met."""


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
    """Compute all ratings from results; each row was played on a numbered day.

    ``bots``: the bot number of each player (a version); repeats between the same two bots count less for Bradley-Terry.
    ``before``: for each player the index of its previous version, -1 for none. ``listed``: players that are ranked
    unless provisional. By default each player is its own bot, and listed. Raises ValueError if a result names another
    player, and without players.
    """
    before = np.full(players, -1) if before is None else before
    counted = results.weighted(repeats.weights(results, np.arange(players) if bots is None else bots))
    found = fit(counted, players, before=before)
    provisional = _uncertain(found)
    ranked = np.flatnonzero(~provisional if listed is None else ~provisional & listed)
    ranks = np.zeros((players, 2), dtype=np.int64)
    if len(ranked):
        ranks[ranked] = rank_intervals(found.ratings[ranked], found.covariance[np.ix_(ranked, ranked)])
    points, games = results.table(players)
    return Assessment(found, provisional, ranks, _by_days(days, results, players, before), points, games)


def _uncertain(found: Fit) -> Booleans:
    """Return which ratings are provisional: wide interval, or no chain of games to the players with the most games."""
    wide = np.diff(found.intervals, axis=1)[:, 0] >= 2 * CERTAIN
    uncertain: Booleans = wide | (found.groups != found.main)
    return uncertain


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


def _by_days(days: Indices, results: Results, players: int, earlier: Indices) -> glicko2.Standings:
    """Return the Glicko-2 ratings after the last day; a later version starts with the rating of the previous one."""
    standings = glicko2.Standings.unplayed(players)
    number = _numbers(earlier)
    unseen = np.ones(players, dtype=np.bool_)
    order = np.argsort(days, kind="stable")
    starts = np.flatnonzero(np.diff(days[order], prepend=np.iinfo(np.int64).min))
    before: int | None = None
    for start, end in zip(starts, [*starts[1:], len(order)], strict=True):
        rows = order[start:end]
        day = int(days[rows[0]])
        if before is not None and day - before > 1:
            standings = glicko2.after_idleness(standings, day - before - 1)
        before = day
        there = np.unique(np.concatenate([results.first[rows], results.second[rows]]))
        new = there[unseen[there] & (number[there] > 0)]
        if len(new):
            rating = standings.rating.copy()
            for player in new[np.argsort(number[new])].tolist():
                rating[player] = rating[earlier[player]]
            standings = replace(standings, rating=rating)
        unseen[there] = False
        standings = glicko2.after_many(
            standings, results.first[rows], results.second[rows], results.points[rows], results.games[rows]
        )
    return standings


def _numbers(earlier: Indices) -> Indices:
    """Return for each player how many versions came before him."""
    numbers = np.zeros(len(earlier), dtype=np.int64)
    at = earlier
    while (at >= 0).any():
        numbers += at >= 0
        at = np.where(at >= 0, earlier[at], -1)
    return numbers
