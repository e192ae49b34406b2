# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a backup: all rows from one snapshot of the database, and the files that they name.

The database may be in use, and of an older schema; nothing in it changes.
"""

import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from arena.store.backups.archive import FILES, ArchiveWriter, failed
from arena.store.backups.manifest import Manifest, TablePart, count_records
from arena.store.backups.rows import Lines, ordered, read_rows, schema_at
from arena.store.database.engines import Engines, make_engines
from arena.store.database.migrating import check_file, newest, revision, way_back
from arena.store.errors import NoArena, StoreError

ATTEMPTS = 5
"""How often a backup begins again because files were removed while they were copied."""

_CHUNK = 2**20


class Saved(NamedTuple):
    """A backup that was written."""

    manifest: Manifest
    sha256: str
    """The checksum of the file, except its last 64 characters."""
    bytes: int
    left_out: list[str]
    """Files that are neither plain files nor folders."""


class _Removed(Exception):
    """A file was removed after the snapshot, so the backup would lack it."""


def save(url: str, folders: Mapping[str, Path], path: Path) -> Saved:
    """Write a backup of a database and of folders of files into a new file, which only its owner can read.

    Every part is read back before the file gets its name. Raises NoArena, and StoreError if something cannot be read
    or written; then there is no file.
    """
    engines = make_engines(url)
    try:
        check_file(engines, existing=True)
        if path.exists():
            raise StoreError(f"{path} exists already")
        for _ in range(ATTEMPTS):
            try:
                return _save(engines, folders, path)
            except _Removed:
                continue
        raise StoreError("the backup failed: files were removed while they were copied; try again")
    except (OSError, DBAPIError) as error:
        raise failed("the backup", error if isinstance(error, OSError) else error.orig or error) from error
    finally:
        engines.dispose()


def _save(engines: Engines, folders: Mapping[str, Path], path: Path) -> Saved:
    before = {name: _entries(folder) for name, folder in folders.items()}
    with engines.reading.connect() as connection:
        found = revision(connection)  # the snapshot begins here
        if found is None:
            raise NoArena(f"{engines.url.render_as_string()} holds no arena; start `arena serve` to create one")
        if found > newest():
            raise StoreError(way_back(engines, found))
        writer = ArchiveWriter(path)
        try:
            files = _Files(writer)
            for name, folder in folders.items():
                # first, because they may be removed; rows of the snapshot stay
                files.add(name, folder, before[name])
            manifest = Manifest(
                version=version("bot-arena"),
                schema=found,
                database=connection.dialect.name,
                created=time.time(),
                counts=count_records(connection, schema_at(found)),
                tables=_add_tables(writer, connection, found),
                folders=files.folders,
                parts=writer.parts,
            )
            digest = writer.complete(manifest)
        except BaseException:
            writer.discard()
            raise
    return Saved(manifest, digest, path.stat().st_size, files.left_out)


def _add_tables(writer: ArchiveWriter, connection: Connection, found: str) -> list[TablePart]:
    added = []
    for table in ordered(schema_at(found)):
        name = f"database/{table.name}.jsonl"
        with closing(read_rows(connection, table)) as rows:
            lines = Lines(table, rows)
            writer.add(name, lines)
        columns = [str(column.name) for column in table.columns]  # of a class of SQLAlchemy's
        added.append(TablePart(name=str(table.name), columns=columns, rows=lines.rows))
    return added


def _entries(folder: Path) -> set[str]:
    """Return the names in a folder, except those of unfinished files, which begin with a dot."""
    try:
        return {each.name for each in os.scandir(folder) if not each.name.startswith(".")}
    except FileNotFoundError:
        return set()


class _Files:
    """Adds folders of files to an archive."""

    def __init__(self, writer: ArchiveWriter) -> None:
        self._writer = writer
        self.folders: dict[str, int] = {}
        self.left_out: list[str] = []

    def add(self, name: str, folder: Path, before: set[str]) -> None:
        """Add a folder; ``before``: its names before the snapshot. Raises _Removed."""
        entries = _entries(folder)
        if before - entries:
            raise _Removed
        if not folder.is_dir():
            return
        try:
            self.folders[name] = stat.S_IMODE(folder.stat().st_mode)
            for entry in sorted(entries):
                self._add(f"{name}/{entry}", folder / entry)
        except FileNotFoundError:
            raise _Removed from None

    def _add(self, name: str, path: Path) -> None:
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            self.folders[name] = stat.S_IMODE(mode)
            for each in sorted(path.iterdir()):
                self._add(f"{name}/{each.name}", each)
        elif stat.S_ISREG(mode):
            self._writer.add(f"{FILES}/{name}", _chunks(path), stat.S_IMODE(mode))
        else:
            self.left_out.append(str(path))


def _chunks(path: Path) -> Iterator[bytes]:
    with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
