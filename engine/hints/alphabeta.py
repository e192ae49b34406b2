# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels of alpha-beta searches: move ordering, quiescence search and pruning, all with a default."""

import numpy as np

from engine.game import Moves, State, legal_moves
from engine.kernel import kernel


@kernel
def gain(state: State, move: int) -> int:
    """Return the immediate gain of a move, such as a captured piece, in hundredths of a pawn; 0 for a quiet move.

    Used for move ordering and to select moves in quiescence search.
    """
    return 0


@kernel
def exchange_reaches(state: State, move: int, least: int) -> bool:
    """Static exchange evaluation: return whether ``move`` gains ``least`` points or more after all recaptures.

    Points are those of ``gain``; by default recaptures are ignored.
    """
    return gain(state, move) >= least


@kernel
def tactical_moves(state: State, out: Moves) -> int:
    """Write the legal moves for quiescence search into ``out`` and return how many there are.

    By default the moves with a gain. Implement it if they can be listed without the others.
    """
    count = legal_moves(state, out)
    found = 0
    for i in range(count):
        move = out[i]
        if gain(state, move) > 0:
            out[found] = move
            found += 1
    return found


@kernel
def threatened(state: State) -> bool:
    """Return whether the seat to move must answer a threat, such as a check or a compulsory capture.

    The static evaluation of such a state is unreliable.
    """
    return False


@kernel
def can_pass(state: State) -> bool:
    """Return whether null moves are allowed: ``passed`` is implemented, and zugzwang is unlikely.

    Called only for states that are not threatened.
    """
    return False


@kernel
def passed(state: State) -> State:
    """Return the state after a null move: the other seat is to move."""
    return state


@kernel
def aim(state: State, move: int) -> int:
    """Return an index from 1 to AIMS - 1 of the piece and target of ``move``, for continuation history."""
    mixed = np.uint64(move) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed >> np.uint64(32)) % np.uint64(AIMS - 1)) + 1  # type: ignore[return-value]  # an int of 64 bits


AIMS = 512
"""Size of each dimension of the continuation history."""


@kernel
def structure(state: State) -> int:
    """Return an index below STRUCTURES of features that change slowly, such as the pawns, for correction history."""
    return 0


STRUCTURES = 4096
"""Size of the correction history."""


@kernel
def slot(state: State, move: int) -> int:
    """Return the history slot of ``move``: an index below SLOTS, such as origin and target."""
    mixed = np.uint64(move) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(52))  # type: ignore[return-value]  # an int of 64 bits


SLOTS = 4096
"""Size of history tables."""
