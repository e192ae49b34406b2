# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of Phantom Go as kernels: Go in which each seat sees its own stones only.

The seat to move may try each point where it knows of no stone. If there is a stone, or the move would be suicide or
take back a ko, the move is refused: the seat knows more, and moves again. A refused try is a ply.
"""

from typing import NamedTuple

import numpy as np

from engine.bitboards.bits import Bits, popcount
from engine.bitboards.wide import neighbours, single, some
from engine.game import (
    Moves,
    ended,
    features,
    information_key,
    irreversible,
    key,
    legal_moves,
    outcome,
    step,
    to_move,
)
from engine.games.go.board import KO, PASSES, Go9, every, komi_of, stones, stride_of
from engine.games.go.rules import area_lead, playable
from engine.kernel import implements, inlined

SIDE, PASS, POINTS = 9, 90, 81
WIDTH = POINTS + 1

PLY = 16
"""Shift of the number of plies in ``info``; below are the parts of Go's."""
LIMIT = 600
"""Plies, refused tries included, after which the area decides."""

ONE, ZERO, WORD = Bits(1), Bits(0), Bits(63)
PLY_AT, KO_AT, PASSES_AT, GO_INFO = Bits(PLY), Bits(KO), Bits(PASSES), Bits((1 << PLY) - 1)
ROWS_0, ROWS_1 = (
    Bits(sum(1 << 10 * row + column for row in range(9) for column in range(9)) >> 64 * word & 2**64 - 1)
    for word in (0, 1)
)
"""The points of the board, in two words."""


class PhantomGo9(NamedTuple):
    """A position of Go (see ``Go9``), and what refused tries told.

    ``known``: the other's stones that Black (names with b) and White (w) know of. ``refused``: empty points that were
    refused to the seat to move since the last move; it may not try them again. ``info`` also has the number of plies.
    """

    black_0: Bits
    black_1: Bits
    white_0: Bits
    white_1: Bits
    known_b0: Bits
    known_b1: Bits
    known_w0: Bits
    known_w1: Bits
    refused_0: Bits
    refused_1: Bits
    info: Bits


@inlined
def go_of(state: PhantomGo9) -> Go9:
    """Return the position of Go."""
    return Go9(state.black_0, state.black_1, state.white_0, state.white_1, state.info & GO_INFO)


@inlined
def has(first: Bits, second: Bits, point: int) -> bool:
    """Return whether a set in two words has a point."""
    chosen = first if point < 64 else second
    return chosen >> (np.uint64(point) & WORD) & ONE != ZERO


@implements(to_move, PhantomGo9)
def _to_move(state: PhantomGo9) -> int:
    return np.int64(state.info & ONE)  # type: ignore[return-value]  # an int64, compiled


@implements(legal_moves, PhantomGo9)
def _legal_moves(state: PhantomGo9, out: Moves) -> int:
    """Points in the order of their bits, then the pass: nothing here depends on stones that the seat does not know."""
    black = state.info & ONE == ZERO
    first = state.refused_0 | (state.black_0 | state.known_b0 if black else state.white_0 | state.known_w0)
    second = state.refused_1 | (state.black_1 | state.known_b1 if black else state.white_1 | state.known_w1)
    count = 0
    for point in range(PASS):
        if has(ROWS_0 & ~first, ROWS_1 & ~second, point):
            out[count] = point
            count += 1
    out[count] = PASS
    return count + 1


@inlined
def allowed(go: Go9, move: int) -> bool:
    """Return whether Go allows a stone on an empty point: it is no suicide, and does not take back a ko."""
    if np.int64(go.info >> KO_AT) == move + 1:
        return False
    seat, stride = np.int64(go.info & ONE), stride_of(go)
    own, other = stones(go, seat), stones(go, 1 - seat)
    bit = single(own, np.uint64(move))
    around, empty = neighbours(bit, stride), every(go) & ~(own | other | bit)
    return some(around & empty) or playable(around, own, other, empty, stride)


@inlined
def refuses(state: PhantomGo9, move: int) -> bool:
    """Return whether a legal move is a try that is refused."""
    if move == PASS:
        return False
    if has(state.black_0 | state.white_0, state.black_1 | state.white_1, move):
        return True
    return not allowed(go_of(state), move)


@implements(step, PhantomGo9)
def _step(state: PhantomGo9, move: int) -> PhantomGo9:
    b0, b1, w0, w1 = state.known_b0, state.known_b1, state.known_w0, state.known_w1
    ply = (state.info >> PLY_AT) + ONE << PLY_AT
    if refuses(state, move):
        first = ONE << np.uint64(move) if move < 64 else ZERO
        second = ZERO if move < 64 else ONE << np.uint64(move - 64)
        black = state.info & ONE == ZERO
        occupied = has(state.black_0 | state.white_0, state.black_1 | state.white_1, move)
        return PhantomGo9(
            state.black_0,
            state.black_1,
            state.white_0,
            state.white_1,
            b0 | (first if occupied and black else ZERO),
            b1 | (second if occupied and black else ZERO),
            w0 | (first if occupied and not black else ZERO),
            w1 | (second if occupied and not black else ZERO),
            state.refused_0 | (ZERO if occupied else first),
            state.refused_1 | (ZERO if occupied else second),
            state.info & GO_INFO | ply,
        )
    go = step(go_of(state), move)
    return PhantomGo9(
        go.black_0,
        go.black_1,
        go.white_0,
        go.white_1,
        b0 & go.white_0,
        b1 & go.white_1,
        w0 & go.black_0,
        w1 & go.black_1,
        ZERO,
        ZERO,
        go.info | ply,
    )


@implements(ended, PhantomGo9)
def _ended(state: PhantomGo9) -> bool:
    return bool(state.info >> PASSES_AT & Bits(2) != ZERO or state.info >> PLY_AT >= Bits(LIMIT))


@implements(outcome, PhantomGo9)
def _outcome(state: PhantomGo9) -> tuple[bool, float, float]:
    """Two passes in a row, between which there may be refused tries, end the game, and so does the limit of plies."""
    if not ended(state):
        return False, 0.0, 0.0
    go = go_of(state)
    lead = 2 * area_lead(go) - komi_of(go)
    won = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
    return True, won, -won


@implements(irreversible, PhantomGo9)
def _irreversible(state: PhantomGo9, move: int) -> bool:
    """Always: the state counts the plies."""
    return True


@implements(features, PhantomGo9)
def _features(state: PhantomGo9) -> tuple[int, ...]:
    """Those of Go."""
    return features(go_of(state))


@implements(information_key, PhantomGo9)
def _information_key(state: PhantomGo9, seat: int) -> int:
    """The other's place holds what the seat knows of it, and a word for the number of its stones.

    Where the ko is, nobody knows for certain.
    """
    black = seat == 0
    count = popcount(state.white_0 if black else state.black_0) + popcount(state.white_1 if black else state.black_1)
    mover = np.int64(state.info & ONE) == seat
    info = state.info & (ONE | Bits(3) << PASSES_AT) | (state.info >> PLY_AT) << PLY_AT
    seen = PhantomGo9(
        state.black_0 if black else state.known_w0,
        state.black_1 if black else state.known_w1,
        state.known_b0 if black else state.white_0,
        state.known_b1 if black else state.white_1,
        np.uint64(count),
        np.uint64(seat),
        ZERO,
        ZERO,
        state.refused_0 if mover else ZERO,
        state.refused_1 if mover else ZERO,
        info,
    )
    return key(seen)
