# SPDX-License-Identifier: GPL-3.0-or-later
"""Restorations: everything is there afterwards, or nothing has changed."""

import asyncio
import random
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from arena.cli.features import FEATURES
from arena.records.verification import verify
from arena.store import Store
from arena.store.backups import restoring
from arena.store.backups.archive import ArchiveReader, BadBackup
from arena.store.backups.restoring import NotEmpty, restore
from arena.store.backups.saving import save
from arena.store.database.claim import claim
from arena.store.database.engines import make_engines
from arena.store.database.migrating import newest
from arena.store.errors import Claimed, StoreError
from tests.arena.store.company import play, versions
from tests.arena.store.formats.content import Content, content
from tests.arena.store.formats.dumps import load


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of an arena with rows in all tables and an uploaded file."""
    uploads = tmp_path / "from" / "uploads"
    (uploads / "abab" / "files").mkdir(parents=True)
    (uploads / "abab" / "files" / "bot").write_bytes(b"a program")
    (uploads / "abab" / "files" / "bot").chmod(0o755)
    (uploads / "abab" / "files").chmod(0o550)
    (uploads / ".unfinished").mkdir()
    load(f"sqlite:///{tmp_path / 'from' / 'arena.db'}", newest())
    save(f"sqlite:///{tmp_path / 'from' / 'arena.db'}", {"uploads": uploads}, tmp_path / "backup.zip")
    (uploads / "abab" / "files").chmod(0o750)
    return tmp_path / "backup.zip"


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[dict[str, Path]]:
    """The folders of the arena that is restored; they do not exist yet."""
    yield {"uploads": tmp_path / "to" / "uploads"}
    for path in tmp_path.rglob("files"):
        path.chmod(0o750)  # pytest removes it


def without_server(found: Content) -> Content:
    """Leave out what a restoration writes: the row of the server, and its entry of the audit log."""
    entries = [entry for entry in found["audit_log"] if entry["action"] != "restore a backup"]
    return found | {"server": [], "audit_log": entries}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_all_rows_are_restored_on_both_databases(
    database_url: str, backup: Path, folders: dict[str, Path], tmp_path: Path
) -> None:
    """The backup is one of SQLite; on PostgreSQL the next numbers follow those of the backup."""
    done = restore(database_url, folders, backup)
    old, new = content(f"sqlite:///{tmp_path / 'from' / 'arena.db'}"), content(database_url)
    assert without_server(new) == without_server(old)
    assert done.rows == sum(map(len, old.values()))
    assert (done.files, done.kept, done.unknown, done.schema) == (1, None, [], newest())
    assert new["server"][0]["epoch"] == old["server"][0]["epoch"] + 1
    assert new["audit_log"][-1]["action"] == "restore a backup"

    async def use() -> int:
        async with await Store.open(database_url, existing=True) as store:
            report = await store.audit(lambda audit: verify(audit, features=FEATURES))
            assert report.findings == []
            first, second = await versions(store, "anna", "bert")
            return (await play(store, first, second)).match_id

    assert asyncio.run(use()) == len(old["match"]) + 1


def test_a_backup_of_postgresql_is_restored_as_sqlite_and_back(
    postgres: object, tmp_path: Path, backup: Path, folders: dict[str, Path], request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres").url
    request.getfixturevalue("postgres").sweep()
    restore(url, {}, backup)
    manifest = save(url, {}, tmp_path / "second.zip").manifest
    assert manifest.database == "postgresql"
    restore(f"sqlite:///{tmp_path / 'second.db'}", {}, tmp_path / "second.zip")
    with ArchiveReader(backup) as reader:
        assert [(table.name, table.columns) for table in reader.manifest.tables] == [
            (table.name, table.columns) for table in manifest.tables
        ]
    assert without_server(content(f"sqlite:///{tmp_path / 'second.db'}")) == without_server(
        content(f"sqlite:///{tmp_path / 'from' / 'arena.db'}")
    )


def test_files_have_their_content_and_permissions(backup: Path, folders: dict[str, Path], tmp_path: Path) -> None:
    restore(f"sqlite:///{tmp_path / 'to' / 'arena.db'}", folders, backup)
    place = folders["uploads"] / "abab" / "files"
    assert (place / "bot").read_bytes() == b"a program"
    assert stat.S_IMODE((place / "bot").stat().st_mode) == 0o755
    assert stat.S_IMODE(place.stat().st_mode) == 0o550
    assert names(folders["uploads"]) == {"abab"}
    assert names(tmp_path / "to") == {"arena.db", "arena.db-server", "uploads"}, "with the file of the lock"
    assert stat.S_IMODE((tmp_path / "to" / "arena.db").stat().st_mode) == 0o600
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_nothing_is_replaced_without_the_option(database_url: str, backup: Path, folders: dict[str, Path]) -> None:
    restore(database_url, folders, backup)
    before = content(database_url)
    with pytest.raises(NotEmpty, match="--force"):
        restore(database_url, folders, backup)
    with pytest.raises(NotEmpty, match="--force"):
        restore(database_url, {}, backup)
    assert content(database_url) == before
    done = restore(database_url, folders, backup, force=True)
    after = content(database_url)
    assert without_server(after) == without_server(before)
    assert after["server"][0]["epoch"] == before["server"][0]["epoch"] + 1, "an earlier server must notice"
    if database_url.startswith("sqlite"):
        assert done.kept is not None
        assert content(f"sqlite:///{done.kept}") == before
    else:
        assert done.kept is None


def test_a_folder_with_files_alone_is_not_empty(backup: Path, folders: dict[str, Path], tmp_path: Path) -> None:
    (folders["uploads"] / "cdcd").mkdir(parents=True)
    url = f"sqlite:///{tmp_path / 'to' / 'arena.db'}"
    with pytest.raises(NotEmpty, match="uploads contains files"):
        restore(url, folders, backup)
    assert names(tmp_path / "to") == {"uploads"}
    restore(url, folders, backup, force=True)
    assert names(folders["uploads"]) == {"abab", "cdcd"}


def test_a_folder_with_a_cache_alone_is_empty(backup: Path, folders: dict[str, Path], tmp_path: Path) -> None:
    """Backups leave out names with a dot."""
    (folders["uploads"] / ".cache" / "cdcd").mkdir(parents=True)
    restore(f"sqlite:///{tmp_path / 'to' / 'arena.db'}", folders, backup)
    assert names(folders["uploads"]) == {".cache", "abab"}


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_a_log_without_its_database_is_not_applied_to_the_restored_one(
    backup: Path, tmp_path: Path, ending: str
) -> None:
    """The file was deleted, and not the log that SQLite applies to a file of this name."""
    (tmp_path / "to").mkdir()
    file = tmp_path / "to" / "arena.db"
    url = f"sqlite:///{file}"
    log = file.with_name(file.name + ending)
    log.write_bytes(b"a log")
    with pytest.raises(NotEmpty, match=f"arena.db{ending} exists"):
        restore(url, {}, backup)
    restore(url, {}, backup, force=True)
    assert not log.exists()
    assert [path.read_bytes() for path in file.parent.glob(f"*.replaced.*{ending}")] == [b"a log"]
    assert content(url)["match"]


def test_a_damaged_database_is_replaced_and_kept(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    file = tmp_path / "to" / "arena.db"
    file.write_bytes(b"no database at all " * 500)
    done = restore(f"sqlite:///{file}", {}, backup, force=True)
    assert done.kept is not None
    assert done.kept.read_bytes() == b"no database at all " * 500
    assert content(f"sqlite:///{file}")["match"]


async def test_the_write_ahead_log_of_the_replaced_database_goes_with_it(backup: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    async with await Store.open(f"sqlite:///{file}") as store:
        first, second = await versions(store, "anna", "bert")
        await play(store, first, second)
        copies = [file, file.with_name(f"{file.name}-wal")]
        killed = tmp_path / "killed"
        killed.mkdir()
        for copy in copies:
            (killed / copy.name).write_bytes(copy.read_bytes())  # as after kill -9
    url = f"sqlite:///{killed / 'other.db'}"
    assert (killed / "other.db-wal").stat().st_size
    done = await asyncio.to_thread(restore, url, {}, backup, force=True)
    assert {match["game"] for match in content(url)["match"]} > {"nim"}
    assert len(content(f"sqlite:///{done.kept}")["match"]) == 1


def test_nothing_is_restored_under_a_server(
    database_url: str, backup: Path, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring, "PATIENCE", 0.1)
    restore(database_url, folders, backup)
    before = content(database_url)
    engines = make_engines(database_url)
    held = claim(engines, 0.0)
    try:
        with pytest.raises(Claimed, match="stop it first"):
            restore(database_url, folders, backup, force=True)
    finally:
        held.release()
        engines.dispose()
    assert content(database_url) == before


@pytest.mark.parametrize("place", ["insert_rows", "upgrade", "note", "_verify"])
def test_an_error_leaves_everything_as_it_was(
    database_url: str,
    backup: Path,
    folders: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
) -> None:
    load(database_url, newest())
    before = content(database_url)
    files = names(tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(restoring, place, fail)
    with pytest.raises(StoreError, match="the restoration failed: No space left"):
        restore(database_url, folders, backup, force=True)
    assert content(database_url) == before
    assert not folders["uploads"].exists()
    assert names(tmp_path) - files <= {"to", "arena.db-server"}, "the file of the lock stays"


def test_an_interruption_before_the_rename_loses_nothing(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old file has two names then; the next program says so, and a restoration goes on."""
    file = tmp_path / "to" / "arena.db"
    file.parent.mkdir()
    url = f"sqlite:///{file}"
    load(url, newest())
    before = content(url)

    class Killed(BaseException):
        pass

    def killed(self: Path, target: Path) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed)
        with pytest.raises(Killed):
            restore(url, {}, backup, force=True)
    with pytest.raises(StoreError, match=r"a restoration of .* was interrupted"):
        asyncio.run(Store.open(url, existing=True))
    assert content(url) == before
    done = restore(url, {}, backup, force=True)
    assert content(f"sqlite:///{done.kept}") == before


def test_records_that_are_wrong_are_not_restored(database_url: str, backup: Path) -> None:
    load(database_url, newest())
    before = content(database_url)
    with pytest.raises(BadBackup, match="nothing was restored: match 5 is wrong"):
        restore(database_url, {}, backup, force=True, verify=lambda audit: "match 5 is wrong")
    assert content(database_url) == before


@pytest.mark.parametrize("schema", ["0001", "0012", newest()])
def test_the_copy_of_a_migration_is_restored(tmp_path: Path, schema: str) -> None:
    """The way back after an upgrade: the copy that the newer version made."""
    load(f"sqlite:///{tmp_path / 'arena.db.schema.backup'}", schema)
    done = restore(f"sqlite:///{tmp_path / 'new.db'}", {}, tmp_path / "arena.db.schema.backup")
    assert (done.schema, done.files) == (schema, 0)
    assert len(content(f"sqlite:///{tmp_path / 'new.db'}")["match"]) >= 12


def test_a_damaged_copy_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "arena.db.schema.backup"
    load(f"sqlite:///{copy}", newest())
    body, chance = bytearray(copy.read_bytes()), random.Random(1)
    for offset in range(8192, len(body), 4096):
        body[offset : offset + 64] = chance.randbytes(64)
    copy.write_bytes(body)
    with pytest.raises(BadBackup, match=r"the database is damaged|disk image is malformed"):
        restore(f"sqlite:///{tmp_path / 'new.db'}", {}, copy)
    assert not (tmp_path / "new.db").exists()


def test_a_database_that_is_no_arena_is_no_backup(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as database:
        database.execute("CREATE TABLE other (id INTEGER)")
    with pytest.raises(BadBackup, match="holds no arena"):
        restore(f"sqlite:///{tmp_path / 'new.db'}", {}, tmp_path / "other.db")


def test_a_database_error_is_reported(backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise DBAPIError("INSERT", None, sqlite3.OperationalError("database or disk is full"))

    monkeypatch.setattr(restoring, "insert_rows", fail)
    with pytest.raises(StoreError, match="the restoration failed: database or disk is full"):
        restore(f"sqlite:///{tmp_path / 'new.db'}", {}, backup)
    assert not (tmp_path / "new.db").exists()
