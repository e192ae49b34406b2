# SPDX-License-Identifier: GPL-3.0-or-later
"""Transposition table of the exact searches: bounds of the values of positions at equal remaining depth.

An entry is a row of four words: key; lower bound; upper bound; and, packed into the last word, remaining depth + 1
(8 bits, 0 in an empty entry), index of the best move + 1 (16 bits), whether the value depends on the horizon (1 bit),
and age. A value is reused only at equal remaining depth, because the value of a deeper search differs from minimax's.

Four entries share a bucket. Entries of older searches are replaced first, then the shallowest.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernel import compiled, inlined

Table = NDArray[np.int64]

KEY, LOWER, UPPER, PARTICULARS = range(4)
BUCKET = 4
UNKNOWN = np.int64(1) << np.int64(62)
"""No bound; all values are between -UNKNOWN and UNKNOWN."""


def new_table(bits: int) -> Table:
    """Return an empty table of 2 ** bits entries."""
    return np.zeros((1 << bits, 4), np.int64)


@compiled
def find(table: Table, key: int) -> int:
    """Return the row of a key's entry, -1 for none."""
    first = np.int64(np.uint64(key) & np.uint64(len(table) - BUCKET))
    for row in range(first, first + BUCKET):
        if table[row, KEY] == key and table[row, PARTICULARS]:
            return row
    return -1


@compiled
def depth_left(table: Table, row: int) -> int:
    """Return the remaining depth of an entry's bounds."""
    return (table[row, PARTICULARS] & 0xFF) - 1


@inlined
def settles(table: Table, row: int, depth: int, alpha: int, beta: int) -> bool:
    """Return whether an entry makes a search to this depth with this window unnecessary."""
    lower, upper = table[row, LOWER], table[row, UPPER]
    return depth_left(table, row) == depth and bool(lower >= beta or lower == upper or upper <= alpha)


@inlined
def settled_value(table: Table, row: int, beta: int) -> int:
    """Return the value of such an entry, or its bound outside of the window."""
    lower, upper = table[row, LOWER], table[row, UPPER]
    return int(lower if lower >= beta else upper)


@compiled
def best_index(table: Table, row: int) -> int:
    """Return the index of the best move among the legal moves, -1 for none."""
    return ((table[row, PARTICULARS] >> 8) & 0xFFFF) - 1


@compiled
def saw_horizon(table: Table, row: int) -> int:
    """Return 1 if an entry's value depends on the horizon, else 0."""
    return (table[row, PARTICULARS] >> 24) & 1


@inlined
def keep(
    table: Table, key: int, depth: int, alpha: int, beta: int, value: int, index: int, horizon: int, age: int
) -> None:
    """Store the result of a fail-soft search: a value inside of the window, a bound outside.

    ``index``: that of the best move; it is not stored with an upper bound.
    """
    lower = value if value > alpha else -UNKNOWN
    upper = value if value < beta else UNKNOWN
    store(table, key, depth, lower, upper, index if value > alpha else -1, horizon, age)


@compiled
def store(table: Table, key: int, depth: int, lower: int, upper: int, index: int, horizon: int, age: int) -> None:
    """Store bounds of a position; they are combined with stored bounds at the same depth."""
    row = find(table, key)
    if row < 0:
        row = np.int64(np.uint64(key) & np.uint64(len(table) - BUCKET))
        for other in range(row + 1, row + BUCKET):
            if _worth(table, other, age) < _worth(table, row, age):
                row = other
    elif depth_left(table, row) == depth:
        lower = max(lower, table[row, LOWER])
        upper = min(upper, table[row, UPPER])
        horizon |= saw_horizon(table, row)
        if index < 0:
            index = best_index(table, row)
    elif index < 0:
        index = best_index(table, row)
    table[row, KEY] = key
    table[row, LOWER] = lower
    table[row, UPPER] = upper
    table[row, PARTICULARS] = (depth + 1) | (index + 1) << 8 | horizon << 24 | age << 25


@compiled
def _worth(table: Table, row: int, age: int) -> Any:
    particulars = table[row, PARTICULARS]
    if particulars == 0:
        return -1
    return (particulars & 0xFF) + (1024 if particulars >> 25 == age else 0)
