# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of Dark Chess as kernels: chess without check, and what each seat sees.

A state is a position of chess and the men that were captured. Moves are those of ``engine.games.chess``. A side sees
its own men, the targets of its moves, and a pawn that it can capture en passant; so it does not see what blocks its
pawns, and, of the squares that its pawns attack, only those where they can capture.
"""

from typing import NamedTuple

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount
from engine.bitboards.lanes import lane, packed, rotated, spread, union
from engine.game import (
    Moves,
    features,
    information_key,
    irreversible,
    key,
    legal_moves,
    outcome,
    step,
    to_move,
)
from engine.games.chess import rules as chess
from engine.games.chess.attacks import rays, sliders_of, turned
from engine.games.chess.board import (
    C7,
    C8,
    C9,
    C16,
    CASTLE,
    CORNERS,
    DOUBLE,
    EN_PASSANT,
    FULL,
    JUMP,
    JUMP_INTO,
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
    SQUARE,
    TARGET_AT,
    TURN_AT,
    ZERO,
    Chess,
)
from engine.games.chess.moves import (
    SCRATCH,
    advances,
    castles,
    double_steps,
    list_advances,
    list_back,
    list_from,
    note_slides,
)
from engine.hints.alphabeta import gain
from engine.kernel import compiled, implements, inlined

WIDTH = 15 * 27 + 10 + SCRATCH
"""Bound of the number of moves: those of chess, and two of castling."""

COUNT_BITS, KIND_COUNTS, BLACK_AT = Bits(4), 5, Bits(32)
"""Captured men: 4 bits for each of pawns, knights, bishops, rooks and queens; White's first, Black's from bit 32."""
COUNT_MASK = Bits(15)


class DarkChess(NamedTuple):
    """A position of chess (see ``Chess``), and the men that each side has lost.

    ``PASSING`` is marked if a pawn stands ready to capture en passant.
    """

    own: Bits
    enemy: Bits
    pawns: Bits
    knights: Bits
    diagonal: Bits
    straight: Bits
    kings: Bits
    marks: Bits
    taken: Bits


@inlined
def board_of(state: DarkChess) -> Chess:
    """Return the position of chess."""
    return Chess(
        state.own,
        state.enemy,
        state.pawns,
        state.knights,
        state.diagonal,
        state.straight,
        state.kings,
        state.marks,
    )


@inlined
def with_board(board: Chess, taken: Bits) -> DarkChess:
    """Return a state."""
    return DarkChess(
        board.own,
        board.enemy,
        board.pawns,
        board.knights,
        board.diagonal,
        board.straight,
        board.kings,
        board.marks,
        taken,
    )


# ---------------------------------------------------------------- moves without check


@inlined
def takers(board: Chess) -> Bits:
    """Return the pawns that can capture en passant."""
    target = board.marks & PASSING
    return ((target & NOT_A) >> C9 | (target & NOT_H) >> C7) & board.own & board.pawns


@compiled
def list_all(board: Chess, out: Moves) -> int:
    """Write the moves of the side to move, which may leave its king attacked, and castle out of and through attacks.

    The order is that of ``engine.games.chess``. The buffer needs room for SCRATCH more moves.
    """
    sliders, empty = sliders_of(board), spread(~(board.own | board.enemy))
    free, targets = spread(board.own), ~board.own
    king = lowest(board.own & board.kings)
    found = list_from(out, 0, king, KING[king] & targets, PLAIN)
    if board.marks & CORNERS:
        found = list_from(out, found, king, castles(board, ZERO), CASTLE)
    noted = note_slides(out, board.own & (board.diagonal | board.straight), sliders & free, empty)
    pawns = advances(board, free, empty)
    movers = board.own & board.knights
    while movers:
        origin = lowest(movers)
        found = list_from(out, found, origin, KNIGHT[origin] & targets, PLAIN)
        movers &= movers - ONE
    for place in range(len(out) - 2, noted - 1, -2):
        found = list_from(out, found, np.uint64(out[place]), np.uint64(out[place + 1]) & targets, PLAIN)
    found = list_advances(out, found, lane(pawns, NORTH), C8)
    found = list_advances(out, found, lane(pawns, NORTH_EAST), C9)
    found = list_advances(out, found, lane(pawns, NORTH_WEST), C7)
    found = list_back(out, found, double_steps(board, pawns, FULL), C16, DOUBLE)
    if board.marks & PASSING:
        movers = takers(board)
        while movers:
            found = list_from(out, found, lowest(movers), board.marks & PASSING, EN_PASSANT)
            movers &= movers - ONE
    return found


@inlined
def reach(board: Chess) -> Bits:
    """Return the targets of the moves of the side to move, castling aside: a rook sees what the king passes."""
    sliders, empty = sliders_of(board), spread(~(board.own | board.enemy))
    free = spread(board.own)
    pawns = advances(board, free, empty)
    jumps = rotated(spread(board.own & board.knights), packed(JUMP)) & packed(JUMP_INTO)
    targets = union(rays(sliders & free, empty) | pawns | jumps) | double_steps(board, pawns, FULL)
    if board.own & board.kings:
        targets |= KING[lowest(board.own & board.kings)]
    if takers(board):
        targets |= board.marks & PASSING
    return targets & ~board.own


@compiled
def sight(state: DarkChess, seat: int) -> Bits:
    """Return the squares that a seat sees, numbered as the side to move does."""
    board = board_of(state)
    if seat == np.int64(state.marks >> TURN_AT & ONE):
        seen = reach(board) | board.own
        return seen | (board.marks & PASSING) >> C8 if takers(board) else seen
    board = turned(board)
    # the other side exchanges the ranks
    seen, flipped = reach(board) | board.own, ZERO
    for _ in range(8):
        flipped = flipped << C8 | seen & Bits(255)
        seen >>= C8
    return flipped


@implements(to_move, DarkChess)
def _to_move(state: DarkChess) -> np.int64:
    return np.int64(state.marks >> TURN_AT & ONE)


@implements(legal_moves, DarkChess)
def _legal_moves(state: DarkChess, out: Moves) -> int:
    return list_all(board_of(state), out)


@inlined
def kind_on(board: Chess, square: Bits) -> int:
    """Return the kind of the man on a square: 0 for a pawn, then knight, bishop, rook, queen and king."""
    if square & board.pawns:
        return 0
    if square & board.knights:
        return 1
    if square & board.kings:
        return 5
    if square & board.diagonal:
        return 4 if square & board.straight else 2
    return 3


@implements(step, DarkChess)
def _step(state: DarkChess, move: int) -> DarkChess:
    board, bits, taken = board_of(state), np.uint64(move), state.taken
    target, kind = ONE << (bits >> TARGET_AT & SQUARE), bits >> KIND_AT
    if kind == EN_PASSANT:
        target >>= C8
    if target & board.enemy:
        man = kind_on(board, target)
        if man < KIND_COUNTS:
            side = ZERO if state.marks >> TURN_AT & ONE else BLACK_AT
            taken += ONE << (side + COUNT_BITS * np.uint64(man))
    return with_board(chess.moved(board, bits), taken)


@inlined
def stuck(board: Chess) -> bool:
    """Return whether there is no move. Where a king can castle, a rook can move."""
    return reach(board) == ZERO


@implements(outcome, DarkChess)
def _outcome(state: DarkChess) -> tuple[bool, float, float]:
    """A captured king, no move, or insufficient material."""
    board = board_of(state)
    if not board.own & board.kings:
        lost = 1.0 if state.marks >> TURN_AT & ONE else -1.0
        return True, lost, -lost
    if not board.enemy & board.kings:
        won = -1.0 if state.marks >> TURN_AT & ONE else 1.0
        return True, won, -won
    return chess.dead(board) or stuck(board), 0.0, 0.0


@implements(irreversible, DarkChess)
def _irreversible(state: DarkChess, move: int) -> bool:
    """Captures and pawn moves."""
    bits = np.uint64(move)
    return bool(ONE << (bits & SQUARE) & state.pawns | ONE << (bits >> TARGET_AT & SQUARE) & state.enemy)


@implements(gain, DarkChess)
def _gain(state: DarkChess, move: int) -> int:
    """MVV-LVA as in chess; the king is worth more than all other men."""
    bits = np.uint64(move)
    if ONE << (bits >> TARGET_AT & SQUARE) & state.enemy & state.kings:
        return 10 * chess.QUEEN_VALUE
    return gain(board_of(state), move)


# ---------------------------------------------------------------- what a seat knows


@implements(information_key, DarkChess)
def _information_key(state: DarkChess, seat: int) -> int:
    """Squares that the seat does not see hold men of all kinds; it knows its own right to castle, and captured men."""
    seen = sight(state, seat)
    hidden, marks = ~seen, state.marks
    if seat == np.int64(marks >> TURN_AT & ONE):
        marks &= ~(CORNERS << Bits(56))
        if not takers(board_of(state)):
            marks &= ~PASSING
    else:
        marks &= ~(CORNERS | PASSING)
    known = DarkChess(
        state.own & seen | hidden,
        state.enemy & seen | hidden,
        state.pawns & seen | hidden,
        state.knights & seen | hidden,
        state.diagonal & seen | hidden,
        state.straight & seen | hidden,
        state.kings & seen | hidden,
        marks,
        state.taken,
    )
    return key(known)


# ---------------------------------------------------------------- evaluation


@inlined
def material(board: Chess, men: Bits) -> int:
    """Return the value of men, in centipawns."""
    queens = board.diagonal & board.straight
    return (
        chess.PAWN_VALUE * popcount(board.pawns & men)
        + chess.KNIGHT_VALUE * popcount(board.knights & men)
        + chess.BISHOP_VALUE * popcount(board.diagonal & ~queens & men)
        + chess.ROOK_VALUE * popcount(board.straight & ~queens & men)
        + chess.QUEEN_VALUE * popcount(queens & men)
    )


@implements(features, DarkChess)
def _features(state: DarkChess) -> tuple[int, int]:
    """Material in centipawns, and squares in reach: own minus other's."""
    board = board_of(state)
    other = turned(board)
    worth = material(board, board.own) - material(board, board.enemy)
    return worth, popcount(reach(board)) - popcount(reach(other))
