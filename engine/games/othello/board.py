# SPDX-License-Identifier: GPL-3.0-or-later
"""Othello bitboards: layout, reachable squares, flipped discs, stable discs.

Bit 0 is the square a1 at the top left, bit 7 is h1, and bit 63 is h8 at the bottom right. The board of 6 × 6 takes the
36 squares in the middle, so both boards share one code; the squares around it stay empty.

A step in a direction is a rotation. It wraps around an edge only at the end of a run of discs, so masking the discs to
be flipped is enough: none of them is on an edge that the direction leads over.
"""

from typing import NamedTuple

import numpy as np

from engine.bitboards.bits import Bits, highest, rotate
from engine.game import State
from engine.kernel import implements, inlined, kernel


class Othello(NamedTuple):
    """The discs of the side to move and of the other side. Black, who moves first, has turn 0."""

    own: Bits
    enemy: Bits
    turn: Bits


class SmallOthello(NamedTuple):
    """Othello on 6 × 6 squares; fields as in ``Othello``."""

    own: Bits
    enemy: Bits
    turn: Bits


ZERO, ONE = Bits(0), Bits(1)
WHOLE = Bits(2**64 - 1)
MIDDLE = Bits(0x007E7E7E7E7E7E00)
"""The squares of the board of 6 × 6; of the large board those that are on no edge."""

PASS = 64
"""The move of a side that can flip nothing."""

RIGHT, DOWN_LEFT, DOWN, DOWN_RIGHT = (Bits(n) for n in (1, 7, 8, 9))
"""Rotations of a step in four directions; the opposite ones are their negatives modulo 64."""

COLUMNS, ROWS = Bits(0x7E7E7E7E7E7E7E7E), Bits(0x00FFFFFFFFFFFF00)
"""The inner columns, and the inner rows."""


@kernel
def area(state: State) -> Bits:
    """Return the squares of the board."""
    return WHOLE


@implements(area, SmallOthello)
def _small_area(state: State) -> Bits:
    return MIDDLE


# ---------------------------------------------------------------- legal moves


@inlined
def landings(own: Bits, between: Bits, way: Bits) -> Bits:
    """Return the squares behind runs of discs: own disc, one or more discs of ``between``, square.

    Parallel prefix: the runs grow by 1, 1, 2 and 2 discs (Kogge-Stone).
    """
    run = between & rotate(own, way)
    run |= between & rotate(run, way)
    pairs = between & rotate(between, way)
    run |= pairs & rotate(run, way + way)
    run |= pairs & rotate(run, way + way)
    return rotate(run, way)


@inlined
def targets(own: Bits, enemy: Bits, squares: Bits) -> Bits:
    """Return the legal moves among these squares as a board."""
    across, down, slanted = enemy & COLUMNS, enemy & ROWS, enemy & MIDDLE
    found = landings(own, across, RIGHT) | landings(own, across, ZERO - RIGHT)
    found |= landings(own, down, DOWN) | landings(own, down, ZERO - DOWN)
    found |= landings(own, slanted, DOWN_RIGHT) | landings(own, slanted, ZERO - DOWN_RIGHT)
    found |= landings(own, slanted, DOWN_LEFT) | landings(own, slanted, ZERO - DOWN_LEFT)
    return found & squares & ~(own | enemy)


# ---------------------------------------------------------------- flipped discs


def _ray(square: int, right: int, down: int) -> int:
    """Return the squares from a square to the edge."""
    row, column = divmod(square, 8)
    found = 0
    while 0 <= row + down < 8 and 0 <= column + right < 8:
        row, column = row + down, column + right
        found |= 1 << 8 * row + column
    return found


RAYS = np.array(
    [
        _ray(square, *direction)
        for square in range(64)
        for direction in ((1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1))
    ],
    np.uint64,
)
"""Eight rays for each square: four toward higher bits, then their opposites."""


@inlined
def flips_up(own: Bits, enemy: Bits, ray: Bits) -> Bits:
    """Return the discs flipped on a ray toward higher bits: a carry runs through them to the own disc behind."""
    end = ((enemy | ~ray) + ONE) & own & ray
    return (end - (ONE if end else ZERO)) & ray


@inlined
def flips_down(own: Bits, enemy: Bits, ray: Bits) -> Bits:
    """Return the discs flipped on a ray toward lower bits: those above the highest square that is no enemy disc."""
    end = (ONE << highest(ray & ~enemy | ONE)) & own & ray
    return (ZERO - (end << ONE)) & ray


@inlined
def flips(own: Bits, enemy: Bits, square: Bits) -> Bits:
    """Return the discs that a disc of ``own`` on an empty square flips; none: the move is not legal."""
    first = square << Bits(3)
    found = flips_up(own, enemy, RAYS[first]) | flips_up(own, enemy, RAYS[first | Bits(1)])
    found |= flips_up(own, enemy, RAYS[first | Bits(2)]) | flips_up(own, enemy, RAYS[first | Bits(3)])
    found |= flips_down(own, enemy, RAYS[first | Bits(4)]) | flips_down(own, enemy, RAYS[first | Bits(5)])
    found |= flips_down(own, enemy, RAYS[first | Bits(6)]) | flips_down(own, enemy, RAYS[first | Bits(7)])
    return found
