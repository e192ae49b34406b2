# SPDX-License-Identifier: GPL-3.0-or-later
"""Empty databases for tests of any room: a test that takes one runs twice, over SQLite and over PostgreSQL.

Where one kind is enough: ``@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)``.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from arena.store import Store
from tests.postgres import Postgres


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database: a file of its own, or the session's PostgreSQL with whatever was in it swept away."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'arena.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    server.sweep()
    return server.url


def found(folder: Path) -> None:
    """Make an empty arena in a folder, as ``arena serve`` does."""

    async def make() -> None:
        await (await Store.open(f"sqlite:///{folder / 'arena.db'}")).close()

    folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(make())


@pytest_asyncio.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """An open store on a fresh database."""
    async with await Store.open(database_url) as opened:
        yield opened
