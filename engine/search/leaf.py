# SPDX-License-Identifier: GPL-3.0-or-later
"""What positions that are not searched further are worth, seen by the seat to move."""

from typing import Any

import numpy as np

from engine.game import State, score
from engine.kernel import inlined
from engine.search.memory import SOONER, TERMS, WIN, Memory


@inlined
def static_value(state: State, memory: Memory) -> Any:
    """Return weights × features, of the evaluation's set of terms."""
    return score(state, memory.control[TERMS], memory.weights)


@inlined
def final_value(payoff: float, depth: int, memory: Memory) -> Any:
    """Return what a finished game is worth to a seat with this pay-off: the more, the sooner it is won."""
    return np.int64(np.rint(payoff * (memory.control[WIN] + memory.control[SOONER] * depth)))
