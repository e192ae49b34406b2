# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of uploaded files in the database: each file in parts, and a row that tells that all of them are there.

One writer writes the moves of all matches, so a file must not be one statement: each part is a command of its own.
Files are named by their content, so two servers may write the same one at the same time.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Collection, Iterator
from functools import partial

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, not_, or_, select

from arena.features.uploads import tables
from arena.records.verification import Finding
from arena.store.acting import preparing
from arena.store.audit import Audit
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.errors import StoreError
from arena.store.tables import insert_new

PART = 131_072
"""Bytes of a part; the last one has fewer."""

FileKey = tuple[str, str]
"""SHA-256 of an uploaded file, in hexadecimal digits, and its language."""

_file, _part = tables.upload_files.c, tables.upload_parts.c


class FileRecords:
    """The uploaded files in the database."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def keys(self) -> set[FileKey]:
        """Return the keys of all whole files."""
        query = select(_file.digest, _file.language)
        return await self._reader.run(
            lambda connection: {(digest, language) for digest, language in connection.execute(query)}
        )

    async def add(self, key: FileKey, body: bytes) -> None:
        """Store a file, unless it is there. Raises StoreError, also if another server removed parts meanwhile; then it
        may be tried again.
        """
        with preparing():
            if await self._writer.run(partial(_begin, key=key, size=len(body)), durable=False):
                return
            for number in range(-(-len(body) // PART)):
                row = _values(key) | {"number": number, "body": body[number * PART : (number + 1) * PART]}
                await self._writer.run(partial(_add_part, row=row), durable=False)
            await self._writer.run(partial(_complete, key=key, size=len(body)))

    async def read(self, key: FileKey) -> bytes | None:
        """Return a file; None if it is not there. Raises StoreError, also if it is damaged."""

        def work(connection: Connection) -> bytes | None:
            if not _is_whole(connection, key):
                return None
            query = select(_part.body).where(*_parts_of(key)).order_by(_part.number)
            return b"".join(connection.scalars(query))

        body = await self._reader.run(work)
        if body is not None and hashlib.sha256(body).hexdigest() != key[0]:
            raise StoreError(f"the uploaded file {key[0]} is damaged in the database")
        return body

    async def drop(self, keys: Collection[FileKey]) -> None:
        """Remove files."""

        def work(connection: Connection) -> None:
            for key in keys:
                _remove(connection, key)

        if keys:
            with preparing():
                await self._writer.run(work)

    async def tidy(self, known: Collection[FileKey]) -> list[FileKey]:
        """Remove all other files, and the parts of files that are not whole; return their keys."""
        queries = select(_file.digest, _file.language).union(select(_part.digest, _part.language))
        found = await self._reader.run(
            lambda connection: [(digest, language) for digest, language in connection.execute(queries)]
        )
        gone = sorted(set(found) - set(known))
        await self.drop(gone)
        return gone


def _values(key: FileKey) -> dict[str, object]:
    return dict(zip(("digest", "language"), key, strict=True))


def _parts_of(key: FileKey) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return _part.digest == key[0], _part.language == key[1]


def _is_whole(connection: Connection, key: FileKey) -> bool:
    query = select(exists().where(_file.digest == key[0], _file.language == key[1]))
    return bool(connection.scalar(query))


def _begin(connection: Connection, key: FileKey, size: int) -> bool:
    """Return whether a file is there; if not, remove parts of other sizes, which an earlier version left. The others
    have the content that is to be stored: another server may be storing it now.
    """
    if _is_whole(connection, key):
        return True
    last = max(0, size - 1) // PART
    length = func.length(_part.body)
    fits = or_(
        and_(_part.number < last, length == PART),
        and_(_part.number == last, length == size - last * PART),
    )
    connection.execute(delete(tables.upload_parts).where(*_parts_of(key), not_(fits)))
    return False


def _add_part(connection: Connection, row: dict[str, object]) -> None:
    connection.execute(insert_new(connection, tables.upload_parts), row)


def _complete(connection: Connection, key: FileKey, size: int) -> None:
    """Note that a file is whole. Raises StoreError if parts are missing."""
    query = select(func.coalesce(func.sum(func.length(_part.body)), 0)).where(*_parts_of(key))
    if connection.scalar(query) != size:
        raise StoreError("another server removed parts of an uploaded file that was being stored")
    row = _values(key) | {"size": size, "created": time.time()}
    connection.execute(insert_new(connection, tables.upload_files), row)


def _remove(connection: Connection, key: FileKey) -> None:
    connection.execute(delete(tables.upload_files).where(_file.digest == key[0], _file.language == key[1]))
    connection.execute(delete(tables.upload_parts).where(*_parts_of(key)))


def check_files(audit: Audit, checked: "Counter[str]") -> Iterator[Finding]:
    """Yield the problems in the records of uploaded files: each must have the content that its name tells."""
    for digest, language in list(
        audit.stream(select(_file.digest, _file.language).order_by(*tables.upload_files.primary_key))
    ):
        checked["uploaded files"] += 1
        content = hashlib.sha256()
        for (body,) in audit.stream(select(_part.body).where(*_parts_of((digest, language))).order_by(_part.number)):
            content.update(body)
        if content.hexdigest() != digest:
            yield Finding("an uploaded file is whole", f"file {digest}", "its content is another one")
