# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess bitboards: encoding of positions and moves, tables of steps and jumps.

Square a1 is bit 0, b1 bit 1, h8 bit 63. A position is seen by the side to move, whose pawns move up: if black is to
move, the ranks are exchanged, so the rules have one side only. Each move turns the board over.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.bitboards.bits import Bits

Boards = tuple[Bits, ...]


class Chess(NamedTuple):
    """A position: eight boards, one for each lane."""

    own: Bits
    enemy: Bits
    pawns: Bits
    """Of both sides, like all boards below."""
    knights: Bits
    diagonal: Bits
    """Bishops and queens."""
    straight: Bits
    """Rooks and queens."""
    kings: Bits
    marks: Bits
    """Corners of rooks with castling rights. PASSING: target of a legal capture en passant. WHITE or BLACK: the side to
    move; turning the board over exchanges them."""


FULL, ZERO, ONE = Bits(2**64 - 1), Bits(0), Bits(1)
C3, C6, C7, C8, C9, C12, C16 = (Bits(count) for count in (3, 6, 7, 8, 9, 12, 16))
"""Counts as uint64: compiled code would convert a sum with an int to a float."""

NOT_A, NOT_H = Bits(0xFEFEFEFEFEFEFEFE), Bits(0x7F7F7F7F7F7F7F7F)
RANK_3, RANK_7, RANK_8 = (Bits(0xFF << 8 * rank) for rank in (2, 6, 7))
LIGHT_SQUARES = Bits(0x55AA55AA55AA55AA)

PASSING = Bits(0xFF << 40)
WHITE, BLACK = Bits(1 << 24), Bits(1 << 32)
TURN_AT = Bits(32)

A1, C1, G1, H1 = (Bits(1 << file) for file in (0, 2, 6, 7))
CORNERS = A1 | H1
SHORT_GAP, LONG_GAP = Bits(0x60), Bits(0x0E)
"""Squares that must be empty for castling."""
LONG_WAY = Bits(0x0C)
"""Squares that must not be attacked for long castling; for short castling, SHORT_GAP."""
SHORT_ROOK, LONG_ROOK = Bits(0xA0), Bits(0x09)
"""Origin and target of a castling rook."""

# a move: origin (6 bits), target (6), kind (3), as the mover sees them; castling is a king's move by two steps
TARGET_AT, KIND_AT, SQUARE = C6, C12, Bits(63)
PLAIN, TO_KNIGHT, TO_BISHOP, TO_ROOK, TO_QUEEN, EN_PASSANT, CASTLE, DOUBLE = (Bits(kind) for kind in range(8))
"""Kinds of moves: promotions, and moves that change more than the origin and the target."""


def _within(file: int, rank: int) -> bool:
    return 0 <= file < 8 and 0 <= rank < 8


def _leaps(square: int, jumps: list[tuple[int, int]]) -> int:
    file, rank = square % 8, square // 8
    return sum(1 << 8 * (rank + y) + file + x for x, y in jumps if _within(file + x, rank + y))


def _into(x: int, y: int) -> int:
    """Return the possible targets of a step by (x, y)."""
    return sum(1 << square for square in range(64) if _within(square % 8 - x, square // 8 - y))


def _boards(values: list[int]) -> Boards:
    return tuple(Bits(value % 2**64) for value in values)


DIRECTIONS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
"""Directions of the lanes: north, north-east, east, and so on; even lanes are straight, odd ones diagonal."""

NORTH, NORTH_EAST, NORTH_WEST = ZERO, ONE, C7
"""Lanes of pawn moves."""

JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
"""Lanes of knight moves."""

KNIGHT: NDArray[np.uint64] = np.array([_leaps(square, JUMPS) for square in range(64)], np.uint64)
KING: NDArray[np.uint64] = np.array([_leaps(square, DIRECTIONS) for square in range(64)], np.uint64)
"""Targets of a knight and of a king on each square of an empty board."""

STEP, STEP_2, STEP_4 = (_boards([n * (x + 8 * y) % 64 for x, y in DIRECTIONS]) for n in (1, 2, 4))
"""Rotations by one, two and four steps in each direction."""
STEP_INTO = _boards([_into(*direction) for direction in DIRECTIONS])
JUMP, JUMP_INTO = _boards([(x + 8 * y) % 64 for x, y in JUMPS]), _boards([_into(*jump) for jump in JUMPS])

PUSH = _boards([-1, 0, 0, 0, 0, 0, 0, 0])
TAKE = _boards([_into(x, y) * (x != 0 and y == 1) for x, y in DIRECTIONS])
"""Possible targets of pawn captures."""
BITE = _boards([_into(x, y) * (x != 0 and y == -1) for x, y in DIRECTIONS])
"""The same for the enemy's pawns."""

LOST: NDArray[np.uint64] = np.array(
    [{4: int(CORNERS), 0: 1, 7: 1 << 7, 56: 1 << 56, 63: 1 << 63}.get(square, 0) for square in range(64)], np.uint64
)
"""Castling rights that a move from or to each square removes."""

MEN = _boards([-1] * 7 + [0])
"""All boards except the marks."""
CARRIED = _boards([1, 0, 1, 1, 1, 1, 1, 0])
"""Bit 0 of the boards that move with a piece."""
FORGOTTEN = _boards([0] * 7 + [int(PASSING)])
"""Marks that last for one move."""

_FIELDS = ("own", "enemy", "pawns", "knights", "diagonal", "straight", "kings", "marks")
_CHANGES: list[set[str]] = [
    set(),
    {"pawns", "knights"},
    {"pawns", "diagonal"},
    {"pawns", "straight"},
    {"pawns", "diagonal", "straight"},
    {"enemy", "pawns"},
    {"own", "straight"},
    {"marks"},
]
CHANGED: NDArray[np.uint64] = np.array([FULL if field in kind else ZERO for kind in _CHANGES for field in _FIELDS])
"""For each kind of move, a row of eight: the additional boards that it changes."""
