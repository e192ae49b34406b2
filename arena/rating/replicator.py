# SPDX-License-Identifier: GPL-3.0-or-later
"""Replicator dynamics (P. D. Taylor and L. B. Jonker, 1978): selection alone, without chance.

Shares x of strategies grow by their score above the average, ẋ = x∘(Ax - xᵀAx). With u = log x up to a constant that is
u̇ = A·softmax(u), which keeps all shares positive and their sum 1 for every step size.
"""

import numpy as np

from arena.rating.results import Floats

STEPS_A_UNIT = 8
"""Steps of the fourth-order Runge-Kutta method in a unit of time; scores are from 0 to 1, so little happens in one."""


def replicated(scores: Floats, units: int, shares: Floats | None = None) -> Floats:
    """Return the shares after 0, 1, ... ``units`` units of time, a row each.

    ``scores``: a square matrix, the score of the row's strategy against the column's; ``shares``: the positive initial
    shares, equal by default. Raises ValueError if the matrix is not square, or the shares do not match it.
    """
    if scores.ndim != 2 or not scores.shape[0] == scores.shape[1] > 0 or not np.isfinite(scores).all():
        raise ValueError("scores come in a square matrix of numbers")
    if shares is None:
        shares = np.full(len(scores), 1 / len(scores))
    if shares.shape != scores.shape[:1] or not (shares > 0).all():
        raise ValueError("every strategy has a share, which is positive")
    logs: Floats = np.log(shares)
    step = 1 / STEPS_A_UNIT
    course = [_softmax(logs)]
    for _ in range(units):
        for _ in range(STEPS_A_UNIT):
            first = scores @ _softmax(logs)
            second = scores @ _softmax(logs + step / 2 * first)
            third = scores @ _softmax(logs + step / 2 * second)
            fourth = scores @ _softmax(logs + step * third)
            logs = logs + step / 6 * (first + 2 * second + 2 * third + fourth)
        course.append(_softmax(logs))
    return np.array(course)


def _softmax(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max())
    shares: Floats = weights / weights.sum()
    return shares
