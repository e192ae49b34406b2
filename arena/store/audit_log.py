# SPDX-License-Identifier: GPL-3.0-or-later
"""The audit log: the actor, action, time and address of each administrative action.

Entries are added, never changed, and deleted when they are old.
"""

from typing import NamedTuple

from sqlalchemy import delete, select

from arena.store import tables
from arena.store.acting import Action, note
from arena.store.cursors import read_id, write_cursor
from arena.store.reader import Reader
from arena.store.rows import Page
from arena.store.writer import Writer

_entry = tables.audit_log.c


class AuditRow(NamedTuple):
    """An entry; ``details`` is JSON."""

    id: int
    time: float
    who: str
    origin: str
    action: str
    details: str


class AuditLog:
    """The entries, the newest first."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def complete(self, action: Action) -> None:
        """Record an action that changed nothing in the database, in a transaction of its own."""
        if not action.written:
            await self._writer.run(lambda connection: note(connection, action))
            action.written = True

    async def page(self, *, since: float = 0.0, after: str | None = None, limit: int = 50) -> Page[AuditRow]:
        """Return entries not older than a Unix time, the newest first. Raises BadCursor."""
        query = select(*(_entry[name] for name in AuditRow._fields)).where(_entry.time >= since)
        if after is not None:
            query = query.where(_entry.id < read_id(after))
        query = query.order_by(_entry.id.desc()).limit(limit + 1)
        rows = await self._reader.run(lambda connection: [AuditRow(*row) for row in connection.execute(query)])
        return Page(rows[:limit], write_cursor(rows[limit - 1].id) if len(rows) > limit else None)

    async def prune(self, before: float) -> int:
        """Drop the entries older than a Unix time; returns how many."""
        old = delete(tables.audit_log).where(_entry.time < before)
        return await self._writer.run(lambda connection: connection.execute(old).rowcount)
