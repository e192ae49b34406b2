# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces: placement, mobility, space, threats, and possible threats of the next move."""

from typing import Any

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount, upside_down
from engine.games.chess.attacks import ahead, behind, pawns_attack
from engine.games.chess.board import C8, KNIGHT, LIGHT_SQUARES, RANK_7, RANK_8, Chess
from engine.games.chess.evaluation.sinks import count
from engine.games.chess.evaluation.tuned.attacks import Attacks, field
from engine.games.chess.evaluation.tuned.terms import at
from engine.kernel import inlined

# ---------------------------------------------------------------- placement and mobility


PAIR, SPACE = at("pair of bishops"), at("space")
KNIGHT_SEES, BISHOP_SEES, ROOK_SEES, QUEEN_SEES = (
    at(f"square that a {piece} sees") for piece in ("knight", "bishop", "rook", "queen")
)
KNIGHT_OUT, BISHOP_OUT, OUTPOST = (
    at("knight on an outpost"),
    at("bishop on an outpost"),
    at("outpost that a knight sees"),
)
COLOURED, SHIELDED = at("pawn on the colour of its bishop"), at("minor piece behind a pawn")
OPEN, HALF_OPEN, SEVENTH = (
    at("rook on an open file"),
    at("rook on a half-open file"),
    at("rook or queen on the seventh rank"),
)
RANKS_4_TO_6, CENTRE = Bits(0x0000FFFFFF000000), Bits(0x3C3C3C00)
"""CENTRE: the four middle files on ranks 2 to 4."""
SPACE_UNIT = 6
"""Divisor of squares of space times the number of men squared, as a power of two."""


@inlined
def placement(state: Chess, mine: Attacks, bites: Bits, sink: Any) -> int:
    """Count the placement of pieces; ``bites``: squares that enemy pawns attack."""
    own, pawns = state.own, state.own & state.pawns
    queens = state.diagonal & state.straight
    knights, bishops, rooks = own & state.knights, own & state.diagonal & ~queens, own & state.straight & ~queens
    outposts = RANKS_4_TO_6 & mine.pawns & ~behind(bites)
    light, dark = bishops & LIGHT_SQUARES, bishops & ~LIGHT_SQUARES
    coloured = (popcount(pawns & LIGHT_SQUARES) if light else 0) + (popcount(pawns & ~LIGHT_SQUARES) if dark else 0)
    files = ahead(behind(pawns))
    theirs = ahead(behind(state.pawns & state.enemy))
    back = state.enemy & state.kings & RANK_8
    sum_ = count(sink, PAIR, 1 if light and dark else 0)
    sum_ += count(sink, KNIGHT_OUT, popcount(knights & outposts))
    sum_ += count(sink, BISHOP_OUT, popcount(bishops & outposts))
    sum_ += count(sink, OUTPOST, popcount(mine.knights & outposts & ~own))
    sum_ += count(sink, COLOURED, coloured)
    sum_ += count(sink, SHIELDED, popcount((knights | bishops) << C8 & pawns))
    sum_ += count(sink, OPEN, popcount(rooks & ~files & ~theirs))
    sum_ += count(sink, HALF_OPEN, popcount(rooks & ~files & theirs))
    return sum_ + count(sink, SEVENTH, popcount(own & state.straight & RANK_7) if back else 0)


@inlined
def space(state: Chess, defended: Bits, bites: Bits, sink: Any) -> int:
    """Count safe squares in the centre of the own half, twice behind own pawns, times the number of men squared.

    ``defended``: squares that the other side attacks; ``bites``: squares that its pawns attack. As in Stockfish.
    """
    pawns = state.own & state.pawns
    safe = CENTRE & ~bites & ~pawns
    squares = popcount(safe) + popcount(safe & behind(pawns) & ~defended)
    blocked = popcount(pawns << C8 & state.enemy & state.pawns)
    men = max(0, popcount(state.own) - 3 + min(blocked, 4))
    return count(sink, SPACE, squares * men * men >> SPACE_UNIT)


@inlined
def mobility(mine: Attacks, sink: Any) -> int:
    """Count the mobility of pieces."""
    sum_ = count(sink, ROOK_SEES, field(mine.counts, Bits(0)))
    sum_ += count(sink, BISHOP_SEES, field(mine.counts, Bits(1)))
    sum_ += count(sink, QUEEN_SEES, field(mine.counts, Bits(2)))
    return sum_ + count(sink, KNIGHT_SEES, field(mine.counts, Bits(3)))


# ---------------------------------------------------------------- threats


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
def threats(state: Chess, mine: Attacks, theirs: Attacks, defended: Bits, bites: Bits, sink: Any) -> int:
    """Count threats: attacked enemy pieces.

    ``theirs``: attacks of the other side, from its view; ``defended``: all squares that it attacks; ``bites``: squares
    that its pawns attack.
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
def plans(state: Chess, mine: Attacks, theirs: Attacks, defended: Bits, bites: Bits, sink: Any) -> int:
    """Count possible threats of the next move: by pawn steps, and on the queen; arguments as in ``threats``."""
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
def _lines(mine: Attacks, square: Bits) -> Bits:
    """Return the squares that rooks attack on a square's file and rank, and bishops on its diagonals."""
    return mine.rooks & LINES[square, 0] | mine.bishops & LINES[square, 1]
