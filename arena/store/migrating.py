# SPDX-License-Identifier: GPL-3.0-or-later
"""Bringing a database to the newest schema with Alembic; its steps are the files of migrations/versions."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from arena.store.engines import Engines
from arena.store.errors import StoreError

_LOCK = 0x0A7E_4A
"""The number of PostgreSQL's advisory lock under which one program at a time migrates."""


def migrate(engines: Engines) -> None:
    """Bring the database to the newest schema, in one transaction; many programs may ask at once.

    Raises StoreError when it cannot be opened, or was made by a newer version of the arena.
    """
    config = configuration()
    newest = ScriptDirectory.from_config(config).get_current_head()
    try:
        with engines.reading.connect() as connection:
            if _revision(connection) == newest:
                return
        with engines.writing.begin() as connection:
            if not engines.on_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError("the database was made by a newer version of the arena; this one cannot read it") from error
    except DBAPIError as error:
        raise StoreError(f"the database cannot be opened: {error.orig}") from error


def configuration() -> Config:
    """Return Alembic's configuration for the steps that this package holds."""
    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    return config


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
