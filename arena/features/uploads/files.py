# SPDX-License-Identifier: GPL-3.0-or-later
"""The uploaded files, where the arena keeps them: in a folder beside a SQLite database, or in PostgreSQL.

Files in PostgreSQL are there for all servers that share it; each server unpacks those that it hosts into a folder of
its own. ``take_in`` moves the files to where they belong after the database was changed.
"""

import asyncio
import hashlib
import shutil
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Protocol

import structlog

from arena.features.uploads.records.files import FileKey, FileRecords
from arena.features.uploads.records.versions import Uploads
from arena.features.uploads.storage import Kept, Storage
from arena.features.uploads.unpacking import BadFile, Caps
from arena.store import Store
from arena.store.errors import StoreError, keep_trying

log = structlog.get_logger("arena.uploads")

CACHE = ".cache"
"""Folder of unpacked files in the folder of uploads; backups leave out names with a dot."""

_ANY_SIZE = Caps(unpacked=sys.maxsize, files=sys.maxsize, ratio=sys.maxsize)
"""Limits for files that were accepted: those of the settings may be lower by now."""


class UploadFiles(Protocol):
    """The uploaded files of an arena."""

    async def take_in(self, names: Mapping[FileKey, str]) -> None:
        """Move files that are elsewhere to their place; ``names``: those that versions have, with the name of the
        uploaded file. A file that cannot be moved stays where it is. Raises StoreError.
        """

    async def keep(self, body: bytes, name: str) -> Kept:
        """Store a file; return its description. ``name``: the name of the uploaded file, for its ending.

        Raises BadFile if the content is refused, StoreError and OSError; then nothing stays.
        """

    async def program(self, key: FileKey, name: str) -> Path:
        """Return the folder of a file's content that its program sees. Raises StoreError, and OSError if it cannot be
        unpacked here.
        """

    async def read(self, key: FileKey) -> bytes:
        """Return a file. Raises OSError and StoreError."""

    async def drop(self, key: FileKey) -> None:
        """Remove a file. Raises StoreError."""

    async def tidy(self, known: Collection[FileKey]) -> list[str]:
        """Remove all files but the known ones; return their names. Raises StoreError."""

    def place(self, key: FileKey) -> Path:
        """Return the folder of a file at this server, which may be missing."""


def files_of(store: Store, folder: Path, caps: Caps) -> UploadFiles:
    """Return the files of an arena, by the kind of its database."""
    records = store.records(FileRecords)
    return FilesInDatabase(folder, caps, records) if store.file is None else FilesInFolder(folder, caps, records)


class FilesInFolder:
    """Files in a folder."""

    def __init__(self, folder: Path, caps: Caps, records: FileRecords) -> None:
        self._storage = Storage(folder, caps)
        self._restoring = Storage(folder, _ANY_SIZE)
        self._records = records

    async def take_in(self, names: Mapping[FileKey, str]) -> None:
        """Move the files out of the database: it was restored from a backup of PostgreSQL."""
        found = await self._records.keys()
        for key in sorted(found & names.keys()):
            try:
                if not await asyncio.to_thread(self.place(key).is_dir):
                    await _unpack(self._restoring, self._records, key, names[key])
            except (OSError, StoreError) as error:
                log.error("an uploaded file stays in the database", file=key[0], why=str(error))
                found.discard(key)
        await self._records.drop(found)
        if found:
            log.info("moved uploaded files from the database to the folder", files=len(found))

    async def keep(self, body: bytes, name: str) -> Kept:
        """Store a file in the folder."""
        return await asyncio.to_thread(self._storage.keep, body, name)

    async def program(self, key: FileKey, name: str) -> Path:
        """Return the folder of a file's content."""
        return self._storage.files(*key)

    async def read(self, key: FileKey) -> bytes:
        """Return a file."""
        return await asyncio.to_thread(self._storage.read, *key)

    async def drop(self, key: FileKey) -> None:
        """Remove a file."""
        await asyncio.to_thread(self._storage.drop, *key)

    async def tidy(self, known: Collection[FileKey]) -> list[str]:
        """Remove all files but the known ones."""
        return await asyncio.to_thread(self._storage.tidy, known)

    def place(self, key: FileKey) -> Path:
        """Return the folder of a file."""
        return self._storage.place(*key)


class FilesInDatabase:
    """Files in the database. The folder has the unpacked content of those that this server hosted, and files that an
    earlier version kept there, until ``take_in`` has moved them.
    """

    def __init__(self, folder: Path, caps: Caps, records: FileRecords) -> None:
        self._cache = Storage(folder / CACHE, caps)
        self._restoring = Storage(folder / CACHE, _ANY_SIZE)
        self._earlier = Storage(folder, caps)
        self._records = records
        self._lock = asyncio.Lock()
        """The folder changes one thing at a time."""

    async def take_in(self, names: Mapping[FileKey, str]) -> None:
        """Copy the files of the folder into the database, and make them part of the cache then."""
        moved = 0
        for key in names:
            place = self._earlier.place(*key)
            try:
                if not await asyncio.to_thread(place.is_dir):
                    continue
                body = await asyncio.to_thread(self._earlier.read, *key)
                if hashlib.sha256(body).hexdigest() != key[0]:
                    raise OSError("it is damaged")
                await self._add(key, body)
                async with self._lock:
                    await asyncio.to_thread(_move, place, self.place(key))
            except OSError as error:
                log.error("an uploaded file stays in its folder", folder=str(place), why=str(error))
                continue
            moved += 1
        if moved:
            log.info("moved uploaded files from the folder to the database", files=moved)

    async def keep(self, body: bytes, name: str) -> Kept:
        """Store a file in the database, after its content was unpacked into the cache."""
        async with self._lock:
            kept = await asyncio.to_thread(self._cache.keep, body, name)
        await self._add((kept.digest, kept.contents.language), body)
        return kept

    async def _add(self, key: FileKey, body: bytes) -> None:
        await keep_trying(lambda: self._records.add(key, body))

    async def program(self, key: FileKey, name: str) -> Path:
        """Return the folder of a file's content, which is unpacked first if it is not in the cache."""
        async with self._lock:
            if not await asyncio.to_thread(self.place(key).is_dir):
                if await asyncio.to_thread(self._earlier.place(*key).is_dir):
                    return self._earlier.files(*key)
                await _unpack(self._restoring, self._records, key, name)
        return self._cache.files(*key)

    async def read(self, key: FileKey) -> bytes:
        """Return a file."""
        body = await self._records.read(key)
        return await asyncio.to_thread(self._earlier.read, *key) if body is None else body

    async def drop(self, key: FileKey) -> None:
        """Remove a file from the database and the cache."""
        await self._records.drop([key])
        async with self._lock:
            await asyncio.to_thread(self._cache.drop, *key)

    async def tidy(self, known: Collection[FileKey]) -> list[str]:
        """Remove all files but the known ones."""
        gone = [f"{digest}.{language}" for digest, language in await self._records.tidy(known)]
        async with self._lock:
            for storage in (self._cache, self._earlier):
                gone += await asyncio.to_thread(storage.tidy, known)
        return sorted(set(gone))

    def place(self, key: FileKey) -> Path:
        """Return the folder of a file in the cache."""
        return self._cache.place(*key)


async def unpack_modules(store: Store, folder: Path) -> None:
    """Unpack the WebAssembly bots of the database into a folder; one that cannot be unpacked is left out.

    Raises StoreError.
    """
    storage, records = Storage(folder, _ANY_SIZE), store.records(FileRecords)
    names = await store.records(Uploads).file_names()
    for key in sorted(await records.keys() & names.keys()):
        if key[1] == "wasm":
            try:
                await _unpack(storage, records, key, names[key])
            except (OSError, StoreError) as error:
                log.error("an uploaded module cannot be unpacked", file=key[0], why=str(error))


async def _unpack(storage: Storage, records: FileRecords, key: FileKey, name: str) -> None:
    """Unpack a file of the database into a folder. Raises OSError, also if it is missing, and StoreError."""
    body = await records.read(key)
    if body is None:
        raise FileNotFoundError(f"the uploaded file {key[0]} is not in the database")
    try:
        kept = await asyncio.to_thread(storage.keep, body, name)
    except BadFile as error:
        raise OSError(f"the uploaded file {key[0]} cannot be unpacked: {error}") from error
    if (kept.digest, kept.contents.language) != key:
        raise OSError(f"the uploaded file {key[0]} is {kept.contents.language} by now, not {key[1]}")


def _move(place: Path, to: Path) -> None:
    """Move a folder, unless its new place is taken by the same content."""
    to.parent.mkdir(mode=0o700, exist_ok=True)
    if to.is_dir():
        shutil.rmtree(place)
    else:
        place.rename(to)
