# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators (processes of the arena with administrative rights over the API), and the audit log of all actions."""

from typing import NamedTuple

from sqlalchemy import delete, select

from arena.store import tables
from arena.store.acting import Action, note
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.rows import Page, read_id, write_cursor


class Operators:
    """The processes of the arena that act as operators, each by its token for this run of the server.

    People act by the ways that features give them (``web.feature.WebPart.authorise``).
    """

    def __init__(self) -> None:
        self._tokens: dict[str, str] = {}

    def admit(self, name: str, token_hash: str) -> None:
        """Give a process its token; the token that it had before is invalid from now on."""
        self._tokens[name] = token_hash

    def by_token(self, token_hash: str) -> str | None:
        """Return the name of the process that has a token; None where it is no process's."""
        return next((name for name, known in self._tokens.items() if known == token_hash), None)


# ---------------------------------------------------------------- audit log
#
# The audit log: the actor, action, time and address of each administrative action.
#
# Entries are added, never changed, and deleted when they are old.

_entry = tables.audit_log.c


class AuditRow(NamedTuple):
    """An entry; ``details`` is JSON."""

    id: int
    time: float
    account: str
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
