# SPDX-License-Identifier: GPL-3.0-or-later
"""Polyglot opening books of chess, read with python-chess."""

import random
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import chess
import chess.polyglot

_ENTRY = 16
"""Bytes."""


class Choice(NamedTuple):
    """A book move in the game's notation, and its relative weight."""

    move: str
    weight: int


class Book:
    """An open book; close it, or use it in a ``with``."""

    def __init__(self, path: Path) -> None:
        """Raises OSError if the file cannot be opened, and ValueError if it is not a book."""
        if path.stat().st_size % _ENTRY:
            raise ValueError(f"{path.name} is not a Polyglot book: its size is not a multiple of {_ENTRY} bytes")
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
        """Return the book moves of a position, largest weight first; none outside of the book."""
        entries = self._reader.find_all(chess.Board(position))
        found = [Choice(entry.move.uci(), entry.weight) for entry in entries]
        return sorted(found, key=lambda choice: -choice.weight)

    def draw(self, position: str, chance: random.Random) -> str | None:
        """Return a random book move by weight; None outside of the book."""
        choices = self.choices(position)
        if not choices:
            return None
        return chance.choices([choice.move for choice in choices], [choice.weight for choice in choices])[0]
