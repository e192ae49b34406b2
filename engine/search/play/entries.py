# SPDX-License-Identifier: GPL-3.0-or-later
"""The transposition table of the frame of play: 16 bytes a position, four positions a cache line.

The first word of an entry holds the upper half of the key and, below it, what features say of the position, which is
worth keeping whatever the search finds. The second holds, from the lowest bit on, the low 16 bits of the best move,
depth left + 1 (8 bits, 0 in an empty entry), which bound the value is (2), whether it depends on the horizon (1), the
age of the search (5) and the value (32). Lower bits of the key choose the bucket; an entry that happens
to have the same bits is believed, which happens once in thousands of millions of look-ups.

Values of won and lost games are kept as seen from the position, the win being so many plies away: they hold at any ply.
An entry that an older search made goes first, then the shallowest.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernel import compiled, inlined

Table = NDArray[np.int64]

BUCKET = 4
MARK = 0xFFFF
"""What is kept of a move."""
NO_MOVE = -1

ABSENT, UPPER, LOWER, EXACT = range(4)
"""Which bound a value is; ABSENT: nothing is known of the position."""

FITTING = 2**31 - 1
"""No greater value is kept, nor a smaller one than its negative."""
NO_SCORE = -(2**31)
"""Stands for what features say where it was not asked."""

AGES = 32
OLD = 4
"""An entry is worth so many plies less for each search that was made since."""
CACHE_LINE = 64


class Entry(NamedTuple):
    """What the table knows of a position."""

    bound: int
    value: int
    depth: int
    """The depth left at which the bound holds."""
    move: int
    """The low bits of the best move, or NO_MOVE."""
    score: int
    """What features say, or NO_SCORE."""
    horizon: int
    """1 if the value depends on the horizon."""


def new_table(bits: int) -> Table:
    """Return an empty table of 2 ** bits entries."""
    words = np.empty((2 << bits) + CACHE_LINE // 8, np.int64)
    words.fill(0)  # numpy asks for huge pages where memory is not said to be zero, which spares look-ups a miss
    start = -words.ctypes.data % CACHE_LINE // 8
    return words[start : start + (2 << bits)].reshape(-1, 2)


@inlined
def bucket(table: Table, key: int) -> Any:
    """Return the first row of the four where a position may stand."""
    return np.int64(np.uint64(key) & np.uint64(len(table) - BUCKET))


@compiled
def recall(table: Table, key: int) -> Entry:
    """Return what is known of a position."""
    first = bucket(table, key)
    for row in range(first, first + BUCKET):
        word, facts = table[row, 0], table[row, 1]
        if word >> 32 == key >> 32 and facts & 0xFF0000:
            move = facts & MARK
            return Entry(
                facts >> 24 & 3,
                facts >> 32,
                (facts >> 16 & 0xFF) - 1,
                move if move != MARK else NO_MOVE,
                word << 32 >> 32,
                facts >> 26 & 1,
            )
    return Entry(ABSENT, 0, 0, NO_MOVE, NO_SCORE, 0)


@compiled
def keep(
    table: Table, key: int, depth: int, bound: int, value: int, move: int, score: int, horizon: int, age: int
) -> None:
    """Keep what was found out about a position; a best move known before stays where there is no new one."""
    if not -FITTING <= value <= FITTING:
        return
    first = bucket(table, key)
    row, least = first, 1 << 20
    for other in range(first, first + BUCKET):
        facts = table[other, 1]
        known = facts >> 16 & 0xFF
        if known and table[other, 0] >> 32 == key >> 32:
            if move == NO_MOVE:
                move = facts & MARK
            if bound != EXACT and known > depth + 4 and facts >> 27 & 31 == age % AGES:
                return
            row = other
            break
        worth = known - OLD * ((age - (facts >> 27)) % AGES) if known else -1 << 20
        if worth < least:
            row, least = other, worth
    table[row, 0] = key >> 32 << 32 | score & 0xFFFFFFFF
    table[row, 1] = value << 32 | (age % AGES) << 27 | horizon << 26 | bound << 24 | (depth + 1) << 16 | move & MARK
