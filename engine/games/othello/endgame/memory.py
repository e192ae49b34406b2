# SPDX-License-Identifier: GPL-3.0-or-later
"""The arrays of the endgame solver, and its transposition table."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.bitboards.bits import Bits, rotate
from engine.evaluation import Words
from engine.kernel import inlined

MOST = 64
"""Largest difference of discs."""
UNKNOWN = 127
"""Larger than any value."""
UNLIMITED = 2**62

NODES, LIMIT, STOP, ABORTED, BITS = range(5)
"""Places in ``control``: visited positions, their limit, a request to stop, whether the search was stopped, and the
number of bits of the table's index."""

NEAR = 7
"""Up to this number of empty squares, moves are ordered by parity only, and the table is not used."""


class Memory(NamedTuple):
    """The arrays of a solver."""

    control: NDArray[np.int64]
    order: NDArray[np.int64]
    """(plies, moves): ordering key × 64 + square."""
    keys: NDArray[np.uint64]
    values: NDArray[np.int64]
    """Bounds, best move and number of empty squares of the position with this key; see ``packed``."""
    weights: Words
    """Arrays of the static evaluation."""


# ---------------------------------------------------------------- the table


@inlined
def packed(lower: int, upper: int, move: int, empties: int) -> int:
    """Return an entry of the table."""
    return (lower + MOST) | (upper + MOST) << 8 | move << 16 | empties << 24


@inlined
def key_of(own: Bits, enemy: Bits) -> Bits:
    """Return a hash of a position."""
    mixed = own * Bits(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> Bits(32)) + rotate(enemy, Bits(32))
    mixed *= Bits(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> Bits(29)) * Bits(0x94D049BB133111EB)
    return mixed ^ mixed >> Bits(32)


@inlined
def found_at(key: Bits, memory: Memory) -> Any:
    """Return the row of a position in the table; -1: it has none."""
    row = np.int64(key >> np.uint64(64 - memory.control[BITS]))
    if memory.keys[row] == key:
        return row
    row ^= 1
    return row if memory.keys[row] == key else -1


@inlined
def keep(key: Bits, entry: int, memory: Memory) -> None:
    """Store an entry. It replaces the position's own entry or, of the two entries of its bucket, the one with fewer
    empty squares.
    """
    row = found_at(key, memory)
    if row < 0:
        row = np.int64(key >> np.uint64(64 - memory.control[BITS]))
        if memory.values[row] >> 24 > memory.values[row ^ 1] >> 24:
            row ^= 1
    memory.keys[row] = key
    memory.values[row] = entry
