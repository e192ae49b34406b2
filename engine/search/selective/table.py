# SPDX-License-Identifier: GPL-3.0-or-later
"""Transposition table of the selective search: entries of 16 bytes, buckets of four entries in a cache line.

The first word of an entry holds the upper half of the key and the static evaluation. The second word holds, from the
lowest bit on: the low 16 bits of the best move, remaining depth + 1 (8 bits, 0 in an empty entry), the kind of bound
(2), whether the value depends on the horizon (1), the age (5) and the value (32). Lower bits of the key select the
bucket. Different positions with equal bits are not told apart; this happens once in thousands of millions of look-ups.

Values of won and lost games count the plies from the position, so they are valid at any ply. Entries of older searches
are replaced first, then the shallowest.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernel import compiled, inlined

Table = NDArray[np.int64]

BUCKET = 4
MARK = 0xFFFF
"""Mask of the stored bits of a move."""
NO_MOVE = -1

ABSENT, UPPER, LOWER, EXACT = range(4)
"""Kinds of bounds; ABSENT: there is no entry."""

FITTING = 2**31 - 1
"""Values beyond this, and below its negative, are not stored."""
NO_SCORE = -(2**31)
"""Stands for a static evaluation that was not computed."""

AGES = 32
OLD = 4
"""For replacement, an entry is this many plies less deep for each later search."""
CACHE_LINE = 64


class Entry(NamedTuple):
    """The entry of a position."""

    bound: int
    value: int
    depth: int
    """Remaining depth of the bound."""
    move: int
    """Low bits of the best move, or NO_MOVE."""
    score: int
    """Static evaluation, or NO_SCORE."""
    horizon: int
    """1 if the value depends on the horizon."""


def new_table(bits: int) -> Table:
    """Return an empty table of 2 ** bits entries."""
    words = np.empty((2 << bits) + CACHE_LINE // 8, np.int64)
    words.fill(0)  # with empty, unlike zeros, numpy asks for huge pages, which saves misses at look-ups
    start = -words.ctypes.data % CACHE_LINE // 8
    return words[start : start + (2 << bits)].reshape(-1, 2)


@inlined
def bucket(table: Table, key: int) -> Any:
    """Return the first of the four rows of a position's bucket."""
    return np.int64(np.uint64(key) & np.uint64(len(table) - BUCKET))


@compiled
def recall(table: Table, key: int) -> Entry:
    """Look up a position; without an entry, the result's bound is ABSENT."""
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
    """Store the result of a search; without a best move the stored one is kept."""
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
