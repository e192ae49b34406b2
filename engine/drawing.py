# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards and pieces: how pages draw any game, from a grid and a shape for each letter of a diagram."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Shape: TypeAlias = Literal[
    "disc",
    "plain disc",
    "counter",
    "man",
    "crowned disc",
    "nought",
    "cross",
    "token",
    "stone",
    "pawn",
    "knight",
    "bishop",
    "rook",
    "queen",
    "king",
    "tile",
    "crossed tile",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "card back",
    "blank card",
    "spade",
    "heart",
    "diamond",
    "club",
    "ship left",
    "ship across",
    "ship right",
    "ship top",
    "ship down",
    "ship bottom",
    "hit ship left",
    "hit ship across",
    "hit ship right",
    "hit ship top",
    "hit ship down",
    "hit ship bottom",
    "wreck left",
    "wreck across",
    "wreck right",
    "wreck top",
    "wreck down",
    "wreck bottom",
    "splash",
    "blast",
    "sinking",
]
Tone: TypeAlias = Literal["dark", "light", "neutral", "red", "yellow"]
Style: TypeAlias = Literal[
    "checkered", "grid", "felt", "holes", "lines", "heaps", "points", "cards", "table", "seas", "rounds"
]


@dataclass(frozen=True, slots=True)
class Piece:
    """A letter of a diagram: a shape that the pages know, in the tone of its side."""

    name: str
    shape: Shape
    seat: int | None
    """The owner's seat; None: no owner."""
    tone: Tone | None = None
    """None: dark for seat 0, light for seat 1, neutral without an owner."""
    count: int = 1
    """How many pieces of the shape the letter stands for: a stack."""
    mark: str = ""
    """A short text on the piece, such as the rank of a card."""

    @property
    def shade(self) -> Tone:
        """The tone of the drawing."""
        tones: tuple[Tone, Tone] = ("dark", "light")
        return self.tone or ("neutral" if self.seat is None else tones[self.seat])


class Aside(NamedTuple):
    """What a state shows besides its diagram: beside the squares, and beside the names of the sides."""

    counts: tuple[float, float] | None = None
    """A number for each seat, such as its points; ``Board.counted`` is the name of the number."""
    dice: tuple[int, ...] = ()
    """The faces of the dice of the roll that the seat to move plays."""
    roller: int = 0
    """The seat that plays the roll."""
    cube: int = 0
    """The value of the doubling cube; 0: there is none."""
    owner: int | None = None
    """The seat that has the cube; None: both may double."""
    bets: tuple[float, float] | None = None
    """The chips of each seat in the pot."""
    history: str = ""
    """The moves of the current hand, in the game's notation."""


@dataclass(frozen=True, slots=True)
class Board:
    """A grid board. A diagram is a text of ``rows * columns`` letters, the top row first, "." for an empty square.

    ``style``: "checkered" (two colours of squares), "grid" (lines between squares), "felt" (green, with lines between
    squares), "holes" (an upright blue frame with a hole for each square, where discs fall down; it is never turned),
    "lines" (wood, with lines through the middle of the squares, which are points), "heaps" (each row a heap, no
    squares drawn), "points" (the board of backgammon, with 2 rows of 14 columns: six points, the bar, six points and
    a tray; it is turned by exchanging the rows), "cards" (a table with rows of cards of seat 1, of the middle and of
    seat 0; the cards of a row are side by side in its middle; it is turned like "points"), "table" (felt without lines,
    for the cards of four players; it is turned by a quarter), "seas" (two squares of water side by side with an empty
    column between them, seat 0's first; it is turned by exchanging them) or "rounds" (strips of two rows, of which each
    column is a round of a repeated game, with the action of seat 1 above that of seat 0; it is turned by exchanging
    both rows of each strip).
    ``labels``: a text for each square, row by row ("" for none); None: those of ``LABELS``.
    """

    rows: int
    columns: int
    style: Style
    pieces: Mapping[str, Piece]
    labels: tuple[str, ...] | None = None
    bottom: int = 0
    """The seat at the bottom of the diagram."""
    dots: tuple[int, ...] = ()
    """Points of "lines" that a dot marks, such as the star points of Go."""
    counted: str = ""
    """What ``Aside.counts`` are, as a plural with "s", such as "discs"."""

    @property
    def counted_one(self) -> str:
        """What a count of 1 is, such as "disc"."""
        return self.counted.removesuffix("s")

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each square; empty if there are no texts."""
        if self.labels is not None:
            return self.labels
        return LABELS.get(self.style, edge_labels)(self.rows, self.columns)


def edge_labels(rows: int, columns: int) -> tuple[str, ...]:
    """Return the coordinates at the edges of a grid: letters in the lowest row, numbers in the left column.

    The corner has both.
    """
    letters = [_letters(column) for column in range(columns)]
    labels = [""] * (rows * columns)
    for row in range(rows):
        labels[row * columns] = str(rows - row)
    labels[-columns:] = letters
    labels[-columns] = f"{letters[0]}1"
    return tuple(labels)


def point_labels(rows: int, columns: int) -> tuple[str, ...]:
    """Return the numbers of the points of backgammon: 13 to 24 in the upper row, 12 to 1 in the lower one."""
    upper, lower = [str(point) for point in range(13, 25)], [str(point) for point in range(12, 0, -1)]
    return tuple(label for row in (upper, lower) for label in (*row[:6], "", *row[6:], ""))


def no_labels(rows: int, columns: int) -> tuple[str, ...]:
    """Return no labels."""
    return ()


LABELS: Mapping[Style, Callable[[int, int], tuple[str, ...]]] = {
    "heaps": no_labels,
    "cards": no_labels,
    "points": point_labels,
}
"""Default labels by style, as functions of the numbers of rows and columns. Styles without an entry have coordinates at
the edges: letters below, and numbers at the left that start from below (a1).
"""


def _letters(column: int) -> str:
    """Return the letters of a column: a, b, ... z, aa, ab, ..."""
    more, last = divmod(column, 26)
    return (_letters(more - 1) if more else "") + chr(ord("a") + last)
