# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of which account owns which bot."""

from collections.abc import Collection

from sqlalchemy import Connection, func, insert, select

from arena.features.accounts import tables
from arena.features.accounts.records.accounts import get_account
from arena.features.accounts.rows import TooMany
from arena.store import tables as core
from arena.store.bots import register
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.rows import BotRow

_owned = tables.owned_bots.c
_bot = core.bots.c
_BOT = [column for column in core.bots.columns if column.name != "token_hash"]


class Ownership:
    """The bots of accounts. Only administrators can change a bot without an account."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def register(
        self, account: int, name: str, token_hash: str, *, description: str = "", most: int | None = None
    ) -> BotRow:
        """Register a bot of an account. Raises BadName, NameTaken, UnknownAccount, and TooMany where the account has
        ``most`` bots already.
        """

        def work(connection: Connection) -> BotRow:
            owner = get_account(connection, account)
            if most is not None and _count(connection, account) >= most:
                raise TooMany(f"an account has at most {most} bots; remove one, or ask an administrator")
            bot = register(connection, name, token_hash, owner=owner.name, description=description)
            connection.execute(insert(tables.owned_bots), {"bot_id": bot.id, "account_id": account})
            return bot

        return await self._writer.run(work)

    async def owner(self, bot_id: int) -> int | None:
        """Return the number of the account that owns a bot; None if no account owns it."""
        query = select(_owned.account_id).where(_owned.bot_id == bot_id)
        number: int | None = await self._reader.run(lambda connection: connection.scalar(query))
        return number

    async def bots(self, account: int) -> list[BotRow]:
        """Return the bots of an account in the order they were registered, removed ones left out."""
        query = select(*_BOT).join(tables.owned_bots, _owned.bot_id == _bot.id)
        query = query.where(_owned.account_id == account, _bot.removed.is_(None)).order_by(_bot.id)
        return await self._reader.run(lambda connection: [BotRow(**row._mapping) for row in connection.execute(query)])

    async def count(self, account: int) -> int:
        """Return how many bots an account has, removed ones left out."""
        return await self._reader.run(lambda connection: _count(connection, account))

    async def counts(self, accounts: Collection[int]) -> dict[int, int]:
        """Return how many bots accounts have, removed ones left out."""
        query = select(_owned.account_id, func.count()).join(core.bots, _owned.bot_id == _bot.id)
        query = query.where(_owned.account_id.in_(accounts), _bot.removed.is_(None)).group_by(_owned.account_id)
        return await self._reader.run(lambda connection: {row[0]: row[1] for row in connection.execute(query)})


def _count(connection: Connection, account: int) -> int:
    query = select(func.count()).select_from(tables.owned_bots).join(core.bots, _owned.bot_id == _bot.id)
    return connection.scalar(query.where(_owned.account_id == account, _bot.removed.is_(None))) or 0
