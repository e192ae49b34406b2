# SPDX-License-Identifier: GPL-3.0-or-later
"""The reader: single statements without a transaction, and queries that see one state of the database."""

import asyncio

import pytest
from sqlalchemy import Connection, bindparam, text

from arena.store import Store
from arena.store.database.engines import Reader
from arena.store.errors import BadValue, StoreError

COUNT = text("SELECT count(*) FROM bot WHERE name <> :name").bindparams(bindparam("name"))


def reader_of(store: Store) -> Reader:
    """Return the reader of a store."""
    return store.matches._reader


async def test_a_single_statement_needs_no_transaction(database_url: str) -> None:
    async with await Store.open(database_url) as store:
        reader = reader_of(store)
        assert await reader.rows(COUNT, {"name": "one"}) == [(0,)]
        await store.bots.add("one", "token of one")
        assert await reader.rows(COUNT, {"name": "other"}) == [(1,)]
        with pytest.raises(StoreError, match="the database failed"):
            await reader.rows(text("SELECT * FROM nothing"))
        with pytest.raises(BadValue):
            await reader.rows(COUNT, {"name": "\ud800"})
        assert await reader.rows(COUNT, {"name": "one"}) == [(0,)]
        if not database_url.startswith("sqlite"):
            isolation = text("SHOW transaction_isolation")
            assert await reader.rows(isolation) == [("read committed",)], "the server's default"
            assert await reader.run(lambda connection: connection.scalar(isolation)) == "repeatable read"


async def test_queries_after_it_see_one_state(database_url: str) -> None:
    """Each connection of the pool has run a single statement before."""
    async with await Store.open(database_url) as store:
        reader, loop = reader_of(store), asyncio.get_running_loop()
        await asyncio.gather(*(reader.rows(COUNT, {"name": ""}) for _ in range(20)))

        def count_twice(connection: Connection) -> list[int]:
            before = connection.execute(COUNT, {"name": ""}).scalar_one()
            asyncio.run_coroutine_threadsafe(store.bots.add("one", "token of one"), loop).result()
            return [before, connection.execute(COUNT, {"name": ""}).scalar_one()]

        assert await reader.run(count_twice) == [0, 0]
        assert await reader.rows(COUNT, {"name": ""}) == [(1,)]
