# SPDX-License-Identifier: GPL-3.0-or-later
"""King safety: pawn shelter of the own king, danger to the enemy king."""

from typing import Any

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount, upside_down
from engine.games.chess.attacks import ahead, behind, beside, pawns_bite
from engine.games.chess.board import C8, C16, CORNERS, KING, KNIGHT, Chess
from engine.games.chess.evaluation.sinks import count
from engine.games.chess.evaluation.tuned.attacks import Attacks, total_mobility
from engine.games.chess.evaluation.tuned.terms import DANGERS, at
from engine.kernel import inlined

SHELTER, SECOND_SHELTER = at("pawn just before the king"), at("pawn two ranks before the king")
NO_OWN, NO_PAWN = at("file at the king without an own pawn"), at("file at the king without a pawn")
STORM, SECOND_STORM = at("enemy pawn two ranks from the king"), at("enemy pawn three ranks from the king")
CASTLING = at("right to castle")
DANGER, QUEENLESS = at("king in danger, queen on the board"), at("king in danger, no queen")

NO_PAWNS, WING_ATTACKED = at("wing of the other king without a pawn"), at("square attacked on the other king's wing")

KNIGHT_NEAR, BISHOP_NEAR, ROOK_NEAR, QUEEN_NEAR = 80, 52, 44, 10
"""Points for each kind of piece that attacks the king zone, times the number of such kinds."""
KNIGHT_CHECK, BISHOP_CHECK, ROOK_CHECK, QUEEN_CHECK = 800, 640, 1080, 760
"""Points for a safe check."""
UNSAFE_CHECK = 150
"""Points for each square of an unsafe check by a rook, a bishop or a knight."""
WEAK = 180
"""Points for each weak square of the zone: attacked, and defended at most once, by king or queen."""
ADJACENT = 70
"""Points for each attacked square next to the king, twice if two kinds of pieces attack it."""
BLOCKER = 100
"""Points for each piece that alone blocks a check."""
WING_ATTACKS = 3
"""Points for attacks on the king's wing: this many eighths of their number squared."""
WING_DEFENCES = 4
"""Points subtracted for each defended square on the king's wing."""
KNIGHT_GUARD, SHIELD = 100, 25
"""Points subtracted for a knight that defends the king, and for each pawn in the zone."""
MOBILE = 4
"""Points for each square of the attacker's advantage in mobility."""
BASE = 37
FINENESS = 6
"""Points for one step of danger, as a power of two."""

_FILE_A = 0x0101010101010101


def _wing(file: int) -> int:
    first, last = ((0, 2), (0, 3), (0, 3), (2, 5), (2, 5), (4, 7), (4, 7), (5, 7))[file]
    return sum(_FILE_A << one for one in range(first, last + 1))


WING = np.array([_wing(square % 8) & ~0xFFFFFF for square in range(64)], np.uint64)
"""The files around a king on each square, without the three ranks farthest from its own side."""


def _zone(square: int) -> int:
    centre = min(max(square % 8, 1), 6) + 8 * min(max(square // 8, 1), 6)
    return int(KING[centre]) | 1 << centre


ZONE = np.array([_zone(square) for square in range(64)], np.uint64)
"""King zone: the nine squares around a king, or around the next inner square if the king is on the edge."""
FIRST_RANK = Bits(0xFF)


@inlined
def shelter(state: Chess, sink: Any) -> int:
    """Count the pawn shelter of the own king."""
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
def _checks(state: Chess, mine: Attacks, theirs: Attacks, king: Bits, safe: Bits) -> int:
    """Return the points for possible checks; ``safe``: squares where the piece could not be captured."""
    by_rook, by_bishop = mine.rooks & mine.straight & ~state.own, mine.bishops & mine.diagonal & ~state.own
    by_knight = mine.knights & KNIGHT[king] & ~state.own
    rooks = by_rook & safe
    queens = mine.queens & (mine.straight | mine.diagonal) & safe & ~(rooks | upside_down(theirs.queens))
    bishops = by_bishop & safe & ~queens
    knights = by_knight & safe
    points = (ROOK_CHECK if rooks else 0) + (QUEEN_CHECK if queens else 0)
    points += (BISHOP_CHECK if bishops else 0) + (KNIGHT_CHECK if knights else 0)
    unsafe = (Bits(0) if rooks else by_rook) | (Bits(0) if bishops else by_bishop)
    return points + UNSAFE_CHECK * popcount(unsafe | (Bits(0) if knights else by_knight))


@inlined
def _siege(state: Chess, mine: Attacks, zone: Bits) -> int:
    """Return the points for the kinds of pieces that attack the zone, times their number, pawns included."""
    knights, bishops, rooks, queens = mine.knights & zone, mine.bishops & zone, mine.rooks & zone, mine.queens & zone
    kinds = (1 if knights else 0) + (1 if bishops else 0) + (1 if rooks else 0) + (1 if queens else 0)
    weight = (KNIGHT_NEAR if knights else 0) + (BISHOP_NEAR if bishops else 0)
    weight += (ROOK_NEAR if rooks else 0) + (QUEEN_NEAR if queens else 0)
    return (kinds + popcount(state.own & state.pawns & pawns_bite(zone))) * weight


@inlined
def danger(state: Chess, mine: Attacks, theirs: Attacks, sink: Any) -> int:
    """Count the danger to the enemy king, one term for each step; ``theirs``: attacks of the other side, from its view.

    The components of the points, and their rough sizes, are those of Stockfish 11 to 15.
    """
    king = lowest(state.enemy & state.kings)
    zone, wing = ZONE[king], WING[king]
    defended = upside_down(theirs.attacked)
    doubly_defended = upside_down(theirs.doubly)
    weak = mine.attacked & ~doubly_defended & (~defended | upside_down(theirs.king | theirs.queens))
    safe = ~state.own & (~defended | weak & mine.doubly)
    attacks = popcount(mine.attacked & wing) + popcount(mine.doubly & wing)
    around = KING[king] & mine.attacked
    beside_king = popcount(around) + popcount(around & mine.doubly)
    points: Any = BASE + _siege(state, mine, zone) + _checks(state, mine, theirs, king, safe)
    points += WEAK * popcount(zone & weak) + ADJACENT * beside_king
    points += BLOCKER * popcount(mine.blockers) + (WING_ATTACKS * attacks * attacks >> 3)
    points += MOBILE * (total_mobility(mine) - total_mobility(theirs)) - WING_DEFENCES * popcount(defended & wing)
    points -= SHIELD * popcount(zone & state.enemy & state.pawns)
    points -= KNIGHT_GUARD if theirs.knights & theirs.king else 0
    step = min(max(points, 0) >> FINENESS, DANGERS - 1)
    queen = state.own & state.diagonal & state.straight
    sum_ = count(sink, NO_PAWNS, 0 if state.pawns & wing else 1) + count(sink, WING_ATTACKED, attacks)
    return sum_ + count(sink, (DANGER if queen else QUEENLESS) + step, 1)
