# SPDX-License-Identifier: GPL-3.0-or-later
"""Database connections: one SQLAlchemy engine for writing and one for reading, on SQLite or PostgreSQL; the reader, and
the health of the database.

SQLite keeps a write-ahead log, so readers never wait for the writer. A *durable* commit is on the disk when it returns.
Other commits stay in the operating system's cache for a moment: they survive the death of the process, but not a power
cut. A durable commit includes all earlier ones. On PostgreSQL every commit is durable, because PostgreSQL can crash
while the arena continues with data that was lost.
"""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, Executable, Row, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from arena.spending import SPEND
from arena.store.errors import BadValue, StoreError

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

    @property
    def driver_url(self) -> str:
        """The URL for PostgreSQL's own driver, with the password."""
        return self.url.set(drivername="postgresql").render_as_string(hide_password=False)

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
    return create_engine(
        url,
        pool_size=1 if writing else READERS,
        max_overflow=0,
        pool_pre_ping=True,
        # The connection that was used last: the more often it sees a query, the sooner PostgreSQL has prepared it.
        pool_use_lifo=True,
        isolation_level=isolation,
    )


# ---------------------------------------------------------------- health
#
# Database health: errors of readers and of the writer, and a small test write if no write happened lately.
#
# No I/O except the given probe; times are seconds on a monotonic clock.

FRESH = 1.0
"""Seconds for which a result is cached."""

PATIENCE = 2.0
"""Seconds that a caller waits for a probe."""

_DAMAGED_SQLITE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_DAMAGED_POSTGRESQL = {"XX001", "XX002"}
"""PostgreSQL's codes for data_corrupted and index_corrupted."""


def is_damage(error: DBAPIError) -> bool:
    """Tell whether an error means that the database's own structure is broken."""
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        return (getattr(cause, "sqlite_errorcode", 0) & 0xFF) in _DAMAGED_SQLITE
    return getattr(cause, "sqlstate", None) in _DAMAGED_POSTGRESQL


class Health:
    """The health of a database. Readers and the writer report errors and commits, from their threads."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._damage = ""
        self._wrote = -FRESH
        """When a transaction was last committed."""
        self._asked = -FRESH
        """When the last probe ended."""
        self._found = ""
        self._probe: asyncio.Task[None] | None = None
        self._began = 0.0

    def committed(self) -> None:
        """Note that a transaction was committed."""
        self._wrote = self._clock()

    def came_across(self, error: DBAPIError) -> None:
        """Note an error. Damage does not heal while the server runs."""
        if is_damage(error) and not self._damage:
            self._damage = (
                f"the database is damaged ({error.orig}): stop the server, keep a copy of its files, and restore the"
                " newest backup"
            )

    async def trouble(self, probe: Callable[[], Awaitable[object]]) -> str:
        """Return why the database does not work, for people; "" when it does.

        ``probe`` writes something and raises StoreError when that fails. It is called at most once a second, not while
        another call goes on, and not right after a commit.
        """
        if self._damage:
            return self._damage
        now = self._clock()
        if now - max(self._wrote, self._asked) >= FRESH:
            if self._probe is None:
                self._began = now
                self._probe = asyncio.ensure_future(self._ask(probe))
            await asyncio.wait({self._probe}, timeout=PATIENCE)
            if self._probe is not None:
                return f"the database accepted no write for {self._clock() - self._began:.0f} s"
        return self._known()

    def _known(self) -> str:
        """Return the last probe's result, unless a write or a report of damage came after it."""
        return self._damage or ("" if self._wrote > self._asked else self._found)

    async def _ask(self, probe: Callable[[], Awaitable[object]]) -> None:
        try:
            await probe()
        except StoreError as error:
            self._found = f"nothing can be written: {error}"
        else:
            self._found = ""
        finally:
            self._asked, self._probe = self._clock(), None


# ---------------------------------------------------------------- reader
#
# Reading: queries in a few threads, so that the event loop never waits for the database.

T = TypeVar("T")

Rows = Sequence[Row[*tuple[Any, ...]]]

_AUTOCOMMIT: dict[str, Any] = {"isolation_level": "AUTOCOMMIT"}


class Reader:
    """Runs queries, each of which sees one state of the database."""

    def __init__(self, engines: Engines, health: Health) -> None:
        self._health = health
        self._reading = engines.reading
        self._alone = engines.reading if engines.on_sqlite else engines.reading.execution_options(**_AUTOCOMMIT)
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")

    async def run(self, query: Callable[[Connection], T]) -> T:
        """Return what ``query`` returned. Raises BadValue, and StoreError when the database failed."""
        return await self._in_thread(self._reading, query)

    async def rows(self, statement: Executable, values: Mapping[str, Any] | None = None) -> Rows:
        """Return the rows of a single statement. Raises as ``run``."""
        return await self.run_single(lambda connection: connection.execute(statement, values).all())

    async def run_single(self, query: Callable[[Connection], T]) -> T:
        """``run`` for a query of a single statement, which sees one state by itself. PostgreSQL is spared the
        transaction around it, which is half of the cost of a short one.
        """
        return await self._in_thread(self._alone, query)

    async def _in_thread(self, engine: Engine, query: Callable[[Connection], T]) -> T:
        spent: list[float] = []
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, engine, query, spent)
        finally:
            SPEND.get()(sum(spent))

    def _run(self, engine: Engine, query: Callable[[Connection], T], spent: list[float]) -> T:
        began = time.thread_time()
        try:
            with engine.connect() as connection:
                return query(connection)
        except (OverflowError, UnicodeEncodeError, DataError) as error:
            raise BadValue(
                "the database cannot store this value: the number is too large, or the text has characters that it does"
                " not accept"
            ) from error
        except DBAPIError as error:
            self._health.came_across(error)
            raise StoreError(f"the database failed: {error.orig}") from error
        finally:
            spent.append(time.thread_time() - began)

    def close(self) -> None:
        """Finish the running queries and end the threads."""
        self._threads.shutdown()
