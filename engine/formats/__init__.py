# SPDX-License-Identifier: GPL-3.0-or-later
"""File formats of game records: one module for each format, found by discovery (``FORMAT``).

Readers and writers stream: one game is in memory at a time. Only ``polyglot`` opens files.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NoReturn, Protocol

from engine.match.record import Record


class Unreadable(ValueError):
    """A game that could not be read: the number of its first line, from 1, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def refuse(unreadable: Unreadable) -> NoReturn:
    """Raise the error: stop at the first game that cannot be read."""
    raise unreadable


class Reader(Protocol):
    """Reads records from lines, with or without line ends, one game at a time.

    ``unreadable`` is called for each game that cannot be read; if it returns, the game is skipped.
    """

    def __call__(self, lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Record]: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A text format of records."""

    name: str
    """Name and file extension, without the dot."""
    title: str
    covers: Callable[[str], bool]
    """Return whether games of this name can be written."""
    read: Reader
    write: Callable[[Iterable[Record]], Iterator[str]]
    """Yield the text of each game with line ends. Raises ValueError for a game that is not covered."""


@cache
def catalogue() -> dict[str, Format]:
    """Return all formats by name, in alphabetical order."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    found = {module.FORMAT.name: module.FORMAT for module in modules if hasattr(module, "FORMAT")}
    return dict(sorted(found.items()))


def find(name: str) -> Format:
    """Return a format by name. Raises KeyError, with a message that lists the names, for an unknown name."""
    formats = catalogue()
    if name not in formats:
        raise KeyError(f"no format is called {name[:40]!r}; there are {', '.join(formats)}")
    return formats[name]


def native(game: str) -> Format:
    """Return the standard format of a game; JSON lines for games without one."""
    formats = dict(catalogue())
    general = formats.pop("jsonl")
    return next((found for found in formats.values() if found.covers(game)), general)
