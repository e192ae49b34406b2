# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairing by expected information: select the pairings whose results tell most about the order of all players.

The ratings have a normal distribution: maximum-likelihood values with their covariance, from
``arena.rating.bradley_terry``. The better of two players is known with probability p = Φ(x), where x is the difference
of their ratings in standard deviations. A pairing of a and b with Fisher information w explains the share ρ² = w·cov(i
- j, a - b)² / (var(i - j)·(1 + w·var(a - b))) of the variance of i - j. To first order that gives ½·ρ²·φ(x)² / (p·(1 -
p)) nats about the order of i and j: 0 where the order is clear already, or where the pairing is unrelated to i and j.
The value of the pairing is the sum over all pairs i, j.

That sum is a quadratic form of the Laplacian of the pairs' weights, so two matrix products evaluate all pairings
together.
"""

from collections.abc import Collection
from math import pi

import numpy as np
from numpy.typing import NDArray

from arena.rating.difference import POINTS, score_of

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

_LEAST = 1e-9
"""Squared points below which a difference is known."""


def misordered_share(ratings: Floats, covariance: Floats) -> float:
    """Return the expected share of misordered pairs of players: the stopping criterion.

    1/2 without any information, 0 for fewer than two players.
    """
    size = len(ratings)
    if size < 2:
        return 0.0
    above = np.triu_indices(size, 1)
    return float(_beyond(np.abs(_leads(ratings, covariance)[above])).mean())


def worth(ratings: Floats, covariance: Floats, *, games: int = 2, draws: float = 0.0) -> Floats:
    """Return a square matrix: the information about the order, in nats, of each pairing of ``games`` games.

    The diagonal is 0. ``draws``: the share of drawn games between equals; drawn games give less information.
    """
    told = _information(ratings, games, draws)
    leads = np.abs(_leads(ratings, covariance))
    wrong = _beyond(leads)
    spread = np.maximum(_spread(covariance), _LEAST)
    weights = 0.5 * np.exp(-leads * leads) / (2 * pi) / np.maximum(wrong * (1 - wrong), 1e-300) / spread
    weights[leads > _CLEAR] = 0.0
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    form = covariance @ laplacian @ covariance
    diagonal = form.diagonal()
    value: Floats = told / (1 + told * spread) * (diagonal[:, None] + diagonal - 2 * form)
    np.fill_diagonal(value, 0.0)
    return value


class Search:
    """Selects pairings one after the other, each given the expected information of the ones before."""

    def __init__(self, ratings: Floats, covariance: Floats, *, games: int = 2, draws: float = 0.0) -> None:
        """``games`` and ``draws`` as for ``worth``."""
        self._ratings = ratings
        self._covariance = covariance
        self._games = games
        self._draws = draws
        self._told = _information(ratings, games, draws)
        self._nearness = _LEAST * self._told / max(self._told.max(initial=0.0), _LEAST)
        """Breaks ties where no pairing gives information: prefers equal players."""

    def know(self, one: int, other: int) -> None:
        """Condition on the result of a pairing."""
        told, column = self._told[one, other], self._covariance[:, one] - self._covariance[:, other]
        share = told / (1 + told * (column[one] - column[other]))
        self._covariance = self._covariance - share * np.outer(column, column)

    def best(self, allowed: Booleans) -> tuple[int, int] | None:
        """Return the most informative pairing that a square matrix of permissions allows; None if it allows none."""
        if not allowed.any():
            return None
        value = worth(self._ratings, self._covariance, games=self._games, draws=self._draws) + self._nearness
        one, other = np.unravel_index(np.argmax(np.where(allowed, value, -1.0)), value.shape)
        return int(one), int(other)

    def misordered_share(self) -> float:
        """Return which share of all pairs is expected in the wrong order once all that is taken as known is."""
        return misordered_share(self._ratings, self._covariance)


def informative_pairings(
    ratings: Floats,
    covariance: Floats,
    *,
    boards: int,
    games: int = 2,
    draws: float = 0.0,
    absent: Collection[int] = (),
) -> list[tuple[int, int]]:
    """Return at most that many pairings at once, no player in two of them: greedily, each the most informative one
    given those selected before.
    """
    allowed = ~np.eye(len(ratings), dtype=bool)
    _send_off(allowed, absent)
    search = Search(ratings, covariance, games=games, draws=draws)
    chosen: list[tuple[int, int]] = []
    while len(chosen) < boards and (best := search.best(allowed)) is not None:
        chosen.append(best)
        search.know(*best)
        _send_off(allowed, best)
    return chosen


def _send_off(allowed: Booleans, players: Collection[int]) -> None:
    """Exclude players from further pairings."""
    allowed[list(players)] = False
    allowed[:, list(players)] = False


_CLEAR = 8.0
"""Standard deviations from which on the order of two is taken as known."""


def _information(ratings: Floats, games: int, draws: float) -> Floats:
    """Return the Fisher information of a pairing about the difference of two ratings, in inverse squared points."""
    expected = score_of(ratings[:, None] - ratings)
    told: Floats = games * (1 - draws) * expected * (1 - expected) / POINTS**2
    return told


def _spread(covariance: Floats) -> Floats:
    diagonal = covariance.diagonal()
    spread: Floats = diagonal[:, None] + diagonal - 2 * covariance
    return spread


def _leads(ratings: Floats, covariance: Floats) -> Floats:
    """Return differences of ratings in their standard deviations."""
    leads: Floats = (ratings[:, None] - ratings) / np.sqrt(np.maximum(_spread(covariance), _LEAST))
    return leads


def _beyond(x: Floats) -> Floats:
    """Return 1 - Φ(x) for x from 0 on, to 1e-7 (M. Abramowitz and I. A. Stegun, 1964, formula 26.2.17)."""
    t = 1 / (1 + 0.2316419 * x)
    series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail: Floats = np.exp(-x * x / 2) / np.sqrt(2 * pi) * series
    return tail
