# SPDX-License-Identifier: GPL-3.0-or-later
"""Restore a backup: the database becomes that of the backup in one step, or stays as it is.

Nothing of the target changes before the backup was checked. A SQLite database is built in a file beside the old one,
which then takes its place by a rename; on PostgreSQL everything is one transaction. Files are added before that step:
their names depend on their content, so the old records do not notice them.
"""

import contextlib
import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, NullPool, create_engine, delete, event, inspect, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from arena.store.acting import by_this_process, note
from arena.store.audit import Audit
from arena.store.backups.archive import BadBackup, failed, sync_folder
from arena.store.backups.files import StagedFiles, stage
from arena.store.backups.rows import insert_rows, ordered, schema_at
from arena.store.backups.sources import ArchiveSource, CopySource, open_source
from arena.store.database.claim import Claim, NameClaim, SessionClaim, claim
from arena.store.database.engines import Engines, make_engines
from arena.store.database.migrating import check_file, interrupted, newest, revision, upgrade
from arena.store.errors import Claimed, StoreError, StoreRejected

PATIENCE = 5.0
"""Seconds that a restoration waits for a server that is just stopping, and for other programs."""

Verify = Callable[[Audit], str]
"""Returns why the restored records are wrong; "" if they are right."""


class NotEmpty(StoreRejected):
    """The target has records, and ``force`` is not set."""


class Restored(NamedTuple):
    """The restored records and files."""

    schema: str
    """The schema of the backup."""
    rows: int
    files: int
    kept: Path | None
    """The file of the database that was replaced."""
    unknown: list[str]
    """Folders of files of features that are not here."""


def restore(
    url: str, folders: Mapping[str, Path], path: Path, *, force: bool = False, verify: Verify | None = None
) -> Restored:
    """Make the database at ``url`` that of a backup, brought to the newest schema, and add the backup's files.

    ``folders``: folders of files by name. ``force``: replace records that exist; a SQLite file is kept under another
    name. ``verify`` sees the new records before they replace anything. Raises NotEmpty, BadBackup, Claimed where a
    server runs on the target, and StoreError; then the records are as they were.
    """
    engines = make_engines(url)
    try:
        with open_source(path) as source:
            source.check()
            if not force:
                _refuse_files(folders)
            with contextlib.closing(stage(source.reader, folders)) as files:
                if engines.file is not None:
                    return _into_file(engines, engines.file, source, files, force, verify)
                return _into_postgresql(engines, source, files, force, verify)
    except OSError as error:
        raise failed("the restoration", error) from error
    except DBAPIError as error:
        raise StoreError(f"the restoration failed: {error.orig}") from error
    finally:
        engines.dispose()


def check(path: Path) -> ArchiveSource | CopySource:
    """Check a backup and return it, closed. Raises BadBackup, and StoreError."""
    with open_source(path) as source:
        source.check()
        return source


def _refuse_files(folders: Mapping[str, Path]) -> None:
    """Raise NotEmpty if a folder has files that a backup would have: names with a dot are of caches and the like."""
    for folder in folders.values():
        with contextlib.suppress(FileNotFoundError), os.scandir(folder) as entries:
            if any(not entry.name.startswith(".") for entry in entries):
                raise NotEmpty(f"{folder} contains files: restore into another folder, or add to them with --force")


# ---------------------------------------------------------------- SQLite


def _into_file(
    engines: Engines,
    file: Path,
    source: ArchiveSource | CopySource,
    files: StagedFiles,
    force: bool,
    verify: Verify | None,
) -> Restored:
    file = file.absolute().resolve()
    exists = file.exists()
    for name in (file, *_logs(file)):
        if name.exists() and not force:
            raise NotEmpty(f"{name} exists: restore into another folder, or replace it with --force")
    free = shutil.disk_usage(file.parent).free
    if source.bytes > free:
        raise BadBackup(f"the backup has {source.bytes:,} bytes of records, and {file.parent} has {free:,} bytes free")
    held = _claim(engines, file)
    unfinished = file.with_name(f"{file.name}.restoring")
    try:
        if exists:
            for name in interrupted(file):
                name.unlink()
            check_file(engines, existing=True)
        with _scratch(unfinished) as engine, engine.begin() as connection:
            rows = _fill(connection, source, _epoch_of(file) if exists else 0)
            _verify(connection, verify)
        with unfinished.open("rb+") as written:
            os.fsync(written.fileno())
        files.put()
        kept = _kept_name(file) if exists else None
        if kept is not None:
            _replace(file, unfinished, kept)
        else:
            _move_logs(file, _kept_name(file))
            unfinished.rename(file)
        sync_folder(file.parent)
    finally:
        unfinished.unlink(missing_ok=True)
        held.release()
    return Restored(source.schema, rows, files.count, kept, files.unknown)


def _claim(engines: Engines, file: Path) -> Claim:
    try:
        return claim(engines, PATIENCE) if file.exists() else NameClaim(file, PATIENCE)
    except Claimed:
        raise Claimed(f"a server runs on {file}: stop it first") from None


@contextlib.contextmanager
def _scratch(file: Path) -> Iterator[Engine]:
    """Return an engine for a new file, which becomes a database only when it is whole: it needs no journal."""
    file.unlink(missing_ok=True)
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool, connect_args={"isolation_level": None})

    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        for setting in ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"):
            cursor.execute(f"PRAGMA {setting}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        yield engine
    finally:
        engine.dispose()


def _epoch_of(file: Path) -> int:
    """Return the epoch of a SQLite file; 0 where it does not tell, for example because it is damaged."""
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=PATIENCE)) as connection:
            return int(connection.execute("SELECT epoch FROM server WHERE id = 1").fetchone()[0])
    except (sqlite3.Error, TypeError, ValueError):
        return 0


def _kept_name(file: Path) -> Path:
    """Return an unused name under which a replaced database is kept."""
    name = file.with_name(f"{file.name}.replaced.{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}")
    numbered = (name.with_name(f"{name.name}.{number}") for number in count(2))
    return next(each for each in chain([name], numbered) if not os.path.lexists(each))


def _logs(file: Path) -> list[Path]:
    """Return the names of the logs that SQLite applies to a file of this name when it opens it."""
    return [file.with_name(file.name + ending) for ending in ("-wal", "-journal")]


def _move_logs(file: Path, kept: Path) -> None:
    """Move logs that cannot be applied to their database: they must not be applied to the new one."""
    for log in _logs(file):
        with contextlib.suppress(FileNotFoundError):
            log.rename(kept.with_name(kept.name + log.name.removeprefix(file.name)))
    file.with_name(f"{file.name}-shm").unlink(missing_ok=True)  # SQLite makes it from the log


def _replace(file: Path, new: Path, kept: Path) -> None:
    """Put a database in the place of another, which no program uses; ``kept`` is the new name of the old one.

    The write-ahead log belongs to the name and not to the file. It is emptied into the old file first: at each moment
    there is a whole database under the name.
    """
    with contextlib.closing(sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode = DELETE")  # succeeds only if nobody else has the file open
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise StoreError(f"another program uses {file}: stop it first") from error
            if (error.sqlite_errorcode & 0xFF) not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise StoreError(f"{file} cannot be replaced: {error}") from error
            _move_logs(file, kept)  # it is damaged
        _keep(file, kept)
        new.replace(file)


def _keep(file: Path, name: Path) -> None:
    """Give a file a second name; where the file system has no hard links, copy it."""
    try:
        name.hardlink_to(file)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EMLINK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EACCES):
            raise
        shutil.copyfile(file, name)
        name.chmod(0o600)


# ---------------------------------------------------------------- PostgreSQL


def _into_postgresql(
    engines: Engines, source: ArchiveSource | CopySource, files: StagedFiles, force: bool, verify: Verify | None
) -> Restored:
    try:
        held = SessionClaim(engines, time.monotonic() + PATIENCE)
    except Claimed:
        raise Claimed("a server runs on the database: stop it first") from None
    try:
        with engines.writing.begin() as connection:
            epoch = _clear(connection, force)
            rows = _fill(connection, source, epoch)
            _verify(connection, verify)
            files.put()
    finally:
        held.release()
    return Restored(source.schema, rows, files.count, None, files.unknown)


def _clear(connection: Connection, force: bool) -> int:
    """Drop the tables of the arena; return the epoch of its last server."""
    found = revision(connection)
    if found is None:
        return 0
    if not force:
        raise NotEmpty("the database holds an arena: restore into another database, or replace it with --force")
    if found > newest():
        raise NotEmpty(
            f"the database has the newer schema {found}, whose tables this arena does not know: restore into an empty"
            " database"
        )
    connection.exec_driver_sql("SET LOCAL lock_timeout = '10s'")
    schema = schema_at(found)
    epoch = int(connection.scalar(text("SELECT epoch FROM server")) or 0) if "server" in schema.tables else 0
    existing = set(inspect(connection).get_table_names())
    quote = connection.dialect.identifier_preparer.quote
    names = [quote(name) for name in [*schema.tables, "alembic_version"] if name in existing]
    connection.exec_driver_sql(f"DROP TABLE {', '.join(names)}")
    return epoch


# ---------------------------------------------------------------- both


def _fill(connection: Connection, source: ArchiveSource | CopySource, epoch: int) -> int:
    """Make the tables of the backup, fill them, and bring them to the newest schema; return the number of rows."""
    upgrade(connection, source.schema)
    tables, rows = ordered(schema_at(source.schema)), 0
    for table in reversed(tables):
        connection.execute(delete(table))  # a migration inserts rows
    for table in tables:
        rows += insert_rows(connection, table, source.rows(table))
    if source.schema != newest():
        upgrade(connection)
    # no server runs on it; one that still writes to what it replaced must notice that
    owner = text(
        "UPDATE server SET epoch = CASE WHEN epoch > :epoch THEN epoch ELSE :epoch END + 1, inode = '',"
        " released = :now, version = :version WHERE id = 1"
    )
    values = {"epoch": epoch, "now": time.time(), "version": version("bot-arena")}
    if connection.execute(owner, values).rowcount != 1:
        raise BadBackup("the backup is damaged: its table `server` has no row")
    details = {"from": source.schema, "to": newest()}
    if isinstance(source, ArchiveSource):
        details |= {"sha256": source.reader.sha256 if source.reader else "", "made by": source.manifest.version}
    note(connection, by_this_process("restore a backup", details))
    return rows


def _verify(connection: Connection, verify: Verify | None) -> None:
    if verify is not None and (problem := verify(Audit(connection))):
        raise BadBackup(f"the records of the backup are wrong, and nothing was restored: {problem}")
