# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import warnings
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from arena.store import Store
from arena.store.engines import make_engines
from arena.store.errors import NoArena, StoreError
from arena.store.migrating import configuration, migrate, newest
from arena.store.tables import metadata


async def test_the_steps_lead_to_the_tables_that_the_code_describes(database_url: str) -> None:
    engines = make_engines(database_url)
    migrate(engines)
    with engines.reading.connect() as connection, warnings.catch_warnings():
        # SQLAlchemy cannot read an index over an expression back from SQLite, and says so.
        warnings.filterwarnings("ignore", message=".*ix_bot_name_folded")
        warnings.filterwarnings("ignore", message="Skipped unsupported reflection of expression-based index")
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engines.dispose()


async def test_several_programs_may_open_a_new_database_at_once(database_url: str) -> None:
    stores = await asyncio.gather(*(Store.open(database_url) for _ in range(4)))
    await stores[0].bots.add("marion", "secret")
    assert await stores[3].bots.named("marion") is not None
    await asyncio.gather(*(store.close() for store in stores))


def empty(folder: Path) -> bool:
    return not list(folder.iterdir())


async def test_an_existing_arena_is_not_made(database_url: str, tmp_path: Path) -> None:
    with pytest.raises(NoArena, match="arena serve` makes one"):
        await Store.open(database_url, existing=True)
    assert empty(tmp_path)
    async with await Store.open(database_url), await Store.open(database_url, existing=True) as store:
        assert await store.bots.named("marion") is None


async def test_a_database_of_a_newer_version_is_left_alone(database_url: str) -> None:
    async with await Store.open(database_url):
        pass
    engines = make_engines(database_url)
    with engines.writing.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engines.dispose()
    with pytest.raises(StoreError, match="newer version"):
        await Store.open(database_url)


async def test_a_step_that_fails_leaves_nothing_half_done(database_url: str) -> None:
    """A table of the first step is there already, so the step fails; then no other table may be left over."""
    engines = make_engines(database_url)
    with engines.writing.begin() as connection:
        connection.execute(text("CREATE TABLE rating (stranger INTEGER)"))
    with pytest.raises(StoreError):
        migrate(engines)
    with engines.reading.connect() as connection:
        assert connection.dialect.get_table_names(connection) == ["rating"]
    engines.dispose()


def test_the_steps_are_one_line_that_ends_at_the_highest_number() -> None:
    assert ScriptDirectory.from_config(configuration()).get_heads() == [newest()]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("arena.db", "cannot be read"),
        ("sqlite://", "SQLite file"),
        ("mysql://somewhere/else", "SQLite file or in PostgreSQL"),
        ("sqlite:////nowhere/at/all/arena.db", "unable to open"),
        ("postgresql://nobody@127.0.0.1:1/none?connect_timeout=2", "cannot be opened"),
    ],
)
async def test_a_database_that_cannot_be_opened_is_told(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        await Store.open(url)


async def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    file = tmp_path / "arena.db"
    file.write_text("Dear diary, " * 100)
    with pytest.raises(StoreError, match="not a database"):
        await Store.open(f"sqlite:///{file}")
    assert file.read_text().startswith("Dear diary")
