# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models that bots publish about other bots; the newest per author, bot and game."""

import time
from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from arena.store import tables
from arena.store.reader import Reader
from arena.store.rows import PortraitRow
from arena.store.writer import Writer

_portrait, _bot = tables.portraits.c, tables.bots.c


class Portraits:
    """The portraits."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def put(self, bot: int, game: str, author: int, body: bytes) -> None:
        """Store an opponent model; it replaces the author's previous one."""
        key = {"bot_id": bot, "game": game, "author_id": author}
        same = (_portrait.bot_id == bot) & (_portrait.game == game) & (_portrait.author_id == author)

        def work(connection: Connection) -> None:
            connection.execute(delete(tables.portraits).where(same))
            connection.execute(insert(tables.portraits), {**key, "body": body.decode(), "updated": time.time()})

        await self._writer.run(work)

    async def of_bot(self, bot: int, *, limit: int = 20) -> Sequence[PortraitRow]:
        """Return the opponent models of a bot by others, the newest first."""
        query = (
            select(_portrait.author_id, _bot.name, _portrait.game, _portrait.body, _portrait.updated)
            .join(tables.bots, _bot.id == _portrait.author_id)
            .where(_portrait.bot_id == bot)
            .order_by(_portrait.updated.desc())
            .limit(limit)
        )
        return await self._reader.run(
            lambda connection: [
                PortraitRow(author_id, author, game, body.encode(), updated)
                for author_id, author, game, body, updated in connection.execute(query)
            ]
        )
