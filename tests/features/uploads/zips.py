# SPDX-License-Identifier: GPL-3.0-or-later
"""Zips for tests: ordinary ones, and those that ``zipfile`` does not write."""

import io
import stat
import struct
import warnings
import zipfile
from collections.abc import Sequence


def entry(name: str, *, mode: int = 0, extra: bytes = b"") -> zipfile.ZipInfo:
    """Return an entry with Unix mode bits and an extra field."""
    info = zipfile.ZipInfo("placeholder")
    info.filename = name
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = mode << 16
    info.extra = extra
    return info


def packed(*files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of files."""
    whole = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(whole, "w", method) as archive:
        warnings.simplefilter("ignore")  # two entries of one name
        for info, content in files:
            archive.writestr(info, content)
    return whole.getvalue()


def symlink(name: str, target: str) -> tuple[zipfile.ZipInfo, bytes]:
    """Return an entry that is a symbolic link."""
    return entry(name, mode=stat.S_IFLNK | 0o777), target.encode()


def hard_link(name: str, target: str) -> tuple[zipfile.ZipInfo, bytes]:
    """Return an entry whose extra field of PKWARE names the target of a link."""
    data = struct.pack("<IIHH", 0, 0, 0, 0) + target.encode()
    return entry(name, extra=struct.pack("<HH", 0x000D, len(data)) + data), b""


def with_flags(body: bytes, flags: int) -> bytes:
    """Return a zip of one file with other flags of the file."""
    changed = bytearray(body)
    struct.pack_into("<H", changed, 6, flags)
    struct.pack_into("<H", changed, changed.index(b"PK\x01\x02") + 8, flags)
    return bytes(changed)


def overlapping(name: str, copies: int, size: int) -> bytes:
    """Return a zip whose directory names the same bytes under many names."""
    single = packed((name, bytes(size)))
    start = single.index(b"PK\x01\x02")
    directory, count = bytearray(), copies
    one = single[start : single.index(b"PK\x05\x06")]
    for number in range(count):
        directory += one.replace(name.encode(), f"{number:0{len(name)}d}".encode())
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, count, count, len(directory), start, 0)
    return single[:start] + bytes(directory) + end


def nested(depth: int, content: bytes) -> bytes:
    """Return a zip in a zip in a zip."""
    body = content
    for _ in range(depth):
        body = packed(("inner.zip", body))
    return body


BOT = b"print('a bot')\n"


def project(*more: tuple[str | zipfile.ZipInfo, bytes], main: str = "main.py") -> bytes:
    """Return a zip with an entry point and more files."""
    return packed((main, BOT), *more)


Entries = Sequence[tuple[str | zipfile.ZipInfo, bytes]]
