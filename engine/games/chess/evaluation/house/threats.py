# SPDX-License-Identifier: GPL-3.0-or-later
"""Threats: what is attacked, and what could be attacked next."""

from typing import Any

import numpy as np

from engine.bits import Bits, lowest, popcount, upside_down
from engine.games.chess.board import C8, KNIGHT, Chess
from engine.games.chess.evaluation.house.sight import Sight
from engine.games.chess.evaluation.house.terms import at
from engine.games.chess.evaluation.sinks import count
from engine.games.chess.evaluation.spans import pawns_attack
from engine.kernel import inlined

PAWN_MINOR, PAWN_MAJOR = at("minor piece attacked by a pawn"), at("rook or queen attacked by a pawn")
MINOR_ROOK, MINOR_QUEEN = at("rook attacked by a minor piece"), at("queen attacked by a minor piece")
ROOK_QUEEN = at("queen attacked by a rook")
WEAK_MINOR_MINOR, WEAK_MINOR_ROOK = (
    at("weak minor piece attacked by a minor piece"),
    at("weak minor piece attacked by a rook"),
)
WEAK_PAWN_MINOR, WEAK_PAWN_ROOK = at("weak pawn attacked by a minor piece"), at("weak pawn attacked by a rook")
PAWN_STEP, CONTESTED = at("man that a pawn's safe step attacks"), at("square that the other sees and cannot hold")
KNIGHT_QUEEN, SLIDER_QUEEN = (
    at("square from which a knight attacks the queen"),
    at("square from which a slider attacks the queen"),
)
LOOSE_PAWN, LOOSE_PIECE, KING_BITES = at("pawn that hangs"), at("piece that hangs"), at("piece attacked by the king")

RANK_3 = Bits(0xFF0000)


def _line(square: int, straight: bool) -> int:
    file, rank = square % 8, square // 8
    lines = sum(1 << one for one in range(64) if one != square and (one % 8 == file or one // 8 == rank))
    diagonals = sum(1 << one for one in range(64) if one != square and abs(one % 8 - file) == abs(one // 8 - rank))
    return lines if straight else diagonals


LINES = np.array([[_line(square, True), _line(square, False)] for square in range(64)], np.uint64)
"""(square, 0 or 1): its file and rank, or its diagonals."""


@inlined
def threats(state: Chess, mine: Sight, theirs: Sight, defended: Bits, bites: Bits, sink: Any) -> int:
    """Count what is attacked.

    ``theirs``: what the other sees, from its own side; ``defended``: all squares that it attacks; ``bites``: what its
    pawns do.
    """
    enemy = state.enemy
    queens = enemy & state.diagonal & state.straight
    rooks = enemy & state.straight & ~queens
    minors = enemy & (state.knights | state.diagonal) & ~queens
    by_minors = mine.knights | mine.bishops
    held = bites | upside_down(theirs.doubly) & ~mine.doubly
    hanging = enemy & mine.attacked & ~defended
    weak = enemy & ~held
    sum_ = count(sink, PAWN_MINOR, popcount(mine.pawns & minors))
    sum_ += count(sink, PAWN_MAJOR, popcount(mine.pawns & (rooks | queens)))
    sum_ += count(sink, MINOR_ROOK, popcount(by_minors & rooks))
    sum_ += count(sink, MINOR_QUEEN, popcount(by_minors & queens))
    sum_ += count(sink, ROOK_QUEEN, popcount(mine.rooks & queens))
    sum_ += count(sink, WEAK_MINOR_MINOR, popcount(by_minors & minors & weak))
    sum_ += count(sink, WEAK_MINOR_ROOK, popcount(mine.rooks & minors & weak))
    sum_ += count(sink, WEAK_PAWN_MINOR, popcount(by_minors & state.pawns & weak))
    sum_ += count(sink, WEAK_PAWN_ROOK, popcount(mine.rooks & state.pawns & weak))
    sum_ += count(sink, CONTESTED, popcount(defended & ~held & mine.attacked))
    sum_ += count(sink, LOOSE_PAWN, popcount(hanging & state.pawns))
    sum_ += count(sink, LOOSE_PIECE, popcount(hanging & (minors | rooks | queens)))
    return sum_ + count(sink, KING_BITES, popcount(hanging & mine.king & ~state.pawns))


@inlined
def plans(state: Chess, mine: Sight, theirs: Sight, defended: Bits, bites: Bits, sink: Any) -> int:
    """Count what could be attacked next: by a pawn's step, and the queen by pieces; the arguments are threats'."""
    own, enemy = state.own, state.enemy
    free = ~(own | enemy)
    safe = ~defended | mine.attacked
    step = (own & state.pawns) << C8 & free
    step |= (step & RANK_3) << C8 & free
    step &= ~bites & safe
    sum_ = count(sink, PAWN_STEP, popcount(pawns_attack(step) & enemy & ~state.pawns & ~mine.pawns))
    queen = enemy & state.diagonal & state.straight
    if queen and not queen & (queen - Bits(1)):
        there = ~own & ~defended | mine.doubly & ~own & ~bites
        square = lowest(queen)
        sum_ += count(sink, KNIGHT_QUEEN, popcount(mine.knights & KNIGHT[square] & there))
        sum_ += count(sink, SLIDER_QUEEN, popcount(upside_down(theirs.queens) & there & _lines(mine, square)))
    return sum_


@inlined
def _lines(mine: Sight, square: Bits) -> Bits:
    """Return the squares that rooks see on a square's file and rank, and bishops on its diagonals."""
    return mine.rooks & LINES[square, 0] | mine.bishops & LINES[square, 1]
