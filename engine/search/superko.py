# SPDX-License-Identifier: GPL-3.0-or-later
"""Superko on the path of a search: moves that repeat a position of the game so far or of the line."""

import numpy as np

from engine.game import State, repetition_key
from engine.kernel import compiled
from engine.native.buffers import borrowed
from engine.search.memory import REPEATED, SINCE, Memory


@compiled
def note_root(state: State, row: int, loan: Memory) -> None:
    """Fill REPEATED of the root."""
    borrowed(loan).path[row, REPEATED] = np.int64(repetition_key(state))


@compiled
def repeats(child: State, row: int, loan: Memory) -> bool:
    """Return whether the move from the position of a row to ``child`` is forbidden; fill the child's REPEATED.

    Searches that skip forbidden moves must call it for each move that they search.
    """
    path = borrowed(loan).path
    mark = np.int64(repetition_key(child))
    path[row + 1, REPEATED] = mark
    if path[row, REPEATED] == mark:
        return False
    for i in range(path[row, SINCE], row):  # noqa: SIM110  # numba compiles no generators in any()
        if path[i, REPEATED] == mark:
            return True
    return False
