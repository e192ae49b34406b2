# SPDX-License-Identifier: GPL-3.0-or-later
"""One server at a time: a claim on a database, which the operating system gives back when its holder dies."""

import sqlite3
import time
from collections.abc import Callable

from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError

from arena.store.engines import Engines
from arena.store.errors import Claimed, StoreError

_LOCK = 0x0A7E_4B
"""The number of PostgreSQL's advisory lock that a server holds."""


def claim(engines: Engines, patience: float) -> Callable[[], None]:
    """Claim the database for this process; returns how to give it back.

    Raises Claimed when another process still has it after ``patience`` seconds.
    """
    if engines.on_sqlite:
        return _claim_file(f"{engines.url.database}-server", patience)
    return _claim_session(engines, patience)


def _claim_file(path: str, patience: float) -> Callable[[], None]:
    """Lock a file beside the database: SQLite itself knows how to, on every system."""
    connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        connection.close()
        raise _refusal(error) from error
    return connection.close


def _refusal(error: sqlite3.OperationalError) -> StoreError:
    if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
        return Claimed("another server runs on this database")
    return StoreError(f"the database cannot be claimed: {error}")


def _claim_session(engines: Engines, patience: float) -> Callable[[], None]:
    """Hold an advisory lock, which ends with the session."""
    engine = create_engine(engines.url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    try:
        connection = engine.connect()
        deadline = time.monotonic() + patience
        while not connection.scalar(text("SELECT pg_try_advisory_lock(:number)"), {"number": _LOCK}):
            if time.monotonic() > deadline:
                connection.close()
                raise Claimed("another server runs on this database")
            time.sleep(0.05)
    except DBAPIError as error:
        raise StoreError(f"the database cannot be claimed: {error.orig}") from error
    return connection.close
