# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of the database with their manifests, and the deletion of old events.

Events are deleted after a time. The database can be copied while it is in use.
"""

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, delete, func, select, text, update
from sqlalchemy.exc import DBAPIError

from arena.store import tables
from arena.store.database.engines import Engines
from arena.store.errors import StoreError

MATCHES_AT_ONCE = 200
"""Matches whose events one transaction deletes: small, so that moves of live matches wait only a moment."""


def prune_some(connection: Connection, before: float) -> int:
    """Drop the events of some matches that finished before a Unix time; returns of how many matches, 0 at the end."""
    match = tables.matches.c
    old = select(match.id).where(match.pruned.is_(False), match.finished < before).order_by(match.finished)
    ids = connection.scalars(old.limit(MATCHES_AT_ONCE)).all()
    if ids:
        connection.execute(delete(tables.events).where(tables.events.c.match_id.in_(ids)))
        connection.execute(update(tables.matches).where(match.id.in_(ids)).values(pruned=True))
    return len(ids)


def back_up(engines: Engines, path: Path) -> None:
    """Copy the database, as it is at one moment, into a new SQLite file.

    Raises StoreError when the file exists, cannot be written, or the database is PostgreSQL, which has its own tool.
    """
    if not engines.on_sqlite:
        raise StoreError("PostgreSQL is backed up by its own pg_dump")
    if path.exists():
        raise StoreError(f"{path} exists already")
    unfinished = path.with_name(f"{path.name}.part")
    try:
        with engines.reading.connect() as connection:
            source: Any = connection.connection.dbapi_connection
            target = sqlite3.connect(unfinished)
            try:
                source.backup(target)
                _mark(target)
                # The copy is one file, without a write-ahead log beside it.
                target.execute("PRAGMA journal_mode = DELETE")
            finally:
                target.close()
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.rename(path)
    except (OSError, sqlite3.Error, DBAPIError) as error:
        unfinished.unlink(missing_ok=True)
        raise StoreError(f"the backup failed: {error}") from error


def _mark(copy: sqlite3.Connection) -> None:
    """Mark in a copy that no server runs on it: the copy is complete, even while a server runs on the original."""
    if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'server'").fetchone():
        copy.execute("UPDATE server SET released = ? WHERE released IS NULL", [time.time()])
        copy.commit()


# ---------------------------------------------------------------- manifest
#
# The manifest of a backup: the counts of records in the copy, to detect later loss.
#
# The file is ``FILE.manifest.json`` beside the copy. A database that continues from the copy has the same records and
# more; an unused copy is identical byte by byte.

NEWEST = 10
"""Matches that a manifest names one by one."""

Ranges = list[tuple[int, int]]
"""Numbers as ranges, both ends included, in order."""

_match, _event, _server = tables.matches.c, tables.events.c, tables.servers.c

_RANGES = text(
    "SELECT min(id), max(id) FROM (SELECT id, id - row_number() OVER (ORDER BY id) AS part FROM match) AS numbered"
    " GROUP BY part ORDER BY 1"
)


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a database at one moment."""

    format: int = 1
    version: str
    """Of the arena that made the copy."""
    schema: str
    created: float
    """Unix time."""
    bytes: int
    sha256: str
    epoch: int
    """Of the server that wrote last."""
    actions: int
    """The number of the newest entry of the audit log."""
    bots: int
    matches: int
    finished: int
    pruned: int
    """Matches whose events retention had deleted."""
    events: int
    ratings: int
    match_numbers: Ranges
    """The numbers of all matches."""
    last_matches: list[int]
    """Those of the newest, the newest first."""


def manifest_path(file: Path) -> Path:
    """Return the path of a copy's manifest."""
    return file.with_name(f"{file.name}.manifest.json")


def describe(connection: Connection, schema: str, file: Path) -> Manifest:
    """Return the manifest of the database in ``file``; no process may write to it."""
    return Manifest(
        version=version("bot-arena"),
        schema=schema,
        created=time.time(),
        bytes=file.stat().st_size,
        sha256=sha256_of(file),
        match_numbers=[(first, last) for first, last in connection.execute(_RANGES)],
        last_matches=list(connection.scalars(select(_match.id).order_by(_match.id.desc()).limit(NEWEST))),
        **_counts(connection, None),
    )


def write_manifest(manifest: Manifest, path: Path) -> None:
    """Write a manifest. Raises StoreError."""
    body = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    try:
        with path.open("wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(f"the manifest cannot be written: {error}") from error


def read_manifest(path: Path) -> Manifest:
    """Read a manifest. Raises StoreError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(f"the manifest {path} cannot be read: {error}") from error


def sha256_of(file: Path) -> str:
    """Return the checksum of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def compare(connection: Connection, manifest: Manifest, file: Path | None) -> Iterator[tuple[str, str]]:
    """Yield each record of a manifest that the database lacks: the place and the problem. ``file``: a SQLite file."""
    there = [(first, last) for first, last in connection.execute(_RANGES)]
    for first, last in _without(manifest.match_numbers, there):
        yield (f"match {first}" if first == last else f"matches {first} to {last}"), "missing"
    newest = max((last for _, last in manifest.match_numbers), default=0)
    found = _counts(connection, newest)
    names = ["bots", "finished", "ratings", "epoch", "actions"]
    if found["pruned"] == manifest.pruned:
        names.append("events")
    for name in names:
        expected = getattr(manifest, name)
        if found[name] < expected and not (name == "actions" and found["actions"] == 0):  # dropped with age
            yield name, f"{found[name]:,}, not {expected:,} as in the manifest"
    unused = (found["epoch"], found["actions"]) == (manifest.epoch, manifest.actions)
    if file is not None and unused and not _log_of(file).exists() and sha256_of(file) != manifest.sha256:
        yield file.name, "its content changed, though no server and no command wrote to it"


def is_live_copy(connection: Connection, file: Path) -> bool:
    """Tell whether a SQLite file was copied from under a server, without the write-ahead log that belongs to it.

    The server's row says that it runs, on a file with another inode number.
    """
    row = connection.execute(select(_server.claimed, _server.released, _server.inode)).one_or_none()
    if row is None or row.claimed is None or row.released is not None:
        return False
    return str(row.inode) != str(file.stat().st_ino)


def has_log(file: Path) -> bool:
    """Tell whether a SQLite file has a write-ahead log beside it, which the next connection takes in."""
    log = _log_of(file)
    return log.exists() and log.stat().st_size > 0


def _log_of(file: Path) -> Path:
    return file.with_name(f"{file.name}-wal")


def _counts(connection: Connection, newest: int | None) -> dict[str, Any]:
    """Return what there is, of matches up to the number ``newest``."""

    def count(query: Select[Any]) -> int:
        return int(connection.scalar(query) or 0)

    matches, events = select(func.count()).select_from(tables.matches), select(func.count()).select_from(tables.events)
    if newest is not None:
        matches, events = matches.where(_match.id <= newest), events.where(_event.match_id <= newest)
    return {
        "epoch": count(select(_server.epoch)),
        "actions": count(select(func.max(tables.audit_log.c.id))),
        "bots": count(select(func.count()).select_from(tables.bots)),
        "matches": count(matches),
        "finished": count(matches.where(_match.status == "finished")),
        "pruned": count(matches.where(_match.pruned)),
        "events": count(events),
        "ratings": count(select(func.count()).select_from(tables.ratings)),
    }


def _without(wanted: Iterable[tuple[int, int]], there: Ranges) -> Iterator[tuple[int, int]]:
    """Yield the ranges of ``wanted`` that are not ``there``."""
    for first, last in wanted:
        for begin, end in there:
            if end < first or begin > last:
                continue
            if begin > first:
                yield first, begin - 1
            first = end + 1
        if first <= last:
            yield first, last
