# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models in the database: the newest for each author, bot and game."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Double, Text, delete, insert, select
from sqlmodel import Field

from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.tables import Base, bots, plain, reference


class OpponentModel(Base, table=True):
    """A bot's opponent model of another bot; ``body`` is JSON that the records do not interpret."""

    __tablename__ = "portrait"

    bot_id: int = Field(sa_column=reference("bot.id", primary_key=True))
    game: str = Field(sa_type=Text, primary_key=True)
    author_id: int = Field(sa_column=reference("bot.id", primary_key=True))
    body: str = Field(sa_type=Text)
    updated: float = Field(sa_type=Double)


_models = plain(OpponentModel)
_model, _bot = _models.c, bots.c

TABLES = (_models,)


@dataclass(frozen=True, slots=True)
class OpponentModelRow:
    """A bot's opponent model of another bot."""

    author_id: int
    author: str
    game: str
    body: bytes
    updated: float


class OpponentModelRecords:
    """The opponent models."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def put(self, bot: int, game: str, author: int, body: bytes) -> None:
        """Store an opponent model; it replaces the author's previous one."""
        key = {"bot_id": bot, "game": game, "author_id": author}
        same = (_model.bot_id == bot) & (_model.game == game) & (_model.author_id == author)

        def work(connection: Connection) -> None:
            connection.execute(delete(_models).where(same))
            connection.execute(insert(_models), {**key, "body": body.decode(), "updated": time.time()})

        await self._writer.run(work)

    async def forget(self, bot: int) -> None:
        """Delete all opponent models of a bot by others."""

        def work(connection: Connection) -> None:
            connection.execute(delete(_models).where(_model.bot_id == bot))

        await self._writer.run(work)

    async def of_bot(self, bot: int, *, limit: int = 20) -> Sequence[OpponentModelRow]:
        """Return the opponent models of a bot by others, the newest first."""
        query = (
            select(_model.author_id, _bot.name, _model.game, _model.body, _model.updated)
            .join(bots, _bot.id == _model.author_id)
            .where(_model.bot_id == bot)
            .order_by(_model.updated.desc())
            .limit(limit)
        )
        return await self._reader.run(
            lambda connection: [
                OpponentModelRow(author_id, author, game, body.encode(), updated)
                for author_id, author, game, body, updated in connection.execute(query)
            ]
        )
