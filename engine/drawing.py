# SPDX-License-Identifier: GPL-3.0-or-later
"""How a game is drawn: a grid, and a shape for each letter of its diagrams; all that pages need to show any game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Shape: TypeAlias = Literal[
    "disc",
    "crowned disc",
    "nought",
    "cross",
    "token",
    "pawn",
    "knight",
    "bishop",
    "rook",
    "queen",
    "king",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
]
Tone: TypeAlias = Literal["dark", "light", "neutral"]


@dataclass(frozen=True, slots=True)
class Piece:
    """How a letter of a diagram is drawn: a shape known to the pages, in the tone of its side."""

    name: str
    shape: Shape
    seat: int | None
    """Whose it is; None: nobody's."""
    tone: Tone | None = None
    """None: dark for seat 0, light for seat 1, neutral for nobody."""

    @property
    def shade(self) -> Tone:
        """The tone it is drawn in."""
        tones: tuple[Tone, Tone] = ("dark", "light")
        return self.tone or ("neutral" if self.seat is None else tones[self.seat])


@dataclass(frozen=True, slots=True)
class Board:
    """A grid board. A diagram is a text of ``rows * columns`` letters, the top row first, "." for an empty square.

    ``style``: "checkered" (two colours of squares), "grid" (lines between squares) or "heaps" (each row a heap, no
    squares drawn).
    ``labels``: a text for each square, row by row ("" for none), as the game's notation names it.
    """

    rows: int
    columns: int
    style: Literal["checkered", "grid", "heaps"]
    pieces: Mapping[str, Piece]
    labels: tuple[str, ...] = ()
    bottom: int = 0
    """The seat that sits at the bottom of the diagram."""
