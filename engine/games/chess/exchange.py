# SPDX-License-Identifier: GPL-3.0-or-later
"""Static exchange evaluation: what a move wins after all captures on the square where it arrives.

Both sides capture with their least valuable piece for as long as that pays; pieces behind others join in, pins are not
looked at, and of equal pieces the first in the order of squares captures, whatever stands behind the others. The loop
is the threshold test that Stockfish made well known: it never computes the value itself.
"""

import numpy as np

from engine.bits import Bits, lowest
from engine.game import exchange_reaches
from engine.games.chess.board import (
    C7,
    C8,
    C9,
    CASTLE,
    EN_PASSANT,
    KIND_AT,
    KING,
    KNIGHT,
    NOT_A,
    NOT_H,
    ONE,
    SQUARE,
    TARGET_AT,
    TO_BISHOP,
    TO_KNIGHT,
    TO_QUEEN,
    TO_ROOK,
    Chess,
)
from engine.games.chess.rules import BISHOP_VALUE, KNIGHT_VALUE, PAWN_VALUE, QUEEN_VALUE, ROOK_VALUE, worth
from engine.games.chess.sight import rays, sliders_of
from engine.kernel import compiled, implements, inlined
from engine.lanes import spread, union


@inlined
def pushers(state: Chess, target: Bits) -> Bits:
    """Return the pawns of both sides that attack a square."""
    own = (target & NOT_A) >> C9 | (target & NOT_H) >> C7
    enemy = (target & NOT_A) << C7 | (target & NOT_H) << C9
    return state.pawns & (own & state.own | enemy & state.enemy)


@inlined
def sliders_at(state: Chess, target: Bits, occupied: Bits) -> Bits:
    """Return the pieces of both sides that attack a square along a line."""
    return union(rays(spread(target), spread(~occupied)) & sliders_of(state)) & occupied


@inlined
def least(state: Chess, pieces: Bits) -> Bits:
    """Return all those of some pieces that are of the least valuable kind among them."""
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
    """Return the value of what a pawn becomes by a move of this kind, 0 for other moves."""
    if kind == TO_QUEEN:
        return QUEEN_VALUE
    if kind == TO_ROOK:
        return ROOK_VALUE
    if kind == TO_BISHOP:
        return BISHOP_VALUE
    return KNIGHT_VALUE if kind == TO_KNIGHT else 0


@compiled
def outlasts(state: Chess, target: Bits, occupied: Bits, balance: int) -> bool:
    """Return whether the mover, to whom the piece just put on a square is lost for ``balance``, still comes out ahead.

    ``balance``: what the other side is ahead by when it captures that piece for nothing, above 0.
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
        if piece & state.kings:  # captures last, and only what is not defended
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
