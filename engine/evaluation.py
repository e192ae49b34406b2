# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations: weights × features → score, an integer seen by the seat to move."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]
"""Weights as compiled code reads them."""

WIN = 1_000_000_000
"""The score of a won game; every other score is smaller."""


def as_they_are(weights: Sequence[int]) -> Words:
    """Return weights, one word each."""
    return np.array(weights, np.int64)


@dataclass(frozen=True, slots=True)
class Terms:
    """A set of terms: what the features are that evaluations weigh. A game may have several such sets."""

    number: int = 0
    """What the kernels ``score`` and ``vector`` are told."""
    names: tuple[str, ...] = ()
    """What the weights are called, in their order; none where a game does not say."""
    ranges: tuple[tuple[int, int], ...] = ()
    """The least and the most that each may weigh; none where a game does not say."""
    unit: int = 1
    """Weights × features is so many times the score: features may be weighed by how far the game has come."""
    words: Callable[[Sequence[int]], Words] = as_they_are
    """Turns weights into what ``score`` reads; raises ValueError for weights that it cannot hold."""


PLAIN = Terms()
"""The set whose features are those of the kernel ``features``."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A named weighing of a game's features: one weight for each feature of its set of terms, in their order.

    A finished game scores pay-off × (``win`` + ``sooner`` × depth left): with ``sooner`` above 0 the earlier win is
    preferred, and the score depends on nothing but the state and the depth left, so that it may stand in a
    transposition table.
    """

    name: str
    weights: tuple[int, ...]
    description: str = ""
    win: int = WIN
    sooner: int = 1
    terms: Terms = PLAIN
    man: int | None = None
    """What a man is worth, for people; None: the first weight."""

    def score(self, features: Sequence[int]) -> int:
        """Return weights × features, rounded to whole units. Raises ValueError when there are not as many of each."""
        weighed = sum(weight * feature for weight, feature in zip(self.weights, features, strict=True))
        return (weighed + self.terms.unit // 2) // self.terms.unit

    def words(self) -> Words:
        """Return the weights as the kernel ``score`` reads them."""
        return self.terms.words(self.weights)

    def in_men(self, score: int) -> float:
        """Return a score in men."""
        return score / self.points(1)

    def points(self, men: float) -> float:
        """Return what so many men score."""
        return men * (self.man or abs(self.weights[0]) or 1)


def named(evaluations: Mapping[str, Evaluation], choice: str | Evaluation | None) -> Evaluation:
    """Return the evaluation of this name, the first one for None, an evaluation itself as it is.

    Raises KeyError, with a message that lists the names, when there is none of this name.
    """
    if isinstance(choice, Evaluation):
        return choice
    if choice is None:
        return next(iter(evaluations.values()))
    if choice not in evaluations:
        raise KeyError(f"no evaluation is called {choice[:40]!r}; there are {', '.join(evaluations)}")
    return evaluations[choice]
