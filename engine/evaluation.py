# SPDX-License-Identifier: GPL-3.0-or-later
"""Static evaluations: score = weights × features, an integer for the seat to move."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]
"""Weights in the format of compiled code."""

WIN = 1_000_000_000
"""Score of a won game; larger than all other scores."""


def plain_words(weights: Sequence[int]) -> Words:
    """Return one word for each weight."""
    return np.array(weights, np.int64)


@dataclass(frozen=True, slots=True)
class Terms:
    """A set of terms: the names, ranges and format of an evaluation's features. A game may have several sets."""

    number: int = 0
    """The set's number for the kernels ``score`` and ``vector``."""
    names: tuple[str, ...] = ()
    """Names of the weights; may be empty."""
    ranges: tuple[tuple[int, int], ...] = ()
    """Minimum and maximum of each weight; may be empty."""
    unit: int = 1
    """Weights × features is this many times the score, because features may be multiplied by the game phase."""
    words: Callable[[Sequence[int]], Words] = plain_words
    """Converts weights to the format of ``score``; raises ValueError for weights that do not fit."""
    value: Callable[[Sequence[int], Sequence[int]], int] | None = None
    """Returns the score of weights and features; None: their product, in ``unit``."""


PLAIN = Terms()
"""The set with the features of the kernel ``features``."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A named evaluation: one weight for each feature of a set of terms.

    A finished game scores payoff × (``win`` + ``sooner`` × remaining depth). With ``sooner`` above 0 earlier wins score
    more. The score depends only on state and remaining depth, so a transposition table can store it.
    """

    name: str
    weights: tuple[int, ...]
    description: str = ""
    win: int = WIN
    sooner: int = 1
    terms: Terms = PLAIN
    man: int | None = None
    """Score of a pawn (in checkers a man), for conversion to pawn units; None: the first weight."""

    def score(self, features: Sequence[int]) -> int:
        """Return the score of features: by default weights × features, rounded to whole units.

        Raises ValueError if the numbers of weights and features differ.
        """
        if self.terms.value is not None:
            return self.terms.value(self.weights, features)
        weighed = sum(weight * feature for weight, feature in zip(self.weights, features, strict=True))
        return (weighed + self.terms.unit // 2) // self.terms.unit

    def words(self) -> Words:
        """Return the weights in the format of the kernel ``score``."""
        return self.terms.words(self.weights)

    def pawn_units(self, score: int) -> float:
        """Convert a score to pawn units."""
        return score / self.points(1)

    def points(self, pawns: float) -> float:
        """Convert pawn units to a score."""
        return pawns * (self.man or abs(self.weights[0]) or 1)


def named(evaluations: Mapping[str, Evaluation], choice: str | Evaluation | None) -> Evaluation:
    """Return an evaluation by name, the first one for None; an evaluation is returned unchanged.

    Raises KeyError, with a message that lists the names, for an unknown name.
    """
    if isinstance(choice, Evaluation):
        return choice
    if choice is None:
        return next(iter(evaluations.values()))
    if choice not in evaluations:
        raise KeyError(f"no evaluation is called {choice[:40]!r}; there are {', '.join(evaluations)}")
    return evaluations[choice]
