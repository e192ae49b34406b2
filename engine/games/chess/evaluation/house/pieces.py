# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces: how freely they move, where they stand, and what they threaten."""

from typing import Any

from engine.bits import Bits, popcount
from engine.games.chess.board import C8, LIGHT_SQUARES, RANK_7, RANK_8, Chess
from engine.games.chess.evaluation.house.sight import Sight, all_of, field
from engine.games.chess.evaluation.house.terms import at
from engine.games.chess.evaluation.sinks import count
from engine.games.chess.evaluation.spans import ahead, behind
from engine.kernel import inlined

PAIR, SPACE = at("pair of bishops"), at("square behind the pawns")
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
PAWN_MINOR, PAWN_MAJOR = at("minor piece attacked by a pawn"), at("rook or queen attacked by a pawn")
MINOR_ROOK, MINOR_QUEEN = at("rook attacked by a minor piece"), at("queen attacked by a minor piece")
ROOK_QUEEN = at("queen attacked by a rook")
LOOSE_PAWN, LOOSE_PIECE, KING_BITES = at("pawn that hangs"), at("piece that hangs"), at("piece attacked by the king")

RANKS_4_TO_6, CENTRE = Bits(0x0000FFFFFF000000), Bits(0x3C3C3C00)
"""CENTRE: the four middle files on the ranks 2 to 4."""


@inlined
def stations(state: Chess, mine: Sight, bites: Bits, sink: Any) -> int:
    """Count where pieces stand; ``bites``: what the other's pawns attack."""
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
    sum_ += count(sink, SEVENTH, popcount(own & state.straight & RANK_7) if back else 0)
    return sum_ + count(sink, SPACE, popcount(CENTRE & behind(pawns) & ~bites & ~pawns))


@inlined
def freedom(mine: Sight, sink: Any) -> int:
    """Count the squares that pieces see."""
    sum_ = count(sink, ROOK_SEES, field(mine.counts, Bits(0)))
    sum_ += count(sink, BISHOP_SEES, field(mine.counts, Bits(1)))
    sum_ += count(sink, QUEEN_SEES, field(mine.counts, Bits(2)))
    return sum_ + count(sink, KNIGHT_SEES, field(mine.counts, Bits(3)))


@inlined
def threats(state: Chess, mine: Sight, defended: Bits, sink: Any) -> int:
    """Count what is attacked; ``defended``: all squares that the other attacks."""
    enemy = state.enemy
    queens = enemy & state.diagonal & state.straight
    rooks = enemy & state.straight & ~queens
    minors = enemy & (state.knights | state.diagonal) & ~queens
    by_minors = mine.knights | mine.bishops
    hanging = enemy & all_of(mine) & ~defended
    sum_ = count(sink, PAWN_MINOR, popcount(mine.pawns & minors))
    sum_ += count(sink, PAWN_MAJOR, popcount(mine.pawns & (rooks | queens)))
    sum_ += count(sink, MINOR_ROOK, popcount(by_minors & rooks))
    sum_ += count(sink, MINOR_QUEEN, popcount(by_minors & queens))
    sum_ += count(sink, ROOK_QUEEN, popcount(mine.rooks & queens))
    sum_ += count(sink, LOOSE_PAWN, popcount(hanging & state.pawns))
    sum_ += count(sink, LOOSE_PIECE, popcount(hanging & (minors | rooks | queens)))
    return sum_ + count(sink, KING_BITES, popcount(hanging & mine.king & ~state.pawns))
