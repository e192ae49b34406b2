# SPDX-License-Identifier: GPL-3.0-or-later
"""States of backgammon, and the men of a side as bit planes.

Each side counts the points from its own view: it moves from 24 down to 1. Point 25 is the bar, and 0 are the men that
are borne off. The numbers of men on the 26 points are four planes: bit p of plane i is bit i of the number on point p.
So a few instructions move a man, and one instruction finds the made points on the whole board.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from engine.bitboards.bits import backwards, popcount
from engine.kernel import inlined

MEN = 15
OFF, BAR = 0, 25
"""Points of the men that are borne off, and of those on the bar."""
HOME = 6
"""The highest point of the home board."""
HALF = 32
"""Bits of a plane in a word."""
PLANE = (1 << HALF) - 1
POINTS = (1 << BAR) - 2
"""The points from 1 to 24."""

OPENING = 2
"""``seat`` before the opening roll, which decides who begins."""

NO_CUBE = 0
"""``cube`` of the game without a cube."""
OWNER, PHASE, PRESENT = 3, 5, 7
"""Shifts of the parts of ``cube``: the owner, the phase, and a bit that is 1 if there is a cube. The lowest bits hold
the binary logarithm of the cube's value.

Owner: 0 nobody (the cube is in the middle), 1 seat 0, 2 seat 1."""
ROLLING, DECIDING, OFFERED, DROPPED = range(4)
"""Phases: before the roll or the move; before the choice to roll or to double; after a double; after a drop."""
LARGEST = 6
"""The binary logarithm of the largest value of the cube, 64."""

Planes: TypeAlias = tuple[int, int, int, int]
"""The numbers of men on all points: see the module."""


class Backgammon(NamedTuple):
    """The planes of both sides, two in each word, who is on roll, the roll, and the cube."""

    first_low: int
    first_high: int
    second_low: int
    second_high: int
    seat: int
    """The seat on roll, or OPENING. While a double is offered, the seat that doubled."""
    roll: int
    """Ten times the higher die plus the lower one; 0 before the roll."""
    cube: int
    """The doubling cube: see OWNER; NO_CUBE without."""


@inlined
def planes(low: int, high: int) -> Planes:
    """Return the planes of two words."""
    return low & PLANE, low >> HALF, high & PLANE, high >> HALF


@inlined
def added(men: Planes, points: int) -> Planes:
    """Return the planes with one man more on each of the points."""
    ones, twos, fours, eights = men
    carried = ones & points
    again = twos & carried
    return ones ^ points, twos ^ carried, fours ^ again, eights ^ fours & again


@inlined
def removed(men: Planes, points: int) -> Planes:
    """Return the planes with one man less on each of the points, where there is one."""
    ones, twos, fours, eights = men
    borrowed = points & ~ones
    again = borrowed & ~twos
    return ones ^ points, twos ^ borrowed, fours ^ again, eights ^ again & ~fours


@inlined
def moved(men: Planes, source: int, die: int) -> Planes:
    """Return the planes after a step; a man that leaves the board is borne off."""
    return added(removed(men, 1 << source), 1 << max(source - die, OFF))


@inlined
def occupied(men: Planes) -> int:
    """Return the points with men, the bar included, without the men borne off."""
    return (men[0] | men[1] | men[2] | men[3]) & ~1


@inlined
def several(men: Planes) -> int:
    """Return the points with two men or more."""
    return men[1] | men[2] | men[3]


@inlined
def men_on(men: Planes, points: int) -> int:
    """Return the number of men on some points."""
    return (
        popcount(np.uint64(men[0] & points))
        + 2 * popcount(np.uint64(men[1] & points))
        + 4 * popcount(np.uint64(men[2] & points))
        + 8 * popcount(np.uint64(men[3] & points))
    )


@inlined
def facing(other: Planes) -> tuple[int, int]:
    """Return the other side's blots and made points, as the own side counts points."""
    made = several(other)
    blots = other[0] & ~made & POINTS
    # point q of the other side is the own point 25 - q
    turned = np.int64(backwards(np.uint64(blots | (made & POINTS) << HALF)))
    return turned >> 38, turned >> 6 & POINTS  # type: ignore[return-value]  # ints of 64 bits, compiled


# ---------------------------------------------------------------- in Python


def unpack(low: int, high: int) -> list[int]:
    """Return the numbers of men on the points from 0 to 25."""
    counts = [0] * (BAR + 1)
    for place, plane in enumerate((low & PLANE, low >> HALF, high & PLANE, high >> HALF)):
        while plane:
            counts[(plane & -plane).bit_length() - 1] += 1 << place
            plane &= plane - 1
    return counts


def pack(counts: Sequence[int]) -> tuple[int, int]:
    """Return the words of the numbers of men on the points from 0 to 25."""
    each = [sum((count >> place & 1) << point for point, count in enumerate(counts)) for place in range(4)]
    return each[0] | each[1] << HALF, each[2] | each[3] << HALF


def sides(state: Backgammon) -> tuple[list[int], list[int]]:
    """Return the numbers of men of both sides on the points from 0 to 25, each in its own view."""
    return unpack(state.first_low, state.first_high), unpack(state.second_low, state.second_high)


def make_cube(value: int, owner: int | None, phase: int) -> int:
    """Return the word of a cube with this value, a power of two, and the seat that owns it."""
    return value.bit_length() - 1 | (0 if owner is None else owner + 1) << OWNER | phase << PHASE | 1 << PRESENT


def cube_value(cube: int) -> int:
    """Return the value of the cube, 1 without."""
    return 1 << (cube & (1 << OWNER) - 1)


def cube_owner(cube: int) -> int | None:
    """Return the seat that owns the cube, None if it is in the middle."""
    return (cube >> OWNER & 3) - 1 if cube >> OWNER & 3 else None


def phase_of(cube: int) -> int:
    """Return the phase."""
    return cube >> PHASE & 3


_START = [0] * (BAR + 1)
for _point, _men in ((24, 2), (13, 5), (8, 3), (6, 5)):
    _START[_point] = _men


def start(cube: int) -> Backgammon:
    """Return the initial position with this word of the cube."""
    words = pack(_START)
    return Backgammon(*words, *words, OPENING, 0, cube)
