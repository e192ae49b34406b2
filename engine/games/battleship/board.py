# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of Battleship, and sets of squares in two words.

Square 10 * row + column counts from the top left. A set of squares is two words of 50 bits: the upper five rows and the
lower five rows. A placement of a ship is its first square (the leftmost or uppermost one), plus 100 if it is vertical.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from engine.bitboards.bits import Bits
from engine.kernel import inlined

SIDE, SQUARES, HALF = 10, 100, 50
"""Rows and columns of a sea, its squares, and those of a word."""

LENGTHS = (5, 4, 3, 3, 2)
"""The lengths of the ships, in the order in which they are placed."""
NAMES = ("carrier", "battleship", "cruiser", "submarine", "destroyer")
SHIPS = 5
CELLS = 17
"""Squares of a fleet."""

SILENT, APART = 1, 2
"""Rules of a variant, bits: sunk ships are not announced; ships do not touch each other, not even at corners."""

ONE = Bits(1)
SHIP_BITS, HIT_BITS = 8, 7
SHIP_MASK, HIT_MASK = Bits(255), Bits(127)
WORD_HITS = 9
"""Hits in a word."""

Squares: TypeAlias = tuple[Bits, Bits]
"""A set of squares: the upper and the lower half."""


class Battleship(NamedTuple):
    """What seat 0 has (names with 0) and what seat 1 has.

    ``ships``: for each ship, in 8 bits, 0 before it is placed, else its placement plus 1. ``upper``, ``lower``: the
    squares that the seat has shot at. ``hits``, ``more``: those of them that hit, in order, in 7 bits each, plus 1;
    nine of them in the first word.
    """

    rules: Bits
    ships0: Bits
    ships1: Bits
    upper0: Bits
    lower0: Bits
    hits0: Bits
    more0: Bits
    upper1: Bits
    lower1: Bits
    hits1: Bits
    more1: Bits


# ---------------------------------------------------------------- sets of squares


@inlined
def has(upper: Bits, lower: Bits, square: int) -> bool:
    """Return whether a set contains a square."""
    if square < HALF:
        return (upper >> Bits(square)) & ONE != Bits(0)
    return (lower >> Bits(square - HALF)) & ONE != Bits(0)


@inlined
def upper_of(square: int) -> Bits:
    """Return the upper word of the set of one square."""
    return ONE << Bits(square) if square < HALF else Bits(0)


@inlined
def lower_of(square: int) -> Bits:
    """Return the lower word of the set of one square."""
    return ONE << Bits(square - HALF) if square >= HALF else Bits(0)


# ---------------------------------------------------------------- ships


@inlined
def ship_at(ships: Bits, ship: int) -> int:
    """Return the placement of a ship, -1 before it is placed."""
    return np.int64((ships >> Bits(SHIP_BITS * ship)) & SHIP_MASK) - 1  # type: ignore[return-value]  # an int64, compiled


@inlined
def placed(ships: Bits) -> int:
    """Return the number of placed ships; they are placed in order."""
    count = 0
    while count < SHIPS and ships >> Bits(SHIP_BITS * count) != Bits(0):
        count += 1
    return count


@inlined
def covers(placement: int, length: int, square: int) -> bool:
    """Return whether a placed ship is on a square."""
    if placement < 0:
        return False
    away = square - placement % SQUARES
    if placement >= SQUARES:
        return away >= 0 and away % SIDE == 0 and away < SIDE * length
    return 0 <= away < length


@inlined
def ship_on(ships: Bits, square: int) -> int:
    """Return the ship on a square, -1 if there is none."""
    for ship in range(SHIPS):
        if covers(ship_at(ships, ship), LENGTHS[ship], square):
            return ship
    return -1


@inlined
def free_for(ships: Bits, square: int, apart: bool) -> bool:
    """Return whether a further ship may be on a square; ``apart``: not next to another ship either."""
    for ship in range(SHIPS):
        placement = ship_at(ships, ship)
        if placement < 0:
            break
        row, column = divmod(placement % SQUARES, SIDE)
        down = LENGTHS[ship] if placement >= SQUARES else 1
        right = 1 if placement >= SQUARES else LENGTHS[ship]
        near = 1 if apart else 0
        if row - near <= square // SIDE < row + down + near and column - near <= square % SIDE < column + right + near:
            return False
    return True


# ---------------------------------------------------------------- hits


@inlined
def hit_at(hits: Bits, more: Bits, index: int) -> int:
    """Return the square of a hit, counted from 0; -1 if there are fewer hits."""
    word, place = (hits, index) if index < WORD_HITS else (more, index - WORD_HITS)
    return np.int64((word >> Bits(HIT_BITS * place)) & HIT_MASK) - 1  # type: ignore[return-value]  # an int64, compiled


@inlined
def count_hits(hits: Bits, more: Bits) -> int:
    """Return the number of hits."""
    count = 0
    while count < CELLS and hit_at(hits, more, count) >= 0:
        count += 1
    return count


@inlined
def all_hit(more: Bits) -> bool:
    """Return whether every square of the fleet is hit, from the second word of the hits."""
    return more >> Bits(HIT_BITS * (CELLS - WORD_HITS - 1)) != Bits(0)


@inlined
def sinking_hit(placement: int, length: int, hits: Bits, more: Bits) -> int:
    """Return the number, from 1, of the hit that sank a ship; 0 if the ship is afloat."""
    count = 0
    for index in range(CELLS):
        square = hit_at(hits, more, index)
        if square < 0:
            break
        if covers(placement, length, square):
            count += 1
            if count == length:
                return index + 1
    return 0
