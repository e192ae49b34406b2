# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be restored: an archive of ``arena backup``, or the copy of a SQLite file that a migration made."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Table
from sqlalchemy.exc import DBAPIError

from arena.store.backups.archive import ArchiveReader, BadBackup
from arena.store.backups.manifest import Manifest
from arena.store.backups.rows import Row, ordered, parse_rows, read_rows, schema_at
from arena.store.database.engines import make_engines
from arena.store.database.maintenance import has_log, is_live_copy
from arena.store.database.migrating import newest, revision
from arena.store.errors import StoreError

_SQLITE = b"SQLite format 3\0"


class Source(Protocol):
    """An open backup."""

    schema: str
    """The number of the last migration of its database."""
    bytes: int
    """About the size of its database."""
    reader: ArchiveReader | None
    """The archive; None for a copy."""

    def check(self) -> None:
        """Read all of it. Raises BadBackup if something is damaged or missing."""

    def rows(self, table: Table) -> Iterator[Row]:
        """Yield the rows of a table. Raises BadBackup."""


class ArchiveSource:
    """An archive."""

    def __init__(self, reader: ArchiveReader) -> None:
        """Raises BadBackup if its schema is newer, or its tables are not those of its schema."""
        self.reader: ArchiveReader | None = reader
        self._reader = reader
        self.manifest: Manifest = reader.manifest
        self.schema = self.manifest.schema
        _check_schema(self.schema, f"arena {self.manifest.version}")
        self._parts = {table.name: table.part for table in self.manifest.tables}
        self.bytes = sum(part.bytes for part in self.manifest.parts if part.name in self._parts.values())
        known = {table.name: [column.name for column in table.columns] for table in _tables(self.schema)}
        if {table.name: table.columns for table in self.manifest.tables} != known:
            raise BadBackup(f"the tables of the backup are not those of schema {self.schema}")

    def check(self) -> None:
        """Check sizes and checksums of all parts, and the types of all values."""
        self._reader.check()
        for table in _tables(self.schema):
            for _ in self.rows(table):
                pass

    def rows(self, table: Table) -> Iterator[Row]:
        """Yield the rows of a table."""
        return parse_rows(table, self._reader.lines(self._parts[table.name]))


class CopySource:
    """A copy of a SQLite file."""

    reader: ArchiveReader | None = None

    def __init__(self, connection: Connection, path: Path) -> None:
        """Raises BadBackup if it holds no arena, or its schema is newer."""
        self._connection = connection
        self._path = path
        found = revision(connection)
        if found is None:
            raise BadBackup(f"{path} holds no arena")
        self.schema = found
        self.bytes = path.stat().st_size
        _check_schema(found, "a newer version of the arena")

    def check(self) -> None:
        """Let SQLite check the file."""
        try:
            answer = self._connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
        except DBAPIError as error:
            answer = error.orig
        if answer != "ok":
            raise BadBackup(f"{self._path}: the database is damaged: {answer}")
        live = "server" in schema_at(self.schema).tables and is_live_copy(self._connection, self._path)
        if live and not has_log(self._path):
            raise BadBackup(
                f"{self._path} was copied while a server ran on it, without its write-ahead log: matches are missing"
            )

    def rows(self, table: Table) -> Iterator[Row]:
        """Yield the rows of a table."""
        return read_rows(self._connection, table)


@contextlib.contextmanager
def open_source(path: Path) -> Iterator[ArchiveSource | CopySource]:
    """Open a backup. Raises BadBackup, and StoreError if there is no such file."""
    with contextlib.ExitStack() as opened:
        yield _open(path, opened)


def _open(path: Path, opened: contextlib.ExitStack) -> ArchiveSource | CopySource:
    try:
        with path.open("rb") as file:
            is_copy = file.read(len(_SQLITE)) == _SQLITE
        if not is_copy:
            return ArchiveSource(opened.enter_context(ArchiveReader(path)))
        engines = make_engines(f"sqlite:///{path.absolute()}")
        opened.callback(engines.dispose)
        return CopySource(opened.enter_context(engines.reading.connect()), path)
    except OSError as error:
        raise StoreError(f"the backup {path} cannot be read: {error.strerror}") from error
    except DBAPIError as error:
        raise BadBackup(f"{path}: {error.orig}") from error


def _check_schema(schema: str, maker: str) -> None:
    if not (schema.isdigit() and len(schema) == 4):
        raise BadBackup(f"the backup has the unknown schema {schema[:40]!a}")
    if schema > newest():
        raise BadBackup(
            f"the backup has schema {schema} and was made by {maker}; this arena reads schemas up to {newest()}: use a"
            " newer version"
        )


def _tables(schema: str) -> list[Table]:
    return ordered(schema_at(schema))
