# SPDX-License-Identifier: GPL-3.0-or-later
"""Knowledge of Go for Monte Carlo tree search: answers to the last move in playouts, and prior values of moves.

Playouts: S. Gelly, Y. Wang, R. Munos, O. Teytaud, Modification of UCT with patterns in Monte-Carlo Go, 2006. Priors:
S. Gelly, D. Silver, Monte-Carlo tree search and rapid action value estimation in computer Go, 2011.
"""

import numpy as np

from engine.bitboards.wide import Wide, count_bits, down, first_bit, neighbours, nth_bit, single, some, up
from engine.game import Moves, State
from engine.games.go.board import Go9, Go13, Go19, every, none, pass_of, side_of, stones, stride_of
from engine.games.go.patterns import fits
from engine.games.go.picking import eye
from engine.games.go.rules import captured, open_points, seat_of, vacant
from engine.hints.playouts import VirtualPlayouts, answer, prior_values
from engine.kernel import implements, inlined, part

_ONE, _TWO = np.uint64(1), np.uint64(2)
_HALF = np.uint64(32)

NOTHING = -1


@inlined
def chain_of(seed: Wide, chains: Wide, empty: Wide, stride: np.uint64) -> tuple[Wide, Wide]:
    """Return stones and liberties of the chain of a stone: the whole chain if it has at most one liberty.

    With two liberties the search for more ends.
    """
    chain = seed
    while True:
        near = neighbours(chain, stride)
        liberties = near & empty
        grown = chain | near & chains
        if count_bits(liberties) > 1 or not some(grown ^ chain):
            return chain, liberties
        chain = grown


@part
def capturing(asked: Wide, other: Wide, empty: Wide, stride: np.uint64) -> Wide:
    """Return the points that capture a chain of ``other`` with a stone in ``asked``."""
    found = asked & ~asked
    while some(asked):
        seed = single(asked, first_bit(asked))
        chain, liberties = chain_of(seed, other, empty, stride)
        asked = asked & ~chain
        if count_bits(liberties) == 1:
            found = found | liberties
    return found


@part
def saving(asked: Wide, own: Wide, other: Wide, empty: Wide, stride: np.uint64) -> Wide:
    """Return the points that save chains of ``own`` with a stone in ``asked`` from capture.

    The chain is extended to two liberties or more, or captures a chain beside it.
    """
    found = asked & ~asked
    while some(asked):
        seed = single(asked, first_bit(asked))
        chain, liberties = chain_of(seed, own, empty, stride)
        asked = asked & ~chain
        if count_bits(liberties) == 1:
            _, after = chain_of(liberties, own, empty & ~liberties, stride)
            if count_bits(after) > 1:
                found = found | liberties
            found = found | capturing(neighbours(chain, stride) & other, other, empty, stride)
    return found


@inlined
def ring(bit: Wide, stride: np.uint64) -> Wide:
    """Return the eight points around a point, those off the board included."""
    row = bit | up(bit, _ONE) | down(bit, _ONE)
    return (row | up(row, stride) | down(row, stride)) & ~bit


@implements(answer, Go9, Go13, Go19)
def _answer(state: State, last: int, chance: int, out: Moves) -> int:
    """Save a chain from the capture that the last move threatens, or capture its chain; else play a pattern beside it.

    No stone is put into atari by a pattern.
    """
    if last < 0 or last >= pass_of(state):
        return NOTHING
    seat, stride = seat_of(state), stride_of(state)
    own, other = stones(state, seat), stones(state, 1 - seat)
    empty, playable = vacant(state), open_points(state)
    bit = single(own, np.uint64(last))
    number = np.uint64(chance)
    urgent = capturing(bit, other, empty, stride) | saving(neighbours(bit, stride) & own, own, other, empty, stride)
    urgent = urgent & playable
    if some(urgent):
        return np.int64(nth_bit(urgent, number * np.uint64(count_bits(urgent)) >> _HALF))  # type: ignore[return-value]  # an int64, compiled
    offset = stride + _ONE
    raised_own, raised_other, raised_every = up(own, offset), up(other, offset), up(every(state), offset)
    left = ring(bit, stride) & playable
    matched = none(state)
    while some(left):
        place = first_bit(left)
        one = single(left, place)
        left = left & ~one
        if fits(raised_own, raised_other, raised_every, place, stride):
            matched = matched | one
    count = np.uint64(count_bits(matched))
    while count:
        place = nth_bit(matched, number * count >> _HALF)
        one = single(matched, place)
        _, liberties = chain_of(one, own, empty & ~one, stride)
        if count_bits(liberties) > 1:
            return np.int64(place)  # type: ignore[return-value]  # an int64, compiled
        matched = matched & ~one
        count -= _ONE
    return NOTHING


EVEN = 10
"""Virtual playouts of each move, half of them won."""

CAPTURE, LARGE_CAPTURE, SAVE, PATTERN, SELF_ATARI, EYE, THIRD_LINE, FIRST_LINE, PASS = (
    15,
    30,
    15,
    10,
    10,
    30,
    10,
    10,
    10,
)
"""Virtual playouts: won by captures of a stone and of more, saved chains, patterns, and moves into an empty area on the
third line; lost by moves into atari, into an own eye, into an empty area on the first line, and by passes."""

NEAR = (24, 22, 8)
"""Virtual playouts that moves at a distance of 2, 3 and 4 from the last one win; see ``distance``."""


@inlined
def distance(one: int, other: int, stride: int) -> int:
    """Return |dx| + |dy| + max(|dx|, |dy|) of two points: R. Coulom's distance."""
    wide = abs(one % stride - other % stride)
    high = abs(one // stride - other // stride)
    return wide + high + max(wide, high)


@implements(prior_values, Go9, Go13, Go19)
def _prior_values(state: State, last: int, moves: Moves, count: int, out: VirtualPlayouts) -> bool:
    seat, stride, side = seat_of(state), stride_of(state), side_of(state)
    passing = pass_of(state)
    own, other, empty, points = stones(state, seat), stones(state, 1 - seat), vacant(state), every(state)
    offset = stride + _ONE
    raised_own, raised_other, raised_every = up(own, offset), up(other, offset), up(points, offset)
    saved = saving(own, own, other, empty, stride)
    threatened = capturing(other, other, empty, stride)
    # stones, and all points at most three steps from one
    settled = own | other
    for _ in range(3):
        settled = settled | neighbours(settled, stride) & points
    eyes = empty & ~neighbours(points & ~own, stride)
    for index in range(count):
        move = moves[index]
        won, lost = EVEN // 2, EVEN // 2
        if move == passing:
            lost += PASS
        else:
            place = np.uint64(move)
            bit = single(own, place)
            if some(bit & threatened):
                taken = captured(neighbours(bit, stride), other, empty & ~bit, stride)
                won += LARGE_CAPTURE if count_bits(taken) > 1 else CAPTURE
            else:
                _, liberties = chain_of(bit, own, empty & ~bit, stride)
                if count_bits(liberties) < 2:
                    lost += SELF_ATARI
            if some(bit & saved):
                won += SAVE
            if some(bit & eyes) and eye(bit, other, points, stride):
                lost += EYE
            if fits(raised_own, raised_other, raised_every, place, stride):
                won += PATTERN
            if not some(bit & settled):
                column, row = move % (side + 1), move // (side + 1)
                line = min(min(column, side - 1 - column), min(row, side - 1 - row))
                if line == 0:
                    lost += FIRST_LINE
                elif line == 2:
                    won += THIRD_LINE
            if last >= 0 and last < passing:
                far = distance(move, last, side + 1)
                if far <= 4:
                    won += NEAR[far - 2]
        out[index, 0] = won + lost
        out[index, 1] = won
    return True
