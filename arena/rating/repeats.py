# SPDX-License-Identifier: GPL-3.0-or-later
"""The weight of repeated games between the same two bots: repeats say less about strength than games with others.

The score between two bots depends on the difference of their strengths and on an effect of the pair: openings that one
happens to know, a weakness that only the other exploits, deliberate losing. Let this effect be normally distributed
with the standard deviation τ, in logarithms of odds. From n even games the difference of two strengths is then known to
the variance 4/n + τ²: that of n / (1 + n·τ²/4) games without such an effect. This is the design effect of cluster
sampling (L. Kish, Survey Sampling, 1965), with games clustered by pair: n games count as n / (1 + (n - 1)·ρ), and never
for more than 1/ρ, where ρ = τ²/4 is the correlation between two games of a pair. A pair is two bots in all their
versions, so that new versions begin no new pair.
"""

from math import sqrt

import numpy as np

from arena.rating.results import Floats, Indices, Results

CORRELATION = 0.01
"""ρ: the games of two bots count for 100 at most."""

EFFECT = 2 * sqrt(CORRELATION)
"""τ, in logarithms of odds: 35 points of Elo."""


def effective(games: Floats, correlation: float = CORRELATION) -> Floats:
    """Return for how many independent games so many of one pair count."""
    counted: Floats = games / (1 + np.maximum(games - 1, 0) * correlation)
    return counted


def weights(results: Results, bots: Indices, correlation: float = CORRELATION) -> Floats:
    """Return the weight of each game of a row, from 0 to 1; ``bots``: the bot number of each player (a version)."""
    if not len(results.first):
        return np.ones(0)
    one, other = bots[results.first], bots[results.second]
    _, pairs = np.unique(np.stack([np.minimum(one, other), np.maximum(one, other)]), axis=1, return_inverse=True)
    games: Floats = np.bincount(pairs.ravel(), results.games).astype(np.float64)
    shares: Floats = (effective(games, correlation) / np.maximum(games, 1))[pairs.ravel()]
    return shares
