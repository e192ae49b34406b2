# SPDX-License-Identifier: GPL-3.0-or-later
"""Games in files: those to learn from, and self-play that is kept and gone on with."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from msgspec.structs import replace

from engine import formats
from engine.formats import json_lines
from engine.formats.format import Unreadable
from engine.record import Record


def read(path: Path, left_out: list[Unreadable]) -> Iterator[Record]:
    """Read the games of a file in the format that its name ends in; those that cannot be read are noted.

    Raises ValueError when its name ends in no format's, and OSError when the file cannot be read.
    """
    found = next((each for name, each in formats.catalogue().items() if f".{name}" == path.suffix.lower()), None)
    if found is None:
        raise ValueError(f"{path} is no file of games, which end in .{', .'.join(formats.catalogue())}")
    with path.open(encoding="utf-8", errors="replace") as file:
        yield from found.read(file, left_out.append)


class Archive:
    """A file of self-played games, JSON lines in the order of their numbers; without a path nothing is kept.

    ``what`` says how the games are played; a file of games that were played otherwise is refused. Close it, or use it
    as a context manager.
    """

    def __init__(self, path: Path | None, what: str) -> None:
        """Open the file, or make it; a last line that was cut off is forgotten. Raises OSError."""
        self.count = 0
        """Games that are there."""
        self._path, self._what = path, what
        self._file: IO[bytes] | None = None if path is None else path.open("ab+")
        if self._file is not None:
            self._file.seek(0)
            whole = sum(len(line) for line in self._file if line.endswith(b"\n"))
            self._file.truncate(whole)

    def records(self) -> Iterator[Record]:
        """Yield the games that are there, and count them. Raises ValueError for one that was played otherwise."""
        if self._file is None:
            return
        self._file.seek(0)
        for record in json_lines.read(line.decode() for line in self._file):
            if record.event != self._what:
                raise ValueError(f"{self._path} holds {record.event[:80]!r}, not {self._what!r}")
            self.count += 1
            yield record

    def keep(self, record: Record) -> Record:
        """Append a game, marked as played so, and return it."""
        self.count += 1
        record = replace(record, event=self._what)
        if self._file is not None:
            self._file.write("".join(json_lines.write([record])).encode())
            self._file.flush()
        return record

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
