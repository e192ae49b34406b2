# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess rules as kernels: making moves, end of the game, hash keys, gains of moves."""

import random

import numpy as np

from engine.bitboards.bits import Bits, popcount
from engine.bitboards.lanes import exchanged, left, packed, right, row, spread, total, unpacked, upside_down, where
from engine.game import Moves, continuations, count_moves, irreversible, key, legal_moves, outcome, pick, step, to_move
from engine.games.chess.attacks import in_check
from engine.games.chess.board import (
    C8,
    CARRIED,
    CASTLE,
    CHANGED,
    DOUBLE,
    EN_PASSANT,
    G1,
    KIND_AT,
    LIGHT_SQUARES,
    LONG_ROOK,
    LOST,
    MEN,
    NOT_A,
    NOT_H,
    ONE,
    PASSING,
    SHORT_ROOK,
    SQUARE,
    TARGET_AT,
    TO_BISHOP,
    TO_KNIGHT,
    TO_QUEEN,
    TO_ROOK,
    TURN_AT,
    ZERO,
    Chess,
)
from engine.games.chess.moves import able, count, list_moves, passing
from engine.games.chess.picking import NONE, picked
from engine.hints.alphabeta import gain, slot
from engine.kernel import compiled, implements, inlined

PAWN_VALUE, KNIGHT_VALUE, BISHOP_VALUE, ROOK_VALUE, QUEEN_VALUE = 100, 330, 330, 500, 900

SLOT_MASK = 4095
"""Origin and target."""


@implements(to_move, Chess)
def _to_move(state: Chess) -> np.int64:
    return np.int64(state.marks >> TURN_AT & ONE)


@implements(legal_moves, Chess)
def _legal_moves(state: Chess, out: Moves) -> int:
    return list_moves(state, out)


@implements(count_moves, Chess)
def _count_moves(state: Chess, out: Moves) -> np.int64:
    return np.int64(count(state))


# ---------------------------------------------------------------- making a move


@inlined
def besides(state: Chess, target: Bits, kind: Bits) -> Bits:
    """Return the additional squares that a special move changes on the boards of CHANGED."""
    if kind == DOUBLE:  # noted only if a pawn can capture
        ready = (target & NOT_A) >> ONE | (target & NOT_H) << ONE
        return target >> C8 if ready & state.enemy & state.pawns else ZERO
    if kind == EN_PASSANT:
        return target >> C8
    if kind == CASTLE:
        return SHORT_ROOK if target == G1 else LONG_ROOK
    return target


@inlined
def moved(state: Chess, move: Bits) -> Chess:
    """Return the state after a move; it may note a capture en passant that is illegal because of a pin."""
    origin, target, kind = move & SQUARE, move >> TARGET_AT & SQUARE, move >> KIND_AT
    left_behind = spread(ONE << origin | ONE << target)
    lost = spread(LOST[origin] | LOST[target] | PASSING)
    boards = packed(state)
    carried = left(right(boards, origin) & packed(CARRIED), target)
    boards = boards & ~where(packed(MEN), left_behind, lost) | carried
    if kind:
        boards = boards ^ spread(besides(state, ONE << target, kind)) & row(CHANGED, kind)
    return Chess(*unpacked(exchanged(upside_down(boards))))


@compiled
def without_pinned_capture(state: Chess) -> Chess:
    """Return the state, without the note of a capture en passant if none is legal."""
    if passing(state):
        return state
    return Chess(
        state.own,
        state.enemy,
        state.pawns,
        state.knights,
        state.diagonal,
        state.straight,
        state.kings,
        state.marks & ~PASSING,
    )


@implements(step, Chess)
def _step(state: Chess, move: int) -> Chess:
    state = moved(state, np.uint64(move))
    if state.marks & PASSING:
        return without_pinned_capture(state)
    return state


# ---------------------------------------------------------------- end of the game


@inlined
def dead(state: Chess) -> bool:
    """Insufficient material: kings with at most one minor piece, or with bishops on squares of one colour."""
    if state.pawns | state.straight:
        return False
    if popcount(state.knights | state.diagonal) < 2:
        return True
    return not state.knights and (
        not state.diagonal & LIGHT_SQUARES or state.diagonal & LIGHT_SQUARES == state.diagonal
    )


@implements(continuations, Chess)
def _continuations(state: Chess, out: Moves) -> np.int64:
    return np.int64(0) if dead(state) else np.int64(count(state))


@implements(pick, Chess)
def _pick(state: Chess, chance: Bits, out: Moves) -> np.int64:
    return np.int64(NONE) if dead(state) else np.int64(picked(state, chance))


@implements(outcome, Chess)
def _outcome(state: Chess) -> tuple[bool, float, float]:
    """Checkmate, stalemate, or insufficient material."""
    if not able(state):
        loss = 0.0
        if in_check(state):
            loss = 1.0 if state.marks >> TURN_AT & ONE else -1.0
        return True, loss, -loss
    return dead(state), 0.0, 0.0


# ---------------------------------------------------------------- for searches


def _odd(seed: int) -> tuple[Bits, ...]:
    """Return eight odd random factors."""
    chance = random.Random(seed)
    return tuple(Bits(chance.getrandbits(64) | 1) for _ in range(8))


FACTORS, MORE_FACTORS = _odd(1), _odd(2)
HALF = Bits(32)


@implements(key, Chess)
def _key(state: Chess) -> Bits:
    """Hash key: each board is mixed in two rounds with its own factors, and so is their sum."""
    boards = packed(state) * packed(FACTORS)
    boards = (boards ^ right(boards, HALF)) * packed(MORE_FACTORS)
    mixed = total(boards ^ right(boards, HALF)) * FACTORS[0]
    return mixed ^ mixed >> HALF


@implements(irreversible, Chess)
def _irreversible(state: Chess, move: int) -> bool:
    """Captures and pawn moves, as in the fifty-move rule; the loss of castling rights does not count."""
    bits = np.uint64(move)
    return bool(ONE << (bits & SQUARE) & state.pawns | ONE << (bits >> TARGET_AT & SQUARE) & state.enemy)


@inlined
def worth(state: Chess, square: Bits) -> int:
    """Return the value of the piece on a square, 0 where there is none or a king."""
    if square & state.pawns:
        return PAWN_VALUE
    if square & state.knights:
        return KNIGHT_VALUE
    if square & state.diagonal:
        return QUEEN_VALUE if square & state.straight else BISHOP_VALUE
    return ROOK_VALUE if square & state.straight else 0


@implements(gain, Chess)
def _gain(state: Chess, move: int) -> int:
    """MVV-LVA: the captured value less a hundredth of the attacker's; for promotions, the difference to a pawn."""
    bits = np.uint64(move)
    origin, target, kind = ONE << (bits & SQUARE), ONE << (bits >> TARGET_AT & SQUARE), bits >> KIND_AT
    points = 0
    if target & state.enemy:
        points = worth(state, target) - worth(state, origin) // 100
    elif kind == EN_PASSANT:
        points = PAWN_VALUE - PAWN_VALUE // 100
    if kind == TO_QUEEN:
        points += QUEEN_VALUE - PAWN_VALUE
    elif kind == TO_ROOK:
        points += ROOK_VALUE - PAWN_VALUE
    elif TO_KNIGHT <= kind <= TO_BISHOP:
        points += KNIGHT_VALUE - PAWN_VALUE
    return points


@implements(slot, Chess)
def _slot(state: Chess, move: int) -> int:
    return move & SLOT_MASK
