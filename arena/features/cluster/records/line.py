# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection to PostgreSQL of a thread's own, which is opened again after it failed, and waits for no answer long.

The threads that renew and watch leases must not wait for the pools of the store, nor for a database that is reached but
does not answer.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.features.cluster.records.impatient import Impatient

Rows = list[tuple[Any, ...]]


class Line:
    """A connection that commits each statement. One thread uses it."""

    def __init__(self, url: str) -> None:
        """``url``: ``postgresql://…``; nothing is opened yet, and no driver is loaded."""
        self._url = url
        self._connection: Impatient | None = None

    def run(self, statement: str, values: Mapping[str, Any] | None = None) -> Rows:
        """Execute a statement, and return the rows that it returns. Raises StoreError; the next call connects again."""
        from arena.features.cluster.records import impatient

        if self._connection is None or self._connection.closed:
            self._connection = impatient.opened(self._url)
        return impatient.run(self._connection, statement, values)

    def close(self) -> None:
        """Close the connection; the next statement opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            from arena.features.cluster.records import impatient

            impatient.close(connection)
