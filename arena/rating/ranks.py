# SPDX-License-Identifier: GPL-3.0-or-later
"""Likelihoods of superiority, and confidence intervals of ranks, from ratings with their covariance.

Both assume normally distributed ratings with their full covariance: two players with many mutual games are
distinguished better than their separate intervals suggest.
"""

from math import erf, sqrt

import numpy as np

from arena.rating.results import Floats, Indices

DRAWS = 1000
"""Random orders (samples), enough for percentiles."""

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


def rank_intervals(ratings: Floats, covariance: Floats, *, seed: int = 0, draws: int = DRAWS) -> Indices:
    """Return the 95 % interval of each player's rank, 1 being the best, in rows of two.

    They are percentiles of the ranks in many draws of all ratings together.
    """
    count = len(ratings)
    # a common shift does not change the order, but a covariance relative to a mean has no Cholesky factor
    widened = covariance + covariance.diagonal().mean() + _JITTER * np.eye(count)
    lots = np.random.default_rng(seed).standard_normal((count, draws))
    drawn = ratings[:, None] + np.linalg.cholesky(widened) @ lots
    places = np.argsort(-drawn, axis=0, kind="stable")
    ranks = np.empty((draws, count), dtype=np.int32)
    np.put_along_axis(ranks, places.T, np.arange(1, count + 1, dtype=np.int32)[None, :], axis=1)
    cut = int(0.025 * draws)
    ranks.partition((cut, draws - 1 - cut), axis=0)
    return np.stack([ranks[cut], ranks[draws - 1 - cut]], axis=1).astype(np.int64)
