# SPDX-License-Identifier: GPL-3.0-or-later
"""Kings: what shelters the own one, and what endangers the other's."""

from typing import Any

import numpy as np

from engine.bits import Bits, lowest, popcount
from engine.games.chess.board import C8, C16, CORNERS, KING, KNIGHT, Chess
from engine.games.chess.evaluation.house.sight import FIELD, Sight, all_of
from engine.games.chess.evaluation.house.terms import DANGERS, at
from engine.games.chess.evaluation.sinks import count
from engine.games.chess.evaluation.spans import ahead, behind, beside
from engine.kernel import inlined

SHELTER, SECOND_SHELTER = at("pawn just before the king"), at("pawn two ranks before the king")
NO_OWN, NO_PAWN = at("file at the king without an own pawn"), at("file at the king without a pawn")
STORM, SECOND_STORM = at("enemy pawn two ranks from the king"), at("enemy pawn three ranks from the king")
CASTLING = at("right to castle")
DANGER, QUEENLESS = at("king in danger, queen on the board"), at("king in danger, no queen")

QUEEN_CHECK, ROOK_CHECK, BISHOP_CHECK, KNIGHT_CHECK = 12, 14, 8, 12
"""What a check that costs nothing adds to the pressure on a king."""
WEAK = 5
"""What each square next to the king adds that is attacked and that only the king, or nobody, defends."""
FINENESS = 2
"""Points of pressure that make one step of danger, as a power of two."""
FIRST_RANK = Bits(0xFF)


@inlined
def shelter(state: Chess, sink: Any) -> int:
    """Count the pawns before the own king."""
    king = state.own & state.kings
    pawns, theirs = state.own & state.pawns, state.enemy & state.pawns
    row = (king | beside(king)) << C8
    files = ahead(behind(row)) & FIRST_RANK
    own_files, their_files = behind(pawns & ahead(row >> C8)), behind(theirs)
    sum_ = count(sink, SHELTER, popcount(row & pawns))
    sum_ += count(sink, SECOND_SHELTER, popcount(row << C8 & pawns))
    sum_ += count(sink, NO_OWN, popcount(files & ~own_files))
    sum_ += count(sink, NO_PAWN, popcount(files & ~own_files & ~their_files))
    sum_ += count(sink, STORM, popcount(row << C8 & theirs))
    sum_ += count(sink, SECOND_STORM, popcount(row << C16 & theirs))
    return sum_ + count(sink, CASTLING, popcount(state.marks & CORNERS))


@inlined
def danger(state: Chess, mine: Sight, defended: Bits, guarded: Bits, sink: Any) -> int:
    """Count the danger to the other's king, one term a step.

    ``defended``: all squares that the other attacks; ``guarded``: those that it attacks otherwise than by its king.
    """
    king = lowest(state.enemy & state.kings)
    points: Any = np.int64(mine.counts >> FIELD * Bits(4))
    points += WEAK * popcount(KING[king] & all_of(mine) & ~guarded)
    safe = ~(state.own | defended)
    if mine.queens & (mine.straight | mine.diagonal) & safe:
        points += QUEEN_CHECK
    if mine.rooks & mine.straight & safe:
        points += ROOK_CHECK
    if mine.bishops & mine.diagonal & safe:
        points += BISHOP_CHECK
    if mine.knights & KNIGHT[king] & safe:
        points += KNIGHT_CHECK
    step = min(points >> FINENESS, DANGERS - 1)
    return count(sink, (DANGER if state.own & state.diagonal & state.straight else QUEENLESS) + step, 1)
