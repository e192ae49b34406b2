# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that a chess program sends to a UCI engine, and the game that they set up.

Invalid parts are reported and ignored.
"""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import Game, Position

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


class PlayedLine:
    """The present position, the moves that led to it, and the keys of earlier positions for repetition detection."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.start: str | None = None
        """None: the game's own."""
        self.moves: tuple[str, ...] = ()
        self._line: list[Position] = [game.look(game.start())]

    @property
    def position(self) -> Position:
        """The present one."""
        return self._line[-1]

    @property
    def history(self) -> tuple[int, ...]:
        """Keys of the positions before the present one since the last irreversible move, the oldest first."""
        keys = []
        for before, after in zip(self._line[-2::-1], self._line[:0:-1], strict=True):
            if after.irreversible:
                break
            keys.append(before.repetition_key)
        return tuple(keys[::-1])

    def legal(self, texts: Iterable[str]) -> list[int]:
        """Return those of the moves that are legal here."""
        moves = []
        for text in texts:
            with contextlib.suppress(ValueError):
                moves.append(self._game.parse_move(self.position, text))
        return moves

    def mate(self, line: Sequence[str]) -> int | None:
        """Return in how many moves a line mates, negative when the side to move is mated; None when it does not."""
        position = self.position
        for text in line:
            try:
                position = self._game.play(position, self._game.parse_move(position, text))
            except ValueError:
                return None
        payoff = position.payoffs[self.position.to_move] if position.over else 0.0
        moves = (len(line) + 1) // 2
        return None if payoff == 0 else moves if payoff > 0 else -moves

    def place(self, place: Place) -> str | None:
        """Set up a position; returns the problem, for people, if it is invalid.

        Before an illegal move, the preceding moves stay applied; an invalid start changes nothing.
        """
        same = 0
        if place.start == self.start:
            while same < min(len(self.moves), len(place.moves)) and self.moves[same] == place.moves[same]:
                same += 1
        else:
            try:
                started = self._game.look(self._game.parse_position(place.start) if place.start else self._game.start())
            except ValueError as error:
                return str(error)
            self.start, self._line = place.start, [started]
        del self._line[same + 1 :]
        self.moves = place.moves[:same]
        for text in place.moves[same:]:
            try:
                move = self._game.parse_move(self.position, text)
            except ValueError as error:
                return f"move {len(self.moves) + 1}: {error}"
            self._line.append(self._game.play(self.position, move))
            self.moves = (*self.moves, text)
        return None
