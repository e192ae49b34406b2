# SPDX-License-Identifier: GPL-3.0-or-later
"""A random legal chess move without listing all moves: they are counted lane by lane, and one is selected."""

from engine.bitboards.bits import Bits, lowest, popcount
from engine.bitboards.lanes import Lanes, lane, packed, popcounts, reached, rotated, spread, sums, total
from engine.games.chess.attacks import rays, survey
from engine.games.chess.board import (
    C3,
    C16,
    CASTLE,
    CORNERS,
    DOUBLE,
    EN_PASSANT,
    FULL,
    JUMP,
    JUMP_INTO,
    KIND_AT,
    KING,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    ONE,
    PASSING,
    PLAIN,
    RANK_7,
    RANK_8,
    SQUARE,
    STEP,
    TARGET_AT,
    TO_KNIGHT,
    TO_QUEEN,
    ZERO,
    Chess,
)
from engine.games.chess.moves import advances, castles, double_steps, passing
from engine.kernel import compiled, inlined

BEHIND = Bits(4)
"""Opposite directions differ by this bit of the lane."""
HALF = Bits(32)

NONE = Bits(2**64 - 1)
"""No move."""


@inlined
def picked(state: Chess, chance: Bits) -> Bits:
    """Return the legal move that ``chance``, a number below 2 ** 32, selects; NONE if there is none."""
    attacked, must, pinned, free, sliders, empty = survey(state)
    steps = KING[lowest(state.own & state.kings)] & ~(state.own | attacked)
    castling = ZERO
    if state.marks & CORNERS and must == FULL:
        castling = castles(state, attacked)
    targets = spread(must & ~state.own)
    pawns = advances(state, free, empty)
    doubles = double_steps(state, pawns, must)
    pawns = pawns & targets
    lines = rays(sliders & free, empty) & targets | pawns
    jumps = rotated(spread(state.own & state.knights & ~pinned), packed(JUMP)) & packed(JUMP_INTO) & targets
    counts = popcounts(lines) + popcounts(jumps)
    usual = total(counts)
    more = Bits(popcount(steps)) + Bits(popcount(castling)) + Bits(popcount(doubles))
    if state.own & state.pawns & RANK_7:
        more += C3 * total(popcounts(pawns & spread(RANK_8)))
    if state.marks & PASSING:
        more += Bits(popcount(passing(state)))
    if not usual + more:
        return NONE
    number = chance * (usual + more) >> HALF
    if number >= usual:
        return unusual(state, number - usual, steps, castling, doubles, pawns)
    upto = sums(counts)
    way = reached(upto, number)
    number -= lane(upto, way) - lane(counts, way)
    board = lane(lines, way)
    if number >= Bits(popcount(board)):
        target = nth(lane(jumps, way), number - Bits(popcount(board)))
        return (target - lane(packed(JUMP), way)) & SQUARE | target << TARGET_AT
    target = nth(board, number)
    # the first piece on the way back is the one that moves
    origin = lane(rays(spread(ONE << target), empty), way ^ BEHIND) & state.own
    kind = TO_QUEEN if origin & state.pawns and ONE << target & RANK_8 else PLAIN
    return lowest(origin) | target << TARGET_AT | kind << KIND_AT


@inlined
def nth(board: Bits, number: Bits) -> Bits:
    """Return the index of the n-th set bit, from 0."""
    while number:
        board &= board - ONE
        number -= ONE
    return lowest(board)


@compiled
def unusual(state: Chess, number: Bits, steps: Bits, castling: Bits, doubles: Bits, pawns: Lanes) -> Bits:
    """Return the n-th move among king moves, double steps, captures en passant, and underpromotions."""
    king = lowest(state.own & state.kings)
    found = Bits(popcount(steps))
    if number < found:
        return king | nth(steps, number) << TARGET_AT
    number -= found
    found = Bits(popcount(castling))
    if number < found:
        return king | nth(castling, number) << TARGET_AT | CASTLE << KIND_AT
    number -= found
    found = Bits(popcount(doubles))
    if number < found:
        target = nth(doubles, number)
        return (target - C16) | target << TARGET_AT | DOUBLE << KIND_AT
    number -= found
    if state.marks & PASSING:
        takers = passing(state)
        found = Bits(popcount(takers))
        if number < found:
            return nth(takers, number) | lowest(state.marks & PASSING) << TARGET_AT | EN_PASSANT << KIND_AT
        number -= found
    return underpromotion(number, pawns)


@inlined
def underpromotion(number: Bits, pawns: Lanes) -> Bits:
    """Return the n-th underpromotion."""
    way = NORTH
    found = C3 * Bits(popcount(lane(pawns, way) & RANK_8))
    if number >= found:
        number -= found
        way = NORTH_EAST
        found = C3 * Bits(popcount(lane(pawns, way) & RANK_8))
    if number >= found:
        number -= found
        way = NORTH_WEST
    target = nth(lane(pawns, way) & RANK_8, number // C3)
    origin = (target - lane(packed(STEP), way)) & SQUARE
    return origin | target << TARGET_AT | (TO_KNIGHT + number % C3) << KIND_AT
