# SPDX-License-Identifier: GPL-3.0-or-later
"""The fleets that fit what a seat has seen of the other's sea: chances of squares, and random fleets.

A cover is a choice of placements for the sunk ships, and for as many further ships as the other hits need: each hit is
on exactly one of them. The search for covers places the sunk ships first, and then any ship on the first hit that is
not covered; so it finds each cover once. The ships that a cover does not need are free: they are on no hit. Each fleet
that fits consists of one cover and its free ships.

``chances`` weights each cover with the product of the numbers of placements of its free ships. That is exact but for
overlaps of free ships with each other and with the cover. It corrects the placements of free ships for overlaps in
pairs: each has the chance that another free ship does not overlap it, as a factor. ``sample_fleet`` is exact: it draws
a cover by that weight and each free ship uniformly, and rejects the whole fleet if ships overlap, so all fleets that
fit have equal chances.
"""

from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.bitboards.bits import Bits
from engine.games.battleship.board import (
    APART,
    HALF,
    LENGTHS,
    SHIPS,
    SIDE,
    SILENT,
    SQUARES,
    has,
    lower_of,
    upper_of,
)
from engine.games.battleship.notation import Shots, cells_of, touching
from engine.kernel import compiled, inlined, part
from engine.splitmix import GOLDEN, fraction, scramble

MOST = 180
"""Most placements of a ship in an empty sea."""
REJECTED = 1_000_000
"""Fleets in a row that may be rejected before no fleet seems to fit."""

Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]


class Tables(NamedTuple):
    """All placements of each ship, by its number."""

    counts: Numbers
    """Placements of a ship."""
    placement: Numbers
    cells: Numbers
    """The squares of a placement."""
    upper: Words
    lower: Words
    near_upper: Words
    """The squares of a placement and their neighbours, at corners too."""
    near_lower: Words
    covering: Numbers
    """The placements of a ship that are on a square; -1 after the last one."""
    clear: NDArray[np.float64]
    """For each placement, and each other ship: the share of its placements in an empty sea that do not overlap it."""


class Seen(NamedTuple):
    """What a seat has seen of the other's sea."""

    rules: int
    ships: int
    """Number of ships in the fleet."""
    hits: Numbers
    """Squares, in order."""
    sunk: Numbers
    """For each ship the number, from 1, of the hit that sank it; 0 if it is not known to be sunk."""
    missed: Words
    """The set of squares without a ship."""


@cache
def tables() -> Tables:
    """Return the placements of all ships."""
    counts, placement = np.zeros(SHIPS, np.int64), np.zeros((SHIPS, MOST), np.int64)
    cells = np.zeros((SHIPS, MOST, max(LENGTHS)), np.int64)
    words = np.zeros((4, SHIPS, MOST), np.uint64)
    covering = np.full((SHIPS, SQUARES, 2 * max(LENGTHS) + 1), -1, np.int64)
    for ship, length in enumerate(LENGTHS):
        for move in range(2 * SQUARES):
            if (move % SQUARES // SIDE if move >= SQUARES else move % SIDE) + length > SIDE:
                continue
            squares, number = cells_of(move, length), int(counts[ship])
            own = sum(1 << square for square in squares)
            near = sum(1 << square for square in set[int]().union(*map(touching, squares)))
            placement[ship, number] = move
            cells[ship, number, :length] = squares
            words[:, ship, number] = own % (1 << HALF), own >> HALF, near % (1 << HALF), near >> HALF
            for square in squares:
                covering[ship, square, np.argmin(covering[ship, square])] = number
            counts[ship] += 1
    clear = np.ones((SHIPS, MOST, SHIPS))
    for ship, other in product(range(SHIPS), repeat=2):
        one, two = words[:2, ship, : counts[ship], None], words[:2, other, None, : counts[other]]
        clear[ship, : counts[ship], other] = (~(one & two).any(axis=0)).mean(axis=1)
    return Tables(counts, placement, cells, words[0], words[1], words[2], words[3], covering, clear)


def seen_of(shots: Shots, rules: int, ships: int = SHIPS) -> Seen:
    """Return what a seat has seen, from its shots."""
    missed = sum(1 << square for square in shots.misses)
    return Seen(
        rules,
        ships,
        np.array(shots.hits, np.int64),
        np.array(shots.sunk, np.int64),
        np.array([missed % (1 << HALF), missed >> HALF], np.uint64),
    )


@inlined
def free_placements(tables: Tables, seen: Seen, free: Numbers, number: Numbers) -> None:
    """Write the placements of each ship without misses and hits, and how many there are.

    If ships do not touch, they are not next to hits either, because those are squares of other ships.
    """
    upper, lower = seen.missed[0], seen.missed[1]
    for square in seen.hits:
        upper |= upper_of(square)
        lower |= lower_of(square)
        if seen.rules & APART:
            row, column = divmod(square, SIDE)
            for down in range(max(row - 1, 0), min(row + 2, SIDE)):
                for right in range(max(column - 1, 0), min(column + 2, SIDE)):
                    upper |= upper_of(SIDE * down + right)
                    lower |= lower_of(SIDE * down + right)
    for ship in range(seen.ships):
        number[ship] = 0
        for index in range(tables.counts[ship]):
            if (tables.upper[ship, index] & upper) | (tables.lower[ship, index] & lower) == Bits(0):
                free[ship, number[ship]] = index
                number[ship] += 1


@inlined
def may_be(tables: Tables, seen: Seen, upper: Bits, lower: Bits, ship: int, index: int) -> bool:
    """Return whether a placement on a hit fits all misses and hits; ``upper``, ``lower``: the set of hits."""
    own_upper, own_lower = tables.upper[ship, index], tables.lower[ship, index]
    if (own_upper & seen.missed[0]) | (own_lower & seen.missed[1]) != Bits(0):
        return False
    rest = (tables.near_upper[ship, index] & upper & ~own_upper) | (tables.near_lower[ship, index] & lower & ~own_lower)
    if seen.rules & APART and rest != Bits(0):
        return False
    whole = (own_upper & ~upper) | (own_lower & ~lower) == Bits(0)
    if seen.sunk[ship] == 0:
        # else its sinking would have been announced
        return bool(seen.rules & SILENT) or not whole
    if not whole:
        return False
    later = False
    for number in range(seen.sunk[ship], len(seen.hits)):
        later |= has(own_upper, own_lower, seen.hits[number])
    return not later


@part
def covers(
    tables: Tables, seen: Seen, number: Numbers, weights: Any, alone: Any, stop: float, chosen: Numbers
) -> float:
    """Visit all covers, and return the sum of their weights.

    ``number``: the free placements of each ship. Adds the weight of each cover to ``weights`` of its placements, and to
    ``alone`` of its free ships. If ``stop`` is not negative, writes the placements of the cover with which the sum
    exceeds it into ``chosen``, -1 for free ships, and ends there.
    """
    hits_upper, hits_lower = Bits(0), Bits(0)
    for square in seen.hits:
        hits_upper |= upper_of(square)
        hits_lower |= lower_of(square)
    # by depth: the ship that is tried, the next of its placements, the hit that it is to be on, and what is taken
    ship, following = np.zeros(SHIPS + 1, np.int64), np.zeros(SHIPS + 1, np.int64)
    pivot, last = np.zeros(SHIPS + 1, np.int64), np.zeros(SHIPS + 1, np.int64)
    taken, left = np.zeros((SHIPS + 1, 2), np.uint64), np.zeros((SHIPS + 1, 2), np.uint64)
    left[0, 0], left[0, 1] = hits_upper, hits_lower
    for each in range(SHIPS):
        chosen[each] = -1
    total, depth, fresh = 0.0, 0, True
    while depth >= 0:
        if fresh:
            fresh = False
            pivot[depth] = -1
            for each in range(seen.ships):
                if seen.sunk[each] and chosen[each] < 0:
                    ship[depth], last[depth], pivot[depth] = each, each, seen.hits[seen.sunk[each] - 1]
                    break
            if pivot[depth] < 0:
                ship[depth], last[depth] = 0, seen.ships - 1
                for square in seen.hits:
                    if has(left[depth, 0], left[depth, 1], square):
                        pivot[depth] = square
                        break
            following[depth] = 0
            if pivot[depth] < 0:
                weight = 1.0
                for each in range(seen.ships):
                    if chosen[each] < 0:
                        weight *= number[each]
                total += weight
                if stop >= 0:
                    if total > stop:
                        return total
                else:
                    for each in range(seen.ships):
                        if chosen[each] < 0:
                            alone[each] += weight
                        else:
                            weights[each, chosen[each]] += weight
                depth -= 1
                if depth >= 0:
                    chosen[ship[depth]] = -1
                continue
        found = False
        while ship[depth] <= last[depth] and not found:
            each = ship[depth]
            index = tables.covering[each, pivot[depth], following[depth]] if chosen[each] < 0 else -1
            if index < 0 or (seen.sunk[each] and last[depth] != each):
                ship[depth] += 1
                following[depth] = 0
                continue
            following[depth] += 1
            upper, lower = tables.upper[each, index], tables.lower[each, index]
            clear = (upper & taken[depth, 0]) | (lower & taken[depth, 1]) == Bits(0)
            found = clear and may_be(tables, seen, hits_upper, hits_lower, each, index)
            if found:
                chosen[each] = index
                left[depth + 1, 0], left[depth + 1, 1] = left[depth, 0] & ~upper, left[depth, 1] & ~lower
                if seen.rules & APART:
                    upper, lower = tables.near_upper[each, index], tables.near_lower[each, index]
                taken[depth + 1, 0], taken[depth + 1, 1] = taken[depth, 0] | upper, taken[depth, 1] | lower
        if found:
            depth, fresh = depth + 1, True
        else:
            depth -= 1
            if depth >= 0:
                chosen[ship[depth]] = -1
    return total


@part
def without_overlaps(
    tables: Tables, seen: Seen, free: Numbers, number: Numbers, alone: Any, total: float, factors: Any
) -> None:
    """Write factors for the free placements of ships that are not sunk: the chance that no other ship overlaps them.

    Ships are placed at random in their order, each among the placements that are left. So for a later ship the chance
    is relative to that in an empty sea, and the placements of an earlier ship have weights that are the higher, the
    fewer placements they left. A placement overlaps the others that are on its squares; those in its own direction are
    on as many pairs of neighbours as squares, less one. ``alone``, ``total``: the weight of all covers without the
    ship, and of all covers.
    """
    for ship in range(seen.ships):
        for place in range(number[ship]):
            factors[ship, place] = 1.0
    if seen.rules & APART:
        return
    for other in range(seen.ships):
        if seen.sunk[other] or number[other] == 0:
            continue
        share = alone[other] / total
        for ship in range(seen.ships):
            if ship == other or seen.sunk[ship]:
                continue
            on, pairs, sum_of_all = np.zeros(SQUARES), np.zeros((2, SQUARES)), 0.0
            for place in range(number[other]):
                index = free[other, place]
                weight = 1.0 if other > ship else 1.0 / tables.clear[other, index, ship]
                sum_of_all += weight
                upright = 1 if tables.placement[other, index] >= SQUARES else 0
                for step in range(LENGTHS[other]):
                    on[tables.cells[other, index, step]] += weight
                    if step:
                        pairs[upright, tables.cells[other, index, step]] += weight
            for place in range(number[ship]):
                index = free[ship, place]
                left = sum_of_all
                upright = 1 if tables.placement[ship, index] >= SQUARES else 0
                for step in range(LENGTHS[ship]):
                    square = tables.cells[ship, index, step]
                    left -= on[square]
                    if step:
                        left += pairs[upright, square]
                chance = max(0.0, left) / number[other]
                if other > ship:
                    chance /= tables.clear[ship, index, other]
                factors[ship, place] *= 1 - share + share * chance


@compiled
def chances(tables: Tables, seen: Seen, out: NDArray[np.float64]) -> float:
    """Write the chance of a ship on each square; return the sum of the weights of all covers, 0 if no fleet fits."""
    free, number = np.zeros((SHIPS, MOST), np.int64), np.zeros(SHIPS, np.int64)
    weights, alone = np.zeros((SHIPS, MOST)), np.zeros(SHIPS)
    free_placements(tables, seen, free, number)
    total = covers(tables, seen, number, weights, alone, -1.0, np.zeros(SHIPS, np.int64))
    factors = np.zeros((SHIPS, MOST))
    without_overlaps(tables, seen, free, number, alone, total, factors)
    for ship in range(seen.ships):
        # where no placement seems to be without overlaps, all are equal
        all_factors = factors[ship, : number[ship]].sum()
        for place in range(number[ship]):
            factor = factors[ship, place] / all_factors if all_factors > 0 else 1 / number[ship]
            weights[ship, free[ship, place]] += alone[ship] * factor
    for square in range(SQUARES):
        out[square] = 0.0
    for ship in range(seen.ships):
        for index in range(tables.counts[ship]):
            if weights[ship, index] > 0:
                for place in range(LENGTHS[ship]):
                    out[tables.cells[ship, index, place]] += weights[ship, index] / total
    return total


@inlined
def mixed(number: Bits) -> Bits:
    """Return a random number of 64 bits from another one."""
    return scramble(number + GOLDEN)


@compiled
def sample(tables: Tables, seen: Seen, seed: Bits, out: Numbers) -> bool:
    """Write the placements of a random fleet that fits, all of them with equal chances; return whether there is one.

    Returns False also if ``REJECTED`` fleets in a row have ships that overlap.
    """
    free, number = np.zeros((SHIPS, MOST), np.int64), np.zeros(SHIPS, np.int64)
    weights, alone = np.zeros((SHIPS, MOST)), np.zeros(SHIPS)
    free_placements(tables, seen, free, number)
    total = covers(tables, seen, number, weights, alone, -1.0, out)
    if not total > 0:
        return False
    for _ in range(REJECTED):
        seed = mixed(seed)
        covers(tables, seen, number, weights, alone, fraction(seed) * total, out)
        upper, lower, clear = Bits(0), Bits(0), True
        for ship in range(seen.ships):
            index = out[ship]
            if index < 0:
                seed = mixed(seed)
                index = free[ship, np.int64(fraction(seed) * number[ship])]
                out[ship] = index
        for ship in range(seen.ships):
            index = out[ship]
            if (tables.upper[ship, index] & upper) | (tables.lower[ship, index] & lower) != Bits(0):
                clear = False
                break
            if seen.rules & APART:
                upper |= tables.near_upper[ship, index]
                lower |= tables.near_lower[ship, index]
            else:
                upper |= tables.upper[ship, index]
                lower |= tables.lower[ship, index]
        if clear:
            for ship in range(seen.ships):
                out[ship] = tables.placement[ship, out[ship]]
            return True
    return False


def sample_fleet(shots: Shots, rules: int, ships: int, seed: int) -> tuple[int, ...]:
    """Return the placements of a random fleet that fits what a seat has seen, all such fleets with equal chances.

    Raises ValueError if none fits.
    """
    out = np.zeros(SHIPS, np.int64)
    if not sample(tables(), seen_of(shots, rules, ships), np.uint64(seed), out):
        raise ValueError("no fleet fits the shots and what was announced")
    return tuple(out[:ships].tolist())
