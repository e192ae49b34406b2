# SPDX-License-Identifier: GPL-3.0-or-later
"""The logistic Elo curve: expected score by rating difference, and the inverse.

A. E. Elo, The Rating of Chessplayers, Past and Present (1978), in the logistic form that federations and servers use:
400 points more are odds of ten to one.
"""

from math import log, log10
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Difference = TypeVar("Difference", float, NDArray[np.float64])

POINTS = 400 / log(10)
"""Points of a difference that makes the odds e to one."""


def score_of(difference: Difference) -> Difference:
    """Return the expected score, 0 to 1, of a player that is stronger by ``difference``: 1 / (1 + 10^(-d / 400))."""
    return 1 / (1 + 10 ** (-difference / 400))


def difference_of(score: float) -> float | None:
    """Return how many points stronger a player is that scores so much of 1: 400·log10(s / (1 - s)).

    None for 0 and 1, where it is unbounded.
    """
    return 400 * log10(score / (1 - score)) if 0 < score < 1 else None
