# SPDX-License-Identifier: GPL-3.0-or-later
"""Empty databases for tests of any room: a test that takes one runs twice, over SQLite and over PostgreSQL.

Where one kind is enough: ``@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)``.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
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


@cache
def _empty() -> bytes:
    """Return the content of an empty arena's database. All are the same: nothing in it is drawn or dated."""

    async def make(file: Path) -> None:
        await (await Store.open(f"sqlite:///{file}")).close()

    # in a thread of its own: in this one a loop may run
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        file = Path(folder, "arena.db")
        pool.submit(asyncio.run, make(file)).result()
        return file.read_bytes()


def lay(url: str) -> None:
    """Lay the file of an empty database where a SQLite URL has none yet.

    To open a store makes the same by the statements of all migrations, which takes longer: see ``new_databases``.
    """
    kind, _, name = url.partition(":///")
    if kind == "sqlite" and not Path(name).exists():
        Path(name).write_bytes(_empty())


def found(folder: Path) -> None:
    """Make an empty arena in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    lay(f"sqlite:///{folder / 'arena.db'}")


@pytest_asyncio.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """An open store on a fresh database."""
    lay(database_url)
    async with await Store.open(database_url) as opened:
        yield opened
