# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts of rolls for the evaluation: rolls that hit blots, rolls that block a man, and rolls that end the game."""

import numpy as np

from engine.bitboards.bits import highest, lowest
from engine.games.backgammon.board import BAR, HALF, MEN, Planes, men_on, occupied
from engine.kernel import inlined, part

FACES = 6
ROLLS = 36


@inlined
def _after_entry(enemies: int, waiting: int, free: int, blots: int, first: int, second: int) -> int:
    """Return the blots that are hit by a man that enters with the first die, and then by the second die."""
    if not free >> first & 1:
        return 0
    hit = blots & 1 << first
    if waiting == 1:
        hit |= (enemies & ~1 | 1 << first) << second & blots
    return hit


@inlined
def _by_pair(enemies: int, waiting: int, free: int, blots: int, high: int, low: int) -> int:
    """Return the blots that two different dice can hit."""
    if waiting:
        return _after_entry(enemies, waiting, free, blots, high, low) | _after_entry(
            enemies, waiting, free, blots, low, high
        )
    by_high, by_low = enemies << high, enemies << low
    return (by_high | by_low | (by_high & free) << low | (by_low & free) << high) & blots


@inlined
def _by_double(enemies: int, waiting: int, free: int, blots: int, die: int) -> int:
    """Return the blots that a double can hit."""
    left = 4
    if waiting:
        if not free >> die & 1:
            return 0
        left = 4 - min(waiting, 4)
        enemies = enemies & ~1 | 1 << die
    hit = blots & enemies
    for _ in range(left):
        enemies = enemies << die & free
        hit |= enemies & blots
    return hit


@part
def hits(enemies: int, waiting: int, made: int, blots: int) -> tuple[int, int]:
    """Return how many of 36 rolls hit a blot, and the sum over these rolls of the pips that the blots lose.

    All points are in the view of the side with the blots: ``enemies`` with men of the other side, its bar being point
    0 with ``waiting`` men; ``made`` by the side itself. Of two blots that a roll can hit, the one that loses more
    counts.
    """
    count, loss = np.int64(0), np.int64(0)
    free = ~made
    for high in range(1, FACES + 1):
        for low in range(1, high + 1):
            if high == low:
                hit, often = _by_double(enemies, waiting, free, blots, high), 1
            else:
                hit, often = _by_pair(enemies, waiting, free, blots, high, low), 2
            if hit:
                count += often
                loss += often * (BAR - np.int64(lowest(np.uint64(hit))))
    return count, loss  # type: ignore[return-value]  # ints of 64 bits, compiled


@part
def blocked(point: int, blockade: int) -> int:
    """Return the number of rolls out of 36 with which a man on a point above 12 cannot move by both dice (two steps of
    a double).

    ``blockade``: points that the other side has made, in the view of the man's side.
    """
    free = ~blockade & (1 << HALF) - 1
    count = np.int64(ROLLS)
    for high in range(1, FACES + 1):
        for low in range(1, high + 1):
            begins = free >> point - high | free >> point - low
            if begins & free >> point - high - low & 1:
                count -= 1 if high == low else 2
    return count  # type: ignore[return-value]  # an int of 64 bits, compiled


@part
def rolls_off(men: Planes) -> int:
    """Return how many of 36 rolls bear off all men, without contact."""
    left = MEN - men_on(men, 1)
    if left > 4 or left == 0:
        return 0
    there = occupied(men)
    top, bottom = np.int64(highest(np.uint64(there))), np.int64(lowest(np.uint64(there)))
    count = np.int64(0)
    for die in range(1, FACES + 1):
        steps, rest = np.int64(0), there
        while rest:
            point = np.int64(lowest(np.uint64(rest)))
            rest &= rest - 1
            steps += men_on(men, 1 << point) * ((point + die - 1) // die)
        if steps <= 4:
            count += 1
        for low in range(1, die):
            if (left == 1 and die + low >= top) or (left == 2 and die >= top and low >= bottom):
                count += 2
    return count  # type: ignore[return-value]  # an int of 64 bits, compiled
