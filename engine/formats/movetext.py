# SPDX-License-Identifier: GPL-3.0-or-later
"""Movetext of PGN and PDN: splitting a file into games, moves with numbers and comments, conversion to records.

Comments on moves are in the format of cutechess and fastchess: "+0.31/12 0.45s, n=31415, pv="e2e4 e7e5"" is
score/depth, time, nodes and principal variation. The score is for the side that moved. "book" marks opening moves.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.formats import tags
from engine.game import Game
from engine.match.events import Info
from engine.match.record import PlayedMove, Record

# ---------------------------------------------------------------- games in a file


LIMIT = 1_000_000
"""Maximum number of characters of a game."""

WIDTH = 80


class Source(NamedTuple):
    """The text of a game in a file."""

    line: int
    """Number of its first line, from 1."""
    tags: tags.Tags
    movetext: str

    def checked(self) -> str:
        """Return the movetext. Raises ValueError if it is too long."""
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
    """Return the number of opening moves at the start of moves with comments."""
    return next((ply for ply, (_, comment) in enumerate(played) if comment != BOOK), len(played))


# ---------------------------------------------------------------- writing


def moves(record: Record) -> Iterator[PlayedMove]:
    """Yield all moves of a record, the opening first."""
    yield from (PlayedMove(text) for text in record.opening)
    yield from record.moves


def write(record: Record, texts: Iterable[str], ply: int) -> str:
    """Return the moves with numbers and comments, and the result, in lines of at most WIDTH characters.

    ``texts``: the moves in the notation of the format; ``ply``: 1 if the second seat moves first.
    """
    return _wrapped(_words(record, texts, ply))


def _words(record: Record, texts: Iterable[str], ply: int) -> Iterator[str]:
    if ply:
        yield "1..."
    for number, (text, played) in enumerate(zip(texts, moves(record), strict=True)):
        if not ply % 2:
            yield f"{ply // 2 + 1}."
        yield text
        comment = BOOK if number < len(record.opening) else write_comment(played)
        if comment:
            # long comments are wrapped like the moves
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


# ---------------------------------------------------------------- comments on moves


BOOK = "book"

# bounded numbers of digits, as engines write them
_SCORE = re.compile(r"([+-]\d{1,9}(?:\.\d{1,9})?)(?:/(\d{1,9}))?,?")
_TIME = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s,?")
_NODES = re.compile(r"\bn=(\d{1,16})\b")
_LINE = re.compile(r'\bpv="([^"]*)"')

LONGEST_LINE = 16
"""Maximum number of moves of a principal variation in a comment."""


def write_comment(played: PlayedMove) -> str:
    """Return the comment on a move, "" without search info and time."""
    parts = []
    info = played.info or Info()
    if info.score is not None:
        parts.append(f"{info.score:+.2f}" + ("" if info.depth is None else f"/{info.depth}"))
    if played.elapsed is not None:
        parts.append(f"{played.elapsed / 1000:.3f}".rstrip("0").rstrip(".") + "s")
    more = [] if info.nodes is None else [f"n={info.nodes}"]
    if info.pv and not any(sign in move for move in info.pv for sign in '"{} '):
        more.append(f'pv="{" ".join(info.pv[:LONGEST_LINE])}"')
    return ", ".join([" ".join(parts), *more]) if parts else ", ".join(more)


def read_comment(move: str, comment: str) -> PlayedMove:
    """Return the move with the search info and time of its comment; other text is ignored."""
    words = comment.split(maxsplit=2)
    score = depth = elapsed = None
    if words and (found := _SCORE.fullmatch(words[0])):
        score, depth = float(found[1]), None if found[2] is None else int(found[2])
        del words[0]
    if words and (found := _TIME.fullmatch(words[0])):
        elapsed = round(float(found[1]) * 1000)
    nodes, line = _NODES.search(comment), _LINE.search(comment)
    info = Info(
        score=score,
        depth=depth,
        nodes=None if nodes is None else int(nodes[1]),
        pv=() if line is None else tuple(line[1].split()[:LONGEST_LINE]),
    )
    return PlayedMove(move, elapsed, None, None if info == Info() else info)


# ---------------------------------------------------------------- records


def to_record(
    game: Game, found: tags.Tags, start: str | None, played: Sequence[tuple[str, str]], ending: str | None
) -> Record:
    """Return the record of a game from its tags, which are consumed, and its moves with comments.

    ``start``: the initial position, None for the usual one; ``ending``: the result after the moves. Raises ValueError
    if neither the tags nor the moves have a result.
    """
    result = found.result() or ending
    if result is None:
        raise ValueError("the game has no result")
    found.pop("PlyCount", None)
    termination, detail = found.termination()
    opening = booked(played)
    first, second = game.seats
    return Record(
        game=game.name,
        players=(found.player(first), found.player(second)),
        result=result,
        start=start,
        opening=tuple(move for move, _ in played[:opening]),
        moves=tuple(read_comment(move, comment) for move, comment in played[opening:]),
        termination=termination,
        detail=detail,
        points=None if game.zero_sum or result == "*" else found.points(),
        time_control=found.take("TimeControl") or None,
        seed=found.seed(),
        event=found.take("Event"),
        site=found.take("Site"),
        round=found.take("Round"),
        started=found.started(),
        finished=found.take("GameEndTime") or None,
        tags=dict(found),
    )
