# SPDX-License-Identifier: GPL-3.0-or-later
"""Fitting weights to results by logistic regression (P. Österlund's method for the engine Texel, 2014).

A score s stands for the expectation 1 / (1 + exp(-s / scale)). The scale is fitted first, with the given weights; then
the weights are fitted at that scale, so that scores keep their meaning. The loss is the mean cross-entropy in bits.
Each weight is pulled towards its first value, which decides where the games contain little information.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import NDArray

from engine.evaluation import Evaluation
from engine.kernel import compiled
from lab.tuning.samples import Samples

Weights = NDArray[np.float64]
Rows = NDArray[np.int64]


@compiled
def _scores(rows, starts, columns, values, weights, out):  # type: ignore[no-untyped-def]  # numba infers the types
    """Write weights × features of some rows."""
    for place in range(len(rows)):
        row = rows[place]
        sum_ = 0.0
        for i in range(starts[row], starts[row + 1]):
            sum_ += values[i] * weights[columns[i]]
        out[place] = sum_


@compiled
def _gather(rows, starts, columns, values, errors, out):  # type: ignore[no-untyped-def]  # numba infers the types
    """Add up each column's values times the errors of some rows."""
    out[:] = 0.0
    for place in range(len(rows)):
        row = rows[place]
        for i in range(starts[row], starts[row + 1]):
            out[columns[i]] += values[i] * errors[place]


def scores(samples: Samples, weights: Weights, rows: Rows | None = None) -> NDArray[np.float64]:
    """Return the score of each sample, or of some rows, with these weights, without rounding."""
    rows = np.arange(len(samples)) if rows is None else rows
    out = np.empty(len(rows))
    _scores(rows, samples.starts, samples.columns, samples.values, weights, out)
    return out


def loss(samples: Samples, weights: Weights, scale: float) -> float:
    """Return the mean cross-entropy in bits of the results, given the expectations."""
    return _cross_entropy(scores(samples, weights) / scale, samples.results)


def _cross_entropy(logits: NDArray[np.float64], labels: NDArray[np.float64]) -> float:
    # log(1 + exp(x)) - label * x, which overflows nowhere
    return float(np.mean(np.logaddexp(0.0, logits) - labels * logits)) / log(2)


def fit_scale(samples: Samples, weights: Weights) -> float:
    """Return the scale of least loss for the given weights."""
    return best_scale(scores(samples, weights), samples.results)


def best_scale(said: NDArray[np.float64], results: NDArray[np.float64]) -> float:
    """Return the scale of least loss for scores, by golden section of its logarithm."""
    spread = float(np.std(said)) or 1.0
    low, high = np.log(spread / 100), np.log(spread * 100)
    ratio = (np.sqrt(5) - 1) / 2
    while high - low > 1e-4:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if _cross_entropy(said / np.exp(left), results) < _cross_entropy(said / np.exp(right), results):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))


@dataclass(frozen=True, slots=True)
class Fit:
    """How weights are fitted: Adam (D. Kingma and J. Ba, 2015)."""

    rounds: int = 300
    batch: int | None = None
    """Samples of each round, at random without repetition until all were used; None: all. A few thousand of millions of
    samples give nearly the same gradient."""
    trust: float = 1.0
    """Weight of the game's result in the target; the rest is the expectation of the player's own search."""
    pull: float = 1.0
    """Strength of the pull of weights towards their first values: a distance of ``reach`` costs half as many nats."""

    def weights(
        self,
        samples: Samples,
        start: Weights,
        scale: float,
        bounds: tuple[Weights, Weights],
        on_round: Callable[[float], None] = lambda loss: None,
    ) -> Weights:
        """Return the weights within ``bounds`` of least loss on the samples; ``on_round`` receives each loss."""
        labels = self._labels(samples, scale)
        weights = start.copy()
        reach = REACH * scale
        mean, square = np.zeros_like(weights), np.zeros_like(weights)
        gradient = np.empty_like(weights)
        batches = self._batches(len(samples))
        for number in range(1, self.rounds + 1):
            rows = next(batches)
            logits = scores(samples, weights, rows) / scale
            errors = _expected(logits) - labels[rows]
            _gather(rows, samples.starts, samples.columns, samples.values, errors, gradient)
            share = len(rows) / len(samples)
            gradient = gradient / scale + share * self.pull * (weights - start) / reach**2
            mean += (1 - _FIRST) * (gradient - mean)
            square += (1 - _SECOND) * (gradient**2 - square)
            step = _STEP * reach * (1 - number / (self.rounds + 1))
            weights -= step * (mean / (1 - _FIRST**number)) / (np.sqrt(square / (1 - _SECOND**number)) + 1e-12)
            np.clip(weights, *bounds, out=weights)
            on_round(_cross_entropy(logits, labels[rows]))
        return weights

    def _batches(self, count: int) -> Iterator[Rows]:
        """Yield the rows of each round."""
        chance = np.random.default_rng(0)
        while self.batch is None or self.batch >= count:
            yield np.arange(count)
        while True:
            rows = chance.permutation(count)
            for first in range(0, count - self.batch + 1, self.batch):
                yield rows[first : first + self.batch]

    def _labels(self, samples: Samples, scale: float) -> NDArray[np.float64]:
        known = np.isfinite(samples.searched)
        expected = np.where(known, _expected(np.where(known, samples.searched, 0.0) / scale), samples.results)
        return self.trust * samples.results + (1 - self.trust) * expected


REACH = 0.1
"""A large change of a weight, relative to the scale: about a sixth of a pawn."""

_FIRST, _SECOND = 0.9, 0.999
"""Decay of the running means of gradients and of their squares."""
_STEP = 0.1
"""The first round's step, relative to the reach."""


def _expected(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 * (1 + np.tanh(logits / 2))


HELD_OUT = 10
"""One game in this number is held out of the fit."""

ANYTHING = 10**8
"""Bound of weights without a range of their own."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Losses in bits a position, before and after."""

    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """The evaluation with its new weights, and their losses."""

    evaluation: Evaluation
    scale: float
    """The score at which 73 % of the points are expected, in the evaluation's units."""
    learned: Loss
    held_out: Loss
    """Of the held-out games."""


def tune(
    evaluation: Evaluation, samples: Samples, fit: Fit, on_round: Callable[[float], None] = lambda loss: None
) -> Tuned:
    """Fit the weights of an evaluation to samples of its features.

    Raises ValueError when all samples are of a few games, so that none can be held out.
    """
    learning, held = samples.parted(HELD_OUT)
    if not len(held) or not len(learning):
        raise ValueError(f"at least {HELD_OUT} games with quiet positions are needed")
    start = np.array(evaluation.weights, np.float64)
    scale = fit_scale(learning, start)
    ranges = evaluation.terms.ranges or ((-ANYTHING, ANYTHING),) * len(start)
    low, high = np.array(ranges, np.float64).T
    fitted = np.rint(fit.weights(learning, start, scale, (low, high), on_round))
    return Tuned(
        evaluation=replace(evaluation, weights=tuple(fitted.astype(int).tolist())),
        scale=scale,
        learned=Loss(loss(learning, start, scale), loss(learning, fitted, scale)),
        held_out=Loss(loss(held, start, scale), loss(held, fitted, scale)),
    )
