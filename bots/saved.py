# SPDX-License-Identifier: GPL-3.0-or-later
"""The file that a match goes on from after its process was ended, whenever that was.

Its first line is the contest; then, as each match ends, a line with its record and how long the files of games were
when it stood in them. Whoever goes on cuts them back to that: what was written last may be torn, or not be saved.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self, TextIO

from msgspec import DecodeError, Struct, ValidationError, json

from bots.contest import Contest
from bots.series import Played
from engine.record import Record


class NotSaved(ValueError):
    """A file from which no match goes on, or another one; the message says why, for people."""


class _Line(Struct, frozen=True):
    number: int
    record: Record
    sizes: dict[str, int]


_decode = json.Decoder(_Line).decode


class Saved:
    """A match on disk; ``sizes`` are those of the files of games, by path, at the end of what is saved."""

    def __init__(self, file: TextIO, played: list[Played], sizes: dict[str, int]) -> None:
        self._file = file
        self.played = played
        self.sizes = sizes

    @classmethod
    def open(cls, path: Path, contest: Contest) -> Self:
        """Open a file, made where there is none.

        Raises NotSaved when it holds something else or another contest, and OSError.
        """
        file = path.open("r+" if path.exists() else "w+", encoding="utf-8", newline="\n")
        try:
            played, sizes, end = _read(path, file, contest)
            file.seek(end)
            file.truncate()
            saved = cls(file, played, sizes)
            if end == 0:
                saved._write(json.encode(contest))
        except BaseException:
            file.close()
            raise
        return saved

    def add(self, played: Played, sizes: Mapping[str, int]) -> None:
        """Save one more match."""
        self._write(json.encode(_Line(played.number, played.record, dict(sizes))))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, line: bytes) -> None:
        self._file.write(line.decode() + "\n")
        self._file.flush()


def _read(path: Path, file: TextIO, contest: Contest) -> tuple[list[Played], dict[str, int], int]:
    """Return the matches that are saved, the sizes after the last, and where the last whole line ends."""
    lines = _whole_lines(file)
    first = next(lines, None)
    if first is None:
        if not json.encode(contest).startswith(path.read_bytes()):
            raise NotSaved(f"{path} does not hold a match that was saved")
        return [], {}, 0
    try:
        begun, end = json.decode(first[0], type=Contest), first[1]
        if begun != contest:
            raise NotSaved(f"{path} holds another match: {_differences(begun, contest)}")
        played: list[Played] = []
        sizes: dict[str, int] = {}
        for text, line_end in lines:
            line = _decode(text)
            if line.number != len(played) + 1:
                raise NotSaved(f"{path}: match {line.number} cannot follow match {len(played)}")
            played.append(Played(line.number, (line.number - 1) % 2, line.record))
            sizes, end = line.sizes, line_end
    except (DecodeError, ValidationError) as error:
        raise NotSaved(f"{path} does not hold a match that was saved: {error}") from None
    return played, sizes, end


def _whole_lines(file: TextIO) -> Iterator[tuple[bytes, int]]:
    """Yield the lines that were written to their end, and where each ends."""
    end = 0
    for line in file.buffer:
        if line.endswith(b"\n"):
            end += len(line)
            yield line, end


def _differences(begun: Contest, contest: Contest) -> str:
    names = [name for name in Contest.__struct_fields__ if getattr(begun, name) != getattr(contest, name)]
    return f"{', '.join(name.replace('_', ' ') for name in names)} differ{'' if len(names) > 1 else 's'}"


def cut_back(path: Path, size: int) -> None:
    """Cut a file of games back to what was saved. Raises NotSaved when it is shorter than that, and OSError."""
    there = path.stat().st_size if path.exists() else 0
    if there < size:
        raise NotSaved(f"{path} is shorter than it was when the match was saved")
    if there > size:
        os.truncate(path, size)
