# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection to PostgreSQL of a thread's own, which is opened again after it failed, and waits for no answer long.

The threads that renew and watch leases must not wait for the pools of the store, nor for a database that is reached but
does not answer.
"""

import contextlib
from collections.abc import Mapping
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.rows import TupleRow

from arena.store.errors import StoreError

T = TypeVar("T")

ANSWER = 5.0
"""Seconds that a statement may take, and a second of them to wait for a lock."""


class _Impatient(psycopg.Connection[TupleRow]):
    """A connection whose statements fail when they take too long."""

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        return super().wait(gen, interval, ANSWER if timeout is None else timeout)


class Line:
    """A connection that commits each statement. One thread uses it."""

    def __init__(self, url: str) -> None:
        """``url``: ``postgresql://…``; nothing is opened yet."""
        self._url = url
        self._connection: _Impatient | None = None

    def run(self, statement: str, values: Mapping[str, Any] | None = None) -> list[TupleRow]:
        """Execute a statement, and return the rows that it returns. Raises StoreError; the next call connects again."""
        try:
            if self._connection is None:
                self._connection = _Impatient.connect(
                    self._url, autocommit=True, connect_timeout=5, tcp_user_timeout=5_000, application_name="arena node"
                )
                self._connection.execute("SET lock_timeout = '1s'")
            cursor = self._connection.execute(statement, values)
            return cursor.fetchall() if cursor.description else []
        except psycopg.errors.LockNotAvailable as error:
            raise StoreError(f"the database has locked these records: {error}") from error
        except psycopg.Error as error:
            self.close()
            raise StoreError(f"the database failed: {str(error) or type(error).__name__}") from error

    def close(self) -> None:
        """Close the connection; the next statement opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(psycopg.Error):
                connection.close()
