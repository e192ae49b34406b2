# SPDX-License-Identifier: GPL-3.0-or-later
"""What positions that are not searched further are worth, seen by the seat to move."""

from typing import Any

import numpy as np

from engine.game import State, features
from engine.kernel import inlined
from engine.search.memory import SOONER, WIN, Memory


@inlined
def static_value(state: State, memory: Memory) -> Any:
    """Return weights × features."""
    value = np.int64(0)
    for i, feature in enumerate(features(state)):
        value += memory.weights[i] * np.int64(feature)
    return value


@inlined
def final_value(payoff: float, depth: int, memory: Memory) -> Any:
    """Return what a finished game is worth to a seat with this pay-off: the more, the sooner it is won."""
    return np.int64(np.rint(payoff * (memory.control[WIN] + memory.control[SOONER] * depth)))
