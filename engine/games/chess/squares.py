# SPDX-License-Identifier: GPL-3.0-or-later
"""Squares and moves as people see them: white at the bottom, whoever is to move."""

from engine.game import State
from engine.games.chess.board import BLACK, SQUARE, TARGET_AT, TO_KNIGHT, TO_QUEEN

FILES, RANKS = "abcdefgh", "12345678"
NAMES = tuple(file + rank for rank in RANKS for file in FILES)
"""Of the squares a1, b1, ... h8."""

KINDS = "PNBRQK"
PROMOTED = "NBRQ"
"""Letters in the order of the kinds of moves."""


def black_moves(state: State) -> bool:
    """Return whether black is to move."""
    return bool(int(state.marks) & int(BLACK))


def seen(state: State, square: int) -> int:
    """Return a mover's square as white sees it, or white's as the mover does."""
    return square ^ 56 if black_moves(state) else square


def origin(state: State, move: int) -> int:
    """Return the square a move leaves."""
    return seen(state, move & int(SQUARE))


def target(state: State, move: int) -> int:
    """Return the square a move reaches."""
    return seen(state, move >> int(TARGET_AT) & int(SQUARE))


def promotion(move: int) -> str:
    """Return the letter of the piece that a pawn becomes, "" for another move."""
    kind = move >> 12
    return PROMOTED[kind - int(TO_KNIGHT)] if TO_KNIGHT <= kind <= TO_QUEEN else ""


def men(state: State) -> dict[int, str]:
    """Return the letter of the piece on every taken square."""
    own, enemy, pawns, knights, diagonal, straight, kings, _ = (int(board) for board in state)
    turn = 56 if black_moves(state) else 0
    white = enemy if turn else own
    boards = (pawns, knights, diagonal & ~straight, straight & ~diagonal, diagonal & straight, kings)
    found: dict[int, str] = {}
    for letter, board in zip(KINDS, boards, strict=True):
        left = board & (own | enemy)
        while left:
            bit = left & -left
            found[(bit.bit_length() - 1) ^ turn] = letter if white & bit else letter.lower()
            left ^= bit
    return found


def diagram(state: State) -> str:
    """Draw a state, a8 first."""
    found = men(state)
    return "".join(found.get(square ^ 56, ".") for square in range(64))


def touched(state: State, move: int) -> tuple[int, int]:
    """Return the places in the diagram that a move leaves and reaches."""
    return origin(state, move) ^ 56, target(state, move) ^ 56
