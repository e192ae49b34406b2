# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess kernels for the selective search: checks, captures, null moves, static exchange evaluation (SEE).

SEE: both sides capture on the target with their least valuable piece for as long as that pays. Pieces behind others
join in; pins are ignored; of equal pieces the first in the order of squares captures. The loop is a threshold test, as
in Stockfish: it never computes the value itself.
"""

import numpy as np

from engine.bitboards.bits import Bits, lowest
from engine.bitboards.lanes import lane, spread, union
from engine.game import Moves, ended
from engine.games.chess.attacks import in_check, rays, sliders_of, survey, turned
from engine.games.chess.board import (
    C7,
    C8,
    C9,
    CASTLE,
    EN_PASSANT,
    KIND_AT,
    KING,
    KNIGHT,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    NOT_A,
    NOT_H,
    ONE,
    PASSING,
    PLAIN,
    RANK_8,
    SQUARE,
    TARGET_AT,
    TO_BISHOP,
    TO_KNIGHT,
    TO_QUEEN,
    TO_ROOK,
    ZERO,
    Chess,
)
from engine.games.chess.moves import advances, list_back, list_from, list_passing
from engine.games.chess.rules import BISHOP_VALUE, KNIGHT_VALUE, PAWN_VALUE, QUEEN_VALUE, ROOK_VALUE, dead, worth
from engine.hints.alphabeta import aim, can_pass, exchange_reaches, passed, structure, tactical_moves, threatened
from engine.kernel import compiled, implements, inlined

# ---------------------------------------------------------------- checks, captures, passing


@implements(threatened, Chess)
def _threatened(state: Chess) -> bool:
    """In check."""
    return in_check(state)


@implements(ended, Chess)
def _ended(state: Chess) -> bool:
    """Insufficient material; mate and stalemate are found when there is no move."""
    return dead(state)


@implements(can_pass, Chess)
def _can_pass(state: Chess) -> bool:
    """Zugzwang is common with nothing but pawns."""
    return bool(state.own & ~(state.pawns | state.kings))


@implements(passed, Chess)
def _passed(state: Chess) -> Chess:
    return turned(state)


@compiled
def list_tactical(state: Chess, out: Moves) -> int:
    """Write the captures and promotions to a queen; return their number."""
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


@implements(structure, Chess)
def _structure(state: Chess) -> np.int64:
    """The pawns."""
    own, enemy = state.pawns & state.own, state.pawns & state.enemy
    mixed = own * Bits(0x9E3779B97F4A7C15) ^ enemy * Bits(0xC2B2AE3D27D4EB4F)
    return np.int64((mixed ^ mixed >> Bits(29)) * Bits(0xBF58476D1CE4E5B9) >> Bits(52))


# ---------------------------------------------------------------- static exchange evaluation


@inlined
def pushers(state: Chess, target: Bits) -> Bits:
    """Return the pawns of both sides that attack a square."""
    own = (target & NOT_A) >> C9 | (target & NOT_H) >> C7
    enemy = (target & NOT_A) << C7 | (target & NOT_H) << C9
    return state.pawns & (own & state.own | enemy & state.enemy)


@inlined
def sliders_at(state: Chess, target: Bits, occupied: Bits) -> Bits:
    """Return the sliders of both sides that attack a square."""
    return union(rays(spread(target), spread(~occupied)) & sliders_of(state)) & occupied


@inlined
def least(state: Chess, pieces: Bits) -> Bits:
    """Return the pieces of the least valuable kind among some pieces."""
    kind = pieces & state.pawns
    if not kind:
        kind = pieces & state.knights
    if not kind:
        kind = pieces & state.diagonal & ~state.straight
    if not kind:
        kind = pieces & state.straight & ~state.diagonal
    if not kind:
        kind = pieces & state.diagonal
    return kind or pieces


@inlined
def promoted(kind: Bits) -> int:
    """Return the value of the promoted piece, 0 for other kinds of moves."""
    if kind == TO_QUEEN:
        return QUEEN_VALUE
    if kind == TO_ROOK:
        return ROOK_VALUE
    if kind == TO_BISHOP:
        return BISHOP_VALUE
    return KNIGHT_VALUE if kind == TO_KNIGHT else 0


@compiled
def outlasts(state: Chess, target: Bits, occupied: Bits, balance: int) -> bool:
    """SEE loop: return whether the mover reaches the threshold after all captures on a square.

    ``balance``: points above the threshold of the other side if it captures the moved piece for nothing, above 0.
    """
    leapers = pushers(state, target) | KNIGHT[lowest(target)] & state.knights | KING[lowest(target)] & state.kings
    holds = True
    side, other = state.enemy, state.own
    while True:
        attackers = (leapers | sliders_at(state, target, occupied)) & occupied
        mine = attackers & side
        if not mine:
            return holds
        kind = least(state, mine)
        piece = kind & ~(kind - ONE)
        if piece & state.kings:  # the king captures last, and only if the square is not defended
            return holds if attackers & other else not holds
        holds = not holds
        balance = worth(state, piece) - balance
        if balance < (1 if holds else 0):
            return holds
        occupied ^= piece
        side, other = other, side


@implements(exchange_reaches, Chess)
def _exchange_reaches(state: Chess, move: int, least: int) -> bool:
    bits = np.uint64(move)
    origin, target, kind = ONE << (bits & SQUARE), ONE << (bits >> TARGET_AT & SQUARE), bits >> KIND_AT
    if kind == CASTLE:
        return least <= 0
    won, risked = worth(state, target & state.enemy), worth(state, origin)
    occupied = (state.own | state.enemy) & ~origin | target
    if kind == EN_PASSANT:
        won = PAWN_VALUE
        occupied ^= target >> C8
    elif TO_KNIGHT <= kind <= TO_QUEEN:
        won += promoted(kind) - PAWN_VALUE
        risked = promoted(kind)
    if won < least:
        return False
    if risked <= won - least:
        return True
    return outlasts(state, target, occupied, risked - (won - least))
