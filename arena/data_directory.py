# SPDX-License-Identifier: GPL-3.0-or-later
"""The data directory of an arena: its options, and the database in it.

The default is ``data`` in the checkout whose code runs, and for an installed package a folder in the user's home. Two
checkouts on one machine share nothing.
"""

import argparse
import os
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

from platformdirs import user_data_dir

from arena.store.errors import StoreError

NAME = "bot-arena"
"""The name of the project and of its folder in the user's home."""


def add_place(parser: argparse.ArgumentParser) -> None:
    """Add the two options that select an arena: its data directory, or the URL of its database."""
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        help="data directory (default: $ARENA_DATA, else data/ in the checkout, else the user's data folder)",
    )
    place.add_argument(
        "--database-url",
        metavar="URL",
        help="use this database instead of DIR/arena.db (default: $ARENA_DATABASE_URL)",
    )


def database_url(arguments: argparse.Namespace) -> str:
    """Return the URL of the arena's database, which need not exist."""
    named = _named(arguments)
    return named if isinstance(named, str) else f"sqlite:///{named / 'arena.db'}"


def founded(arguments: argparse.Namespace) -> str:
    """Return the URL of the arena's database; make its folder if there is none.

    Raises StoreError when the folder cannot be made.
    """
    named = _named(arguments)
    if isinstance(named, Path):
        try:
            named.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot make the folder {named}: {error.strerror}") from None
    return database_url(arguments)


def checkout(code: Path = Path(__file__)) -> Path | None:
    """Return the folder of the sources that ``code`` stands in; None where it is part of an installed package."""
    root = code.resolve().parents[1]
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8")).get("project", {})
    except (OSError, ValueError):
        return None
    return root if project.get("name") == NAME else None


def home_folder() -> Path:
    """Return the folder of an installed package's arena, in the user's home."""
    return Path(user_data_dir(NAME, appauthor=False))


def default_folder() -> Path:
    """Return the default data directory."""
    root = checkout()
    return home_folder() if root is None else root / "data"


def told(arguments: argparse.Namespace) -> str:
    """Return where the data are, for people: a folder, or the URL of a database without its password."""
    named = _named(arguments)
    if isinstance(named, Path):
        return str(named)
    url = urlsplit(named)
    host = url.netloc.rpartition("@")[2]
    return url._replace(netloc=host, query="").geturl() if host else named.partition("?")[0]


def unused_database(arguments: argparse.Namespace) -> Path | None:
    """Return the database in the home folder, if there is one and a checkout's own folder is used by default."""
    chosen = arguments.data or arguments.database_url
    if chosen or any(os.environ.get(name) for name in ("ARENA_DATA", "ARENA_DATABASE_URL")):
        return None
    database = home_folder() / "arena.db"
    return database if default_folder() != home_folder() and database.is_file() else None


def _named(arguments: argparse.Namespace) -> str | Path:
    """Return the URL of a database, or the arena's folder.

    ``--data`` overrides ``$ARENA_DATABASE_URL``.
    """
    if arguments.database_url:
        return str(arguments.database_url)
    from_environment = os.environ.get("ARENA_DATABASE_URL")
    if from_environment and arguments.data is None:
        return from_environment
    given = arguments.data or os.environ.get("ARENA_DATA") or default_folder()
    return Path(given).expanduser().absolute()
