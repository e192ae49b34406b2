# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search for the best move asks of chess besides the rules: checks, captures alone, passing."""

import numpy as np

from engine.bits import Bits, lowest
from engine.game import Moves, aim, can_pass, ended, passed, skeleton, tactical_moves, threatened
from engine.games.chess.board import (
    C7,
    C8,
    C9,
    KING,
    KNIGHT,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    ONE,
    PASSING,
    PLAIN,
    RANK_8,
    SQUARE,
    TARGET_AT,
    TO_QUEEN,
    ZERO,
    Chess,
)
from engine.games.chess.moves import advances, list_back, list_from, list_passing
from engine.games.chess.rules import dead
from engine.games.chess.sight import in_check, rays, survey, turned
from engine.kernel import compiled, implements
from engine.lanes import lane, spread, union


@implements(threatened, Chess)
def _threatened(state: Chess) -> bool:
    """In check."""
    return in_check(state)


@implements(ended, Chess)
def _ended(state: Chess) -> bool:
    """Mate and stalemate show when there is no move."""
    return dead(state)


@implements(can_pass, Chess)
def _can_pass(state: Chess) -> bool:
    """With nothing but pawns zugzwang is common."""
    return bool(state.own & ~(state.pawns | state.kings))


@implements(passed, Chess)
def _passed(state: Chess) -> Chess:
    return turned(state)


@compiled
def list_tactical(state: Chess, out: Moves) -> int:
    """Write the captures and the promotions to a queen, and return how many there are."""
    attacked, must, pinned, free, sliders, empty = survey(state)
    king = lowest(state.own & state.kings)
    found = list_from(out, 0, king, KING[king] & state.enemy & ~attacked, PLAIN)
    targets = must & state.enemy
    movers = state.own & state.knights & ~pinned if targets else ZERO
    while movers:
        origin = lowest(movers)
        found = list_from(out, found, origin, KNIGHT[origin] & targets, PLAIN)
        movers &= movers - ONE
    movers = state.own & (state.diagonal | state.straight) if targets else ZERO
    while movers:
        lines = rays(sliders & free & spread(movers & ~(movers - ONE)), empty)
        found = list_from(out, found, lowest(movers), union(lines) & targets, PLAIN)
        movers &= movers - ONE
    pawns = advances(state, free, empty)
    found = list_captures(out, found, lane(pawns, NORTH_EAST) & targets, C9)
    found = list_captures(out, found, lane(pawns, NORTH_WEST) & targets, C7)
    found = list_back(out, found, lane(pawns, NORTH) & must & RANK_8, C8, TO_QUEEN)
    if state.marks & PASSING:
        found = list_passing(state, out, found)
    return found


@compiled
def list_captures(out: Moves, found: int, targets: Bits, back: Bits) -> int:
    """Append captures by pawns; of promotions only those to a queen."""
    found = list_back(out, found, targets & ~RANK_8, back, PLAIN)
    return list_back(out, found, targets & RANK_8, back, TO_QUEEN)


@implements(tactical_moves, Chess)
def _tactical_moves(state: Chess, out: Moves) -> int:
    return list_tactical(state, out)


@implements(aim, Chess)
def _aim(state: Chess, move: int) -> np.int64:
    """The piece and its target."""
    bits = np.uint64(move)
    origin = ONE << (bits & SQUARE)
    piece = 0
    if origin & state.knights:
        piece = 1
    elif origin & state.diagonal:
        piece = 4 if origin & state.straight else 2
    elif origin & state.straight:
        piece = 3
    elif origin & state.kings:
        piece = 5
    return np.int64(1 + (piece << 6)) + np.int64(bits >> TARGET_AT & SQUARE)


@implements(skeleton, Chess)
def _skeleton(state: Chess) -> np.int64:
    """The pawns."""
    own, enemy = state.pawns & state.own, state.pawns & state.enemy
    mixed = own * Bits(0x9E3779B97F4A7C15) ^ enemy * Bits(0xC2B2AE3D27D4EB4F)
    return np.int64((mixed ^ mixed >> Bits(29)) * Bits(0xBF58476D1CE4E5B9) >> Bits(52))
