# SPDX-License-Identifier: GPL-3.0-or-later
"""The manifest of a backup: the counts of records in the copy, to detect later loss.

The file is ``FILE.manifest.json`` beside the copy. A database that continues from the copy has the same records and
more; an unused copy is identical byte by byte.
"""

import hashlib
import os
import time
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, func, select, text

from arena.store import tables
from arena.store.errors import StoreError

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


def path_of(file: Path) -> Path:
    """Return the path of a copy's manifest."""
    return file.with_name(f"{file.name}.manifest.json")


def describe(connection: Connection, schema: str, file: Path) -> Manifest:
    """Return the manifest of the database in ``file``; no process may write to it."""
    return Manifest(
        version=version("bot-arena"),
        schema=schema,
        created=time.time(),
        bytes=file.stat().st_size,
        sha256=sha256(file),
        match_numbers=[(first, last) for first, last in connection.execute(_RANGES)],
        last_matches=list(connection.scalars(select(_match.id).order_by(_match.id.desc()).limit(NEWEST))),
        **_counts(connection, None),
    )


def write(manifest: Manifest, path: Path) -> None:
    """Write a manifest. Raises StoreError."""
    body = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    try:
        with path.open("wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(f"the manifest cannot be written: {error}") from error


def read(path: Path) -> Manifest:
    """Read a manifest. Raises StoreError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(f"the manifest {path} cannot be read: {error}") from error


def sha256(file: Path) -> str:
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
    if file is not None and unused and not _log_of(file).exists() and sha256(file) != manifest.sha256:
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
