# SPDX-License-Identifier: GPL-3.0-or-later
"""Growing old and being copied: events are dropped after a time, and the database can be saved while it is used."""

import os
import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.exc import DBAPIError

from arena.store import tables
from arena.store.engines import Engines
from arena.store.errors import StoreError

MATCHES_AT_ONCE = 200
"""Matches whose events one transaction deletes: small, so that moves of live matches wait only a moment."""


def prune_some(connection: Connection, before: float) -> int:
    """Drop the events of some matches that finished before a Unix time; returns of how many matches, 0 at the end."""
    match = tables.matches.c
    old = select(match.id).where(match.pruned.is_(False), match.finished < before).order_by(match.finished)
    ids = connection.scalars(old.limit(MATCHES_AT_ONCE)).all()
    if ids:
        connection.execute(delete(tables.events).where(tables.events.c.match_id.in_(ids)))
        connection.execute(update(tables.matches).where(match.id.in_(ids)).values(pruned=True))
    return len(ids)


def back_up(engines: Engines, path: Path) -> None:
    """Copy the database, as it is at one moment, into a new SQLite file.

    Raises StoreError when the file exists, cannot be written, or the database is PostgreSQL, which has its own tool.
    """
    if not engines.on_sqlite:
        raise StoreError("PostgreSQL is backed up by its own pg_dump")
    if path.exists():
        raise StoreError(f"{path} exists already")
    unfinished = path.with_name(f"{path.name}.part")
    try:
        with engines.reading.connect() as connection:
            source: Any = connection.connection.dbapi_connection
            target = sqlite3.connect(unfinished)
            try:
                source.backup(target)
                _mark(target)
                # The copy is one file, without a write-ahead log beside it.
                target.execute("PRAGMA journal_mode = DELETE")
            finally:
                target.close()
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.rename(path)
    except (OSError, sqlite3.Error, DBAPIError) as error:
        unfinished.unlink(missing_ok=True)
        raise StoreError(f"the backup failed: {error}") from error


def _mark(copy: sqlite3.Connection) -> None:
    """Mark in a copy that no server runs on it: the copy is complete, even while a server runs on the original."""
    if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'server'").fetchone():
        copy.execute("UPDATE server SET released = ? WHERE released IS NULL", [time.time()])
        copy.commit()
