# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that a command line names: openings to read, and files to which finished games are appended."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO, TypeAlias

from arena.cli.support.command_line import CommandError
from bots.series import Played
from engine import formats
from engine.formats import epd
from engine.formats.suite import Opening, from_positions, from_records
from engine.game import Game
from engine.match.machine import Match
from engine.match.record import Record

POSITIONS = (".epd", ".fen")
"""Endings of files that hold a position of chess a line."""

TEXTS = ".txt"
"""Ending of files that hold a position of any game a line."""

MOST_OPENINGS = 100_000
"""Openings of a file that are read; no match needs more."""


def read_openings(path: Path, game: Game, plies: int) -> list[Opening]:
    """Return the openings of a file of positions, or the first ``plies`` moves of each game of a file of games.

    Raises CommandError for a file that cannot be read, an opening that does not fit the game, and none at all.
    """
    positions = path.suffix.lower() in POSITIONS
    written = next((each for name, each in formats.catalogue().items() if f".{name}" == path.suffix.lower()), None)
    texts = path.suffix.lower() == TEXTS
    if written is None and not positions and not texts:
        known = ", ".join([*POSITIONS, TEXTS, *(f".{name}" for name in formats.catalogue())])
        raise CommandError(f"{path} is not a file of openings; supported are {known}")
    try:
        with path.open(encoding="utf-8") as file:
            found: Iterator[Opening]
            if texts:
                found = (Opening(line.strip()) for line in file if line.strip())
            else:
                found = from_positions(file) if written is None else from_records(written, file, plies)
            openings = list(itertools.islice(found, MOST_OPENINGS))
        for opening in openings:
            Match(game, start=opening.start, opening=opening.moves)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"{path}: {error}") from None
    if not openings:
        raise CommandError(f"{path} has no opening of {plies} plies" if written else f"{path} has no positions")
    return openings


# ---------------------------------------------------------------- output


ENDS = "epd"
"""The format that stores only the last position of a game."""

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
