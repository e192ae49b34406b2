# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations: weights × features → score, an integer seen by the seat to move."""

from dataclasses import dataclass

WIN = 1_000_000_000
"""The score of a won game; every other score is smaller."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A named weighing of a game's ``features`` (one weight each, in their order).

    A finished game scores pay-off × (``win`` + ``sooner`` × depth left): with ``sooner`` above 0 the earlier win is preferred, and
    the score depends on nothing but the state and the depth left, so that it may stand in a transposition table.
    """

    name: str
    weights: tuple[int, ...]
    description: str = ""
    win: int = WIN
    sooner: int = 1
