# SPDX-License-Identifier: GPL-3.0-or-later
"""How the rules of a game end a match: words for people, and marks on the board."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.drawing import Board


class End(NamedTuple):
    """A position that is over by the rules of its game, and the move that led there."""

    state: Any
    to_move: int
    winner: int | None
    """The seat that won; None: a draw."""
    points: float
    """The payoff of the winner; 0 in a draw."""
    before: Any = None
    """The state before the last move; None if it is unknown, and then so is the move."""
    move: int = -1


class Decision(NamedTuple):
    """What decided a match."""

    words: str = ""
    """How it ended, after "won" or "Draw", in English: "{0}" is the first of ``values``; "": the result is enough."""
    values: tuple[float, ...] = ()
    """Numbers in the words, whole or halves."""
    won: tuple[int, ...] = ()
    """The squares that won."""
    lost: tuple[int, ...] = ()
    """The squares of pieces that are captured or cannot move."""
    ghosts: tuple[tuple[int, str], ...] = ()
    """Squares and letters of the pieces that the last move captured."""


@dataclass(frozen=True, slots=True)
class Endings:
    """How the matches of a game end by its rules."""

    decide: Callable[[End], Decision] = lambda end: Decision()
    words: tuple[str, ...] = ()
    """All words that ``decide`` uses, for translations."""
    win: str = "decided"
    """A win as a noun, for lists, where no position is available."""
    draw: str = "decided"
    """A draw as a noun, for lists."""


UNTOLD = Endings()
"""The endings of a game that does not describe its endings."""

NO_MOVE = "because the opponent has no legal move"
IN_A_ROW, FULL = "with {0} in a row", "on a full board"
MARGIN = "by {0} points", "by one point"


def by_points(margin: float) -> Decision:
    """Return what a margin of points decides; its words are those of ``MARGIN``."""
    many, one = MARGIN
    return Decision(one if margin == 1 else many, (margin,))


def endings_by_lines(board: Board, diagram: Callable[[Any], str], length: int, win: str) -> Endings:
    """Return the endings of a game that ``length`` pieces in a row, column or diagonal win, and a full board draws.

    ``win``: such a line as a noun.
    """

    def decide(end: End) -> Decision:
        if end.winner is None:
            return Decision(FULL)
        seats = [seat_of(board, letter) for letter in diagram(end.state)]
        return Decision(IN_A_ROW, (length,), won=_lines(board, [seat == end.winner for seat in seats], length))

    return Endings(decide, (IN_A_ROW, FULL), win, "full board")


def seat_of(board: Board, letter: str) -> int | None:
    """Return the seat that owns a piece of a diagram; None: neither, or no piece."""
    return board.pieces[letter].seat if letter in board.pieces else None


def _lines(board: Board, owned: Sequence[bool], length: int) -> tuple[int, ...]:
    """Return the squares of all lines of ``length`` owned squares, in the order of the diagram."""
    found = set[int]()
    for square in range(len(owned)):
        row, column = divmod(square, board.columns)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            last, end = row + (length - 1) * down, column + (length - 1) * right
            line = [square + step * (down * board.columns + right) for step in range(length)]
            if last < board.rows and 0 <= end < board.columns and all(owned[each] for each in line):
                found.update(line)
    return tuple(sorted(found))
