# SPDX-License-Identifier: GPL-3.0-or-later
"""The patterns of 3×3 points of MoGo, as one table of bits, and their lookup on boards.

S. Gelly, Y. Wang, R. Munos, O. Teytaud, Modification of UCT with patterns in Monte-Carlo Go, 2006.
"""

from functools import cache
from itertools import product
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from engine.bitboards.wide import Wide, word, words
from engine.kernel import inlined

_primitive: Any = intrinsic
"""Untyped: the type of ``intrinsic`` counts the context as an argument of a call."""

PATTERNS = (
    # hane: enclosing, not cutting, and from a magari
    "XOX ... ???",
    "XO. ... ?.?",
    "XO? X.. x.?",
    # a diagonal attachment
    ".O. X.. ...",
    # cuts: unprotected, peeped at, of a connection, of a small knight's move
    "XO? O.o ?o?",
    "XO? O.X ???",
    "?X? O.O ooo",
    "OX? o.O ???",
    # at the edge: chase, cuts and connections
    "X.? O.? ###",
    "OX? X.O ###",
    "?X? x.O ###",
    "?XO x.x ###",
    "?OX X.O ###",
)
"""Rows of the points around an empty point: X and O are the two sides, . is empty, # is off the board, x is anything
on the board but X, o likewise, ? is anything. A pattern holds for both sides, turned and mirrored."""

_MEANINGS = {"X": "X", "O": "O", ".": ".", "#": "#", "x": ".O", "o": ".X", "?": ".XO#"}
_SWAPPED = str.maketrans("XOxo", "OXox")
_AROUND = (0, 1, 2, 3, 5, 6, 7, 8)
"""The places of a square of 3×3 without its centre, in the order of the bits of a board."""


def _variants(pattern: str) -> set[str]:
    """Return a pattern's nine places for both sides, turned and mirrored."""
    found = set()
    for rows in (pattern.split(), pattern.translate(_SWAPPED).split()):
        turned = rows
        for _ in range(4):
            turned = ["".join(column) for column in zip(*turned[::-1], strict=True)]
            found |= {"".join(turned), "".join(row[::-1] for row in turned)}
    return found


@cache
def table() -> Any:
    """Return (1024,) words of uint64: bit ``own | other << 8`` tells whether a pattern holds.

    ``own``, ``other``: the eight points around an empty point; points off the board are in both.
    """
    sides = {".": 0, "X": 1, "O": 1 << 8, "#": 1 | 1 << 8}
    bits = np.zeros(1 << 16, np.uint64)
    for places in set().union(*map(_variants, PATTERNS)):
        choices = [[sides[kind] << at for kind in _MEANINGS[places[place]]] for at, place in enumerate(_AROUND)]
        for parts in product(*choices):
            bits[sum(parts)] = 1
    shifted = bits.reshape(-1, 64) << np.arange(64, dtype=np.uint64)
    return np.bitwise_or.reduce(shifted, axis=1)


@_primitive
def _row(typing: Any, index: Any) -> Any:
    """Return a word of the table, which is made only when code that needs it is compiled."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = ir.ArrayType(ir.IntType(64), 1024)
        name = "go_patterns_of_3x3"
        held = builder.module.globals.get(name)
        if held is None:
            held = ir.GlobalVariable(builder.module, kind, name)
            held.linkage, held.global_constant = "internal", True
            held.initializer = ir.Constant(kind, table().tolist())
        return builder.load(builder.gep(held, [ir.IntType(64)(0), values[0]], inbounds=True))

    return types.uint64(types.int64), build


@inlined
def around(board: Wide, place: np.uint64, stride: np.uint64) -> np.uint64:
    """Return the eight points around a point as bits, the lowest row first.

    ``board``: moved up by ``stride`` + 1, so that the square of each point begins at the point's own bit.
    """
    index = np.int64(place >> np.uint64(6))
    shift = place & np.uint64(63)
    # the last word is combined with itself; the wrong bits are above the square and are not used
    higher = min(index + 1, words(board) - 1)
    held = word(board, index) >> shift | word(board, higher) << np.uint64(1) << (np.uint64(63) - shift)
    above = held >> stride
    return (
        held & np.uint64(7)
        | (above & np.uint64(1)) << np.uint64(3)
        | (above >> np.uint64(2) & np.uint64(1)) << np.uint64(4)
        | (above >> stride & np.uint64(7)) << np.uint64(5)
    )


@inlined
def fits(own: Wide, other: Wide, points: Wide, place: np.uint64, stride: np.uint64) -> bool:
    """Return whether a pattern holds around an empty point; boards as those of ``around``, ``points``: all points."""
    outside = around(points, place, stride) ^ np.uint64(255)
    index = around(own, place, stride) | outside | (around(other, place, stride) | outside) << np.uint64(8)
    return bool(_row(np.int64(index >> np.uint64(6))) >> (index & np.uint64(63)) & np.uint64(1))
