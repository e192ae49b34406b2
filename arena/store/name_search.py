# SPDX-License-Identifier: GPL-3.0-or-later
"""Search of bots and tournaments by a part of their names."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, func, select

from arena.store import tables
from arena.store.database.engines import Reader
from arena.store.tables import storable


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A bot or a tournament whose name was found."""

    id: int
    name: str


class NameSearch:
    """Search of bots, without the removed ones and without people, and of tournaments."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def bots(self, text: str, limit: int) -> list[NamedRow]:
        """Return bots whose names contain ``text`` in any case: first those that begin with it, then by name."""
        bot = tables.bots.c
        query = select(bot.id, bot.name).where(bot.removed.is_(None), bot.kind != "person")
        return await self._found(query, bot.name, text, limit)

    async def tournaments(self, text: str, limit: int) -> list[NamedRow]:
        """Return tournaments whose names contain ``text``, in the same order."""
        tournament = tables.tournaments.c
        return await self._found(select(tournament.id, tournament.name), tournament.name, text, limit)

    async def _found(
        self, query: Select[tuple[Any, ...]], name: ColumnElement[str], text: str, limit: int
    ) -> list[NamedRow]:
        wanted, lower = storable(text).lower(), func.lower(name)
        begins = case((lower.startswith(wanted, autoescape=True), 0), else_=1)
        chosen = query.where(lower.contains(wanted, autoescape=True)).order_by(begins, lower).limit(limit)

        def work(connection: Connection) -> list[NamedRow]:
            return [NamedRow(**row._mapping) for row in connection.execute(chosen)]

        return await self._reader.run(work)
