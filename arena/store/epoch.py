# SPDX-License-Identifier: GPL-3.0-or-later
"""The server's epoch: a number in the database that grows with each server, so that an older one notices the newer.

Locks may fail: a lock file is deleted, a session is lost, a file system knows no locks. A server therefore checks in
every transaction that the epoch is still its own.
"""

import os
import socket
import time
from importlib.metadata import version
from typing import Any

from sqlalchemy import Connection, select, update

from arena.store import tables
from arena.store.errors import Superseded

_server = tables.servers.c
_EPOCH = "SELECT epoch FROM server WHERE id = 1"
_EPOCH_HELD = f"{_EPOCH} FOR SHARE"
"""On PostgreSQL a lock keeps the epoch unchanged until the transaction ends. SQLite has one writer anyway."""


def begin(connection: Connection, inode: int) -> int:
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


def check(connection: Connection, epoch: int, *, hold: bool = False) -> None:
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


def end(connection: Connection, epoch: int) -> None:
    """Note that the server of an epoch stopped in good order."""
    ended = update(tables.servers).where(_server.id == 1, _server.epoch == epoch)
    connection.execute(ended.values(released=time.time()))


def _who(connection: Connection) -> str:
    row = connection.execute(select(_server.version, _server.host, _server.pid)).one_or_none()
    return "" if row is None else f": arena {row.version}, process {row.pid} on {row.host}"
