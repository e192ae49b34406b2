# SPDX-License-Identifier: GPL-3.0-or-later
"""Heuristic priors of moves in Go for Monte Carlo tree search.

S. Gelly, D. Silver, Monte-Carlo tree search and rapid action value estimation in computer Go, 2011.
"""

import numpy as np

from engine.bitboards.wide import count_bits, neighbours, single, some, up
from engine.game import Moves, State
from engine.games.go.board import Go9, Go13, Go19, every, pass_of, side_of, stones, stride_of
from engine.games.go.chains import capturing, chain_of, ladders, saving
from engine.games.go.patterns import fits
from engine.games.go.picking import eye
from engine.games.go.rules import captured, seat_of, vacant
from engine.hints.playouts import VirtualPlayouts, prior_values
from engine.kernel import implements, inlined

_ONE = np.uint64(1)

EVEN = 10
"""Virtual playouts of each move, half of them won."""

CAPTURE, LARGE_CAPTURE, LADDER, SAVE, PATTERN, SELF_ATARI, EYE, THIRD_LINE, FIRST_LINE, PASS = (
    15,
    30,
    15,
    15,
    10,
    10,
    30,
    10,
    10,
    10,
)
"""Virtual playouts: won by captures of a stone and of more, ladders, saved chains, patterns, and moves into an empty
area on the third line; lost by moves into atari, into an own eye, into an empty area on the first line, and passes."""

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
    snares = ladders(other, own, other, empty, stride)
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
                _, liberties = chain_of(bit, own, empty & ~bit, stride, 1)
                if count_bits(liberties) < 2:
                    lost += SELF_ATARI
            if some(bit & snares):
                won += LADDER
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
