# SPDX-License-Identifier: GPL-3.0-or-later
"""Informed playouts of Go for Monte Carlo tree search: answers to the last move, captures, and careful random moves.

S. Gelly, Y. Wang, R. Munos, O. Teytaud, Modification of UCT with patterns in Monte-Carlo Go, 2006. The playouts of
Fuego (M. Enzenberger and others, 2010) and Pachi (P. Baudiš, J. Gailly, 2012) play vital points and avoid moves into
atari too.
"""

import numpy as np

from engine.bitboards.wide import Wide, count_bits, down, first_bit, neighbours, nth_bit, single, some, up
from engine.game import Moves, State
from engine.games.go.board import PASSES, Go9, Go13, Go19, every, pass_of, stones, stride_of
from engine.games.go.chains import capturing, chain_of, exposed, kills, ladders, saving, vital_point
from engine.games.go.patterns import fits
from engine.games.go.picking import INCREMENT, MULTIPLIER, eye
from engine.games.go.rules import captured, open_points, seat_of, vacant
from engine.hints.playouts import answer
from engine.kernel import implements, inlined, part

_ONE = np.uint64(1)
_OVER = np.uint64(2 << PASSES)
_HALF = np.uint64(32)

NOTHING = -1

LARGEST_EYE = 6
"""Points of the largest area that has a vital point."""


@inlined
def ring(bit: Wide, stride: np.uint64) -> Wide:
    """Return the eight points around a point, those off the board included."""
    row = bit | up(bit, _ONE) | down(bit, _ONE)
    return (row | up(row, stride) | down(row, stride)) & ~bit


@inlined
def drawn(points: Wide, random: np.uint64) -> int:
    """Return one of these points by the upper half of a random number."""
    return np.int64(nth_bit(points, (random >> _HALF) * np.uint64(count_bits(points)) >> _HALF))  # type: ignore[return-value]  # an int64, compiled


@inlined
def stirred(random: np.uint64) -> np.uint64:
    """Return the next random number, by a linear congruential generator."""
    return random * MULTIPLIER + INCREMENT


@part
def vital_points(asked: Wide, own: Wide, empty: Wide, stride: np.uint64) -> Wide:
    """Return the vital points of the eyes of the other side that have a point in ``asked``."""
    found = asked & ~asked
    while some(asked):
        area = single(asked, first_bit(asked))
        while True:
            grown = area | neighbours(area, stride) & empty
            if not some(grown ^ area) or count_bits(grown) > LARGEST_EYE:
                break
            area = grown
        asked = asked & ~grown
        if not some(grown ^ area) and not some(neighbours(area, stride) & own):
            found = found | vital_point(area, stride)
    return found


@part
def patterned(bit: Wide, own: Wide, other: Wide, points: Wide, playable: Wide, stride: np.uint64) -> Wide:
    """Return the points around a stone where a pattern holds."""
    offset = stride + _ONE
    raised_own, raised_other, raised_points = up(own, offset), up(other, offset), up(points, offset)
    left = ring(bit, stride) & playable
    matched = left & ~left
    while some(left):
        place = first_bit(left)
        one = single(left, place)
        left = left & ~one
        if fits(raised_own, raised_other, raised_points, place, stride):
            matched = matched | one
    return matched


@part
def careful_move(state: State, random: np.uint64) -> int:
    """Return a random move that fills no own eye and, unless it captures, puts no chain into atari whose capture leaves
    room for two eyes; a pass if there is none.
    """
    seat, stride = seat_of(state), stride_of(state)
    own, other = stones(state, seat), stones(state, 1 - seat)
    empty, left = vacant(state), open_points(state)
    eyes = left & ~neighbours(every(state) & ~own, stride)
    while some(left):
        place = np.uint64(drawn(left, random))
        random = stirred(random)
        bit = single(left, place)
        left = left & ~bit
        around, rest = neighbours(bit, stride), empty & ~bit
        if some(bit & eyes) and eye(bit, other, every(state), stride):
            continue
        chain, liberties = chain_of(bit, own, rest, stride, 1)
        if count_bits(liberties) > 1 or (some(around & other) and some(captured(around, other, rest, stride))):
            return np.int64(place)  # type: ignore[return-value]  # an int64, compiled
        if some(liberties) and kills(chain, stride):
            return np.int64(place)  # type: ignore[return-value]  # an int64, compiled
    return pass_of(state)


@implements(answer, Go9, Go13, Go19)
def _answer(state: State, last: int, chance: int, out: Moves) -> int:
    """Answer a tactical threat of the last move, else play a pattern beside it, capture a chain, or move at random.

    In this order: capture the last move's chain, or save a chain beside it; catch the last move's chain in a ladder;
    play the vital point of an eye beside it; a pattern, if it puts no chain into atari.
    """
    if state.info & _OVER:
        return NOTHING
    random = np.uint64(chance) << _HALF
    seat, stride = seat_of(state), stride_of(state)
    own, other = stones(state, seat), stones(state, 1 - seat)
    empty, playable = vacant(state), open_points(state)
    if last >= 0 and last < pass_of(state):
        bit = single(own, np.uint64(last))
        around = neighbours(bit, stride)
        urgent = playable & (capturing(bit, other, empty, stride) | saving(around & own, own, other, empty, stride))
        if not some(urgent):
            urgent = playable & ladders(bit, own, other, empty, stride)
        if not some(urgent):
            urgent = playable & vital_points(around & empty, own, empty, stride)
        if some(urgent):
            return drawn(urgent, random)
        matched = patterned(bit, own, other, every(state), playable, stride)
        while some(matched):
            place = np.uint64(drawn(matched, random))
            one = single(matched, place)
            _, liberties = chain_of(one, own, empty & ~one, stride, 1)
            if count_bits(liberties) > 1:
                return np.int64(place)  # type: ignore[return-value]  # an int64, compiled
            matched = matched & ~one
    urgent = playable & capturing(exposed(other, empty, stride), other, empty, stride)
    return drawn(urgent, random) if some(urgent) else careful_move(state, stirred(random))
