# SPDX-License-Identifier: GPL-3.0-or-later
"""Generation of legal chess moves, counting without listing, and whether there is a legal move."""

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount
from engine.bitboards.lanes import Lanes, lane, packed, popcounts, rotated, some, spread, total, union
from engine.game import Moves
from engine.games.chess.attacks import leapers, rays, sliders_of, survey
from engine.games.chess.board import (
    A1,
    C1,
    C3,
    C7,
    C8,
    C9,
    C16,
    CASTLE,
    CORNERS,
    DOUBLE,
    EN_PASSANT,
    FULL,
    G1,
    H1,
    JUMP,
    JUMP_INTO,
    KIND_AT,
    KING,
    KNIGHT,
    LONG_GAP,
    LONG_WAY,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    NOT_A,
    NOT_H,
    ONE,
    PASSING,
    PLAIN,
    PUSH,
    RANK_3,
    RANK_7,
    RANK_8,
    SHORT_GAP,
    STEP,
    STEP_INTO,
    TAKE,
    TO_QUEEN,
    ZERO,
    Chess,
)
from engine.kernel import compiled, inlined

# ---------------------------------------------------------------- pawns and castling


@inlined
def advances(state: Chess, free: Lanes, empty: Lanes) -> Lanes:
    """Return the targets of pawn moves by one step, in the lanes NORTH, NORTH_EAST and NORTH_WEST."""
    ways = packed(PUSH) & empty & packed(STEP_INTO) | packed(TAKE) & spread(state.enemy)
    return rotated(spread(state.pawns) & free, packed(STEP)) & ways


@inlined
def double_steps(state: Chess, pawns: Lanes, must: Bits) -> Bits:
    """Return the targets of double steps; ``pawns``: the targets of single steps."""
    return (lane(pawns, NORTH) & RANK_3) << C8 & ~(state.own | state.enemy) & must


@compiled
def castles(state: Chess, attacked: Bits) -> Bits:
    """Return the king's targets of castling; the king must not be in check."""
    occupied = state.own | state.enemy
    targets = ZERO
    if state.marks & H1 and not (occupied | attacked) & SHORT_GAP:
        targets |= G1
    if state.marks & A1 and not occupied & LONG_GAP and not attacked & LONG_WAY:
        targets |= C1
    return targets


@compiled
def passing(state: Chess) -> Bits:
    """Return the pawns that may capture en passant.

    Two pawns leave their rank at once, so each capture is tested for check.
    """
    target = state.marks & PASSING
    enemy = state.enemy ^ target >> C8
    ready = ((target & NOT_A) >> C9 | (target & NOT_H) >> C7) & state.own & state.pawns
    legal = ZERO
    while ready:
        pawn = ready & ~(ready - ONE)
        attacked = rays(sliders_of(state) & spread(enemy), spread(~(state.own ^ pawn | target | enemy)))
        if not (union(attacked) & state.own & state.kings | leapers(state, enemy)):
            legal |= pawn
        ready &= ready - ONE
    return legal


# ---------------------------------------------------------------- counting


@inlined
def count(state: Chess) -> Bits:
    """Return the number of legal moves."""
    attacked, must, pinned, free, sliders, empty = survey(state)
    found = Bits(popcount(KING[lowest(state.own & state.kings)] & ~(state.own | attacked)))
    if state.marks & CORNERS and must == FULL:
        found += Bits(popcount(castles(state, attacked)))
    targets = spread(must & ~state.own)
    slides = rays(sliders & free, empty)
    jumps = rotated(spread(state.own & state.knights & ~pinned), packed(JUMP)) & packed(JUMP_INTO)
    pawns = advances(state, free, empty)
    # a pawn and a slider never reach a square in the same direction, so one population count suffices
    found += total(popcounts((slides | pawns) & targets) + popcounts(jumps & targets))
    found += Bits(popcount(double_steps(state, pawns, must)))
    if state.own & state.pawns & RANK_7:
        found += C3 * total(popcounts(pawns & targets & spread(RANK_8)))
    if state.marks & PASSING:
        found += Bits(popcount(passing(state)))
    return found


@compiled
def mobility(state: Chess) -> Bits:
    """Return the number of legal moves; not inlined."""
    return count(state)


@compiled
def able(state: Chess) -> bool:
    """Return whether there is a legal move.

    Usually a simple one exists: the king is not in check, and a pawn or knight can move that is not the first piece on
    a line from the king, so it cannot be pinned.
    """
    empty = ~(state.own | state.enemy)
    seen = rays(spread(state.own & state.kings), spread(empty))
    if not (some(seen & sliders_of(state) & spread(state.enemy)) or leapers(state, state.enemy)):
        free = state.own & ~union(seen)
        if (free & state.pawns) << C8 & empty:
            return True
        if some(rotated(spread(free & state.knights), packed(JUMP)) & packed(JUMP_INTO) & spread(~state.own)):
            return True
    return mobility(state) != ZERO


# ---------------------------------------------------------------- listing

AT_ONCE = 4
"""Number of moves that are written before the next test for more."""

SCRATCH = 2 * 15 + AT_ONCE
"""Additional room in the buffer of moves: for fifteen sliders, and for moves written in vain."""

FROM, BACK = Bits(1 << 6), Bits(1 << 6 | 1)
"""Factors of a target square in a move from one square, or from a square at a fixed distance."""


@inlined
def append(out: Moves, found: int, targets: Bits, base: Bits, factor: Bits) -> int:
    """Append the move ``base + factor * target`` to each of the targets.

    Some are written in vain, after the last: that costs less than mispredicted branches.
    """
    end = found + popcount(targets)
    while found < end:
        for place in range(found, found + AT_ONCE):
            out[place] = base + factor * lowest(targets)
            targets &= targets - ONE
        found += AT_ONCE
    return end


@inlined
def list_from(out: Moves, found: int, origin: Bits, targets: Bits, kind: Bits) -> int:
    """Append the moves from a square to each of the targets."""
    return append(out, found, targets, origin | kind << KIND_AT, FROM)


@inlined
def list_back(out: Moves, found: int, targets: Bits, back: Bits, kind: Bits) -> int:
    """Append the moves to each of the targets from the square ``back`` bits below."""
    return append(out, found, targets, (kind << KIND_AT) - back, BACK)


@compiled
def list_advances(out: Moves, found: int, targets: Bits, back: Bits) -> int:
    """Append pawn moves by one step, promotions in the order of kinds."""
    found = list_back(out, found, targets & ~RANK_8, back, PLAIN)
    if targets & RANK_8:
        kind = PLAIN
        while kind < TO_QUEEN:
            kind += ONE
            found = list_back(out, found, targets & RANK_8, back, kind)
    return found


@inlined
def note_slides(out: Moves, movers: Bits, lines: Lanes, empty: Lanes) -> int:
    """Write the square and the attacks of each slider to the end of the buffer; return where they begin.

    ``lines``: the sliders that may move in each lane's direction.
    """
    place = len(out)
    while movers:
        place -= 2
        out[place] = lowest(movers)
        out[place + 1] = union(rays(lines & spread(movers & ~(movers - ONE)), empty))
        movers &= movers - ONE
    return place


@compiled
def list_moves(state: Chess, out: Moves) -> int:
    """Write the legal moves and return their number: king, knights, sliders, pawns.

    The buffer needs room for SCRATCH more moves.
    """
    attacked, must, pinned, free, sliders, empty = survey(state)
    king = lowest(state.own & state.kings)
    found = list_from(out, 0, king, KING[king] & ~(state.own | attacked), PLAIN)
    if state.marks & CORNERS and must == FULL:
        found = list_from(out, found, king, castles(state, attacked), CASTLE)
    targets = must & ~state.own
    if not targets:
        return found
    # all slides are computed before the first is listed, which hides their latency
    noted = note_slides(out, state.own & (state.diagonal | state.straight), sliders & free, empty)
    pawns = advances(state, free, empty)
    movers = state.own & state.knights & ~pinned
    while movers:
        origin = lowest(movers)
        found = list_from(out, found, origin, KNIGHT[origin] & targets, PLAIN)
        movers &= movers - ONE
    for place in range(len(out) - 2, noted - 1, -2):
        found = list_from(out, found, np.uint64(out[place]), np.uint64(out[place + 1]) & targets, PLAIN)
    found = list_advances(out, found, lane(pawns, NORTH) & targets, C8)
    found = list_advances(out, found, lane(pawns, NORTH_EAST) & targets, C9)
    found = list_advances(out, found, lane(pawns, NORTH_WEST) & targets, C7)
    found = list_back(out, found, double_steps(state, pawns, must), C16, DOUBLE)
    if state.marks & PASSING:
        found = list_passing(state, out, found)
    return found


@compiled
def list_passing(state: Chess, out: Moves, found: int) -> int:
    """Append captures en passant."""
    pawns = passing(state)
    while pawns:
        found = list_from(out, found, lowest(pawns), state.marks & PASSING, EN_PASSANT)
        pawns &= pawns - ONE
    return found
