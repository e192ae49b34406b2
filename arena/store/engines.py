# SPDX-License-Identifier: GPL-3.0-or-later
"""Database connections: one SQLAlchemy engine for writing and one for reading, on SQLite or PostgreSQL.

SQLite keeps a write-ahead log, so readers never wait for the writer. A *durable* commit is on the disk when it returns.
Other commits stay in the operating system's cache for a moment: they survive the death of the process, but not a power
cut. A durable commit includes all earlier ones. On PostgreSQL every commit is durable, because PostgreSQL can crash
while the arena continues with data that was lost.
"""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from arena.store.errors import StoreError
from arena.store.health import is_damage

READERS = 4
"""Threads, and so connections, that read at once."""

_PAGES_KEPT_TO_WRITE, _PAGES_KEPT_TO_READ = 4_096, 1_024
"""KiB of pages that a connection to SQLite keeps; the operating system keeps the rest."""

_BUSY_TIMEOUT = 2_000
"""Milliseconds SQLite itself waits for another program's lock; the writer tries again after that."""

_PASSING = {"40001", "40P01", "55P03"}
"""PostgreSQL's codes for serialization_failure, deadlock_detected and lock_not_available."""


@dataclass(frozen=True, slots=True)
class Engines:
    """The two engines of one database."""

    url: URL
    writing: Engine
    reading: Engine

    @property
    def on_sqlite(self) -> bool:
        """Whether the database is a SQLite file."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def file(self) -> Path | None:
        """The SQLite file, which may be missing; None when there is none."""
        return Path(self.url.database) if self.on_sqlite and self.url.database else None

    def dispose(self) -> None:
        """Close all connections."""
        self.reading.dispose()
        self.writing.dispose()


def make_engines(url: str) -> Engines:
    """Return the engines for a URL: ``sqlite:///FILE`` or ``postgresql://…``. Raises StoreError when it is neither."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError(
            "the database's URL cannot be read; write sqlite:///FILE or postgresql://USER@HOST/NAME"
        ) from error
    if parsed.get_backend_name() == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
        return Engines(parsed, _postgresql(parsed, writing=True), _postgresql(parsed, writing=False))
    if parsed.get_backend_name() == "sqlite" and parsed.database not in {None, "", ":memory:"}:
        return Engines(parsed, _sqlite(parsed, writing=True), _sqlite(parsed, writing=False))
    raise StoreError(
        f"an arena keeps its records in a SQLite file or in PostgreSQL, not in {parsed.render_as_string()}"
    )


def is_passing(error: DBAPIError) -> bool:
    """Tell whether the same transaction may well succeed a moment later: there was a lock, or a deadlock."""
    cause = error.orig
    if isinstance(cause, sqlite3.OperationalError):
        return (cause.sqlite_errorcode & 0xFF) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return getattr(cause, "sqlstate", None) in _PASSING


def is_of_connection(error: DBAPIError) -> bool:
    """Tell whether the way to the database failed: its server is away, or the connection was lost."""
    state = getattr(error.orig, "sqlstate", None)
    lost = error.connection_invalidated or str(state).startswith(("08", "57P"))
    return lost or (not isinstance(error.orig, sqlite3.Error) and isinstance(error, OperationalError) and state is None)


def is_of_database(error: DBAPIError) -> bool:
    """Tell whether the database failed (full, locked, gone, damaged), rather than refused the statement."""
    return isinstance(error, OperationalError) or error.connection_invalidated or is_damage(error)


def _sqlite(url: URL, *, writing: bool) -> Engine:
    engine = create_engine(
        url,
        pool_size=1 if writing else READERS,
        max_overflow=0,
        # Transactions begin where the listener below says so, not where sqlite3 guesses.
        connect_args={"isolation_level": None, "timeout": _BUSY_TIMEOUT / 1000, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        if writing:
            cursor.execute("PRAGMA journal_mode = WAL")
            # After a rush the log shrinks to this again.
            cursor.execute("PRAGMA journal_size_limit = 67108864")
            cursor.execute("PRAGMA foreign_keys = ON")
        else:
            cursor.execute("PRAGMA query_only = ON")
        cursor.execute(f"PRAGMA cache_size = -{_PAGES_KEPT_TO_WRITE if writing else _PAGES_KEPT_TO_READ}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        if writing:
            wanted = "FULL" if connection.get_execution_options().get("durable", True) else "NORMAL"
            if connection.info.get("synchronous") != wanted:
                connection.exec_driver_sql(f"PRAGMA synchronous = {wanted}")
                connection.info["synchronous"] = wanted
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql("BEGIN")

    return engine


def _postgresql(url: URL, *, writing: bool) -> Engine:
    # A reader that reads in two steps must see one snapshot; a writer locks the rows that it reads.
    isolation = "READ COMMITTED" if writing else "REPEATABLE READ"
    size = 1 if writing else READERS
    return create_engine(url, pool_size=size, max_overflow=0, pool_pre_ping=True, isolation_level=isolation)
