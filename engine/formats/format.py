# SPDX-License-Identifier: GPL-3.0-or-later
"""What a format is: a name, the games it can write, how text becomes records and records text."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn, Protocol

from engine.record import Record


class Unreadable(ValueError):
    """A game that could not be read: the line it starts on, from 1, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def refuse(unreadable: Unreadable) -> NoReturn:
    """Stop at the first game that cannot be read."""
    raise unreadable


class Reader(Protocol):
    """Reads records from lines, with or without their ends, holding one game at a time.

    ``unreadable`` is called for each game that cannot be read; when it returns, the game is left out.
    """

    def __call__(self, lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Record]: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A text format of records."""

    name: str
    """As people choose it, and as a file of it ends, without the dot."""
    title: str
    covers: Callable[[str], bool]
    """Whether games of this name can be written."""
    read: Reader
    write: Callable[[Iterable[Record]], Iterator[str]]
    """Yield the text of each game, line ends included. Raises ValueError for a game that is not covered."""
