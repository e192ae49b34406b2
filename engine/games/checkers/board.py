# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkers bitboards: layout of the 32 dark squares, encoding of positions and moves.

The squares 1 to 32 take 35 bits: after every second row one bit is unused. So a step in each of the four directions is
a rotation by the same amount everywhere, and one mask keeps men on the board. Draughts programs often use this layout::

        0   1   2   3
      4   5   6   7
        9  10  11  12           bits 8, 17 and 26 are unused
     13  14  15  16
       18  19  20  21
     22  23  24  25
       27  28  29  30
     31  32  33  34
"""

from typing import NamedTuple

from engine.bitboards.bits import Bits


class Checkers(NamedTuple):
    """English draughts, seen by the mover. Black, who moves first and toward square 32, has turn 0."""

    own: Bits
    enemy: Bits
    kings: Bits
    """Kings of both sides."""
    turn: Bits


class Lecture(NamedTuple):
    """Checkers with optional captures; fields as in ``Checkers``."""

    own: Bits
    enemy: Bits
    kings: Bits
    turn: Bits


def bit(square: int) -> int:
    """Return the bit of a square 1 to 32."""
    return square - 1 + (square - 1) // 8


def square(bit: int) -> int:
    """Return the square of a bit."""
    return bit + 1 - bit // 9


def board(*squares: int) -> Bits:
    """Return the board with these squares set."""
    return Bits(sum(1 << bit(square) for square in squares))


SQUARES = board(*range(1, 33))
TOP = board(*range(1, 5))
BOTTOM = board(*range(29, 33))
"""The rows where white and black men become kings."""

CENTRE = board(10, 11, 14, 15, 18, 19, 22, 23)
"""The dark squares among the sixteen central squares."""

BANDS = tuple(board(*range(first, first + 8)) for first in (1, 9, 17, 25))
"""Bands of two rows from the top."""

ZERO, ONE = Bits(0), Bits(1)
NEAR, FAR = Bits(4), Bits(5)
"""Rotations of a step forward for black; for white, and backward, they are negative, modulo 64."""

FIRST_CAPTURED = 4
"""The first bit of captured men in a move: pieces on the first row cannot be captured."""

# a move: origin (6 bits), target (6), captured men (27), the path (2 bits for each of up to nine jumps, first lowest)
TARGET_AT, CAPTURED_AT, PATH_AT = Bits(6), Bits(12), Bits(39)
CAPTURED_SHIFT = CAPTURED_AT - Bits(FIRST_CAPTURED)
CAPTURED_MASK = Bits((1 << 27) - 1 << FIRST_CAPTURED)
INDEX = Bits(63)
DIRECTIONS = ("near forward", "far forward", "near backward", "far backward")
"""Meaning of two bits of the path, as the mover sees it: rotation by NEAR, FAR, -NEAR, -FAR."""
