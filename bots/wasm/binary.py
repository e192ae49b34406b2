# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading and writing the binary format of WebAssembly: numbers of variable length, names and sections."""

from collections.abc import Iterator


class ModuleReader:
    """Reads the parts of a valid module one after another; ``at``: where the next begins."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self._data = data
        self.at = at

    def byte(self) -> int:
        """Return the next byte."""
        self.at += 1
        return self._data[self.at - 1]

    def number(self) -> int:
        """Return the next unsigned number."""
        data, at = self._data, self.at
        value = data[at] & 0x7F
        shift = 7
        while data[at] & 0x80:
            at += 1
            value |= (data[at] & 0x7F) << shift
            shift += 7
        self.at = at + 1
        return value

    def skip(self) -> None:
        """Skip a number, signed or not."""
        data, at = self._data, self.at
        while data[at] & 0x80:
            at += 1
        self.at = at + 1

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        self.at += size
        return self._data[self.at - size : self.at]

    def skip_bytes(self, size: int) -> int:
        """Skip bytes; return how many."""
        self.at += size
        return size

    def name(self) -> str:
        """Return the next name."""
        return self.take(self.number()).decode()

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of a vector."""
        for _ in range(self.number()):
            yield self.number()

    def sections(self) -> Iterator[tuple[int, bytes]]:
        """Yield the number and the content of each section."""
        while self.at < len(self._data):
            kind = self.byte()
            yield kind, self.take(self.number())


def vector_head(content: bytes) -> tuple[int, bytes]:
    """Return the length of a vector, and the bytes of its elements."""
    reader = ModuleReader(content)
    return reader.number(), content[reader.at :]


def number(value: int) -> bytes:
    """Write an unsigned number."""
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value])


def signed(value: int) -> bytes:
    """Write a signed number."""
    written = bytearray()
    while not -0x40 <= value < 0x40:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value & 0x7F])


def section(kind: int, content: bytes) -> bytes:
    """Write a section."""
    return bytes([kind]) + number(len(content)) + content
