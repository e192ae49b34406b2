# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an arena keeps its data: the options that say so, and the database they lead to."""

import argparse
import os
from pathlib import Path

from platformdirs import user_data_dir

from arena.store.errors import StoreError


def add_place(parser: argparse.ArgumentParser) -> None:
    """Give a command the two options that name an arena: its folder, or the URL of its database."""
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        help="the arena's folder (default: $ARENA_DATA, else the user's data folder)",
    )
    place.add_argument(
        "--database-url",
        metavar="URL",
        help="keep records in this database instead of DIR/arena.db (default: $ARENA_DATABASE_URL)",
    )


def database_url(arguments: argparse.Namespace) -> str:
    """Return the URL of the arena's database, whether it is there or not."""
    named = _named(arguments)
    return named if isinstance(named, str) else f"sqlite:///{named / 'arena.db'}"


def founded(arguments: argparse.Namespace) -> str:
    """Return the URL of the arena's database, with a folder for it where there was none.

    Raises StoreError where no folder can be made.
    """
    named = _named(arguments)
    if isinstance(named, Path):
        try:
            named.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"there can be no folder {named}: {error.strerror}") from None
    return database_url(arguments)


def _named(arguments: argparse.Namespace) -> str | Path:
    """Return the URL of a database, or the arena's folder.

    ``--data`` goes before ``$ARENA_DATABASE_URL``: who names a folder on the command line means it.
    """
    if arguments.database_url:
        return str(arguments.database_url)
    from_environment = os.environ.get("ARENA_DATABASE_URL")
    if from_environment and arguments.data is None:
        return from_environment
    given = arguments.data or os.environ.get("ARENA_DATA") or user_data_dir("bot-arena", appauthor=False)
    return Path(given).expanduser().absolute()
