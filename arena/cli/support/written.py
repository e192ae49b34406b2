# SPDX-License-Identifier: GPL-3.0-or-later
"""Output files to which finished games are appended."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO, TypeAlias

from arena.cli.support.errors import CommandError
from bots.series import Played
from engine import formats
from engine.formats import epd
from engine.record import Record

ENDS = "epd"
"""The format of which a game is its last position alone."""


Writer: TypeAlias = Callable[[Iterable[Record]], Iterator[str]]


class Written:
    """Open files of games, by the names of their formats, ENDS among them."""

    def __init__(self, paths: Mapping[str, Path], game: str) -> None:
        """Raises CommandError where a format has no notation for the game or a file cannot be written."""
        self._files: list[tuple[Path, Writer, TextIO]] = []
        self._stack = ExitStack()
        for name, path in paths.items():
            write, title = _writer(name, game)
            if write is None:
                raise CommandError(f"{title} has no notation for {game}; --jsonl takes every game")
            try:
                file = self._stack.enter_context(path.open("a", encoding="utf-8"))
            except OSError as error:
                self._stack.close()
                raise CommandError(f"cannot write {path}: {error.strerror}") from None
            self._files.append((path, write, file))

    def add(self, played: Played) -> None:
        """Write a game to every file, and see it leave this process."""
        for _, write, file in self._files:
            file.write("".join(write([played.record])))
            file.flush()

    def sizes(self) -> dict[str, int]:
        """Return how long each file is, by its path as it was given."""
        return {str(path): file.tell() for path, _, file in self._files}

    def close(self) -> None:
        """Close them."""
        self._stack.close()


def _writer(name: str, game: str) -> tuple[Writer | None, str]:
    """Return the writer of a game format, None if the format has no notation for the game, and the format's title."""
    if name == ENDS:
        return (epd.ends if game == epd.NAME else None), "EPD"
    written = formats.find(name)
    return (written.write if written.covers(game) else None), written.title
