# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact endgames of Othello: the difference of discs with best play, the empty squares counted for the winner."""

from typing import NamedTuple

import numpy as np

from engine.games.othello.board import PASS, Othello
from engine.games.othello.endgame.memory import (
    ABORTED,
    BITS,
    LIMIT,
    MOST,
    NODES,
    STOP,
    UNLIMITED,
    Memory,
    packed,
)
from engine.games.othello.endgame.search import solve_root
from engine.games.othello.evaluation import EVALUATIONS


class Solution(NamedTuple):
    """The result of a search for the exact value."""

    value: int | None
    """The difference of discs for the side to move; None: the search was stopped."""
    move: int | None
    """A best move; None if there is no value, or if the game is over."""
    nodes: int
    """Number of visited positions."""


class Solver:
    """Solves endgames on the board of 8 × 8."""

    def __init__(self, table_bits: int = 20) -> None:
        """The table has 2 ** ``table_bits`` entries of 16 bytes."""
        rows = 1 << table_bits
        self._control = np.zeros(BITS + 1, np.int64)
        self._control[BITS] = table_bits
        self._memory = Memory(
            self._control,
            np.empty((2 * MOST, MOST), np.int64),
            np.zeros(rows, np.uint64),
            np.full(rows, packed(-MOST, MOST, PASS, 0), np.int64),
            EVALUATIONS["positional"].words(),
        )

    def solve(self, state: Othello, nodes: int | None = None) -> Solution:
        """Return the value and a best move. ``nodes``: limit of visited positions; ends the search soon after."""
        self._control[[NODES, ABORTED]] = 0
        self._control[LIMIT] = UNLIMITED if nodes is None else nodes
        value, move, over = solve_root(np.uint64(state.own), np.uint64(state.enemy), self._memory)
        visited = int(self._control[NODES])
        if self._control[ABORTED]:
            return Solution(None, None, visited)
        return Solution(int(value), None if over else int(move), visited)

    def stop(self) -> None:
        """End the search from another thread, and all later ones."""
        self._control[STOP] = 1
