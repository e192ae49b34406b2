# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that games are added to as they end, whole games only."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from arena.cli.errors import CommandError
from bots.series import Played
from engine import formats
from engine.formats.format import Format


class Written:
    """Open files of games, by the names of their formats."""

    def __init__(self, paths: Mapping[str, Path], game: str) -> None:
        """Raises CommandError where a format has no notation for the game or a file cannot be written."""
        self._files: list[tuple[Path, Format, TextIO]] = []
        self._stack = ExitStack()
        for name, path in paths.items():
            written = formats.find(name)
            if not written.covers(game):
                raise CommandError(f"{written.title} has no notation for {game}; --jsonl takes every game")
            try:
                file = self._stack.enter_context(path.open("a", encoding="utf-8"))
            except OSError as error:
                self._stack.close()
                raise CommandError(f"cannot write {path}: {error.strerror}") from None
            self._files.append((path, written, file))

    def add(self, played: Played) -> None:
        """Write a game to every file, and see it leave this process."""
        for _, written, file in self._files:
            file.write("".join(written.write([played.record])))
            file.flush()

    def sizes(self) -> dict[str, int]:
        """Return how long each file is, by its path as it was given."""
        return {str(path): file.tell() for path, _, file in self._files}

    def close(self) -> None:
        """Close them."""
        self._stack.close()
