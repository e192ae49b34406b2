# SPDX-License-Identifier: GPL-3.0-or-later
"""An exclusive claim on a database, so that one server runs at a time; released when the process ends.

A SQLite file has two locks: a lock file beside it, on every system, and on Linux a lock on the database file itself.
The second one holds for every path of the file, and after somebody deletes the lock file. On PostgreSQL a session holds
an advisory lock; a lost session is opened again.
"""

import contextlib
import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError

from arena.store.engines import Engines
from arena.store.errors import Claimed, StoreError

_LOCK = 0x0A7E_4B
"""The number of PostgreSQL's advisory lock that a server holds."""

_TAKEN = "another server runs on this database"

_LOST = 15.0
"""Seconds for which a lost session may find its lock taken: PostgreSQL itself notices late that a connection died."""

_TIMEOUTS = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
"""Of the connection that holds the lock, in seconds and milliseconds: a dead one must be noticed."""

_kept_open: list[int] = []
"""Descriptors of database files whose lock was released. Closing one would release the locks that SQLite holds on that
file for other connections of this process."""


class Claim(Protocol):
    """A claim that is held."""

    def check(self) -> str:
        """Return why the claim is lost, for people; "" while it is held."""

    def release(self) -> None:
        """Give it back."""


def claim(engines: Engines, patience: float) -> Claim:
    """Claim the database for this process.

    Raises Claimed when another process still has it after ``patience`` seconds, and StoreError.
    """
    deadline = time.monotonic() + patience
    if engines.file is not None:
        return FileClaim(engines.file, deadline)
    return SessionClaim(engines, deadline)


class FileClaim:
    """A claim on a SQLite file, under all its names."""

    def __init__(self, file: Path, deadline: float) -> None:
        """``deadline``: when to give up, on the steady clock. Raises Claimed, and StoreError."""
        self._file = file
        self._path = file.resolve()  # a symbolic link is another name of the same file
        self._beside = _lock_beside(self._path, deadline)
        try:
            self._descriptor = os.open(self._path, os.O_RDWR)
            try:
                _lock_itself(self._descriptor, deadline)
            except BaseException:
                _kept_open.append(self._descriptor)
                raise
        except BaseException as error:
            self._beside.close()
            if isinstance(error, OSError):
                raise StoreError(f"the database cannot be claimed: {error}") from error
            raise

    def check(self) -> str:
        """Return why the claim is lost: the file that this process has open is no longer the database."""
        own = os.fstat(self._descriptor)
        try:
            found = self._file.stat()
        except OSError as error:
            return f"the database file {self._file} is gone ({error.strerror})"
        if (found.st_dev, found.st_ino) != (own.st_dev, own.st_ino):
            return f"the database file {self._file} was replaced by another"
        return ""

    def release(self) -> None:
        """Give it back; all connections to the file are closed by now."""
        _unlock_itself(self._descriptor)
        _kept_open.append(self._descriptor)
        self._beside.close()


def _lock_beside(path: Path, deadline: float) -> sqlite3.Connection:
    """Lock a file beside the database: SQLite itself knows how to, on every system."""
    patience = max(0.0, deadline - time.monotonic())
    connection = sqlite3.connect(f"{path}-server", timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        connection.close()
        raise _refusal(error) from error
    return connection


def _refusal(error: sqlite3.OperationalError) -> StoreError:
    if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
        return Claimed(_TAKEN)
    return StoreError(f"the database cannot be claimed: {error}")


if sys.platform == "linux":
    import fcntl

    # flock and SQLite's fcntl locks are independent on Linux; on other systems they conflict.

    def _lock_itself(descriptor: int, deadline: float) -> None:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise Claimed(f"{_TAKEN}, perhaps under another name of its file") from None
                time.sleep(0.05)
            else:
                return

    def _unlock_itself(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)

else:

    def _lock_itself(descriptor: int, deadline: float) -> None:
        pass

    def _unlock_itself(descriptor: int) -> None:
        pass


class SessionClaim:
    """An advisory lock of PostgreSQL, which ends with its session."""

    def __init__(self, engines: Engines, deadline: float) -> None:
        """``deadline``: when to give up, on the steady clock. Raises Claimed, and StoreError."""
        self._engine = create_engine(
            engines.url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=_TIMEOUTS
        )
        self._connection: Connection | None = None
        self._refused: float | None = None
        """Since when the lock is another's, on the steady clock."""
        try:
            while not self._lock():
                if time.monotonic() > deadline:
                    raise Claimed(_TAKEN)
                time.sleep(0.05)
        except DBAPIError as error:
            raise StoreError(f"the database cannot be claimed: {error.orig}") from error

    def check(self) -> str:
        """Return why the claim is lost: the session ended, and another process has the lock.

        While the database is unreachable no process can take the lock; the session is opened again when the database is
        back.
        """
        try:
            if self._connection is not None:
                self._connection.execute(text("SELECT 1"))
            elif not self._lock():
                self._refused = self._refused or time.monotonic()
                return _TAKEN if time.monotonic() - self._refused > _LOST else ""
        except DBAPIError:
            self.release()
        self._refused = None
        return ""

    def release(self) -> None:
        """Give it back."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(DBAPIError):
                connection.close()

    def _lock(self) -> bool:
        """Try to get the lock."""
        connection = self._engine.connect()
        if connection.scalar(text("SELECT pg_try_advisory_lock(:number)"), {"number": _LOCK}):
            self._connection = connection
            return True
        connection.close()
        return False
