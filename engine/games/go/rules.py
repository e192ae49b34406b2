# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels of Go by Tromp and Taylor: captures and liberties by flood fill on wide bitboards, area scoring.

Suicide is illegal. The state stores a simple ko; ``engine.match`` and the searches enforce positional superko, which
compares only the stones. A move is the bit of its point, and a pass the first bit after the board.
"""

import numpy as np

from engine.bitboards.bits import lowest
from engine.bitboards.wide import Wide, count_bits, first_bit, neighbours, single, some, word, words
from engine.game import Moves, State, ended, features, legal_moves, outcome, repetition_key, step, to_move
from engine.games.go.board import (
    KO,
    PASSES,
    Go9,
    Go13,
    Go19,
    every,
    komi_of,
    none,
    pass_of,
    stones,
    stride_of,
    with_stones,
)
from engine.hints.alphabeta import aim, gain, slot
from engine.kernel import implements, inlined, part
from engine.splitmix import GOLDEN, scramble

STATES = (Go9, Go13, Go19)

_ONE, _TWO, _PASSED = np.uint64(1), np.uint64(2), np.uint64(1 << PASSES)
_KO = np.uint64(KO)


# ---------------------------------------------------------------- flood fill


@inlined
def alive(group: Wide, chains: Wide, liberties: Wide, stride: np.uint64) -> Wide:
    """Return stones of ``chains`` whose chain has a liberty. The search stops early when all of ``group`` is found;
    otherwise the result is complete.

    ``group``: the stones that are asked about; ``liberties``: empty points.
    """
    living = chains & neighbours(liberties, stride)
    while some(group & ~living):
        grown = living | neighbours(living, stride) & chains
        if not some(grown ^ living):
            break
        living = grown
    return living


@inlined
def captured(around: Wide, other: Wide, empty: Wide, stride: np.uint64) -> Wide:
    """Return the stones of ``other`` that a stone with these neighbours captures; ``empty``: without its point."""
    attacked = around & other
    living = alive(attacked, other, empty, stride)
    return other & ~living if some(attacked & ~living) else attacked & ~attacked


@inlined
def playable(around: Wide, own: Wide, other: Wide, empty: Wide, stride: np.uint64) -> bool:
    """Return whether a stone with these neighbours, none of them empty, captures or has a liberty.

    ``empty``: without its point.
    """
    attacked = around & other
    if some(attacked & ~alive(attacked, other, empty, stride)):
        return True
    joined = around & own
    if not some(joined):
        return False
    living = own & neighbours(empty, stride)
    while not some(joined & living):
        grown = living | neighbours(living, stride) & own
        if not some(grown ^ living):
            return False
        living = grown
    return True


@inlined
def vacant(state: State) -> Wide:
    """Return the empty points."""
    return every(state) & ~(stones(state, 0) | stones(state, 1))


@inlined
def open_points(state: State) -> Wide:
    """Return the empty points without that of the ko."""
    ko = state.info >> _KO
    points = vacant(state)
    return points & ~single(points, ko - _ONE) if ko else points


@inlined
def seat_of(state: State) -> int:
    return np.int64(state.info & _ONE)  # type: ignore[return-value]  # an int64, compiled


# ---------------------------------------------------------------- rules


@implements(to_move, *STATES)
def _to_move(state: State) -> int:
    return seat_of(state)


@part
def area_lead(state: State) -> int:
    """Return Black's area minus White's, in points.

    Area: stones, and the empty points from which a way over empty points leads to stones of one colour only.
    """
    stride, points = stride_of(state), vacant(state)
    reached_0, reached_1 = none(state), none(state)
    grown_0, grown_1 = stones(state, 0), stones(state, 1)
    while some(grown_0 ^ reached_0):
        reached_0 = grown_0
        grown_0 = reached_0 | neighbours(reached_0, stride) & points
    while some(grown_1 ^ reached_1):
        reached_1 = grown_1
        grown_1 = reached_1 | neighbours(reached_1, stride) & points
    return count_bits(grown_0) - count_bits(grown_1)


@implements(outcome, *STATES)
def _outcome(state: State) -> tuple[bool, float, float]:
    """Two passes in a row end the game."""
    if not state.info & _TWO << np.uint64(PASSES):
        return False, 0.0, 0.0
    lead = 2 * area_lead(state) - komi_of(state)
    won = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
    return True, won, -won


@implements(legal_moves, *STATES)
def _legal_moves(state: State, out: Moves) -> int:
    """Points in the order of their bits, then the pass."""
    seat, stride = seat_of(state), stride_of(state)
    own, other, empty = stones(state, seat), stones(state, 1 - seat), vacant(state)
    points = open_points(state)
    free = points & neighbours(empty, stride)
    count = 0
    for index in range(words(points)):
        left = word(points, index)
        without_check = word(free, index)
        while left:
            place = np.uint64(index * 64) + lowest(left)
            known = without_check & left & (~left + _ONE)
            left &= left - _ONE
            if not known:
                bit = single(points, place)
                if not playable(neighbours(bit, stride), own, other, empty & ~bit, stride):
                    continue
            out[count] = np.int64(place)
            count += 1
    out[count] = pass_of(state)
    return count + 1


@implements(step, *STATES)
def _step(state: State, move: int) -> State:
    seat = seat_of(state)
    own, other = stones(state, seat), stones(state, 1 - seat)
    turned = (state.info & _ONE) ^ _ONE
    if move == pass_of(state):
        passes = (state.info & np.uint64(3 << PASSES)) + _PASSED
        return with_stones(state, seat, own, other, turned | passes)
    stride = stride_of(state)
    bit = single(own, np.uint64(move))
    around = neighbours(bit, stride)
    empty = every(state) & ~(own | other | bit)
    if some(around & other):
        taken = captured(around, other, empty, stride)
        if some(taken):
            other = other & ~taken
            if count_bits(taken) == 1 and not some(around & (own | empty)):
                turned |= first_bit(taken) + _ONE << _KO
    return with_stones(state, seat, own | bit, other, turned)


@implements(repetition_key, *STATES)
def _repetition_key(state: State) -> int:
    """Return a hash of the stones; positional superko ignores the side to move."""
    mixed = np.uint64(0)
    for bits in state[:-1]:
        mixed = scramble(mixed + bits + GOLDEN)
    return mixed  # type: ignore[return-value]  # an int of 64 bits


@implements(ended, *STATES)
def _ended(state: State) -> bool:
    return state.info & _TWO << np.uint64(PASSES) != np.uint64(0)


# ---------------------------------------------------------------- search


@implements(slot, *STATES)
def _slot(state: State, move: int) -> int:
    return move


@implements(aim, *STATES)
def _aim(state: State, move: int) -> int:
    return move + 1


STONE = 100
"""Gain of a captured stone, and the worth of a point in evaluations."""


@implements(gain, *STATES)
def _gain(state: State, move: int) -> int:
    if move == pass_of(state):
        return 0
    seat, stride = seat_of(state), stride_of(state)
    own, other = stones(state, seat), stones(state, 1 - seat)
    bit = single(own, np.uint64(move))
    around = neighbours(bit, stride)
    if not some(around & other):
        return 0
    return STONE * count_bits(captured(around, other, vacant(state) & ~bit, stride))


RANGE = 4
"""Steps that the influence of a stone reaches."""


@implements(features, *STATES)
def _features(state: State) -> tuple[int, int, int]:
    """Area with influence, liberties, and komi in half points: own minus other's.

    Influence: an empty point belongs to the side with the nearest stone, by steps over empty points, RANGE at most;
    with equal distances to neither.
    """
    stride, points = stride_of(state), vacant(state)
    first, second = stones(state, 0), stones(state, 1)
    liberties = count_bits(neighbours(first, stride) & points) - count_bits(neighbours(second, stride) & points)
    left = points
    for _ in range(RANGE):
        near_0, near_1 = neighbours(first, stride) & left, neighbours(second, stride) & left
        first, second = first | near_0 & ~near_1, second | near_1 & ~near_0
        left = left & ~(near_0 | near_1)
    lead = count_bits(first) - count_bits(second)
    sign = 1 - 2 * seat_of(state)
    return sign * lead, sign * liberties, -sign * komi_of(state)
