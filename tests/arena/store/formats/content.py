# SPDX-License-Identifier: GPL-3.0-or-later
"""The content of a database of any schema, to compare."""

from typing import Any

from arena.store.backups.rows import ordered, read_rows, schema_at
from arena.store.database.engines import make_engines
from arena.store.database.migrating import revision

Content = dict[str, list[dict[str, Any]]]
"""Rows by the name of their table."""


def content(url: str) -> Content:
    """Return all rows of a database by table, in the order of their keys."""
    engines = make_engines(url)
    found: Content = {}
    with engines.reading.connect() as connection:
        for table in ordered(schema_at(revision(connection) or "")):
            columns = [str(column.name) for column in table.columns]
            rows = read_rows(connection, table)
            found[str(table.name)] = [dict(zip(columns, row, strict=True)) for row in rows]
    engines.dispose()
    return found
