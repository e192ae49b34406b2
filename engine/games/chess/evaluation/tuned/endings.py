# SPDX-License-Identifier: GPL-3.0-or-later
"""Endgames: game phase, scaling of drawish endgames, and mating a bare king."""

from typing import Any

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount
from engine.games.chess.board import C3, LIGHT_SQUARES, Chess
from engine.games.chess.evaluation.sinks import count
from engine.games.chess.evaluation.tuned.pawns import distance
from engine.games.chess.evaluation.tuned.terms import at
from engine.kernel import compiled, inlined

FROM_CENTRE, TOGETHER, CORNER = (
    at("bare king's distance from the centre"),
    at("bare king's distance from the other"),
    at("bare king's distance from the bishop's corner"),
)

WHOLE = 64
"""The game phase with all pieces, and the scale of an ordinary endgame."""
UNIT = WHOLE * WHOLE

OPPOSITE, OPPOSITE_WITH_MORE, HOPELESS, DOUBTFUL = 36, 52, 6, 20
"""Scales of drawish endgames. OPPOSITE: opposite-coloured bishops, with pawns only or with other pieces too. HOPELESS:
ahead by at most a minor piece, without pawns. DOUBTFUL: the same, against one or two pawns."""
FEW = 2
FEWEST, PER_PAWN, ONE_WING = 36, 7, 4
"""Scale of other endgames: FEWEST, plus PER_PAWN for each pawn of the leading side, less with pawns on one wing."""
LEFT_WING, RIGHT_WING = Bits(0x0F0F0F0F0F0F0F0F), Bits(0xF0F0F0F0F0F0F0F0)

LIGHT_CORNERS, DARK_CORNERS = (Bits(7), Bits(56)), (Bits(0), Bits(63))

MATING = 5
"""Least force that can mate a bare king."""


@inlined
def force(state: Chess, side: Bits) -> int:
    """Return the force of a side's pieces: 3 a minor piece, 5 a rook, 9 a queen."""
    minors, majors = state.knights | state.diagonal, state.straight
    return 3 * popcount(minors & side) + 5 * popcount(majors & side) + popcount(minors & majors & side)


@inlined
def stage(state: Chess) -> int:
    """Return the game phase: WHOLE at the start, 0 without pieces; a queen counts as four minor pieces."""
    minors, majors = state.knights | state.diagonal, state.straight
    pieces = popcount(minors) + 2 * popcount(majors) + popcount(minors & majors)
    return min(pieces, 24) * 171 >> 6


@inlined
def scale(state: Chess) -> int:
    """Return the scale of the endgame score, from 0 to WHOLE: lower in drawish endgames."""
    ahead = force(state, state.own) - force(state, state.enemy)
    if -3 <= ahead <= 3:
        leader = state.own if ahead > 0 else state.enemy
        if not state.pawns:
            return HOPELESS
        if ahead and not leader & state.pawns and popcount(state.pawns) <= FEW:
            return DOUBTFUL
    bishops = state.diagonal & ~state.straight
    if popcount(bishops & state.own) == popcount(bishops & state.enemy) == popcount(bishops & LIGHT_SQUARES) == 1:
        return OPPOSITE_WITH_MORE if state.knights | state.straight else OPPOSITE
    own, theirs = popcount(state.own & state.pawns), popcount(state.enemy & state.pawns)
    ahead = ahead or own - theirs
    pawns = own if ahead > 0 else theirs if ahead < 0 else max(own, theirs)
    both = state.pawns & LEFT_WING and state.pawns & RIGHT_WING
    return min(WHOLE, FEWEST + PER_PAWN * pawns) - (0 if both else ONE_WING)


@inlined
def from_centre(square: Bits) -> np.int64:
    """Return the distance of a square from the centre: 0 to 3."""
    file, rank = np.int64(square & Bits(7)), np.int64(square >> C3)
    return max(abs(2 * file - 7), abs(2 * rank - 7)) >> 1


@compiled
def driven(state: Chess, sink: Any) -> int:
    """Count how far a bare king is driven to the edge."""
    if force(state, state.own) < MATING:
        return 0
    king, bare = lowest(state.own & state.kings), lowest(state.enemy)
    sum_ = count(sink, FROM_CENTRE, from_centre(bare)) + count(sink, TOGETHER, distance(king, bare))
    bishops = state.diagonal & ~state.straight
    if bishops and state.knights and popcount(state.own) == 3:
        corners = LIGHT_CORNERS if bishops & LIGHT_SQUARES else DARK_CORNERS
        sum_ += count(sink, CORNER, min(distance(bare, corners[0]), distance(bare, corners[1])))
    return sum_
