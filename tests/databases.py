# SPDX-License-Identifier: GPL-3.0-or-later
"""Empty databases for tests of any room: a test that takes one runs twice, over SQLite and over PostgreSQL.

Where one kind is enough: ``@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)``.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
import pytest_asyncio

from arena.store import Store


@pytest.fixture(scope="session")
def hasty_postgres_url(postgres_url: str) -> str:
    """URL of the session's PostgreSQL, told not to wait for the disk: tests kill programs, not the power."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
    return postgres_url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database: a file of its own, or the session's PostgreSQL with whatever was in it swept away."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'arena.db'}"
    server: str = request.getfixturevalue("hasty_postgres_url")
    with psycopg.connect(server, autocommit=True) as connection:
        # Sessions of programs that were killed may still hold locks.
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE backend_type = %s"
            " AND pid <> pg_backend_pid()",
            ["client backend"],
        )
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return server


@pytest_asyncio.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """An open store on a fresh database."""
    async with await Store.open(database_url) as opened:
        yield opened
