# SPDX-License-Identifier: GPL-3.0-or-later
"""Calibrated probabilities: a conditional logit over the legal moves (D. McFadden, 1974), fitted to a player's choices.

The probability of move i is exp(x_i · w) / sum of exp(x_j · w) over the legal moves j. The likelihood is concave;
Newton's method finds its maximum in a few steps. Columns are scaled to unit deviation first. Weights are pulled to
zero, as if the games contained additional positions in which a column has no effect.

Probabilities that are fitted in this way are too confident: the weights are fitted to the same positions, players
change, and a linear sum of columns is only an approximation. Therefore a calibration curve of six numbers is fitted to
the predictions that weights of earlier games make of later games.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.kernel import compiled

Floats = NDArray[np.float64]

PULL = 10.0
"""The strength of the pull of weights towards zero, or towards given weights."""

CURVE_TERMS = 6

STRAIGHT = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""The curve that leaves probabilities as they are. Fitted curves are pulled towards it, as a few games show little."""

STEPS = 30
ENOUGH = 1e-7
"""Newton's method ends when a step gains at most this part of the likelihood, in nats a position."""


@compiled
def row_probabilities(rows, starts, weights, out):  # type: ignore[no-untyped-def]  # numba infers the types
    """Write the probability of every row."""
    for position in range(len(starts) - 1):
        first, last = starts[position], starts[position + 1]
        most = -np.inf
        for row in range(first, last):
            score = 0.0
            for column in range(len(weights)):
                score += rows[row, column] * weights[column]
            out[row] = score
            most = max(most, score)
        total = 0.0
        for row in range(first, last):
            out[row] = np.exp(out[row] - most)
            total += out[row]
        for row in range(first, last):
            out[row] /= total


@compiled
def slopes(rows, starts, played, probabilities, gradient, curvature):  # type: ignore[no-untyped-def]  # numba infers the types
    """Add the gradient of the loss, and the lower half of its curvature, over all positions."""
    columns = rows.shape[1]
    mean = np.zeros(columns)
    for position in range(len(starts) - 1):
        mean[:] = 0.0
        for row in range(starts[position], starts[position + 1]):
            probability = probabilities[row]
            if probability < 1e-9:
                continue
            for i in range(columns):
                weighted = probability * rows[row, i]
                mean[i] += weighted
                if weighted != 0.0:
                    for j in range(i + 1):
                        curvature[i, j] += weighted * rows[row, j]
        for i in range(columns):
            gradient[i] += mean[i] - rows[played[position], i]
            for j in range(i + 1):
                curvature[i, j] -= mean[i] * mean[j]


@dataclass(frozen=True, slots=True)
class Choices:
    """Positions with the moves that were chosen there. Rows are legal moves, position after position."""

    rows: NDArray[np.float32]
    """(all moves, columns)"""
    starts: NDArray[np.int64]
    """(positions + 1): where each one's rows begin, and where the last one's end."""
    played: NDArray[np.int64]
    """(positions): the row that was played."""

    @classmethod
    def of(cls, matrices: Sequence[Floats], chosen: Sequence[int]) -> "Choices":
        """Join positions. Raises ValueError when there are none."""
        if not matrices:
            raise ValueError("there is no position to learn from")
        starts = np.concatenate([[0], np.cumsum([len(matrix) for matrix in matrices])]).astype(np.int64)
        return cls(np.concatenate(matrices).astype(np.float32), starts, starts[:-1] + np.array(chosen))

    def __len__(self) -> int:
        return len(self.played)

    def first(self, count: int) -> "Choices":
        """Return the first ``count`` positions."""
        return Choices(self.rows[: self.starts[count]], self.starts[: count + 1], self.played[:count])

    def probabilities(self, weights: Floats) -> Floats:
        """Return the probability of every row."""
        out = np.empty(len(self.rows))
        row_probabilities(self.rows, self.starts, weights, out)
        return out

    def fit(self, columns: NDArray[np.bool_], towards: Floats | None = None, pull: float = PULL) -> Floats:
        """Return the weights of greatest likelihood; those of other columns than these are zero.

        ``towards``: weights that they are drawn to, zero if none are given; ``pull``: how strongly.
        """
        rows = self.rows[:, columns]
        scale = rows.std(axis=0, dtype=np.float64)
        used = scale > 1e-6
        choices = Choices((rows[:, used] / scale[used]).astype(np.float32), self.starts, self.played)
        out = np.zeros(len(columns))
        drawn = np.zeros(len(scale)) if towards is None else towards[columns] * scale
        out[np.flatnonzero(columns)[used]] = choices._climb(drawn[used], pull) / scale[used]
        return out

    def _climb(self, towards: Floats, pull: float) -> Floats:
        weights = towards
        best, probabilities = self._loss(weights, towards, pull)
        for _ in range(STEPS):
            gradient = pull * (weights - towards)
            curvature = pull * np.eye(len(weights))
            slopes(self.rows, self.starts, self.played, probabilities, gradient, curvature)
            step = np.linalg.solve(curvature + np.tril(curvature, -1).T, gradient)
            length, (loss, following) = 1.0, self._loss(weights - step, towards, pull)
            while loss > best and length > 1e-3:
                length /= 2
                loss, following = self._loss(weights - length * step, towards, pull)
            if loss >= best:
                break
            gained, best = best - loss, loss
            weights, probabilities = weights - length * step, following
            if gained < ENOUGH * len(self):
                break
        return weights

    def _loss(self, weights: Floats, towards: Floats, pull: float) -> tuple[float, Floats]:
        probabilities = self.probabilities(weights)
        surprise = -np.log(np.maximum(probabilities[self.played], 1e-300)).sum()
        return float(surprise + pull * ((weights - towards) ** 2).sum() / 2), probabilities


@dataclass(frozen=True, slots=True)
class Calibration:
    """The weights and the curve that turn columns into probabilities."""

    weights: Floats
    """Of the columns."""
    curve: Floats
    """Of the columns of ``_curve_columns``."""

    def probabilities(self, rows: Floats) -> Floats:
        """Return the probability of each of the legal moves of a position."""
        straight = softmax(rows @ self.weights)
        return softmax(_curve_columns(straight, np.array([0, len(straight)])) @ self.curve)


def calibrate(choices: Choices, columns: NDArray[np.bool_], later: Choices, before: NDArray[np.int64]) -> Calibration:
    """Fit weights of these columns to choices, and curve probabilities by later ones.

    ``before``: for each of the later choices, how many of ``choices``, the first ones, are of earlier games.
    """
    straight = np.empty(len(later.rows))
    for count in np.unique(before):
        weights = choices.first(int(count)).fit(columns)
        rows = np.repeat(before == count, np.diff(later.starts))
        straight[rows] = later.probabilities(weights)[rows]
    curved = Choices(_curve_columns(straight, later.starts).astype(np.float32), later.starts, later.played)
    return Calibration(choices.fit(columns), curved.fit(np.ones(CURVE_TERMS, bool), STRAIGHT))


def _curve_columns(probabilities: Floats, starts: NDArray[np.int64]) -> Floats:
    """Return the columns by which probabilities are curved: of small ones and of large ones, and of the largest."""
    most = np.repeat(np.maximum.reduceat(probabilities, starts[:-1]), np.diff(starts))
    first = (probabilities == most).astype(np.float64)
    logarithm = np.log(np.maximum(probabilities, 1e-9))
    return np.column_stack(
        [logarithm, np.maximum(logarithm, -4.0), probabilities, probabilities**2, first, first * probabilities]
    )


def softmax(scores: Floats) -> Floats:
    """Return probabilities in proportion to the exponentials of scores."""
    odds = np.exp(scores - scores.max())
    return np.asarray(odds / odds.sum())
