# SPDX-License-Identifier: GPL-3.0-or-later
"""Database health: errors of readers and of the writer, and a small test write if no write happened lately.

No I/O except the given probe; times are seconds on a monotonic clock.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import DBAPIError

from arena.store.errors import StoreError

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
