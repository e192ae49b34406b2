# SPDX-License-Identifier: GPL-3.0-or-later
"""α-Rank (S. Omidshafiei et al., "α-Rank: Multi-Agent Evaluation by Evolution", Scientific Reports 9, 2019).

A second opinion where A beats B, B beats C and C beats A: a population in which all play one strategy is now and then
entered by a mutant with another, which is copied the more the better it scores, until it has taken over or is gone. The
share of time that the population spends with each strategy in the long run is its mass; a cycle shares it.
"""

import numpy as np
from numpy.typing import NDArray

from arena.rating.results import Floats

ALPHA = 100.0
"""How strongly a better score is preferred."""

POPULATION = 50

_LEAST = 1e-250
"""A chance to take over that is not told from none; positive, so that every strategy is reached from every other."""


def alpha_rank(scores: Floats, *, alpha: float = ALPHA, population: int = POPULATION) -> Floats:
    """Return the mass of each strategy; the masses add up to 1.

    ``scores``: a square matrix, the score (0 to 1) of the row's strategy against the column's. For two strategies, only
    the difference between their mutual scores counts. Raises ValueError if the matrix is not square or empty, or alpha
    or the population is too small.
    """
    count = _square(scores)
    if not alpha > 0 or population < 2:
        raise ValueError("alpha must be positive, and a population has at least two members")
    if count == 1:
        return np.ones(1)
    # a mutant's advantage over residents: its score against them minus their score against it
    lead = scores.T - scores
    with np.errstate(over="ignore", invalid="ignore"):
        chance = np.expm1(-alpha * lead) / np.expm1(-alpha * population * lead)
    chance = np.where(lead == 0, 1 / population, np.where(np.isfinite(chance), chance, 0.0))
    return _stationary(np.maximum(chance, _LEAST) / (count - 1))


def _square(matrix: Floats) -> int:
    """Return the order of a square matrix. Raises ValueError when it is none, or holds something besides numbers."""
    if matrix.ndim != 2 or not matrix.shape[0] == matrix.shape[1] > 0 or not np.isfinite(matrix).all():
        raise ValueError("scores come in a square matrix of numbers")
    return len(matrix)


def _stationary(moves: NDArray[np.float64]) -> Floats:
    """Return the stationary distribution of a Markov chain with these transition probabilities from row to column.

    By W. K. Grassmann, M. I. Taksar and D. P. Heyman (1985): states are removed one by one, without subtraction, so
    probabilities of very different size stay exact.
    """
    moves = moves.copy()
    count = len(moves)
    for last in range(count - 1, 0, -1):
        moves[:last, last] /= moves[last, :last].sum()
        moves[:last, :last] += np.outer(moves[:last, last], moves[last, :last])
    mass = np.zeros(count)
    mass[0] = 1.0
    for state in range(1, count):
        mass[state] = mass[:state] @ moves[:state, state]
        mass[: state + 1] /= mass[: state + 1].sum()
    return mass
