# SPDX-License-Identifier: GPL-3.0-or-later
"""Parse the commands that a chess program sends to a UCI engine; invalid parts are reported and ignored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_MOST = 10**15
"""No number of nodes or milliseconds is larger."""

_NUMBERS = {
    "wtime": "white_time",
    "btime": "black_time",
    "winc": "white_increment",
    "binc": "black_increment",
    "movestogo": "moves_to_go",
    "depth": "depth",
    "nodes": "nodes",
    "mate": "mate",
    "movetime": "move_time",
}
_FLAGS = {"infinite", "ponder"}
_AT_LEAST_ONE = {"movestogo", "depth", "nodes", "mate"}


@dataclass(frozen=True, slots=True)
class Go:
    """The parameters of ``go``. Times are milliseconds; None: omitted."""

    white_time: int | None = None
    black_time: int | None = None
    white_increment: int | None = None
    black_increment: int | None = None
    moves_to_go: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    """Moves within which a mate is looked for."""
    move_time: int | None = None
    infinite: bool = False
    ponder: bool = False
    """Search on the opponent's time, until the program sends that the expected move was played."""
    moves: tuple[str, ...] = ()
    """The only moves to search; none: all."""

    def clock(self, seat: int) -> tuple[int, int] | None:
        """Return the time left to a seat, white's being 0, and its increment."""
        left = self.black_time if seat else self.white_time
        return None if left is None else (left, (self.black_increment if seat else self.white_increment) or 0)


@dataclass(frozen=True, slots=True)
class Place:
    """A position: where the game began, None being its usual start, and the moves made."""

    start: str | None = None
    moves: tuple[str, ...] = ()


def go(words: Sequence[str]) -> tuple[Go, list[str]]:
    """Parse the words after ``go``; also returns the ignored parts, for people."""
    said: dict[str, Any] = {}
    complaints = []
    left = list(words)
    while left:
        word = left.pop(0)
        if word in _NUMBERS:
            text = left.pop(0) if left else ""
            number = _number(text, word)
            if number is None:
                complaints.append(f"{word} needs a number, not {text[:20]!r}")
            else:
                said[_NUMBERS[word]] = number
        elif word in _FLAGS:
            said[word] = True
        elif word == "searchmoves":
            end = next((i for i, each in enumerate(left) if each in _NUMBERS or each in _FLAGS), len(left))
            said["moves"], left = tuple(left[:end]), left[end:]
        else:
            complaints.append(f"go {word[:20]!r} is not known")
    return Go(**said), complaints


def _number(text: str, word: str) -> int | None:
    # a program's clock may have run out already
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        return None
    number = min(int(text), _MOST)
    if word in _AT_LEAST_ONE:
        return number if number >= 1 else None
    return max(0, number)


def position(words: Sequence[str]) -> Place:
    """Read the words after ``position``. Raises ValueError."""
    end = words.index("moves") if "moves" in words else len(words)
    head, moves = words[:end], tuple(words[end + 1 :])
    if list(head) == ["startpos"]:
        return Place(None, moves)
    if head[:1] == ["fen"] and len(head) > 1:
        return Place(" ".join(head[1:]), moves)
    raise ValueError("a position is startpos, or fen and a FEN; moves may follow")


def option(text: str) -> tuple[str, str]:
    """Parse the words after ``setoption``: "name N value V". Raises ValueError."""
    words = text.split()
    if words[:1] != ["name"]:
        raise ValueError("an option is set by: setoption name NAME value VALUE")
    end = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:end]), " ".join(words[end + 1 :])
