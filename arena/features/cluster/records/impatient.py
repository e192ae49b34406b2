# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection to PostgreSQL that waits for no answer long. Only a node loads the driver."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.rows import TupleRow

from arena.store.errors import StoreError

T = TypeVar("T")

ANSWER = 5.0
"""Seconds that a statement may take, and a second of them to wait for a lock."""


class Impatient(psycopg.Connection[TupleRow]):
    """A connection whose statements fail when they take too long."""

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Wait as the driver does, but at most for ANSWER."""
        return super().wait(gen, interval, ANSWER if timeout is None else timeout)


def opened(url: str) -> Impatient:
    """Return a new connection that commits each statement. Raises StoreError."""
    try:
        connection = Impatient.connect(
            url, autocommit=True, connect_timeout=5, tcp_user_timeout=5_000, application_name="arena node"
        )
        connection.execute("SET lock_timeout = '1s'")
    except psycopg.Error as error:
        raise _failed(error) from error
    return connection


def run(connection: Impatient, statement: str, values: Mapping[str, Any] | None) -> list[TupleRow]:
    """Execute a statement, and return the rows that it returns. Raises StoreError; then the connection is closed,
    unless the records were only locked.
    """
    try:
        cursor = connection.execute(statement, values)
        return cursor.fetchall() if cursor.description else []
    except psycopg.errors.LockNotAvailable as error:
        raise StoreError(f"the database has locked these records: {error}") from error
    except psycopg.Error as error:
        close(connection)
        raise _failed(error) from error


def close(connection: Impatient) -> None:
    """Close a connection."""
    with suppress(psycopg.Error):
        connection.close()


def _failed(error: psycopg.Error) -> StoreError:
    return StoreError(f"the database failed: {str(error) or type(error).__name__}")
