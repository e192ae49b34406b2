# SPDX-License-Identifier: GPL-3.0-or-later
"""The Moran process (P. A. P. Moran, 1958): one is born and one dies, until all descend from one.

The parent is selected by fitness, e^(selection · its mean score in the population), the victim uniformly. Fixation
depends on the whole population, and with more than two kinds there is no formula for it: it is simulated many times.
"""

import numpy as np
from numpy.typing import NDArray

from arena.rating.results import Floats

RUNS = 500
MOST = 20_000
"""Births after which a run that is still undecided counts for its kinds by their shares."""


def fixation(scores: Floats, *, selection: float, runs: int = RUNS, seed: int = 0) -> Floats:
    """Return each member's fixation probability without mutation: that all members finally descend from it.

    ``scores``: a square matrix, the score of the row's member against the column's. The standard error is at most
    1/(2·√runs). Raises ValueError if the matrix is not square, or selection is negative.
    """
    if scores.ndim != 2 or not scores.shape[0] == scores.shape[1] > 0 or not np.isfinite(scores).all():
        raise ValueError("scores come in a square matrix of numbers")
    if selection < 0 or runs < 1:
        raise ValueError("selection is not negative, and there is at least one run")
    size = len(scores)
    chance = np.random.default_rng(seed)
    counts = np.ones((runs, size))
    going: NDArray[np.int64] = np.arange(runs if size > 1 else 0)
    for _ in range(MOST):
        if not len(going):
            break
        now = counts[going]
        fitness = now * np.exp(selection * (now @ scores.T) / size)
        rows = np.arange(len(going))
        born, dies = _drawn(fitness, chance), _drawn(now, chance)
        now[rows, born] += 1
        now[rows, dies] -= 1
        counts[going] = now
        going = going[now.max(axis=1) < size]
    shares: Floats = counts.mean(axis=0) / size
    return shares


def _drawn(weights: Floats, chance: np.random.Generator) -> NDArray[np.int64]:
    """Return a column of each row, drawn by the row's weights."""
    sums = weights.cumsum(axis=1)
    points = chance.random(len(weights)) * sums[:, -1]
    # a point may round up to the sum itself
    columns: NDArray[np.int64] = np.minimum((sums <= points[:, None]).sum(axis=1), weights.shape[1] - 1)
    return columns
