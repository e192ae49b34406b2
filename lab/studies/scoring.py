# SPDX-License-Identifier: GPL-3.0-or-later
"""How good predictions are: hits with intervals, calibration, and the logarithmic score."""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.difference import NORMAL_95, wilson

Floats = NDArray[np.float64]

PUBLISHED_EDGES = (0.0, 0.25, 0.30, 0.40, 0.50, 1.0)
"""The beliefs between which the published table counts."""

PUBLISHED = {
    12: ((5, 31), (4, 9), (3, 6), (3, 5), (3, 4)),
    22: ((6, 47), (3, 7), (3, 6), (3, 4), (3, 3)),
    80: ((6, 36), (3, 6), (3, 3), (3, 3), (3, 3)),
}
"""Correct and all predictions by belief, for so many training games (S. Walczak, as the lecture reports it)."""

CELLS = 10
"""Beliefs are compared with what happened in so many steps."""


class Bin(NamedTuple):
    """Predictions whose belief lay from ``low`` to below ``high``."""

    low: float
    high: float
    predicted: int
    hit: int

    @property
    def wilson(self) -> tuple[float, float]:
        """The 95 % interval of the share of hits."""
        return wilson(self.hit, self.predicted)


def bins(beliefs: Floats, hits: NDArray[np.bool_], edges: Sequence[float] = PUBLISHED_EDGES) -> list[Bin]:
    """Count predictions by belief; the last bin holds its upper end too."""
    which = np.clip(np.searchsorted(edges, beliefs, side="right") - 1, 0, len(edges) - 2)
    return [
        Bin(low, high, int((which == number).sum()), int(hits[which == number].sum()))
        for number, (low, high) in enumerate(pairwise(edges))
    ]


def calibration_error(beliefs: Floats, hits: NDArray[np.bool_]) -> float:
    """Return the mean distance of beliefs from the share of hits, in ten steps of belief weighed by their numbers."""
    if not len(beliefs):
        return 0.0
    which = np.minimum((beliefs * CELLS).astype(int), CELLS - 1)
    error = 0.0
    for cell in range(CELLS):
        here = which == cell
        if here.any():
            error += abs(float(hits[here].mean() - beliefs[here].mean())) * float(here.mean())
    return error


class Difference(NamedTuple):
    """How much less one model lost than another in the mean of the same positions, with its 95 % interval."""

    mean: float
    low: float
    high: float


def paired(losses: Floats, others: Floats, games: NDArray[np.int64]) -> Difference:
    """Return the mean of ``others - losses``: above 0 where the first one is better.

    Positions of a game are not independent: the interval is that of a ratio of sums over games.
    """
    gains = others - losses
    mean = float(gains.mean())
    _, which = np.unique(games, return_inverse=True)
    rest = np.bincount(which, gains - mean)
    count = len(rest)
    reach = NORMAL_95 * sqrt(count / max(1, count - 1) * float(rest @ rest)) / len(gains)
    return Difference(mean, mean - reach, mean + reach)
