# SPDX-License-Identifier: GPL-3.0-or-later
"""Stable discs of Othello: discs that no later move can flip.

A disc is flipped along a line only if an empty or an enemy square is on each side of it. So a disc is stable if each of
its four lines is full, or ends at it, or has a stable disc of its own colour beside it. This finds a subset of the
stable discs.
"""

from engine.bitboards.bits import Bits, rotate
from engine.games.othello.board import (
    COLUMNS,
    DOWN,
    DOWN_LEFT,
    DOWN_RIGHT,
    MIDDLE,
    RIGHT,
    ROWS,
    ZERO,
)
from engine.kernel import inlined


def _behind(right: int, down: int, steps: int) -> int:
    """Return the squares from which ``steps`` steps lead off the board."""
    return sum(
        1 << 8 * row + column
        for row in range(8)
        for column in range(8)
        if not (0 <= row + steps * down < 8 and 0 <= column + steps * right < 8)
    )


def _ends(right: int, down: int) -> tuple[Bits, ...]:
    """Return for 1, 2 and 4 steps the squares at the two ends of lines, forward and backward."""
    return tuple(Bits(_behind(sign * right, sign * down, steps)) for steps in (1, 2, 4) for sign in (1, -1))


ACROSS, DOWNWARD, SLANTED, LEANING = _ends(1, 0), _ends(0, 1), _ends(1, 1), _ends(-1, 1)


@inlined
def full(taken: Bits, way: Bits, ends: tuple[Bits, Bits, Bits, Bits, Bits, Bits]) -> Bits:
    """Return the squares whose whole line along a direction is taken; ``ends``: those of the direction."""
    forward = taken & (rotate(taken, ZERO - way) | ends[0])
    backward = taken & (rotate(taken, way) | ends[1])
    way += way
    forward &= rotate(forward, ZERO - way) | ends[2]
    backward &= rotate(backward, way) | ends[3]
    way += way
    forward &= rotate(forward, ZERO - way) | ends[4]
    backward &= rotate(backward, way) | ends[5]
    return forward & backward


@inlined
def stable(own: Bits, enemy: Bits, squares: Bits) -> Bits:
    """Return stable discs of ``own`` on a board of these squares."""
    outside = ~squares
    taken = own | enemy | outside
    across = full(taken, RIGHT, ACROSS) | ~COLUMNS
    down = full(taken, DOWN, DOWNWARD) | ~ROWS
    slanted = full(taken, DOWN_RIGHT, SLANTED) | ~MIDDLE
    leaning = full(taken, DOWN_LEFT, LEANING) | ~MIDDLE
    found = own & across & down & slanted & leaning
    before = ZERO
    while found != before:
        before = found
        firm = found | outside
        found = own & (across | rotate(firm, RIGHT) | rotate(firm, ZERO - RIGHT))
        found &= down | rotate(firm, DOWN) | rotate(firm, ZERO - DOWN)
        found &= slanted | rotate(firm, DOWN_RIGHT) | rotate(firm, ZERO - DOWN_RIGHT)
        found &= leaning | rotate(firm, DOWN_LEFT) | rotate(firm, ZERO - DOWN_LEFT)
    return found
