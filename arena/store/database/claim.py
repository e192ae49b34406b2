# SPDX-License-Identifier: GPL-3.0-or-later
"""A claim on a database, so that one server runs at a time, or only servers that share it; released when the process
ends. Each server has a number, its epoch.

A SQLite file has two locks: a lock file beside it, on every system, and on Linux a lock on the database file itself.
The second one holds for every path of the file, and after somebody deletes the lock file. On PostgreSQL a session holds
an advisory lock; a lost session is opened again. Servers that share a database hold the same lock shared.
"""

import contextlib
import os
import socket
import sqlite3
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, NullPool, create_engine, select, text, update
from sqlalchemy.exc import DBAPIError

from arena.store import tables
from arena.store.database.engines import Engines
from arena.store.errors import Claimed, StoreError, Superseded

_LOCK = 0x0A7E_4B
"""The number of PostgreSQL's advisory lock that a server holds."""

_TAKEN = "another server runs on this database"

_SHARED = "servers that share this database run on it: start this server as one of them, or stop all of them first"
_ALONE = "a server that does not share this database runs on it, or a program that needs it for itself: stop it first"

_LOST = 15.0
"""Seconds for which a lost session may find its lock taken: PostgreSQL itself notices late that a connection died."""

_TIMEOUTS = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
"""Of the connection that holds the lock, in seconds and milliseconds: a dead one must be noticed."""

_kept_open: list[int] = []
"""Descriptors of database files whose lock was released. Closing one would release the locks that SQLite holds on that
file for other connections of this process."""


class Shared(Claimed):
    """Servers that share the database run on it."""


class Claim(Protocol):
    """A claim that is held."""

    def check(self) -> str:
        """Return why the claim is lost, for people; "" while it is held."""

    def release(self) -> None:
        """Give it back."""


def claim(engines: Engines, patience: float, *, shared: bool = False) -> Claim:
    """Claim the database for this process; ``shared``: with others that share it, on PostgreSQL.

    Raises Claimed when another process still has it after ``patience`` seconds, and StoreError.
    """
    deadline = time.monotonic() + patience
    if engines.file is None:
        return SessionClaim(engines, deadline, shared=shared)
    if shared:
        raise StoreError("servers cannot share a SQLite file")
    return FileClaim(engines.file, deadline)


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


class NameClaim:
    """A claim on the name of a SQLite file that does not exist yet, for the program that puts it there."""

    def __init__(self, file: Path, patience: float) -> None:
        """Raises Claimed when another process has it after ``patience`` seconds, and StoreError."""
        self._beside = _lock_beside(file, time.monotonic() + patience)

    def check(self) -> str:
        """Return "": nothing can take the lock away."""
        return ""

    def release(self) -> None:
        """Give it back."""
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

    def __init__(self, engines: Engines, deadline: float, *, shared: bool = False) -> None:
        """``deadline``: when to give up, on the steady clock. Raises Claimed, and StoreError."""
        self._shared = shared
        self._engine = create_engine(
            engines.url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=_TIMEOUTS
        )
        self._connection: Connection | None = None
        self._refused: float | None = None
        """Since when the lock is another's, on the steady clock."""
        try:
            while not self._lock():
                if time.monotonic() > deadline:
                    raise self._refusal()
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
                return str(self._refusal()) if time.monotonic() - self._refused > _LOST else ""
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
        function = "pg_try_advisory_lock_shared" if self._shared else "pg_try_advisory_lock"
        if connection.scalar(text(f"SELECT {function}(:number)"), {"number": _LOCK}):
            self._connection = connection
            return True
        connection.close()
        return False

    def _refusal(self) -> Claimed:
        """Return who has the lock, for people."""
        if self._shared:
            return Claimed(_ALONE)
        query = text(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = :number AND mode = 'ShareLock'"
        )
        with self._engine.connect() as connection:
            return Shared(_SHARED) if connection.scalar(query, {"number": _LOCK}) else Claimed(_TAKEN)


# ---------------------------------------------------------------- epoch
#
# The server's epoch: a number in the database that grows with each server, so that an older one notices the newer.
#
# Locks may fail: a lock file is deleted, a session is lost, a file system knows no locks. A server therefore checks
# in every transaction that the epoch is still its own.

_server = tables.servers.c
_EPOCH = "SELECT epoch FROM server WHERE id = 1"
_EPOCH_HELD = f"{_EPOCH} FOR SHARE"
"""On PostgreSQL a lock keeps the epoch unchanged until the transaction ends. SQLite has one writer anyway."""


def begin_epoch(connection: Connection, inode: int) -> int:
    """Begin the epoch of this server and return it; ``inode``: of the SQLite file, 0 elsewhere."""
    values = {
        **about_this_process(),
        "epoch": _server.epoch + 1,
        "inode": str(inode),
        "claimed": time.time(),
        "released": None,
    }
    begun = update(tables.servers).where(_server.id == 1).values(values).returning(_server.epoch)
    epoch: int = connection.execute(begun).scalar_one()
    return epoch


def about_this_process() -> dict[str, str | int]:
    """Return the server's record in the database."""
    return {"version": version("bot-arena"), "host": socket.gethostname(), "pid": os.getpid()}


def check_epoch(connection: Connection, epoch: int, *, hold: bool = False) -> None:
    """Raise Superseded when the epoch is another server's. Runs in every transaction, so it costs one row.

    ``hold``: no other server shall begin before the end of this transaction, which writes.
    """
    statement = _EPOCH_HELD if hold and connection.dialect.name == "postgresql" else _EPOCH
    if _value(connection, statement) != epoch:
        raise Superseded(f"another server took over this database{_who(connection)}")


def _value(connection: Connection, statement: str) -> Any:
    """Run a SELECT through the driver itself, which is ten times as fast as through SQLAlchemy."""
    cursor = connection.connection.cursor()
    try:
        cursor.execute(statement)
        return (cursor.fetchone() or (None,))[0]
    except Exception:
        return connection.exec_driver_sql(
            statement
        ).scalar()  # translates driver errors into the exceptions that the writer handles
    finally:
        cursor.close()


def touch(connection: Connection) -> None:
    """Write a new value; SQLite would skip the write if the value were unchanged."""
    connection.execute(update(tables.servers).where(_server.id == 1).values(probed=time.time()))


def end_epoch(connection: Connection, epoch: int) -> None:
    """Note that the server of an epoch stopped in good order."""
    ended = update(tables.servers).where(_server.id == 1, _server.epoch == epoch)
    connection.execute(ended.values(released=time.time()))


def _who(connection: Connection) -> str:
    row = connection.execute(select(_server.version, _server.host, _server.pid)).one_or_none()
    return "" if row is None else f": arena {row.version}, process {row.pid} on {row.host}"
