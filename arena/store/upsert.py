# SPDX-License-Identifier: GPL-3.0-or-later
"""INSERT that skips rows with existing keys, for SQLite and PostgreSQL: SQLAlchemy has no common form."""

from collections.abc import Sequence

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

EventTuple = tuple[int, int, str]
"""A row of the table of events: match, number, body."""


def insert_new(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return INSERT … ON CONFLICT DO NOTHING into ``table`` for the connection's database."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    return postgresql.insert(table).on_conflict_do_nothing()


def insert_events(connection: Connection, rows: Sequence[EventTuple]) -> int:
    """Insert events of live matches; skip taken numbers; return the number of new events.

    Every move of every match comes through here, so each database gets its own fastest statement, without SQLAlchemy.
    """
    if connection.dialect.name == "sqlite":
        return connection.exec_driver_sql(_INTO_SQLITE, list(rows)).rowcount
    arrays = tuple(list(column) for column in zip(*rows, strict=True))
    return connection.exec_driver_sql(_INTO_POSTGRESQL, arrays).rowcount


_INTO_SQLITE = """
INSERT INTO event (match_id, number, body) SELECT ?1, ?2, ?3
WHERE EXISTS (SELECT 1 FROM match WHERE id = ?1 AND status = 'live') ON CONFLICT DO NOTHING
"""
_INTO_POSTGRESQL = """
INSERT INTO event (match_id, number, body)
SELECT * FROM unnest(%s::bigint[], %s::integer[], %s::text[]) AS new (match_id, number, body)
WHERE EXISTS (SELECT 1 FROM match WHERE id = new.match_id AND status = 'live') ON CONFLICT DO NOTHING
"""
