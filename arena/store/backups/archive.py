# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of a backup: a ZIP archive of parts with a manifest, whose comment is the SHA-256 of the whole file.

A reader trusts nothing: it checks the checksum of the file first, then names, sizes and checksums of all parts. Only
then does it give content, from the same open file. The checksums detect damage; they do not prove who made the backup.
"""

import contextlib
import hashlib
import io
import os
import struct
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from arena.store.backups.manifest import FORMAT, NAME, Header, Manifest, Part
from arena.store.errors import StoreError, StoreRejected

MANIFEST = "manifest.json"
FILES = "files"
"""Above the folders of files, in the names of parts."""

MOST_MANIFEST = 256 * 2**20
"""Bytes of a manifest."""
MOST_DIRECTORY = 256 * 2**20
"""Bytes of the list of members at the end of the archive, about two million members; it is read into memory."""
MOST_LINE = 256 * 2**20
"""Bytes of a row. An uploaded match of the greatest size has far smaller rows."""

_CHUNK = 2**20
_MARK = b"sha256:"
_COMMENT = len(_MARK) + 64
_END = struct.Struct("<4s4H2LH")
"""The end of a ZIP file, before its comment."""
_LOCATOR, _END64 = struct.Struct("<4sLQL"), struct.Struct("<4sQ2H2L4Q")
"""The same for large files: where the record is, and the record."""
_COMPRESSION = 3
"""Level of zlib: a third of the time of the default for a tenth more bytes."""

_UNREADABLE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What zipfile raises for archives that it cannot read."""


class BadBackup(StoreRejected):
    """The file is no backup, is damaged, or was made by a newer version of the arena."""


# ---------------------------------------------------------------- writing


class ArchiveWriter:
    """Writes a new archive; only its owner can read it, because a database contains secrets."""

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        self._path = path
        self._unfinished = path.with_name(f"{path.name}.part")
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        self._file = os.fdopen(os.open(self._unfinished, flags, 0o600), "r+b")
        self._archive = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSION)
        self.parts: list[Part] = []

    def add(self, name: str, chunks: Iterable[bytes], mode: int = 0o600) -> None:
        """Write a part. Raises OSError, and BadBackup for a name that no reader would accept."""
        check_name(name)
        digest, size = hashlib.sha256(), 0
        with self._archive.open(_member(name), "w", force_zip64=True) as member:
            for chunk in chunks:
                member.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        self.parts.append(Part(name=name, bytes=size, sha256=digest.hexdigest(), mode=mode))

    def complete(self, manifest: Manifest) -> str:
        """Write the manifest and the checksum to the disk, read everything back, and give the file its name.

        Returns the checksum. Raises OSError, and BadBackup if what was written is not what is read.
        """
        body = msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
        with self._archive.open(_member(MANIFEST), "w") as member:
            member.write(body)
        self._archive.comment = _MARK + b"0" * 64
        self._archive.close()
        self._file.flush()
        digest = _digest_of(self._file)
        self._file.seek(-64, os.SEEK_END)
        self._file.write(digest.encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        with ArchiveReader(self._unfinished) as written:
            written.check()
        self._file.close()
        self._unfinished.rename(self._path)
        sync_folder(self._path.parent)
        return digest

    def discard(self) -> None:
        """Remove an unfinished archive."""
        with contextlib.suppress(OSError, ValueError, struct.error):
            self._archive.close()
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._unfinished.unlink()


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, time.gmtime()[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    info._compresslevel = _COMPRESSION  # type: ignore[attr-defined]  # ZipFile.open reads it here, and has no argument
    info.external_attr = 0o600 << 16
    return info


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk; Windows cannot."""
    with contextlib.suppress(OSError, AttributeError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# ---------------------------------------------------------------- reading


class ArchiveReader:
    """An open archive with the checksum that it must have."""

    def __init__(self, path: Path) -> None:
        """Open an archive and read its manifest. Raises BadBackup, and OSError if there is no file."""
        self._path = path
        self._file = path.open("rb")
        try:
            with self._readable():
                self.sha256 = self._check_file()
                self._archive = zipfile.ZipFile(self._file)
                self.manifest = self._read_manifest()
                self._check_members()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._archive.close()
        self._file.close()

    def check(self) -> None:
        """Read all parts: sizes, checksums and numbers of rows must be those of the manifest. Raises BadBackup."""
        rows = {table.part: table.rows for table in self.manifest.tables}
        for part in self.manifest.parts:
            digest, lines = hashlib.sha256(), 0
            for chunk in self.chunks(part):
                digest.update(chunk)
                lines += chunk.count(b"\n")
            if digest.hexdigest() != part.sha256:
                raise self._bad(f"the checksum of {part.name} is wrong")
            if rows.get(part.name, lines) != lines:
                raise self._bad(f"{part.name} has {lines:,} rows, not {rows[part.name]:,}")

    def chunks(self, part: Part) -> Iterator[bytes]:
        """Yield the content of a part, never more than its stated size. Raises BadBackup."""
        size = 0
        with self._readable(), self._archive.open(part.name) as member:
            while chunk := member.read(_CHUNK):
                size += len(chunk)
                if size > part.bytes:
                    raise self._bad(f"{part.name} has more than the stated {part.bytes:,} bytes")
                yield chunk
        if size != part.bytes:
            raise self._bad(f"{part.name} has {size:,} bytes, not the stated {part.bytes:,}")

    def lines(self, name: str) -> Iterator[bytes]:
        """Yield the lines of a part. Raises BadBackup."""
        with self._readable(), self._archive.open(name) as member:
            buffered = io.BufferedReader(member, _CHUNK)  # type: ignore[type-var]  # it has what a raw stream has
            while line := buffered.readline(MOST_LINE):
                if not line.endswith(b"\n"):
                    raise self._bad(f"a row of {name} has no end, or more than {MOST_LINE:,} bytes")
                yield line

    def _check_file(self) -> str:
        """Compare the checksum of the file with the one at its end; return it."""
        tail_size = _END.size + _COMMENT
        size = self._file.seek(0, os.SEEK_END)
        self._file.seek(max(0, size - tail_size))
        tail = self._file.read()
        end, comment = tail[: _END.size], tail[_END.size :]
        ends = len(tail) == tail_size and end.startswith(b"PK\5\6") and _END.unpack(end)[7] == _COMMENT
        if not ends or not comment.startswith(_MARK):
            raise self._bad("it is not a backup of an arena, or its end is missing")
        stated = comment[len(_MARK) :].decode("ascii", "replace")
        if _digest_of(self._file) != stated:
            raise self._bad("its checksum is wrong: the file is damaged")
        if max(_END.unpack(end)[5], self._directory64(size - tail_size)) > MOST_DIRECTORY:
            raise self._bad("it has too many members")
        return stated

    def _directory64(self, end: int) -> int:
        """Return the size of the list of members of a large file; 0 where the file says it elsewhere."""
        self._file.seek(max(0, end - _LOCATOR.size))
        found = self._file.read(_LOCATOR.size)
        if len(found) < _LOCATOR.size or not found.startswith(b"PK\6\7"):
            return 0
        # zipfile looks for the record right before the locator
        self._file.seek(max(0, end - _LOCATOR.size - _END64.size))
        record = self._file.read(_END64.size)
        return int(_END64.unpack(record)[8]) if record.startswith(b"PK\6\6") else 0

    def _read_manifest(self) -> Manifest:
        try:
            info = self._archive.getinfo(MANIFEST)
        except KeyError:
            raise self._bad("it has no manifest") from None
        if info.file_size > MOST_MANIFEST:
            raise self._bad("its manifest is too large")
        with self._archive.open(info) as member:
            body = member.read(MOST_MANIFEST)
        try:
            header = msgspec.json.decode(body, type=Header)
            if header.name != NAME:
                raise self._bad("its manifest is not that of an arena's backup")
            if not 1 <= header.format <= FORMAT:
                raise self._bad(
                    f"it has format {header.format} and was made by arena {header.version}; this arena reads formats"
                    f" up to {FORMAT}: use that version"
                )
            return msgspec.json.decode(body, type=Manifest)
        except msgspec.MsgspecError as error:
            raise self._bad(f"its manifest cannot be read: {error}") from error

    def _check_members(self) -> None:
        """Compare the members with the manifest."""
        found = {info.filename: info for info in self._archive.infolist()}
        parts = {part.name: part for part in self.manifest.parts}
        if len(found) != len(self._archive.infolist()) or len(parts) != len(self.manifest.parts):
            raise self._bad("two parts have the same name")
        for name in [*found, *(f"{FILES}/{folder}" for folder in self.manifest.folders)]:
            check_name(name, self._path)
        if found.keys() != parts.keys() | {MANIFEST}:
            different = sorted(found.keys() ^ (parts.keys() | {MANIFEST}))
            raise self._bad(f"its parts are not those of the manifest: {', '.join(different[:3])}")
        for part in self.manifest.parts:
            if found[part.name].file_size != part.bytes or part.bytes < 0:
                raise self._bad(f"{part.name} does not have the stated {part.bytes:,} bytes")
        tables = {table.part for table in self.manifest.tables}
        others = {name for name in parts if not name.startswith(f"{FILES}/")}
        if len(tables) != len(self.manifest.tables) or others != tables:
            raise self._bad("its parts are not those of its tables")

    @contextlib.contextmanager
    def _readable(self) -> Iterator[None]:
        """Turn errors of the archive into BadBackup."""
        try:
            yield
        except _UNREADABLE as error:
            raise self._bad(f"it cannot be read: {error}") from error

    def _bad(self, why: str) -> BadBackup:
        return BadBackup(f"{self._path}: {why}")


def check_name(name: str, path: Path | None = None) -> None:
    """Raise BadBackup if the name of a part could lead out of its folder, or is no name on some system."""
    pieces = name.split("/")
    bad = any(piece in ("", ".", "..") or len(piece.encode("utf-8", "surrogatepass")) > 255 for piece in pieces)
    if bad or any(sign in name for sign in "\\:\0") or not name.isprintable():
        raise BadBackup(f"{path or 'the backup'}: {name[:80]!a} is not a name for a part")


def _digest_of(file: BinaryIO) -> str:
    """Return the checksum of all of an archive but its last 64 characters, which hold the checksum."""
    left = file.seek(0, os.SEEK_END) - 64
    file.seek(0)
    digest = hashlib.sha256()
    while left > 0 and (chunk := file.read(min(_CHUNK, left))):
        digest.update(chunk)
        left -= len(chunk)
    return digest.hexdigest()


def failed(what: str, error: Exception) -> StoreError:
    """Return the error of a backup or a restoration that the machine refused."""
    reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    place = f" ({error.filename})" if isinstance(error, OSError) and error.filename else ""
    return StoreError(f"{what} failed: {reason}{place}")
