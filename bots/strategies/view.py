# SPDX-License-Identifier: GPL-3.0-or-later
"""What a strategy of the iterated Prisoner's Dilemma sees, and random numbers by seed and round."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernel import inlined
from engine.splitmix import GOLDEN, fraction, scramble

C, D = 0, 1
"""Cooperation and defection."""

UNKNOWN = -1
"""Number of rounds of a match whose length the players do not know."""

REGISTERS = 8
"""Numbers that a strategy may remember."""

_DRAWS = 8
"""Random numbers of a round."""


class View(NamedTuple):
    """A match from the side of a player. The player must be asked in each round, the first one included."""

    own: NDArray[np.int8]
    """The player's own actions so far, after noise."""
    other: NDArray[np.int8]
    """The other player's."""
    turn: int
    """Number of rounds so far."""
    own_defections: int
    other_defections: int
    rounds: int
    """Number of rounds of the match, or UNKNOWN."""
    payoffs: NDArray[np.float64]
    """Own payoff of a round, by 2 · own action + the other's."""
    numbers: NDArray[np.float64]
    """The parameters of the strategy."""
    memory: NDArray[np.float64]
    """REGISTERS numbers that the strategy may write; zeros before the first round."""
    seed: np.uint64


@inlined
def uniform(view: View, draw: int) -> float:
    """Return a random number from 0 to below 1; ``draw``: which one of the round."""
    place = np.uint64(view.turn * _DRAWS + draw + 1)
    return fraction(scramble(view.seed + place * GOLDEN))


@inlined
def cooperates(view: View, probability: float) -> int:
    """Return C with a probability, else D."""
    return C if uniform(view, 0) < probability else D


@inlined
def last(view: View) -> int:
    """Return the other player's newest action; C before the first."""
    return view.other[view.turn - 1] if view.turn else C
