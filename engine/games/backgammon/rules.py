# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels of backgammon: rolls, turns, the cube, and the result in points."""

import numpy as np

from engine.bitboards.bits import popcount
from engine.game import CHANCE, Moves, State, count_moves, legal_moves, odds, outcome, pick, step, to_move
from engine.games.backgammon.board import (
    BAR,
    DECIDING,
    DROPPED,
    HALF,
    LARGEST,
    OFFERED,
    OPENING,
    OWNER,
    PHASE,
    POINTS,
    ROLLING,
    Backgammon,
    Planes,
    added,
    cube_value,
    facing,
    moved,
    occupied,
    planes,
    removed,
    several,
)
from engine.games.backgammon.steps import (
    LOWER_FIRST,
    PASS,
    SOURCE,
    WIDTH,
    count_doubles,
    far_from_home,
    list_doubles,
    list_pairs,
    nth_double,
    place_of,
)
from engine.kernel import implements, inlined, part

FACES = 6
TEN = 10
"""A roll is ten times one die plus the other one."""

ROLL, DOUBLE, TAKE, DROP = range(1, 5)
"""Moves of the cube."""

_ALL_OFF = 1 | 1 << HALF
"""The bits of 15 men that are borne off, in both words of a side."""
_FAR = (1 << BAR + 1) - (1 << 19)
"""The points in the other side's home board, and the bar."""

_HALF = np.uint64(32)
_MULTIPLIER, _INCREMENT = np.uint64(6364136223846793005), np.uint64(1442695040888963407)
"""D. Knuth's constants of a linear congruential generator."""


@inlined
def phase(state: State) -> int:
    """Return the phase: see ``board.PHASE``."""
    return state.cube >> PHASE & 3


@inlined
def own_men(state: State) -> Planes:
    """Return the men of the seat on roll."""
    if state.seat == 1:
        return planes(state.second_low, state.second_high)
    return planes(state.first_low, state.first_high)


@inlined
def other_men(state: State) -> Planes:
    """Return the men of the other seat."""
    if state.seat == 1:
        return planes(state.first_low, state.first_high)
    return planes(state.second_low, state.second_high)


@implements(to_move, Backgammon)
def _to_move(state: State) -> int:
    now = phase(state)
    if now == ROLLING:
        return state.seat if state.roll else CHANCE
    return 1 - state.seat if now == OFFERED else state.seat


@implements(odds, Backgammon)
def _odds(state: State, move: int) -> int:
    """Each double is one of 36 rolls, another roll two; each opening roll is one of 30."""
    return 1 if state.seat == OPENING or move // TEN == move % TEN else 2


# ---------------------------------------------------------------- lists


@inlined
def _list_rolls(opening: bool, out: Moves) -> int:
    """Write the rolls. An opening roll is a die of each seat, that of seat 0 first."""
    count = 0
    for first in range(1, FACES + 1):
        for second in range(1, FACES + 1 if opening else first + 1):
            if not opening or first != second:
                out[count] = TEN * first + second
                count += 1
    return count


@implements(legal_moves, Backgammon)
def _legal_moves(state: State, out: Moves) -> int:
    now = phase(state)
    if now != ROLLING:
        out[0], out[1] = (TAKE, DROP) if now == OFFERED else (ROLL, DOUBLE)
        return 2
    if state.roll == 0:
        return _list_rolls(state.seat == OPENING, out)
    high, low = state.roll // TEN, state.roll % TEN
    men = own_men(state)
    blots, made = facing(other_men(state))
    if high == low:
        return list_doubles(men, POINTS & ~made, high, out)
    return list_pairs(men, POINTS & ~made, blots, high, low, out)


@inlined
def _running(men: Planes, free: int, blots: int, high: int, low: int) -> tuple[int, int, int]:
    """Return the men that can run with the higher die first and with the lower one first, and those that repeat.

    A man runs if it goes on from a point without own men. It repeats if it can run in both ways with the same result,
    also over points with own men.
    """
    there = occupied(men)
    far = there & free << high + low
    by_high, by_low = far & free << high, far & free << low
    repeating = by_high & by_low & ~(blots << high) & ~(blots << low)
    return by_high & ~(there << high), by_low & ~(there << low), repeating


@inlined
def _entering(men: Planes, free: int, blots: int, high: int, low: int) -> tuple[int, int]:
    """Return the sources of the second step after the only man on the bar enters with the higher or the lower die."""
    there = occupied(men) ^ 1 << BAR
    by_high = by_low = 0
    if free >> BAR - high & 1:
        by_high = (there | 1 << BAR - high) & free << low
    if free >> BAR - low & 1:
        by_low = (there | 1 << BAR - low) & free << high
    quiet = not (blots >> BAR - high | blots >> BAR - low) & 1
    if quiet and by_high >> BAR - high & 1:
        by_low &= ~(1 << BAR - low)
    return by_high, by_low


@inlined
def _entries(free: int, high: int, low: int) -> int:
    """Return the only turn of two men on the bar, or of one that cannot go on."""
    if free >> BAR - high & 1:
        return BAR
    return BAR | LOWER_FIRST if free >> BAR - low & 1 else PASS


@implements(count_moves, Backgammon)
def _count_moves(state: State, out: Moves) -> int:
    if phase(state) != ROLLING:
        return 2
    if state.roll == 0:
        return 30 if state.seat == OPENING else 21
    high, low = state.roll // TEN, state.roll % TEN
    men = own_men(state)
    blots, made = facing(other_men(state))
    free = POINTS & ~made
    if high == low:
        count, _ = count_doubles(men, free, high)
        return count
    if occupied(men) >> BAR:
        if several(men) >> BAR:
            return 1
        by_high, by_low = _entering(men, free, blots, high, low)
        return max(popcount(np.uint64(by_high)) + popcount(np.uint64(by_low)), 1)
    if not far_from_home(men):
        return list_pairs(men, free, blots, high, low, out)
    there = occupied(men)
    by_high, by_low = there & free << high, there & free << low
    count = _pairs(men, free, blots, high, low)
    return count or max(popcount(np.uint64(by_high or by_low)), 1)


@inlined
def _pairs(men: Planes, free: int, blots: int, high: int, low: int) -> int:
    """Return the number of turns of two steps, without men on the bar and far from bearing off."""
    there = occupied(men)
    by_high, by_low = there & free << high, there & free << low
    run_high, run_low, repeating = _running(men, free, blots, high, low)
    return (
        popcount(np.uint64(by_high)) * popcount(np.uint64(by_low))
        - popcount(np.uint64(by_high & by_low & ~several(men)))
        + popcount(np.uint64(run_high))
        + popcount(np.uint64(run_low))
        - popcount(np.uint64(repeating))
    )


# ---------------------------------------------------------------- random moves


@implements(pick, Backgammon)
def _pick(state: State, chance: int, out: Moves) -> int:
    over, _, _ = outcome(state)
    if over:
        return -1
    now = phase(state)
    if now != ROLLING:
        second = np.uint64(chance) >> np.uint64(31)
        return (DROP if second else TAKE) if now == OFFERED else (DOUBLE if second else ROLL)
    if state.roll == 0:
        if state.seat == OPENING:
            number = np.int64(np.uint64(chance) * np.uint64(30) >> _HALF)
            first, second_die = number // 5, number % 5
            second_die += second_die >= first
            return TEN * (first + 1) + second_die + 1  # type: ignore[return-value]  # an int of 64 bits
        number = np.int64(np.uint64(chance) * np.uint64(36) >> _HALF)
        first, second_die = number // FACES + 1, number % FACES + 1
        return TEN * max(first, second_die) + min(first, second_die)  # type: ignore[return-value]  # an int of 64 bits
    return _random_turn(state, np.uint64(chance), out)


@part
def _random_turn(state: State, chance: np.uint64, out: Moves) -> int:
    """Return a random turn, uniformly over the resulting positions."""
    high, low = state.roll // TEN, state.roll % TEN
    men = own_men(state)
    blots, made = facing(other_men(state))
    free = POINTS & ~made
    there = occupied(men)
    if high == low:
        count, length = count_doubles(men, free, high)
        return nth_double(men, free, high, length, np.int64(chance * np.uint64(count) >> _HALF))
    if there >> BAR:
        if several(men) >> BAR:
            both = free >> BAR - high & free >> BAR - low & 1
            return BAR | BAR << WIDTH if both else _entries(free, high, low)
        by_high, by_low = _entering(men, free, blots, high, low)
        many = popcount(np.uint64(by_high))
        count = many + popcount(np.uint64(by_low))
        if count == 0:
            return _entries(free, high, low)
        rank = np.int64(chance * np.uint64(count) >> _HALF)
        if rank < many:
            return BAR | place_of(by_high, rank) << WIDTH
        return BAR | place_of(by_low, rank - many) << WIDTH | LOWER_FIRST
    if not far_from_home(men):
        count = list_pairs(men, free, blots, high, low, out)
        return np.int64(out[np.int64(chance * np.uint64(count) >> _HALF)])  # type: ignore[return-value]  # an int of 64 bits
    by_high, by_low = there & free << high, there & free << low
    if _pairs(men, free, blots, high, low) == 0:
        first = by_high or by_low
        if first == 0:
            return PASS
        rank = np.int64(chance * np.uint64(popcount(np.uint64(first))) >> _HALF)
        return place_of(first, rank) | (0 if by_high else LOWER_FIRST)
    run_high, run_low, repeating = _running(men, free, blots, high, low)
    run_low &= ~repeating
    width = popcount(np.uint64(by_low))
    plain = popcount(np.uint64(by_high)) * width
    by_runs = popcount(np.uint64(run_high))
    total = np.uint64(plain + by_runs + popcount(np.uint64(run_low)))
    random = chance << _HALF
    # draw with replacement until the turn is legal and no other one has its result
    while True:
        rank = np.int64((random >> _HALF) * total >> _HALF)
        if rank < plain:
            p, q = place_of(by_high, rank // width), place_of(by_low, rank % width)
            single = p == q and not several(men) >> p & 1
            if not single and not (q - low == p and repeating >> q & 1):
                return p | q << WIDTH
        elif rank < plain + by_runs:
            p = place_of(run_high, rank - plain)
            return p | p - high << WIDTH
        else:
            q = place_of(run_low, rank - plain - by_runs)
            return q | q - low << WIDTH | LOWER_FIRST
        random = random * _MULTIPLIER + _INCREMENT


# ---------------------------------------------------------------- steps


@inlined
def _packed(first: int, second: int) -> int:
    return first | second << HALF


@inlined
def _next_phase(cube: int, seat: int) -> int:
    """Return the cube before the turn of a seat, which chooses first if it may double."""
    owner = cube >> OWNER & 3
    may = cube != 0 and cube & (1 << OWNER) - 1 < LARGEST and (owner == 0 or owner == seat + 1)
    return cube & ~(3 << PHASE) | (DECIDING << PHASE if may else 0)


@inlined
def _cube_move(state: State, move: int) -> Backgammon:
    cube = state.cube & ~(3 << PHASE)
    if move == DOUBLE:
        cube |= OFFERED << PHASE
    elif move == DROP:
        cube |= DROPPED << PHASE
    elif move == TAKE:
        cube = (cube & ~(3 << OWNER)) + 1 | 2 - state.seat << OWNER
    return Backgammon(
        state.first_low, state.first_high, state.second_low, state.second_high, state.seat, state.roll, cube
    )


@part
def _turn(state: State, move: int) -> Backgammon:
    """Return the state after a turn."""
    high, low = state.roll // TEN, state.roll % TEN
    die, following = (low, high) if move & LOWER_FIRST else (high, low)
    men, other = own_men(state), other_men(state)
    left, reached = move & LOWER_FIRST - 1, 0
    while left:
        source = left & SOURCE
        men = moved(men, source, die)
        if source > die:
            reached |= 1 << BAR - source + die
        die = following
        left >>= WIDTH
    hit = reached & other[0] & ~several(other)
    if hit:
        for _ in range(popcount(np.uint64(hit))):
            other = added(other, 1 << BAR)
        other = removed(other, hit)
    first, second = (other, men) if state.seat else (men, other)
    return Backgammon(
        _packed(first[0], first[1]),
        _packed(first[2], first[3]),
        _packed(second[0], second[1]),
        _packed(second[2], second[3]),
        1 - state.seat,
        0,
        _next_phase(state.cube, 1 - state.seat),
    )


@implements(step, Backgammon)
def _step(state: State, move: int) -> Backgammon:
    if phase(state) != ROLLING:
        return _cube_move(state, move)
    if state.roll:
        return _turn(state, move)
    first, second = move // TEN, move % TEN
    seat = state.seat
    if seat == OPENING:
        seat = 0 if first > second else 1
    return Backgammon(
        state.first_low,
        state.first_high,
        state.second_low,
        state.second_high,
        seat,
        TEN * max(first, second) + min(first, second),
        state.cube,
    )


@inlined
def _points(low: int, high: int) -> float:
    """Return the points that the side with these men loses: 1, gammon 2, backgammon 3."""
    men = planes(low, high)
    if (men[0] | several(men)) & 1:
        return 1.0
    return 3.0 if occupied(men) & _FAR else 2.0


@implements(outcome, Backgammon)
def _outcome(state: State) -> tuple[bool, float, float]:
    value = float(1 << (state.cube & (1 << OWNER) - 1))
    if state.first_low & state.first_high & _ALL_OFF == _ALL_OFF:
        won = value * _points(state.second_low, state.second_high)
        return True, won, -won
    if state.second_low & state.second_high & _ALL_OFF == _ALL_OFF:
        won = value * _points(state.first_low, state.first_high)
        return True, -won, won
    if phase(state) == DROPPED:
        won = -value if state.seat else value
        return True, won, -won
    return False, 0.0, 0.0


def lost(state: Backgammon, seat: int) -> float:
    """Return the points of a seat that gives up: the most that it can still lose at the present value of the cube.

    That is a backgammon until it has borne off a man, and then a single game.
    """
    low, high = (state.second_low, state.second_high) if seat else (state.first_low, state.first_high)
    men = planes(low, high)
    return (1.0 if (men[0] | several(men)) & 1 else 3.0) * cube_value(state.cube)
