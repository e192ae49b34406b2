# SPDX-License-Identifier: GPL-3.0-or-later
"""Maintenance of a database: copies of a SQLite file while it is in use, and the deletion of old events."""

import os
import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.exc import DBAPIError

from arena.store import tables
from arena.store.database.engines import Engines
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


def copy_file(engines: Engines, path: Path) -> None:
    """Copy a SQLite database, as it is at one moment, into a new file.

    Raises StoreError when the file exists or cannot be written.
    """
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
        raise StoreError(f"the copy of the database failed: {error}") from error


def _mark(copy: sqlite3.Connection) -> None:
    """Mark in a copy that no server runs on it: the copy is complete, even while a server runs on the original."""
    if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'server'").fetchone():
        copy.execute("UPDATE server SET released = ? WHERE released IS NULL", [time.time()])
        copy.commit()


_server = tables.servers.c


def is_live_copy(connection: Connection, file: Path) -> bool:
    """Tell whether a SQLite file was copied from under a server, without the write-ahead log that belongs to it.

    The server's row says that it runs, on a file with another inode number.
    """
    row = connection.execute(select(_server.claimed, _server.released, _server.inode)).one_or_none()
    if row is None or row.claimed is None or row.released is not None:
        return False
    return str(row.inode) != str(file.stat().st_ino)


def has_log(file: Path) -> bool:
    """Tell whether a SQLite file has a write-ahead log beside it, which the next connection takes in."""
    log = file.with_name(f"{file.name}-wal")
    return log.exists() and log.stat().st_size > 0
