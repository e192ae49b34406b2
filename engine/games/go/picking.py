# SPDX-License-Identifier: GPL-3.0-or-later
"""Random moves of Go: uniform over the legal moves, and light playouts that do not fill own eyes."""

import numpy as np

from engine.bitboards.wide import Wide, count_bits, down, neighbours, nth_bit, single, some, up
from engine.game import Moves, State, pick
from engine.games.go.board import PASSES, Go9, Go13, Go19, every, pass_of, stones, stride_of
from engine.games.go.rules import open_points, playable, seat_of, vacant
from engine.hints.playouts import light_move
from engine.kernel import implements, inlined

_ONE = np.uint64(1)
_OVER = np.uint64(2 << PASSES)
_HALF = np.uint64(32)
MULTIPLIER, INCREMENT = np.uint64(6364136223846793005), np.uint64(1442695040888963407)
"""D. Knuth's constants of a linear congruential generator."""


@inlined
def eye(bit: Wide, other: Wide, points: Wide, stride: np.uint64) -> bool:
    """Return whether a point between own stones is an eye by its diagonals.

    The other side has at most one of them, and none at the edge of the board (S. Gelly and others, 2006). ``points``:
    all points of the board.
    """
    beside = up(bit, _ONE) | down(bit, _ONE)
    diagonal = (up(beside, stride) | down(beside, stride)) & points
    return count_bits(diagonal & other) + (count_bits(diagonal) < 4) < 2


@inlined
def drawn_move(state: State, chance: np.uint64, light: bool) -> int:
    """Return a random move: draw points without replacement until one is legal, and in light playouts no own eye.

    A pass is one of the moves that are drawn; in light playouts it is the last.
    """
    if state.info & _OVER:
        return -1
    seat, stride = seat_of(state), stride_of(state)
    own, other = stones(state, seat), stones(state, 1 - seat)
    empty, left = vacant(state), open_points(state)
    free = neighbours(empty, stride)
    others = np.uint64(0 if light else 1)
    eyes = left
    if light:
        eyes = left & ~neighbours(every(state) & ~own, stride)
    number = np.uint64(count_bits(left))
    random = chance << _HALF
    while number + others:
        rank = (random >> _HALF) * (number + others) >> _HALF
        if rank == number:
            break
        place = nth_bit(left, rank)
        bit = single(left, place)
        if some(bit & free):
            return np.int64(place)  # type: ignore[return-value]  # an int64, compiled
        kept = light and some(bit & eyes) and eye(bit, other, every(state), stride)
        if not kept and playable(neighbours(bit, stride), own, other, empty & ~bit, stride):
            return np.int64(place)  # type: ignore[return-value]  # an int64, compiled
        left = left & ~bit
        number -= _ONE
        random = random * MULTIPLIER + INCREMENT
    return pass_of(state)


@implements(pick, Go9, Go13, Go19)
def _pick(state: State, chance: int, out: Moves) -> int:
    return drawn_move(state, np.uint64(chance), False)


@implements(light_move, Go9, Go13, Go19)
def _light_move(state: State, chance: int, out: Moves) -> int:
    return drawn_move(state, np.uint64(chance), True)
