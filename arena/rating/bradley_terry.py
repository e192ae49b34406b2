# SPDX-License-Identifier: GPL-3.0-or-later
"""Bradley-Terry ratings (R. A. Bradley and M. E. Terry, 1952) by maximum likelihood, with draws and first-move
advantage.

All results count alike, whatever their time. The likelihood is concave, so Newton's method finds its one maximum, and
the inverse of the second derivatives there is the covariance of all ratings.

A weak prior regularizes: each player has half won and half lost one more game against a player of average strength. So
a player without a win has a rating, and unconnected groups are each centred on the average. A later version of a bot
has played that game against the previous version instead: so a bot with many versions plays the average player only
once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from arena.rating.difference import NORMAL_95
from arena.rating.draws import DAVIDSON, Curve, DrawModel
from arena.rating.logistic import POINTS
from arena.rating.results import Floats, Indices, Results

PRIOR = 1.0
"""Games that everybody is taken to have played against the average."""

_BETWEEN_EQUALS = Results(*np.zeros((2, 1), dtype=np.int64), *np.array([[0.25], [0.5], [0.25]]))
"""The prior of the draw rate before any game, as weak as one game."""

_ROUNDING = 1e-9
"""By what part of itself a likelihood may seem to fall where it does not."""
_PRECISION = 1e-5
"""A last step so small, in logarithms of odds: the next would be about its square."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Ratings in points of Elo, and how sure they are."""

    ratings: Floats
    covariance: Floats
    """In squared points; of the ratings relative to their average, or to the anchors where there are any."""
    advantage: float
    """The first-move advantage, in points; 0 if not estimated."""
    advantage_deviation: float
    draw_rate: float
    """The share of draws between equal players without advantage; 0 if no game was drawn."""
    groups: Indices
    """For each player the least number of a player in its group connected by games, directly or through others."""
    main: int
    """The group with most games, which the average is taken of."""

    @property
    def deviations(self) -> Floats:
        """The standard deviation of each rating."""
        deviations: Floats = np.sqrt(np.maximum(self.covariance.diagonal(), 0))
        return deviations

    @property
    def intervals(self) -> Floats:
        """The 95 % interval of each rating, in rows of two."""
        reach = NORMAL_95 * self.deviations
        return np.stack([self.ratings - reach, self.ratings + reach], axis=1)


def fit(
    results: Results,
    players: int,
    *,
    mean: float = 1500.0,
    anchors: Mapping[int, float] | None = None,
    advantage: bool = True,
    draw_model: DrawModel = DAVIDSON,
    prior: float = PRIOR,
    before: Indices | None = None,
) -> Fit:
    """Return the maximum-likelihood ratings of that many players.

    ``mean`` is the average of the largest group that is connected by games, weighted by number of games, unless
    ``anchors`` fix some ratings: so a newcomer makes no other rating less certain. ``before``: for each player the
    index of its previous version, -1 for none. Raises ValueError if results or anchors name other players, there is no
    player, or the prior is not positive.
    """
    results.check(players)
    fixed = dict(anchors or {})
    if players < 1:
        raise ValueError("there is no player to rate")
    if not set(fixed) <= set(range(players)):
        raise ValueError(f"an anchor is not one of the {players} players")
    if not prior > 0:
        raise ValueError("the prior must be positive: without it, a player that won every game has no rating")
    centre = sum(fixed.values()) / len(fixed) if fixed else mean
    likelihood = _Likelihood(results, players, prior, draw_model, before)
    free = np.ones(players + 2, dtype=bool)
    free[list(fixed)] = False
    free[players] = advantage
    free[players + 1] = results.draws.any()
    at = np.zeros(players + 2)
    at[list(fixed)] = (np.array(list(fixed.values())) - centre) / POINTS
    at[players + 1] = draw_model.start if free[players + 1] else draw_model.without
    at, information = _maximum(likelihood, at, free)
    covariance = np.zeros((players + 2, players + 2))
    covariance[np.ix_(free, free)] = POINTS**2 * np.linalg.inv(information)
    of_ratings = covariance[:players, :players]
    ratings = POINTS * at[:players]
    groups = results.groups(players)
    games = np.zeros(players)
    np.add.at(games, np.concatenate([results.first, results.second]), np.tile(results.games, 2))
    main = int(np.bincount(groups, games).argmax())
    if not fixed:
        weights = _weights(games, groups == main)
        ratings -= weights @ ratings
        shared = of_ratings @ weights
        of_ratings = of_ratings - shared - shared[:, None] + weights @ shared
    return Fit(
        centre + ratings,
        of_ratings,
        float(POINTS * at[players]),
        sqrt(covariance[players, players]),
        draw_model.rate(float(at[players + 1])),
        groups,
        main,
    )


def _weights(games: Floats, main: NDArray[np.bool_]) -> Floats:
    """Return how much each player counts in the average that ratings are relative to; they add up to 1."""
    if not games.any():
        return np.full(len(games), 1 / len(games))
    counted = np.where(main, games, 0)
    weights: Floats = counted / counted.sum()
    return weights


def _maximum(likelihood: "_Likelihood", at: Floats, free: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the maximum of the likelihood, and its negated second derivatives there by the free parameters."""
    value, curve = likelihood.value(at)
    while True:
        gradient, information = likelihood.derivatives(at, curve)
        information = information[np.ix_(free, free)]
        step = np.zeros_like(at)
        step[free] = np.linalg.solve(information, gradient[free])
        least = value - _ROUNDING * abs(value)
        at, (value, curve) = at + step, likelihood.value(at + step)
        while value < least:
            step /= 2
            at, (value, curve) = at - step, likelihood.value(at - step)
        if np.abs(step).max() < _PRECISION:
            return at, information


class _Likelihood:
    """The logarithm of the likelihood, prior included, of ratings, the advantage and c, in this order in one vector.

    Ratings are in logarithms of odds, relative to the player that the prior is about.
    """

    def __init__(
        self, results: Results, players: int, prior: float, draw_model: DrawModel, before: Indices | None
    ) -> None:
        self._results = results
        self._players = players
        self._prior = prior
        self._draw_model = draw_model
        self._meetings = results.first * players + results.second
        before = np.full(players, -1) if before is None else before
        self._later = np.flatnonzero(before >= 0)
        self._earlier = before[self._later]

    def value(self, at: Floats) -> tuple[float, Curve]:
        """Return it, and the curve of the results."""
        ratings, advantage, c = at[: self._players], at[self._players], float(at[-1])
        x = ratings[self._results.first] - ratings[self._results.second] + advantage
        curve = self._draw_model.curve(self._results, x, c)
        known = self._draw_model.curve(_BETWEEN_EQUALS, np.zeros(1), c).value if self._results.draws.any() else 0.0
        assumed = self._assumed(at)
        before = -self._prior * np.logaddexp(0, [assumed, -assumed]).sum() / 2
        return curve.value + known + float(before), curve

    def _assumed(self, at: Floats) -> Floats:
        """Return the differences that the prior is about: of ratings to the average or to the version before, and of
        the advantage to none.
        """
        differences = at[:-1].copy()
        differences[self._later] -= at[self._earlier]
        return differences

    def derivatives(self, at: Floats, curve: Curve) -> tuple[Floats, Floats]:
        """Return its first derivatives, and the second ones negated."""
        players, last = self._players, self._players + 1
        gradient = np.zeros(players + 2)
        gradient[:players] = self._balance(curve.by_x)
        gradient[players], gradient[last] = curve.by_x.sum(), curve.by_c
        information = np.zeros((players + 2, players + 2))
        meetings = np.bincount(self._meetings, curve.x_x, players**2).reshape(players, players)
        information[:players, :players] = -meetings - meetings.T
        own = np.bincount(self._results.first, curve.x_x, players)
        information[np.arange(players), np.arange(players)] = own + np.bincount(
            self._results.second, curve.x_x, players
        )
        information[:players, players] = information[players, :players] = self._balance(curve.x_x)
        information[:players, last] = information[last, :players] = self._balance(curve.x_c)
        information[players, last] = information[last, players] = curve.x_c.sum()
        information[players, players], information[last, last] = curve.x_x.sum(), curve.c_c
        expected = 1 / (1 + np.exp(-self._assumed(at)))
        pull, firmness = self._prior * (0.5 - expected), self._prior * expected * (1 - expected)
        gradient[:-1] += pull
        np.subtract.at(gradient, self._earlier, pull[self._later])
        information[np.arange(last), np.arange(last)] += firmness
        np.add.at(information, (self._earlier, self._earlier), firmness[self._later])
        information[self._later, self._earlier] -= firmness[self._later]
        information[self._earlier, self._later] -= firmness[self._later]
        if self._results.draws.any():
            known = self._draw_model.curve(_BETWEEN_EQUALS, np.zeros(1), float(at[-1]))
            gradient[last] += known.by_c
            information[last, last] += known.c_c
        return gradient, information

    def _balance(self, rows: Floats) -> Floats:
        """Return for each player the sum over rows in which he moved first, less that over the others of his."""
        firsts = np.bincount(self._results.first, rows, self._players)
        return np.asarray(firsts - np.bincount(self._results.second, rows, self._players), dtype=np.float64)
