# SPDX-License-Identifier: GPL-3.0-or-later
"""Databases of older versions."""

from collections.abc import Iterator
from contextlib import contextmanager

from alembic.command import upgrade
from sqlalchemy import Connection, text

from arena.store.database.engines import Engines, make_engines
from arena.store.database.migrating import configuration


@contextmanager
def older(engines: Engines, schema: str) -> Iterator[Connection]:
    """Make the tables of an older version in an empty database, in a transaction for the data."""
    with engines.writing.begin() as connection:
        config = configuration()
        config.attributes["connection"] = connection
        upgrade(config, schema)
        yield connection


def at_schema(url: str, schema: str) -> None:
    """Make a database of an older version, with a bot in it."""
    engines = make_engines(url)
    with older(engines, schema) as connection:
        connection.execute(
            text("INSERT INTO bot (name, kind, owner, description, created) VALUES ('marion', 'own', '', '', 0)")
        )
    engines.dispose()
