# SPDX-License-Identifier: GPL-3.0-or-later
"""The manifest of a backup: its format, its parts with their checksums, and the counts of records in it."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, MetaData, Select, func, inspect, select, text

from arena.store import tables

FORMAT = 1
"""Version of the archives that this program writes, and the newest that it reads."""

NAME = "bot-arena backup"

NEWEST = 10
"""Matches that a manifest names one by one."""

Ranges = list[tuple[int, int]]
"""Numbers as ranges, both ends included, in order."""

_match, _event, _server = tables.matches.c, tables.events.c, tables.servers.c

_RANGES = text(
    "SELECT min(id), max(id) FROM (SELECT id, id - row_number() OVER (ORDER BY id) AS part FROM match) AS numbered"
    " GROUP BY part ORDER BY 1"
)


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of records in a database at one moment, to detect a later loss."""

    epoch: int
    """Of the server that wrote last."""
    actions: int
    """The number of the newest entry of the audit log."""
    bots: int
    """Number of bots."""
    matches: int
    """Number of matches."""
    finished: int
    """Number of finished matches."""
    pruned: int
    """Matches whose events retention had deleted."""
    events: int
    """Number of events of matches."""
    ratings: int
    """Number of rating changes."""
    match_numbers: Ranges
    """The numbers of all matches."""
    last_matches: list[int]
    """Those of the newest, the newest first."""


class TablePart(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a table; their part is ``database/NAME.jsonl``, one JSON array for each row."""

    name: str
    """Name of the table."""
    columns: list[str]
    """Names of the columns, in the order of the rows' values."""
    rows: int
    """Number of rows."""

    @property
    def part(self) -> str:
        """The name of the part."""
        return f"database/{self.name}.jsonl"


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A member of the archive."""

    name: str
    """Name of the member."""
    bytes: int
    """Size before compression, in bytes."""
    sha256: str
    """SHA-256 of the contents, in hexadecimal digits."""
    mode: int = 0o600
    """Permissions of a file."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a backup."""

    name: str = NAME
    """The same text in all backups."""
    format: int = FORMAT
    """Version of the format."""
    version: str
    """Of the arena that made the backup."""
    schema: str
    """The number of the last migration of the database."""
    database: str
    """``sqlite`` or ``postgresql``."""
    created: float
    """Unix time."""
    counts: Counts
    """Numbers of records."""
    tables: list[TablePart]
    """In an order in which rows can be inserted: a table follows those that it refers to."""
    folders: dict[str, int]
    """Folders of files by name, with their permissions; top-level names are those of ``arena.feature.Feature.files``.
    """
    parts: list[Part]
    """The members of the archive."""


class Header(msgspec.Struct, frozen=True):
    """What the manifests of all formats have, and say first."""

    name: str
    format: int
    version: str


def count_records(connection: Connection, schema: MetaData) -> Counts:
    """Count the records of a database that has the tables of ``schema``."""
    return Counts(
        match_numbers=[(first, last) for first, last in connection.execute(_RANGES)],
        last_matches=list(connection.scalars(select(_match.id).order_by(_match.id.desc()).limit(NEWEST))),
        **_counts(connection, None, schema.tables),
    )


def compare(connection: Connection, expected: Counts) -> Iterator[tuple[str, str]]:
    """Yield each record of a backup that the database lacks: the place and the problem."""
    there = [(first, last) for first, last in connection.execute(_RANGES)]
    for first, last in _without(expected.match_numbers, there):
        yield (f"match {first}" if first == last else f"matches {first} to {last}"), "missing"
    newest = max((last for _, last in expected.match_numbers), default=0)
    found = _counts(connection, newest, inspect(connection).get_table_names())
    names = ["bots", "finished", "ratings", "epoch", "actions"]
    if found["pruned"] == expected.pruned:
        names.append("events")
    for name in names:
        wanted = getattr(expected, name)
        if found[name] < wanted and not (name == "actions" and found["actions"] == 0):  # dropped with age
            yield name, f"{found[name]:,}, not {wanted:,} as in the backup"


def _counts(connection: Connection, newest: int | None, existing: Iterable[str]) -> dict[str, Any]:
    """Return what there is, of matches up to the number ``newest``; 0 for tables that the schema does not have yet."""
    existing = set(existing)

    def count(query: Select[Any]) -> int:
        return int(connection.scalar(query) or 0)

    matches, events = select(func.count()).select_from(tables.matches), select(func.count()).select_from(tables.events)
    if newest is not None:
        matches, events = matches.where(_match.id <= newest), events.where(_event.match_id <= newest)
    return {
        "epoch": count(select(_server.epoch)) if "server" in existing else 0,
        "actions": count(select(func.max(tables.audit_log.c.id))) if "audit_log" in existing else 0,
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
