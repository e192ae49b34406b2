# SPDX-License-Identifier: GPL-3.0-or-later
"""Tuning: from samples to an evaluation with other weights, and what that gained."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from engine.evaluation import Evaluation
from lab.tuning.fit import Fit, fit_scale, loss
from lab.tuning.samples import Samples

HELD_OUT = 10
"""Every so many'th game is held out: nothing is learned from it."""

ANYTHING = 10**8
"""Where terms say nothing of their ranges, no weight becomes larger."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Losses in bits a position, before and after."""

    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was found: the evaluation with its new weights, and how well they foretell results."""

    evaluation: Evaluation
    scale: float
    """The score at which 73 % of the points are expected, in the evaluation's units."""
    learned: Loss
    held_out: Loss
    """Of games that nothing was learned from."""


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
