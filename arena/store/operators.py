# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators (users with administrative rights over the API), and the audit log of their actions."""

import time
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update

from arena.store import tables
from arena.store.acting import Action, note
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.errors import BadName, NameTaken, UnknownOperator
from arena.store.rows import Page, read_id, write_cursor

_operator = tables.operators.c


class OperatorRow(NamedTuple):
    """An operator."""

    name: str
    created: float


class Operators:
    """The operators by name."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def add(self, name: str, token_hash: str) -> None:
        """Register an operator. Raises BadName, and NameTaken."""
        if not name.strip() or not name.isprintable() or len(name) > 100:
            raise BadName(f"{name[:100]!r} is no name for an operator")
        query = select(_operator.name).where(_operator.name == name)
        known = await self._reader.run(lambda connection: connection.scalar(query))
        if known is not None:
            raise NameTaken(f"there is an operator called {name}")
        row = {"name": name, "token_hash": token_hash, "created": time.time()}
        await self._writer.run(lambda connection: connection.execute(insert(tables.operators), row).rowcount)

    async def admit(self, name: str, token_hash: str) -> None:
        """Give a part of the arena its token for this run of the server. Raises BadName."""
        given = update(tables.operators).where(_operator.name == name).values(token_hash=token_hash)
        if not await self._writer.run(lambda connection: connection.execute(given).rowcount):
            await self.add(name, token_hash)

    async def remove(self, name: str) -> None:
        """Remove an operator. Raises UnknownOperator."""
        gone = delete(tables.operators).where(_operator.name == name)
        if not await self._writer.run(lambda connection: connection.execute(gone).rowcount):
            raise UnknownOperator(f"no operator is called {name}")

    async def all(self) -> list[OperatorRow]:
        """Return all operators by name."""
        query = select(_operator.name, _operator.created).order_by(_operator.name)
        return await self._reader.run(lambda connection: [OperatorRow(*row) for row in connection.execute(query)])

    async def by_token(self, token_hash: str) -> str | None:
        """Return the name of the operator that has a token; None where it is no operator's."""
        query = select(_operator.name).where(_operator.token_hash == token_hash)
        name: str | None = await self._reader.run(lambda connection: connection.scalar(query))
        return name


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
