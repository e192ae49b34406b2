# SPDX-License-Identifier: GPL-3.0-or-later
"""Othello notation: moves ("f5", "pass"), positions as lines of OBF, diagrams, and the board.

OBF (Othello Board Format) has the squares row by row from a1 at the top left, X for black, O for white and - for an
empty square, then the side to move.
"""

import re
from collections.abc import Callable
from typing import Any

from engine.bitboards.bits import Bits
from engine.decision import Decision, End
from engine.drawing import Aside, Board, Piece
from engine.game import State
from engine.games.othello.board import PASS

PASSED = "pass"
_PASSES = frozenset({"pass", "pa", "ps", "--", "@@"})
"""Accepted spellings of a pass."""

SIDES = ("X", "O")
_LETTERS = str.maketrans("*#BbxWwo0._", "XXXXXOOOO--")
"""Other spellings of the letters of a position."""

_SQUARE = re.compile(r"[a-h][1-8]")


def squares_of(size: int) -> tuple[int, ...]:
    """Return the bits of the squares of a board of ``size`` × ``size``, row by row."""
    edge = (8 - size) // 2
    return tuple(8 * row + column for row in range(edge, edge + size) for column in range(edge, edge + size))


def board_of(size: int) -> Board:
    """Return the drawing of a board: letters along the top, row numbers that count from the top."""
    labels = [""] * size**2
    labels[:size] = "abcdefgh"[:size]
    labels[::size] = map(str, range(1, size + 1))
    labels[0] = "a1"
    pieces = {"X": Piece("black disc", "plain disc", 0), "O": Piece("white disc", "plain disc", 1)}
    return Board(size, size, "felt", pieces, tuple(labels), counted="discs")


def name_of(size: int, move: int) -> str:
    """Return the text of a move."""
    if move == PASS:
        return PASSED
    edge = (8 - size) // 2
    return f"{'abcdefgh'[move % 8 - edge]}{move // 8 - edge + 1}"


def read_move(state: State, text: str) -> str:
    """Accept capital letters and other spellings of a pass."""
    text = text.strip().lower()
    return PASSED if text in _PASSES else text


# ---------------------------------------------------------------- positions


def start() -> tuple[Bits, Bits, Bits]:
    """Return the fields of the initial state: black on d5 and e4 of the large board, black to move."""
    return Bits(1 << 28 | 1 << 35), Bits(1 << 27 | 1 << 36), Bits(0)


def parse_position(size: int, text: str) -> tuple[Bits, Bits, Bits]:
    """Read a line of OBF as fields of a state; what follows a semicolon is ignored.

    Raises ValueError, with a readable message, if it is not a position.
    """
    letters = "".join(text[:400].partition(";")[0].split()).translate(_LETTERS)
    cells, side = letters[:-1], letters[-1:]
    if len(cells) != size**2 or set(cells) - {"X", "O", "-"} or side not in SIDES:
        raise ValueError(
            f"{text[:80]!r} is not a position; write {size**2} squares from a1 row by row as X, O or -, and the side "
            f"to move, like {format_position(size, start())}"
        )
    black, white = (
        Bits(sum(1 << bit for bit, cell in zip(squares_of(size), cells, strict=True) if cell == letter))
        for letter in SIDES
    )
    return (black, white, Bits(0)) if side == SIDES[0] else (white, black, Bits(1))


def format_position(size: int, state: Any) -> str:
    """Write a state as a line of OBF, without the semicolon."""
    return f"{diagram(size, state).replace('.', '-')} {SIDES[int(state[2])]}"


def diagram(size: int, state: Any) -> str:
    """Draw a state, a1 at the top left."""
    own, enemy, turn = map(int, state)
    black, white = (enemy, own) if turn else (own, enemy)
    return "".join("X" if black >> bit & 1 else "O" if white >> bit & 1 else "." for bit in squares_of(size))


def aside(state: Any) -> Aside:
    """Return the numbers of discs."""
    own, enemy, turn = map(int, state)
    black, white = (enemy, own) if turn else (own, enemy)
    return Aside(counts=(black.bit_count(), white.bit_count()))


NUMBERS, WITH_EMPTY = "with {0} discs to {1}", "with {0} discs to {1} ({2} to {1} with the empty squares)"


def decide(size: int, end: End) -> Decision:
    """Return the numbers of discs, with the empty squares if there are some: tournaments give them to the winner."""
    fewer, more = sorted((int(end.state[0]).bit_count(), int(end.state[1]).bit_count()))
    if fewer == more or fewer + more == size**2:
        return Decision(NUMBERS, (more, fewer))
    return Decision(WITH_EMPTY, (more, fewer, size**2 - fewer))


def touched(size: int) -> Callable[[State, int], tuple[int, ...]]:
    """Return the function that tells the square of a move in the diagram; a pass touches none."""
    places = {bit: place for place, bit in enumerate(squares_of(size))}
    return lambda state, move: () if move == PASS else (places[move],)
