# SPDX-License-Identifier: GPL-3.0-or-later
"""What PGN and PDN share besides tags: where games begin and end in a file, and moves with numbers and comments."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.formats import comments, tags
from engine.record import PlayedMove, Record

LIMIT = 1_000_000
"""Characters of the longest game that is read."""

WIDTH = 80


class Source(NamedTuple):
    """A game as it stands in a file."""

    line: int
    """Its first line, from 1."""
    tags: tags.Tags
    movetext: str

    def checked(self) -> str:
        """Return the movetext. Raises ValueError when it is too long to be a game."""
        if len(self.movetext) > LIMIT:
            raise ValueError(f"the game is longer than {LIMIT:,} characters")
        return self.movetext


# ---------------------------------------------------------------- reading


def split(lines: Iterable[str]) -> Iterator[Source]:
    """Yield the games of a file from its lines."""
    first, size, commented = 1, 0, False
    found, movetext = tags.Tags(), list[str]()
    for number, line in enumerate(lines, 1):
        line = line.lstrip("\ufeff").rstrip("\r\n")
        section = [] if commented else tags.pairs(line) if line.lstrip().startswith("[") else []
        if section:
            if size or any(name in found for name, _ in section):
                yield Source(first, found, "\n".join(movetext))
                found, movetext, size = tags.Tags(), [], 0
            if not found:
                first = number
            found.update(section)
        elif line.strip() and not (line.startswith("%") and not commented):
            if not found and not size:
                first = number
            if size <= LIMIT:
                movetext.append(line)
            size += len(line) + 1
            commented = _commented(line, commented)
    if found or size:
        yield Source(first, found, "\n".join(movetext))


def _commented(line: str, commented: bool) -> bool:
    """Return whether a comment is open at the end of the line."""
    for mark in re.findall(r"[{};]", line):
        if commented:
            commented = mark != "}"
        elif mark == ";":
            return False
        else:
            commented = mark == "{"
    return commented


def booked(played: Sequence[tuple[str, str]]) -> int:
    """Return how many of these moves, with their comments, are an opening's."""
    return next((ply for ply, (_, comment) in enumerate(played) if comment != comments.BOOK), len(played))


# ---------------------------------------------------------------- writing


def moves(record: Record) -> Iterator[PlayedMove]:
    """Yield all moves of a record, those of the opening first."""
    yield from (PlayedMove(text) for text in record.opening)
    yield from record.moves


def write(record: Record, texts: Iterable[str], ply: int) -> str:
    """Return the moves with numbers and comments, and the result, in lines of at most WIDTH characters.

    ``texts`` spells the moves as the format does; ``ply`` is 1 when the second seat moves first.
    """
    return _wrapped(_words(record, texts, ply))


def _words(record: Record, texts: Iterable[str], ply: int) -> Iterator[str]:
    if ply:
        yield "1..."
    for number, (text, played) in enumerate(zip(texts, moves(record), strict=True)):
        if not ply % 2:
            yield f"{ply // 2 + 1}."
        yield text
        comment = comments.BOOK if number < len(record.opening) else comments.write(played)
        if comment:
            # one that would fill half a line is broken as the moves are
            yield from [f"{{{comment}}}"] if len(comment) <= WIDTH // 2 else f"{{{comment}}}".split(" ")
        ply += 1
    yield record.result


def _wrapped(words: Iterable[str]) -> str:
    lines, used = [""], 0
    for word in words:
        if used and used + 1 + len(word) > WIDTH:
            lines.append("")
            used = 0
        lines[-1] += f" {word}" if used else word
        used = len(lines[-1])
    return "\n".join(lines)
