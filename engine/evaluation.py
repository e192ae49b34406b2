# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations: weights × features → score, an integer seen by the seat to move."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIN = 1_000_000_000
"""The score of a won game; every other score is smaller."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A named weighing of a game's ``features`` (one weight each, in their order).

    A finished game scores pay-off × (``win`` + ``sooner`` × depth left): with ``sooner`` above 0 the earlier win is
    preferred, and the score depends on nothing but the state and the depth left, so that it may stand in a
    transposition table.
    """

    name: str
    weights: tuple[int, ...]
    description: str = ""
    win: int = WIN
    sooner: int = 1

    def score(self, features: Sequence[int]) -> int:
        """Return weights × features. Raises ValueError when there are not as many of each."""
        return sum(weight * feature for weight, feature in zip(self.weights, features, strict=True))


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
