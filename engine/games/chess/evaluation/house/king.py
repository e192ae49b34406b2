# SPDX-License-Identifier: GPL-3.0-or-later
"""Kings: what shelters the own one, and what endangers the other's."""

from typing import Any

import numpy as np

from engine.bits import Bits, lowest, popcount, upside_down
from engine.games.chess.board import C8, C16, CORNERS, KING, KNIGHT, Chess
from engine.games.chess.evaluation.house.sight import Sight, seen
from engine.games.chess.evaluation.house.terms import DANGERS, at
from engine.games.chess.evaluation.sinks import count
from engine.games.chess.evaluation.spans import ahead, behind, beside, pawns_bite
from engine.kernel import inlined

SHELTER, SECOND_SHELTER = at("pawn just before the king"), at("pawn two ranks before the king")
NO_OWN, NO_PAWN = at("file at the king without an own pawn"), at("file at the king without a pawn")
STORM, SECOND_STORM = at("enemy pawn two ranks from the king"), at("enemy pawn three ranks from the king")
CASTLING = at("right to castle")
DANGER, QUEENLESS = at("king in danger, queen on the board"), at("king in danger, no queen")

NO_PAWNS, WING_ATTACKED = at("wing of the other king without a pawn"), at("square attacked on the other king's wing")

KNIGHT_NEAR, BISHOP_NEAR, ROOK_NEAR, QUEEN_NEAR = 80, 52, 44, 10
"""What a kind of piece adds to the pressure on a king whose zone it attacks, times the kinds that do."""
KNIGHT_CHECK, BISHOP_CHECK, ROOK_CHECK, QUEEN_CHECK = 800, 640, 1080, 760
"""What a check adds that costs nothing."""
UNSAFE_CHECK = 150
"""What each square adds from which a rook, a bishop or a knight could give check, but is taken."""
WEAK = 180
"""What each square of the zone adds that is attacked, and defended once at most, by the king or the queen."""
ADJACENT = 70
"""What each square next to the king adds that is attacked, and again if by two kinds of men."""
BLOCKER = 100
"""What each man adds that alone stands in the way of a check."""
WING_ATTACKS = 3
"""Eighths that the square of the number of attacks on the king's wing adds."""
WING_DEFENCES = 4
"""What each square there takes away that the other defends,"""
KNIGHT_GUARD, SHIELD = 100, 25
"""what a knight that guards the king does, and what each pawn next to him."""
MOBILE = 4
"""What each square adds that the attacker's pieces see more than the other's."""
UNREST = 37
FINENESS = 6
"""Points of pressure that make one step of danger, as a power of two."""

_FILE_A = 0x0101010101010101


def _wing(file: int) -> int:
    first, last = ((0, 2), (0, 3), (0, 3), (2, 5), (2, 5), (4, 7), (4, 7), (5, 7))[file]
    return sum(_FILE_A << one for one in range(first, last + 1))


WING = np.array([_wing(square % 8) & ~0xFFFFFF for square in range(64)], np.uint64)
"""The files around a king on each square, but for the three ranks that are farthest from his own side's."""


def _zone(square: int) -> int:
    centre = min(max(square % 8, 1), 6) + 8 * min(max(square // 8, 1), 6)
    return int(KING[centre]) | 1 << centre


ZONE = np.array([_zone(square) for square in range(64)], np.uint64)
"""The nine squares that are attacked when a king is: around him, or around the square next to him where he stands on
the edge."""
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
def _checks(state: Chess, mine: Sight, theirs: Sight, king: Bits, safe: Bits) -> int:
    """Return what the checks add that the mover could give; ``safe``: squares where he would not be taken."""
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
def _siege(state: Chess, mine: Sight, zone: Bits) -> int:
    """Return what the kinds of pieces add that attack the zone, times how many kinds and pawns they are."""
    knights, bishops, rooks, queens = mine.knights & zone, mine.bishops & zone, mine.rooks & zone, mine.queens & zone
    kinds = (1 if knights else 0) + (1 if bishops else 0) + (1 if rooks else 0) + (1 if queens else 0)
    weight = (KNIGHT_NEAR if knights else 0) + (BISHOP_NEAR if bishops else 0)
    weight += (ROOK_NEAR if rooks else 0) + (QUEEN_NEAR if queens else 0)
    return (kinds + popcount(state.own & state.pawns & pawns_bite(zone))) * weight


@inlined
def danger(state: Chess, mine: Sight, theirs: Sight, sink: Any) -> int:
    """Count the danger to the other's king, one term a step; ``theirs``: what the other sees, from its own side.

    What makes up the pressure, and about how much of it, is known from Stockfish 11 to 15.
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
    points: Any = UNREST + _siege(state, mine, zone) + _checks(state, mine, theirs, king, safe)
    points += WEAK * popcount(zone & weak) + ADJACENT * beside_king
    points += BLOCKER * popcount(mine.blockers) + (WING_ATTACKS * attacks * attacks >> 3)
    points += MOBILE * (seen(mine) - seen(theirs)) - WING_DEFENCES * popcount(defended & wing)
    points -= SHIELD * popcount(zone & state.enemy & state.pawns)
    points -= KNIGHT_GUARD if theirs.knights & theirs.king else 0
    step = min(max(points, 0) >> FINENESS, DANGERS - 1)
    queen = state.own & state.diagonal & state.straight
    sum_ = count(sink, NO_PAWNS, 0 if state.pawns & wing else 1) + count(sink, WING_ATTACKED, attacks)
    return sum_ + count(sink, (DANGER if queen else QUEENLESS) + step, 1)
