# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a database, for ``arena doctor``: whether it can be reached, its schema, and the server that runs on it.

An examination writes no records and migrates nothing.
"""

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from arena.store.database.claim import claim
from arena.store.database.engines import Engines, make_engines
from arena.store.database.migrating import newest, revision
from arena.store.errors import Claimed, StoreError

SQLITE = sqlite3.sqlite_version_info
"""The version of SQLite that Python uses."""


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """The state of a database."""

    place: str
    """The file, or the URL without its password."""
    schema: str | None = None
    """Its schema; None: there is no database, or it is empty."""
    newest: str = ""
    """The schema of this version of the arena."""
    server: str = ""
    """The server that runs on the database, for people; "" for none."""
    size: int | None = None
    """Bytes of a SQLite file; None where there is none."""
    writable: bool = True
    """Whether this user may write to a SQLite file and its folder."""
    trouble: str = ""
    """Why it cannot be examined, for people; else ""."""


def examine(url: str) -> DatabaseState:
    """Return the state of the database at ``url``."""
    try:
        engines = make_engines(url)
    except StoreError as error:
        return DatabaseState(url.partition("?")[0].rpartition("@")[2], trouble=str(error))
    try:
        return _examine(engines)
    finally:
        engines.dispose()


def _examine(engines: Engines) -> DatabaseState:
    file, last = engines.file, newest()
    place = engines.url.render_as_string() if file is None else str(file)
    writable = file is None or _writable(file)
    if file is not None and not file.exists():
        return DatabaseState(place, newest=last, writable=writable)
    size = None if file is None else file.stat().st_size
    try:
        with engines.reading.connect() as connection:
            schema = revision(connection)
        server = _server(engines) if schema is not None and writable else ""
    except DBAPIError as error:
        return DatabaseState(place, None, last, "", size, writable, str(error.orig))
    except StoreError as error:
        return DatabaseState(place, None, last, "", size, writable, str(error))
    return DatabaseState(place, schema, last, server, size, writable)


def _writable(file: Path) -> bool:
    """Return whether this user may write to a file, or make it, and write SQLite's own files beside it."""
    folder = file.parent
    while not folder.exists():
        folder = folder.parent
    return os.access(folder, os.W_OK | os.X_OK) and (not file.exists() or os.access(file, os.W_OK))


def _server(engines: Engines) -> str:
    """Return the server that runs on the database; "" for none. Raises StoreError and DBAPIError."""
    try:
        claim(engines, 0.0).release()
    except Claimed:
        with engines.reading.connect() as connection:
            row = connection.execute(text("SELECT version, host, pid FROM server WHERE id = 1")).one_or_none()
        return "an unknown server" if row is None else f"arena {row.version}, process {row.pid} on {row.host}"
    return ""
