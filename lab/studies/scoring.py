# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores of predictions: hits with intervals, calibration, and the logarithmic score."""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.difference import NORMAL_95, wilson

Floats = NDArray[np.float64]

PUBLISHED_EDGES = (0.0, 0.25, 0.30, 0.40, 0.50, 1.0)
"""The probabilities between which the published table counts."""

PUBLISHED = {
    12: ((5, 31), (4, 9), (3, 6), (3, 5), (3, 4)),
    22: ((6, 47), (3, 7), (3, 6), (3, 4), (3, 3)),
    80: ((6, 36), (3, 6), (3, 3), (3, 3), (3, 3)),
}
"""Correct and all predictions by raw belief, by number of training games (S. Walczak, as the lecture reports it)."""

CELLS = 10
"""Number of steps of the calibration error."""


class Bin(NamedTuple):
    """Predictions with a probability, or raw belief, from ``low`` to below ``high``."""

    low: float
    high: float
    predicted: int
    hit: int

    @property
    def wilson(self) -> tuple[float, float]:
        """The 95 % interval of the share of hits."""
        return wilson(self.hit, self.predicted)


def bins(probabilities: Floats, hits: NDArray[np.bool_], edges: Sequence[float] = PUBLISHED_EDGES) -> list[Bin]:
    """Count predictions by probability; the last bin contains its upper end."""
    which = np.clip(np.searchsorted(edges, probabilities, side="right") - 1, 0, len(edges) - 2)
    return [
        Bin(low, high, int((which == number).sum()), int(hits[which == number].sum()))
        for number, (low, high) in enumerate(pairwise(edges))
    ]


def calibration_error(probabilities: Floats, hits: NDArray[np.bool_]) -> float:
    """Return the calibration error: mean distance of probabilities from shares of hits, in ten weighted steps."""
    if not len(probabilities):
        return 0.0
    which = np.minimum((probabilities * CELLS).astype(int), CELLS - 1)
    error = 0.0
    for cell in range(CELLS):
        here = which == cell
        if here.any():
            error += abs(float(hits[here].mean() - probabilities[here].mean())) * float(here.mean())
    return error


class Difference(NamedTuple):
    """Mean difference of two models' losses on the same positions, with its 95 % interval."""

    mean: float
    low: float
    high: float


def paired(losses: Floats, others: Floats, games: NDArray[np.int64]) -> Difference:
    """Return the mean of ``others - losses``: above 0 if the first model is better.

    Positions of a game are not independent, so the interval is that of a ratio of sums over games.
    """
    gains = others - losses
    mean = float(gains.mean())
    _, which = np.unique(games, return_inverse=True)
    rest = np.bincount(which, gains - mean)
    count = len(rest)
    reach = NORMAL_95 * sqrt(count / max(1, count - 1) * float(rest @ rest)) / len(gains)
    return Difference(mean, mean - reach, mean + reach)
