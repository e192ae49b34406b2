# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a suite of openings from a file that is named on the command line."""

import itertools
from pathlib import Path

from arena.cli.support.errors import CommandError
from engine import formats
from engine.formats.suite import Opening, from_positions, from_records
from engine.game import Game
from engine.match import Match

POSITIONS = (".epd", ".fen")
"""Endings of files that hold a position a line."""

MOST = 100_000
"""Openings of a file that are read; no match needs more."""


def read(path: Path, game: Game, plies: int) -> list[Opening]:
    """Return the openings of a file of positions, or the first ``plies`` moves of each game of a file of games.

    Raises CommandError for a file that cannot be read, an opening that does not fit the game, and none at all.
    """
    positions = path.suffix.lower() in POSITIONS
    written = next((each for name, each in formats.catalogue().items() if f".{name}" == path.suffix.lower()), None)
    if written is None and not positions:
        known = ", ".join([*POSITIONS, *(f".{name}" for name in formats.catalogue())])
        raise CommandError(f"{path} is not a file of openings; supported are {known}")
    try:
        with path.open(encoding="utf-8") as file:
            found = from_positions(file) if written is None else from_records(written, file, plies)
            openings = list(itertools.islice(found, MOST))
        for opening in openings:
            Match(game, start=opening.start, opening=opening.moves)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"{path}: {error}") from None
    if not openings:
        raise CommandError(f"{path} has no opening of {plies} plies" if written else f"{path} has no positions")
    return openings
