# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening books of chess in Polyglot's format, read through python-chess; the only files that this room opens."""

import random
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import chess
import chess.polyglot

_ENTRY = 16
"""Bytes."""


class Choice(NamedTuple):
    """A book's move, in the game's own notation, and how often it is to be played compared with the others."""

    move: str
    weight: int


class Book:
    """An open book; close it, or use it in a ``with``."""

    def __init__(self, path: Path) -> None:
        """Raises OSError when the file cannot be opened and ValueError when it is no book."""
        if path.stat().st_size % _ENTRY:
            raise ValueError(f"{path.name} is no Polyglot book: its size is no multiple of {_ENTRY} bytes")
        self._reader = chess.polyglot.open_reader(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def choices(self, position: str) -> list[Choice]:
        """Return the legal moves that the book has for a position, the weightiest first; none outside of the book."""
        entries = self._reader.find_all(chess.Board(position))
        found = [Choice(entry.move.uci(), entry.weight) for entry in entries]
        return sorted(found, key=lambda choice: -choice.weight)

    def draw(self, position: str, chance: random.Random) -> str | None:
        """Return a move drawn by weight; None outside of the book."""
        choices = self.choices(position)
        if not choices:
            return None
        return chance.choices([choice.move for choice in choices], [choice.weight for choice in choices])[0]
