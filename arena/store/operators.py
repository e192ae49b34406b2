# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators: users with administrative rights over the API, and the hashes of their tokens."""

import time
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update

from arena.store import tables
from arena.store.errors import BadName, NameTaken, UnknownOperator
from arena.store.reader import Reader
from arena.store.writer import Writer

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
