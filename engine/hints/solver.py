# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels of the solver, ``engine.search.solver``: a game takes part by ``plies_left`` and ``value_bounds``."""

from engine.game import Moves, State, key, legal_moves
from engine.kernel import kernel


@kernel
def plies_left(state: State) -> int:
    """Return the largest number of plies until the end of the game, at most 63, also if it is over.

    For the solver, with ``value_bounds``. The seats must move in turn, and payoffs be 1, 0 or -1.
    """
    raise NotImplementedError


@kernel
def value_bounds(state: State) -> tuple[int, int]:
    """Return bounds of the value with best play, for the seat to move; the game is not over.

    Values are in plies: 0 for a draw, 1 + ``plies_left`` at the end of the game for a win, the negative for a loss. The
    better the bounds, and the cheaper, the faster is the solver: it searches no position whose bounds are equal.
    """
    raise NotImplementedError


@kernel
def prospects(state: State, out: Moves) -> int:
    """Write the moves that the solver tries into ``out``, the most promising first, and return how many there are.

    Moves may be left out if they are worth no more than the lower bound of ``value_bounds``.
    """
    return legal_moves(state, out)


@kernel
def symmetric_key(state: State) -> int:
    """Return a hash key, like ``key``, that positions with the same value may share because they are symmetric.

    The solver trusts it, so different positions must not have equal keys; the lower bits must be well mixed.
    """
    return key(state)
