# SPDX-License-Identifier: GPL-3.0-or-later
"""Fresh databases for tests of any room: each test runs over SQLite and over PostgreSQL.

A test file imports the fixtures it uses: ``from tests.databases import database_url, store``. Parametrise ``database_url`` indirectly with
``["sqlite"]`` where one kind is enough.
"""

import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest
import pytest_asyncio

from arena.store import Store

KINDS = ("sqlite", "postgresql")


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """URL of a fresh, empty database, dropped after the test."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'arena.db'}"
        return
    server: str = request.getfixturevalue("postgres_url")
    name = f"arena_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield server.replace("/postgres?", f"/{name}?", 1)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest_asyncio.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """An open store on a fresh database."""
    async with await Store.open(database_url) as opened:
        yield opened
