# SPDX-License-Identifier: GPL-3.0-or-later
"""Endgames of Othello with few empty squares: moves are ordered by parity only, and the table is not used.

Moves into quadrants with an odd number of empty squares come first, because the last move in a quadrant is an
advantage. The last four empty squares have functions of their own.
"""

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount
from engine.games.othello.board import ONE, WHOLE, ZERO, flips
from engine.games.othello.endgame.memory import MOST, NODES, UNKNOWN, Memory
from engine.games.othello.evaluation import LARGE
from engine.games.othello.stability import stable
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed

# ---------------------------------------------------------------- geometry


def _quadrant(square: int) -> int:
    return square // 32 * 2 + square % 8 // 4


QUADRANTS = np.array([1 << _quadrant(square) for square in range(64)], np.int64)
"""A bit for the quadrant of each square."""

ODD = np.array(
    [sum(1 << square for square in range(64) if parity >> _quadrant(square) & 1) for parity in range(16)], np.uint64
)
"""The squares of the quadrants of a set."""

NEIGHBOURS = np.array(
    [
        sum(
            1 << other
            for other in range(64)
            if other != square and abs(other // 8 - square // 8) <= 1 and abs(other % 8 - square % 8) <= 1
        )
        for square in range(64)
    ],
    np.uint64,
)

CORNERS = LARGE[0]


@inlined
def odd_quadrants(empty: Bits) -> int:
    """Return the set of the quadrants with an odd number of empty squares."""
    found = 0
    for quadrant in range(4):
        found |= (popcount(empty & ODD[np.uint64(1) << np.uint64(quadrant)]) & 1) << quadrant
    return found


# ---------------------------------------------------------------- the last squares


@inlined
def final(own: Bits, enemy: Bits) -> int:
    """Return the value at the end of the game."""
    mine, theirs = popcount(own), popcount(enemy)
    if mine == theirs:
        return 0
    return MOST - 2 * theirs if mine > theirs else 2 * mine - MOST


@inlined
def turned(own: Bits, enemy: Bits, square: Bits) -> Bits:
    """Return the flipped discs; most squares have no enemy disc beside them."""
    return flips(own, enemy, square) if NEIGHBOURS[square] & enemy else ZERO


@inlined
def one(own: Bits, square: Bits) -> int:
    """Return the value with one empty square, from the discs of the side to move."""
    enemy = ~(own | ONE << square)
    lead = 2 * popcount(own) - MOST
    count = popcount(turned(own, enemy, square))
    if count:
        return lead + 2 * count + 2
    count = popcount(turned(enemy, own, square))
    if count:
        return lead - 2 * count
    return lead + 2 if lead >= 0 else lead


@compiled
def two(own: Bits, enemy: Bits, alpha: int, beta: int, first: Bits, second: Bits, loan: Memory) -> int:
    """Return the value with two empty squares."""
    control = borrowed(loan).control
    best = -UNKNOWN
    flipped = turned(own, enemy, first)
    if flipped:
        control[NODES] += 1
        best = -one(enemy ^ flipped, second)
        if best >= beta:
            return best
    flipped = turned(own, enemy, second)
    if flipped:
        control[NODES] += 1
        best = max(best, -one(enemy ^ flipped, first))
    if best != -UNKNOWN:
        return best
    worst = UNKNOWN
    flipped = turned(enemy, own, first)
    if flipped:
        control[NODES] += 1
        worst = one(own ^ flipped, second)
        if worst <= alpha:
            return worst
    flipped = turned(enemy, own, second)
    if flipped:
        control[NODES] += 1
        worst = min(worst, one(own ^ flipped, first))
    return worst if worst != UNKNOWN else final(own, enemy)


@compiled
def three(
    own: Bits, enemy: Bits, alpha: int, beta: int, first: Bits, second: Bits, third: Bits, passed: bool, loan: Memory
) -> int:
    """Return the value with three empty squares; the one that is alone in its quadrant is tried first."""
    control = borrowed(loan).control
    if QUADRANTS[first] == QUADRANTS[second]:
        first, third = third, first
    elif QUADRANTS[first] == QUADRANTS[third]:
        first, second = second, first
    best = -UNKNOWN
    for _ in range(3):
        flipped = turned(own, enemy, first)
        if flipped:
            control[NODES] += 1
            bar = max(alpha, best)
            best = max(best, -two(enemy ^ flipped, own | flipped | ONE << first, -beta, -bar, second, third, loan))
            if best >= beta:
                return best
        first, second, third = second, third, first
    if best != -UNKNOWN:
        return best
    if passed:
        return final(own, enemy)
    return -three(enemy, own, -beta, -alpha, first, second, third, not passed, loan)


@compiled
def four(
    own: Bits,
    enemy: Bits,
    alpha: int,
    beta: int,
    squares: tuple[Bits, Bits, Bits, Bits],
    passed: bool,
    loan: Memory,
) -> int:
    """Return the value with four empty squares."""
    control = borrowed(loan).control
    first, second, third, fourth = squares
    best = -UNKNOWN
    for _ in range(4):
        flipped = turned(own, enemy, first)
        if flipped:
            control[NODES] += 1
            bar = max(alpha, best)
            value = -three(
                enemy ^ flipped, own | flipped | ONE << first, -beta, -bar, second, third, fourth, False, loan
            )
            best = max(best, value)
            if best >= beta:
                return best
        first, second, third, fourth = second, third, fourth, first
    if best != -UNKNOWN:
        return best
    if passed:
        return final(own, enemy)
    return -four(enemy, own, -beta, -alpha, (first, second, third, fourth), not passed, loan)


@inlined
def four_squares(empty: Bits, parity: int) -> tuple[Bits, Bits, Bits, Bits]:
    """Return the four empty squares, those in odd quadrants first."""
    odd = empty & ODD[np.uint64(parity)]
    even = empty ^ odd
    left = odd or even
    first = lowest(left)
    left &= left - ONE
    left = left or even & ~(ONE << first)
    second = lowest(left)
    left = empty & ~(ONE << first | ONE << second)
    odd &= left
    left = odd or left
    third = lowest(left)
    return first, second, third, lowest(empty & ~(ONE << first | ONE << second | ONE << third))


@inlined
def bound_by_stability(own: Bits, enemy: Bits, alpha: int) -> int:
    """Return an upper bound of the value from the stable discs of the other side; MOST without counting if alpha is
    low, or if the other side has no corner.
    """
    if alpha < LEAST_FOR_STABILITY or not enemy & CORNERS:
        return MOST
    return MOST - 2 * popcount(stable(enemy, own, WHOLE))


LEAST_FOR_STABILITY = -8


@compiled
def near(own: Bits, enemy: Bits, alpha: int, beta: int, parity: int, passed: bool, loan: Memory) -> int:
    """Return the value with five to NEAR empty squares; ``parity``: the odd quadrants."""
    control = borrowed(loan).control
    bound = bound_by_stability(own, enemy, alpha)
    if bound <= alpha:
        return bound
    empty = ~(own | enemy)
    last = popcount(empty) == 5
    best = -UNKNOWN
    odd = empty & ODD[np.uint64(parity)]
    for left in (odd, empty ^ odd):
        while left:
            square = lowest(left)
            left &= left - ONE
            flipped = turned(own, enemy, square)
            if not flipped:
                continue
            control[NODES] += 1
            bar = max(alpha, best)
            after = parity ^ QUADRANTS[square]
            mine, theirs = enemy ^ flipped, own | flipped | ONE << square
            if last:
                squares = four_squares(empty ^ ONE << square, after)
                value = -four(mine, theirs, -beta, -bar, squares, False, loan)
            else:
                value = -near(mine, theirs, -beta, -bar, after, last, loan)
            best = max(best, value)
            if best >= beta:
                return best
    if best != -UNKNOWN:
        return best
    if passed:
        return final(own, enemy)
    return -near(enemy, own, -beta, -alpha, parity, not passed, loan)
