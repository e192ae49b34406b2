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

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import erf, exp, inf, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.difference import NORMAL_95, POINTS
from arena.rating.results import Floats, Indices, Results, repeat_weights
from arena.rating.system import ELO, INTERVAL, RANKS, RatedGames, Ratings, RatingSystem

PRIOR = 1.0
"""Games that the prior gives each player against the average player."""

_BETWEEN_EQUALS = Results(*np.zeros((2, 1), dtype=np.int64), *np.array([[0.25], [0.5], [0.25]]))
"""The prior of the draw rate before any game, as weak as one game."""

_ROUNDING = 1e-9
"""Share of itself by which rounding may lower a likelihood that does not fall."""
_PRECISION = 1e-5
"""Length of a last step, in logarithms of odds: the next would be about its square."""


# ---------------------------------------------------------------- draw models
#
# The probability of a draw by difference of strength, with the derivatives for Newton's method. x is the natural
# logarithm of the odds of winning to losing if there were no draws; c sets the frequency of draws.


class Curve(NamedTuple):
    """The log-likelihood of results, and its derivatives by x, one value a row, and by c, summed over all rows.

    Second derivatives are negated: they are the information of the results about x and c.
    """

    value: float
    by_x: Floats
    by_c: float
    x_x: Floats
    x_c: Floats
    c_c: float


class DrawModel(NamedTuple):
    """A model: the curve at some x and a c, the share of draws between equals at a c, and which c to begin at."""

    curve: Callable[[Results, Floats, float], Curve]
    rate: Callable[[float], float]
    start: float
    without: float
    """The c without draws."""


def _davidson(results: Results, x: Floats, c: float) -> Curve:
    wins, draws, losses, games = results.wins, results.draws, results.losses, results.games
    up = np.exp(x / 2)
    total = up + 1 / up + exp(c)
    lead = (up - 1 / up) / total
    drawn = exp(c) / total
    drawn_games = float(draws.sum())
    value = float((x / 2 * (wins - losses) - games * np.log(total)).sum()) + (c * drawn_games if drawn_games else 0)
    return Curve(
        value,
        (wins - losses - games * lead) / 2,
        float((draws - games * drawn).sum()),
        games * (1 - drawn - lead**2) / 4,
        -games * drawn * lead / 2,
        float((games * drawn * (1 - drawn)).sum()),
    )


def _rao_kupper(results: Results, x: Floats, c: float) -> Curve:
    if c < 0:
        nothing = np.zeros_like(x)
        return Curve(-inf, nothing, 0, nothing, nothing, 0)
    not_lost, not_won = results.wins + results.draws, results.losses + results.draws
    won, lost = 1 / (1 + np.exp(c - x)), 1 / (1 + np.exp(c + x))
    value = float((not_lost * np.log(won) + not_won * np.log(lost)).sum())
    by_c = -float((not_lost * (1 - won) + not_won * (1 - lost)).sum())
    told_won, told_lost = not_lost * won * (1 - won), not_won * lost * (1 - lost)
    c_c = float((told_won + told_lost).sum())
    if drawn_games := float(results.draws.sum()):
        odds = exp(2 * c) - 1
        value += drawn_games * (log(odds) if odds > 0 else -inf)
        by_c += drawn_games * (2 * (odds + 1) / odds if odds > 0 else 0)
        c_c += drawn_games * (4 * (odds + 1) / odds**2 if odds > 0 else 0)
    return Curve(
        value, not_lost * (1 - won) - not_won * (1 - lost), by_c, told_won + told_lost, told_lost - told_won, c_c
    )


DAVIDSON = DrawModel(_davidson, lambda c: exp(c) / (2 + exp(c)), 0.0, -inf)
"""Draws are e^c times as likely as the geometric mean of winning and losing (R. R. Davidson, 1970)."""

RAO_KUPPER = DrawModel(_rao_kupper, lambda c: 1 - 2 / (1 + exp(c)), 0.5, 0.0)
"""A player that is not c stronger on the day does not win; the win probability is 1 / (1 + e^(c - x)) (P. V. Rao and L.
L. Kupper, 1967); BayesElo's model."""


# ---------------------------------------------------------------- the fit


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
        """Return for each player the sum over rows in which it moved first, minus the sum over its other rows."""
        firsts = np.bincount(self._results.first, rows, self._players)
        return np.asarray(firsts - np.bincount(self._results.second, rows, self._players), dtype=np.float64)


# ---------------------------------------------------------------- superiority and ranks
#
# Both assume normally distributed ratings with their full covariance: two players with many mutual games are
# distinguished better than their separate intervals suggest.

SAMPLES = 1000
"""Random orders, enough for percentiles."""

_JITTER = 1e-6
"""Squared points that make a covariance invertible, and are negligible beside it."""

_Φ = np.frompyfunc(lambda x: (1 + erf(x / sqrt(2))) / 2, 1, 1)


def superiorities(ratings: Floats, covariance: Floats) -> Floats:
    """Return in a square matrix the probability that the row's player is stronger: Φ((r - s) / σ of r - s).

    1/2 where the data do not distinguish two players.
    """
    variances = covariance.diagonal()
    spread = np.sqrt(np.maximum(variances[:, None] + variances - 2 * covariance, _JITTER))
    sure: Floats = _Φ((ratings[:, None] - ratings) / spread).astype(np.float64)
    return sure


def rank_intervals(ratings: Floats, covariance: Floats, *, seed: int = 0, samples: int = SAMPLES) -> Indices:
    """Return the 95 % interval of each player's rank, 1 being the best, in rows of two.

    They are the 2.5 % and 97.5 % percentiles of the ranks in many random samples of all ratings together, from the
    normal distribution with their covariance (H. Goldstein and D. J. Spiegelhalter, "League Tables and Their
    Limitations", 1996).
    """
    count = len(ratings)
    # a common shift does not change the order, but a covariance relative to a mean has no Cholesky factor
    widened = covariance + covariance.diagonal().mean() + _JITTER * np.eye(count)
    noise = np.random.default_rng(seed).standard_normal((count, samples))
    drawn = ratings[:, None] + np.linalg.cholesky(widened) @ noise
    places = np.argsort(-drawn, axis=0, kind="stable")
    ranks = np.empty((samples, count), dtype=np.int32)
    np.put_along_axis(ranks, places.T, np.arange(1, count + 1, dtype=np.int32)[None, :], axis=1)
    cut = int(0.025 * samples)
    ranks.partition((cut, samples - 1 - cut), axis=0)
    return np.stack([ranks[cut], ranks[samples - 1 - cut]], axis=1).astype(np.int64)


# ---------------------------------------------------------------- the rating system

CERTAIN = 100.0
"""Points to which a 95 % interval must not reach on either side, or the rating is provisional."""


def _rate(games: RatedGames) -> Ratings:
    counted = games.results.weighted(repeat_weights(games.results, games.bots))
    found = fit(counted, games.players, before=games.before)
    wide = np.diff(found.intervals, axis=1)[:, 0] >= 2 * CERTAIN
    provisional = wide | (found.groups != found.main)
    ranked = np.flatnonzero(~provisional & games.listed)
    ranks = np.zeros((games.players, 2), dtype=np.int64)
    if len(ranked):
        ranks[ranked] = rank_intervals(found.ratings[ranked], found.covariance[np.ix_(ranked, ranked)])
    return Ratings(found.ratings, provisional, found.deviations, ranks, fit=found)


SYSTEM = RatingSystem(
    name="bradley-terry",
    title="Bradley-Terry",
    description="Maximum-likelihood ratings from all results, with 95 % intervals of rating and rank. A rating is "
    f"provisional while its 95 % interval extends {CERTAIN:g} points or more to each side, or while no chain of "
    "matches connects the bot with the largest group of bots.",
    columns=(INTERVAL, RANKS, ELO),
    rate=_rate,
    certainty=True,
)
