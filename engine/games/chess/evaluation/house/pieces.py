# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces: how freely they move, where they stand, and the room that they have."""

from typing import Any

from engine.bits import Bits, popcount
from engine.games.chess.board import C8, LIGHT_SQUARES, RANK_7, RANK_8, Chess
from engine.games.chess.evaluation.house.sight import Sight, field
from engine.games.chess.evaluation.house.terms import at
from engine.games.chess.evaluation.sinks import count
from engine.games.chess.evaluation.spans import ahead, behind
from engine.kernel import inlined

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
"""CENTRE: the four middle files on the ranks 2 to 4."""
SPACE_UNIT = 6
"""Squares of space, times the square of the men behind it, that count once, as a power of two."""


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
    return sum_ + count(sink, SEVENTH, popcount(own & state.straight & RANK_7) if back else 0)


@inlined
def space(state: Chess, defended: Bits, bites: Bits, sink: Any) -> int:
    """Count safe squares in the centre of the own half, twice behind own pawns, by the square of the men to use them.

    ``defended``: all squares that the other attacks; ``bites``: what its pawns do. The idea is Stockfish's.
    """
    pawns = state.own & state.pawns
    safe = CENTRE & ~bites & ~pawns
    squares = popcount(safe) + popcount(safe & behind(pawns) & ~defended)
    blocked = popcount(pawns << C8 & state.enemy & state.pawns)
    men = max(0, popcount(state.own) - 3 + min(blocked, 4))
    return count(sink, SPACE, squares * men * men >> SPACE_UNIT)


@inlined
def freedom(mine: Sight, sink: Any) -> int:
    """Count the squares that pieces see."""
    sum_ = count(sink, ROOK_SEES, field(mine.counts, Bits(0)))
    sum_ += count(sink, BISHOP_SEES, field(mine.counts, Bits(1)))
    sum_ += count(sink, QUEEN_SEES, field(mine.counts, Bits(2)))
    return sum_ + count(sink, KNIGHT_SEES, field(mine.counts, Bits(3)))
