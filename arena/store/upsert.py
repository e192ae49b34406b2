# SPDX-License-Identifier: GPL-3.0-or-later
"""INSERT that passes over rows whose key is there already; both databases write it alike, SQLAlchemy does not."""

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_new(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return INSERT … ON CONFLICT DO NOTHING into ``table`` for the connection's database."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    return postgresql.insert(table).on_conflict_do_nothing()
