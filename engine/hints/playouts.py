# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels of playouts and Monte Carlo tree search: policies and priors, all with a default."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.game import Moves, State, pick
from engine.kernel import kernel

VirtualPlayouts: TypeAlias = NDArray[np.float64]
"""(moves, 2): numbers of virtual playouts, and the sums of their values."""


@kernel
def light_move(state: State, chance: int, out: Moves) -> int:
    """Return the move of a light playout, or -1 if the game is over; arguments as those of ``pick``, the default.

    A playout policy, not a rule. Implement it if random legal moves would not end the game sensibly: in Go a light
    playout does not fill its own eyes.
    """
    return pick(state, chance, out)


@kernel
def answer(state: State, last: int, chance: int, out: Moves) -> int:
    """Return a move that answers the last move in an informed playout, or -1 for a move by ``light_move``.

    ``last``: the move that led to the state, -1 if unknown; other arguments as those of ``pick``. A playout policy, not
    a rule: in Go saving stones from capture, patterns beside the last move, and careful random moves.
    """
    return -1


@kernel
def prior_values(state: State, last: int, moves: Moves, count: int, out: VirtualPlayouts) -> bool:
    """Write a heuristic prior of each move to ``out``: numbers of virtual playouts, and how many of them are won.

    ``last``: as in ``answer``. The values are for the seat to move, and a playout that is won counts 1. Return False
    if there are none, as by default.
    """
    return False
