# SPDX-License-Identifier: GPL-3.0-or-later
"""A file of self-played games, which a later run extends."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from msgspec.structs import replace

from engine.formats import json_lines
from engine.record import Record


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
