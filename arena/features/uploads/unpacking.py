# SPDX-License-Identifier: GPL-3.0-or-later
"""Unpacks zips of strangers into a folder: plain files and folders only, within limits, with modes of our own.

The names are checked before the first byte is written: no absolute paths, no ``..``, no names that differ only in case,
no control characters. Links, encrypted files, other compression methods than deflate, and overlapping entries are
refused. Every limit counts the bytes that come out, not those that the zip claims.
"""

import contextlib
import io
import os
import stat
import struct
import unicodedata
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

MIB = 1 << 20

FOLDER_MODE, FILE_MODE, PROGRAM_MODE = 0o755, 0o644, 0o755
"""Every user may read: in a sandbox, a program runs as a user that owns nothing."""

_ENTRY = b"PK\x01\x02"
"""The start of each entry of a zip's directory."""
_LOCAL_HEADER = 30
"""Bytes before the name of a file in a zip."""
_ENCRYPTED = 0x0001 | 0x0040 | 0x2000
"""Flags: encrypted, strongly encrypted, directory encrypted."""
_STORED, _DEFLATED = 0, 8
_UNIX_LINKS = 0x000D
"""The extra field that holds the target of a link, after 12 bytes."""
_CHUNK = 1 << 16


class BadFile(ValueError):
    """An uploaded file that is refused; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits on the content of a zip."""

    unpacked: int = 64 * MIB
    """Bytes of all files together."""
    files: int = 1000
    """Files and folders."""
    ratio: int = 200
    """Unpacked bytes for each byte of the zip; counts above ``ratio_from`` bytes."""
    ratio_from: int = 4 * MIB
    path: int = 240
    """Bytes of a path."""
    part: int = 100
    """Bytes of a file's or folder's own name."""
    depth: int = 12
    """Folders and file on a path."""


def unpack(body: bytes, folder: Path, caps: Caps) -> int:
    """Unpack a zip into an empty folder; return the bytes of its files. Raises BadFile, and OSError."""
    # loads slowly, and is needed only here
    import zipfile

    if body.count(_ENTRY) > caps.files:
        raise BadFile(f"the zip holds more than {caps.files:,} files")
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            entries = list(_checked(archive, caps))
            return _write(archive, entries, folder, min(caps.unpacked, _by_ratio(len(body), caps)), caps)
    except BadFile:
        raise
    except (zipfile.BadZipFile, RuntimeError, ValueError, zlib.error, EOFError, struct.error) as error:
        raise BadFile(f"the zip cannot be read: {error}") from error


def _by_ratio(size: int, caps: Caps) -> int:
    return max(caps.ratio_from, caps.ratio * size)


def _checked(archive: "ZipFile", caps: Caps) -> "Iterator[tuple[ZipInfo, PurePosixPath]]":
    """Yield the entries with their paths, all of which are checked by the end. Raises BadFile."""
    entries = archive.infolist()
    if not entries:
        raise BadFile("the zip holds no files")
    if len(entries) > caps.files:
        raise BadFile(f"the zip holds more than {caps.files:,} files")
    _check_places(archive, entries)
    names = _Names(caps)
    for info in entries:
        _check_kind(info)
        yield info, names.add(info.orig_filename, folder=info.is_dir())


def _check_places(archive: "ZipFile", entries: "list[ZipInfo]") -> None:
    """Raise BadFile if two entries share bytes: a small zip could then hold far more than its size."""
    ordered = sorted(entries, key=lambda info: info.header_offset)
    ends = [*(info.header_offset for info in ordered[1:]), archive.start_dir]
    for info, end in zip(ordered, ends, strict=True):
        if info.header_offset + _LOCAL_HEADER + info.compress_size > end:
            raise BadFile("entries of the zip overlap")


def _check_kind(info: "ZipInfo") -> None:
    shown = _shown(info.orig_filename)
    if info.flag_bits & _ENCRYPTED:
        raise BadFile(f"{shown} is encrypted; upload a zip without a password")
    if info.compress_type not in (_STORED, _DEFLATED):
        raise BadFile(f"{shown} is compressed by another method than deflate")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK or _holds_link(info.extra):
        raise BadFile(f"{shown} is a link; upload the file itself")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or (kind == stat.S_IFDIR and not info.is_dir()):
        raise BadFile(f"{shown} is neither a file nor a folder")


def _holds_link(extra: bytes) -> bool:
    while len(extra) >= 4:
        number, size = struct.unpack_from("<HH", extra)
        if number == _UNIX_LINKS and size > 12:
            return True
        extra = extra[4 + size :]
    return False


class _Names:
    """The names in a zip: no two are the same on any file system."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._known: dict[str, tuple[str, bool, bool]] = {}
        """By folded path: the path, whether it is a folder, and whether an entry of the zip names it."""

    def add(self, name: str, *, folder: bool) -> PurePosixPath:
        """Check the name of an entry; return its path. Raises BadFile."""
        path = self._read(name)
        for above in reversed(path.parents[:-1]):
            self._take(above, folder=True, named=False)
        self._take(path, folder=folder, named=True)
        return path

    def _read(self, name: str) -> PurePosixPath:
        shown = _shown(name)
        if not name.isprintable():
            raise BadFile(f"the name {shown} has control characters")
        if "\\" in name or ":" in name:
            raise BadFile(f"the name {shown} has a backslash or a colon; separate folders by /")
        if name.startswith("/"):
            raise BadFile(f"the path {shown} is absolute")
        parts = name.removesuffix("/").split("/")
        if any(part in ("", ".", "..") for part in parts):
            raise BadFile(f"the path {shown} has a part that is empty, . or ..")
        long = len(name.encode()) > self._caps.path or any(len(part.encode()) > self._caps.part for part in parts)
        if long or len(parts) > self._caps.depth:
            raise BadFile(f"the path {shown} is too long or too deep")
        return PurePosixPath(*parts)

    def _take(self, path: PurePosixPath, *, folder: bool, named: bool) -> None:
        text = str(path)
        folded = unicodedata.normalize("NFKC", text).casefold()
        known = self._known.get(folded)
        if known is None:
            self._known[folded] = text, folder, named
            if len(self._known) > self._caps.files:
                raise BadFile(f"the zip holds more than {self._caps.files:,} files and folders")
            return
        if known[0] != text:
            raise BadFile(
                f"some file systems do not distinguish the names {_shown(known[0])} and {_shown(text)}; rename one"
            )
        if known[1] != folder:
            raise BadFile(f"{_shown(text)} is both a file and a folder")
        if named and known[2]:
            raise BadFile(f"{_shown(text)} is in the zip twice")
        self._known[folded] = text, folder, named or known[2]


def _write(
    archive: "ZipFile", entries: "list[tuple[ZipInfo, PurePosixPath]]", folder: Path, most: int, caps: Caps
) -> int:
    total = 0
    for info, path in entries:
        target = folder / path
        if info.is_dir():
            make_folder(target, folder)
            continue
        make_folder(target.parent, folder)
        with archive.open(info) as source, new_file(target) as file:
            while chunk := source.read(_CHUNK):
                total += len(chunk)
                if total > caps.unpacked:
                    raise BadFile(f"the files of the zip have more than {caps.unpacked:,} bytes")
                if total > most:
                    raise BadFile(
                        f"the zip unpacks to more than {caps.ratio} times its own size; compress less, or upload fewer "
                        "files"
                    )
                file.write(chunk)
    return total


def make_folder(target: Path, root: Path) -> None:
    """Make a folder below ``root``, and those above it."""
    for each in [*reversed(target.relative_to(root).parents), target.relative_to(root)]:
        path = root / each
        if not path.is_dir():
            path.mkdir()
            path.chmod(FOLDER_MODE)


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file that must not exist; at the end it is on the disk, with the mode of uploaded files."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, FILE_MODE), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    path.chmod(FILE_MODE)


def _shown(name: str) -> str:
    return ascii(name[:80])
