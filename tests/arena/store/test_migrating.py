# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json
import sqlite3
import threading
import warnings
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from arena.cli.features import FEATURES
from arena.store import Store
from arena.store.database import engines as engines_module
from arena.store.database import migrating
from arena.store.database.claim import claim
from arena.store.database.engines import make_engines
from arena.store.database.migrating import configuration, migrate, newest, revision
from arena.store.errors import Claimed, NoArena, StoreError
from arena.store.tables import metadata
from tests.arena.store.older import at_schema

for feature in FEATURES:
    feature.tables()  # their tables are among those that the code describes


def _described(name: str | None, kind: str, _: object) -> bool:
    return kind != "table" or name in metadata.tables


async def test_the_steps_lead_to_the_tables_that_the_code_describes(database_url: str) -> None:
    engines = make_engines(database_url)
    migrate(engines)
    with engines.reading.connect() as connection, warnings.catch_warnings():
        # SQLAlchemy cannot read an index over an expression back from SQLite, and says so.
        warnings.filterwarnings("ignore", message=".*ix_bot_name_folded")
        warnings.filterwarnings("ignore", message="Skipped unsupported reflection of expression-based index")
        # the tables of a feature that is not here stay in the database
        context = MigrationContext.configure(connection, opts={"include_name": _described})
        assert compare_metadata(context, metadata) == []
    engines.dispose()


async def test_several_programs_may_open_a_new_database_at_once(database_url: str) -> None:
    stores = await asyncio.gather(*(Store.open(database_url) for _ in range(4)))
    await stores[0].bots.add("marion", "secret")
    assert await stores[3].bots.named("marion") is not None
    await asyncio.gather(*(store.close() for store in stores))


async def test_a_database_that_another_program_is_making_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines_module, "_BUSY_TIMEOUT", 10)
    tried = threading.Event()

    def is_passing(error: DBAPIError) -> bool:
        tried.set()
        return engines_module.is_passing(error)

    monkeypatch.setattr(migrating, "is_passing", is_passing)
    file = tmp_path / "arena.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        opening = asyncio.create_task(Store.open(f"sqlite:///{file}"))
        assert await asyncio.to_thread(tried.wait, 600)
        assert not opening.done()
        other.execute("ROLLBACK")
        async with await opening as store:
            assert await store.bots.named("marion") is None


async def test_a_database_that_stays_locked_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines_module, "_BUSY_TIMEOUT", 10)
    monkeypatch.setattr(migrating, "OTHERS", 0.1)
    file = tmp_path / "arena.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="locked"):
            await Store.open(f"sqlite:///{file}")


def empty(folder: Path) -> bool:
    return not list(folder.iterdir())


async def test_an_existing_arena_is_not_made(database_url: str, tmp_path: Path) -> None:
    with pytest.raises(NoArena, match="start `arena serve` to create one"):
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
    with pytest.raises(StoreError, match=r"schema 9999.*or a newer version"):
        await Store.open(database_url)


def copies(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.backup"))


async def test_nothing_is_migrated_under_a_server_that_runs(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrating, "PATIENCE", 0.1)
    at_schema(database_url, "0005")
    engines = make_engines(database_url)
    held = claim(engines, 0.0)  # as a server of any version holds it
    try:
        with pytest.raises(Claimed, match=r"schema 0005.*a server runs on the database: stop the server first"):
            await Store.open(database_url)
        with engines.reading.connect() as connection:
            assert revision(connection) == "0005"
    finally:
        engines.dispose()
        held.release()
    async with await Store.open(database_url) as store:
        assert await store.bots.named("marion") is not None


async def test_a_migration_is_printed_with_its_way_back_and_is_in_the_audit_log(
    database_url: str, tmp_path: Path
) -> None:
    at_schema(database_url, "0005")
    told: list[str] = []
    async with await Store.open(database_url, tell=told.append) as store:
        (entry,) = (await store.audit_log.page()).items
    assert entry.action == "migrate the database"
    assert json.loads(entry.details)["from"] == "0005"
    (line,) = told
    if not database_url.startswith("sqlite"):
        assert "pg_dump" in line
        return
    (copy,) = copies(tmp_path)
    assert str(copy) in line
    assert copy.name.startswith("arena.db.schema-0005.")
    engines = make_engines(f"sqlite:///{copy}")
    with engines.reading.connect() as connection:
        assert revision(connection) == "0005"
        assert connection.scalar(text("SELECT name FROM bot")) == "marion"
    engines.dispose()


async def test_a_new_database_is_not_copied(tmp_path: Path) -> None:
    told: list[str] = []
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}", tell=told.append):
        pass
    assert (copies(tmp_path), told) == ([], [])


async def test_a_downgrade_is_refused_with_the_way_back(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    at_schema(url, "0005")
    async with await Store.open(url):
        pass
    (copy,) = copies(tmp_path)
    engines = make_engines(url)
    with engines.writing.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        connection.execute(text("UPDATE server SET version = '9.9'"))
    engines.dispose()
    with pytest.raises(StoreError) as refused:
        await Store.open(url)
    assert str(refused.value).count("\n") == 0
    for part in (
        "schema 9999, written by arena 9.9",
        "Use arena 9.9",
        "stop all servers",
        f"`arena restore {copy} --force`",
    ):
        assert part in str(refused.value)


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
async def test_a_database_that_cannot_be_opened_is_reported(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        await Store.open(url)


async def test_a_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "arena.db"
    file.write_text("Dear diary, " * 100)
    with pytest.raises(StoreError, match="not a database"):
        await Store.open(f"sqlite:///{file}")
    assert file.read_text().startswith("Dear diary")
