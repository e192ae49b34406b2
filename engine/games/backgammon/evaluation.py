# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation of backgammon: the expected points, linear in features of the points, blots, primes and the race.

A feature is that of one side minus that of the other one, times the value of the cube. Some count only while there is
contact, when men can still hit each other, the others only in a race.
"""

from typing import Any

import numpy as np

from engine.bitboards.bits import backwards, highest, lowest, popcount
from engine.evaluation import Words
from engine.game import State, score, to_move, vector
from engine.games.backgammon.board import (
    BAR,
    HOME,
    OPENING,
    OWNER,
    POINTS,
    Backgammon,
    Planes,
    occupied,
    planes,
    several,
)
from engine.kernel import implements, inlined, part

POINT = 10_000
"""Score of a point."""

(
    ON_ROLL,
    BORNE_OFF,
    PIPS,
    ON_BAR,
    ON_BAR_BOARD,
    SHOTS,
    SHOTS_BOARD,
    LATER_SHOTS,
    PRIME,
    TRAPPED,
    BACK,
    BACK_BOARD,
    SPARE_LOW,
    SPARE_HIGH,
    BOARD,
) = range(15)
MADE = BOARD + 1
BLOT = MADE + 24
RACE_ON_ROLL = BLOT + 24
RACE_PIPS, RACE_SHARE, RACE_OFF, RACE_LOW, RACE_SAVED = range(RACE_ON_ROLL + 1, RACE_ON_ROLL + 6)
CUBE = RACE_SAVED + 1

NAMES = (
    "on roll",
    "men borne off",
    "pips",
    "men on the bar",
    "men on the bar by points of the other home board",
    "shots at blots by lost pips",
    "shots at blots by points of the other home board",
    "later shots at blots",
    "prime",
    "men trapped by a prime",
    "men in the other home board",
    "men in the other home board by its points",
    "spare men on the points 1 to 3",
    "spare men on higher points",
    "home board",
    *(f"point {point}" for point in range(1, BAR)),
    *(f"blot {point}" for point in range(1, BAR)),
    "race: on roll",
    "race: pips",
    "race: pips by the length of the race",
    "race: men borne off",
    "race: men on the points 1 and 2",
    "race: saved from a gammon",
    "cube",
)

_LOW = (1 << 4) - 2
"""The points 1 to 3."""
_HOME = (2 << HOME) - 2
_BACK = (1 << BAR + 1) - (1 << 19)
"""The points in the other home board, and the bar."""
SHARE = 1000
"""Units of the share of pips in a race."""
LONG = 20
"""Pips that are added to the length of a race."""


@inlined
def _counted(weights: Words, out: Words, listing: bool, index: int, amount: int) -> int:
    """Count an amount of a feature: return its score, or, for a list, add it to ``out``."""
    if listing:
        out[index] += amount
        return 0
    return weights[index] * amount


@inlined
def pips_of(men: Planes) -> int:
    """Return the pip count: the sum of the points of all men."""
    total = np.int64(0)
    for place in range(4):
        left = men[place] & ~1
        # the sum of the places of bits, by the binary digits of the places
        total += (
            popcount(np.uint64(left & 0xAAAAAAAA))
            + 2 * popcount(np.uint64(left & 0xCCCCCCCC))
            + 4 * popcount(np.uint64(left & 0xF0F0F0F0))
            + 8 * popcount(np.uint64(left & 0xFF00FF00))
            + 16 * popcount(np.uint64(left & 0xFFFF0000))
        ) << place
    return total  # type: ignore[return-value]  # an int of 64 bits, compiled


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
def in_contact(first: Planes, second: Planes) -> bool:
    """Return whether men can still hit each other."""
    there, other = occupied(first), occupied(second)
    if not there or not other:
        return False
    return highest(np.uint64(there)) + highest(np.uint64(other)) > np.uint64(BAR)  # type: ignore[return-value]  # a bool


@inlined
def _shots(enemies: int, point: int) -> int:
    """Return the rolls of 36, roughly, that hit a blot; ``enemies``: points of the other side's men, 0 for its bar.

    A direct shot is at most six points away. Of shots from farther away each counts three rolls.
    """
    below = enemies & (1 << point) - 1
    direct = popcount(np.uint64(below >> max(point - HOME, 0)))
    far = popcount(np.uint64(below >> max(point - 2 * HOME, 0))) - direct
    return 36 - (HOME - direct) ** 2 + (3 * far if direct < 3 else 0)


@part
def _contact(men: Planes, other: Planes, on_roll: bool, sign: int, weights: Words, out: Words, listing: bool) -> Any:
    """Return the score of a side's features with contact."""
    value = np.int64(0)
    made = several(men) & POINTS
    blots = men[0] & ~several(men) & POINTS
    board = popcount(np.uint64(several(other) & _HOME))
    # the other side's men in the own view, its bar as point 0
    enemies = np.int64(backwards(np.uint64(occupied(other)))) >> 38
    value += _counted(weights, out, listing, BORNE_OFF, sign * men_on(men, 1))
    value += _counted(weights, out, listing, PIPS, -sign * pips_of(men))
    waiting = men_on(men, 1 << BAR)
    if waiting:
        value += _counted(weights, out, listing, ON_BAR, sign * waiting)
        value += _counted(weights, out, listing, ON_BAR_BOARD, sign * waiting * board)
    back = men_on(men, _BACK)
    value += _counted(weights, out, listing, BACK, sign * back)
    value += _counted(weights, out, listing, BACK_BOARD, sign * back * board)
    home = popcount(np.uint64(made & _HOME))
    value += _counted(weights, out, listing, BOARD, sign * home * home)
    low = men_on(men, _LOW) - popcount(np.uint64(blots & _LOW)) - 2 * popcount(np.uint64(made & _LOW))
    rest = men_on(men, POINTS) - popcount(np.uint64(blots)) - 2 * popcount(np.uint64(made)) - low
    value += _counted(weights, out, listing, SPARE_LOW, sign * low)
    value += _counted(weights, out, listing, SPARE_HIGH, sign * rest)
    length, longest = np.int64(0), made
    prime = longest
    while longest:
        length += 1
        prime = longest
        longest &= made >> length
    if length > 2:
        value += _counted(weights, out, listing, PRIME, sign * (length - 2) * (length - 2))
        edge = np.int64(highest(np.uint64(prime)))
        behind = men_on(other, (2 << BAR) - (2 << BAR - edge))
        value += _counted(weights, out, listing, TRAPPED, sign * behind * (length - 2))
    left = made
    while left:
        value += _counted(weights, out, listing, MADE - 1 + np.int64(lowest(np.uint64(left))), sign)
        left &= left - 1
    left = blots
    while left:
        point = np.int64(lowest(np.uint64(left)))
        left &= left - 1
        value += _counted(weights, out, listing, BLOT - 1 + point, sign)
        shots = _shots(enemies, point)
        if on_roll:
            value += _counted(weights, out, listing, LATER_SHOTS, sign * shots)
        else:
            value += _counted(weights, out, listing, SHOTS, sign * shots * (BAR - point))
            value += _counted(weights, out, listing, SHOTS_BOARD, sign * shots * board)
    return value


@inlined
def _race(men: Planes, sign: int, weights: Words, out: Words, listing: bool) -> int:
    """Return the score of a side's features in a race, without those of both."""
    off = men_on(men, 1)
    value = _counted(weights, out, listing, RACE_OFF, sign * off)
    value += _counted(weights, out, listing, RACE_LOW, sign * men_on(men, 6))
    return value + _counted(weights, out, listing, RACE_SAVED, sign * (off > 0))


@part
def _weighed(state: State, weights: Words, out: Words, listing: bool) -> Any:
    """Return the score of a state for the seat to move, at chance nodes for seat 0; or list its features."""
    first, second = planes(state.first_low, state.first_high), planes(state.second_low, state.second_high)
    stake = 1 << (state.cube & (1 << OWNER) - 1)
    seat = to_move(state)
    stake = -stake if seat == 1 else stake
    rolls = 0 if state.seat == OPENING else -stake if state.seat == 1 else stake
    owner = state.cube >> OWNER & 3
    value = np.int64(0)
    if owner:
        value += _counted(weights, out, listing, CUBE, stake if owner == 1 else -stake)
    if in_contact(first, second):
        value += _counted(weights, out, listing, ON_ROLL, rolls)
        value += _contact(first, second, state.seat == 0, stake, weights, out, listing)
        value += _contact(second, first, state.seat == 1, -stake, weights, out, listing)
        return value
    own, others = pips_of(first), pips_of(second)
    lead, total = others - own, others + own + LONG
    share = SHARE * abs(lead) // total
    value += _counted(weights, out, listing, RACE_ON_ROLL, rolls)
    value += _counted(weights, out, listing, RACE_PIPS, stake * lead)
    value += _counted(weights, out, listing, RACE_SHARE, stake * (share if lead > 0 else -share))
    value += _race(first, stake, weights, out, listing)
    value += _race(second, -stake, weights, out, listing)
    return value


@implements(score, Backgammon)
def _score(state: State, terms: int, weights: Words) -> int:
    return _weighed(state, weights, weights, False)


@implements(vector, Backgammon)
def _vector(state: State, terms: int, out: Words) -> int:
    out[: len(NAMES)] = 0
    _weighed(state, out, out, True)
    return len(NAMES)
