# SPDX-License-Identifier: GPL-3.0-or-later
"""Bringing a database to the newest schema with Alembic; its steps are the files of migrations/versions.

A step's file begins with its number, so a database that is at the newest is recognised without loading Alembic.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from arena.store import migrations
from arena.store.engines import Engines
from arena.store.errors import NoArena, StoreError

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK = 0x0A7E_4A
"""The number of PostgreSQL's advisory lock under which one program at a time migrates."""


def migrate(engines: Engines, *, existing: bool = False) -> None:
    """Bring the database to the newest schema, in one transaction; many programs may ask at once.

    Raises StoreError when it cannot be opened, or was made by a newer version of the arena, and NoArena when an
    ``existing`` one was asked for and there is none.
    """
    file = engines.file
    if existing and file is not None and not file.exists():
        raise NoArena(f"there is no arena in {file.parent}; `arena serve` makes one")
    try:
        with engines.reading.connect() as connection:
            found = revision(connection)
        if existing and found is None:
            raise NoArena(f"{engines.url.render_as_string()} holds no arena; `arena serve` makes one")
        if found != newest():
            with engines.writing.begin() as connection:
                _upgrade(connection)
    except DBAPIError as error:
        raise StoreError(f"the database cannot be opened: {error.orig}") from error


def newest() -> str:
    """Return the number of the newest step."""
    (folder,) = migrations.__path__
    return max(file.name.partition("_")[0] for file in Path(folder, "versions").glob("[0-9]*_*.py"))


def revision(connection: Connection) -> str | None:
    """Return the number of the last step that the database has gone; None: it is new."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    number: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return number


def configuration() -> "Config":
    """Return Alembic's configuration for the steps that this package holds."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    return config


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.util import CommandError

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
    config = configuration()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError("the database was made by a newer version of the arena; this one cannot read it") from error
