# SPDX-License-Identifier: GPL-3.0-or-later
"""Time controls in the notation of match runners, and their time classes.

In seconds: "60+0.5" is a base and an increment after each move; "40/60+0.5" adds the base again after every 40 moves;
"5/move" is the time for each move. "60" has no increment. A base may be in minutes: "1:30". Time odds are written with
the times of both seats: "60+0.5 v 30+0.3".

A match by instructions has no clock: "10M instructions/move" limits the instructions of each move of a WebAssembly bot.
"""

import re
from dataclasses import dataclass, replace

_SECONDS = r"[0-9]{1,7}(?:\.[0-9]{1,3})?"
_MINUTES = r"(?:([0-9]{1,5}):)?"
_MOVES = r"(?:([0-9]{1,4})/)?"
_TEXT = re.compile(rf"{_MOVES}{_MINUTES}({_SECONDS})(?:\+({_SECONDS}))?")
_PER_MOVE = re.compile(rf"({_SECONDS})/move")
_INSTRUCTIONS = re.compile(r"([0-9]{1,13}[kMG]?) instructions/move")
_AGAINST = " v "

INSTRUCTIONS = "instructions"
"""The time class of matches by instructions."""
MOST_INSTRUCTIONS = 1_000_000_000_000
"""Instructions of the largest limit of a move."""
_UNITS = {"G": 1_000_000_000, "M": 1_000_000, "k": 1_000, "": 1}
_SPEED = 200_000_000
"""Instructions that a machine executes in a second, about: an estimate for the length of matches."""


def parse_instructions(text: str) -> int:
    """Read a number of instructions: ``2500000``, ``500k``, ``10M`` or ``1G``. Raises ValueError."""
    found = re.fullmatch(r"([0-9]{1,13})([kMG]?)", text)
    number = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < number <= MOST_INSTRUCTIONS:
        raise ValueError(
            f"{text[:40]!r} is not a number of instructions from 1 to {MOST_INSTRUCTIONS:,}; write for example 10M"
        )
    return number


def write_instructions(number: int) -> str:
    """Return a number of instructions as ``parse_instructions`` reads it, in the largest unit without a fraction."""
    name, size = next((name, size) for name, size in _UNITS.items() if not number % size)
    return f"{number // size}{name}"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """``base`` milliseconds for the game, and ``increment`` milliseconds after each move."""

    base: int
    increment: int = 0
    odds: "TimeControl | None" = None
    """Time odds: the time control of seat 1; None: the same."""
    moves: int | None = None
    """Moves of a session; after each session ``base`` is added. None: the game is one session."""
    per_move: bool = False
    """Whether ``base`` is for each move; the rest of it is lost."""
    instructions: int | None = None
    """Limit of instructions for each move, in the place of a clock: then all times are 0."""

    def __post_init__(self) -> None:
        if self.odds is not None:
            if self.odds.odds is not None:
                raise ValueError("a match has at most two time controls, one for each side")
            if (self.instructions is None) != (self.odds.instructions is None):
                raise ValueError("a time control limits the instructions of both sides, or of none")
        if self.instructions is not None:
            self._check_instructions(self.instructions)
            return
        if self.base < 0 or self.increment < 0 or not self.base + self.increment:
            raise ValueError(f"a time control needs time: {self.base} ms + {self.increment} ms")
        if self.moves is not None and not (self.moves > 0 and self.base):
            raise ValueError(f"a time control cannot give {self.base} ms for {self.moves} moves")
        if self.per_move and (self.increment or self.moves is not None):
            raise ValueError("a time for each move has neither an increment nor sessions")

    def _check_instructions(self, instructions: int) -> None:
        if not 0 < instructions <= MOST_INSTRUCTIONS:
            raise ValueError(f"a time control limits a move to 1 to {MOST_INSTRUCTIONS:,} instructions")
        if self.base or self.increment or self.moves is not None or self.per_move:
            raise ValueError("a time control has a clock or a limit of instructions, not both")

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Read a time control, or one for each seat. Raises ValueError if the text is not a time control."""
        first, against, second = text.partition(_AGAINST)
        if against:
            return cls.between(cls.parse(first), cls.parse(second))
        each = _PER_MOVE.fullmatch(text.strip())
        if each:
            return cls(_milliseconds(each[1]), per_move=True)
        limited = _INSTRUCTIONS.fullmatch(text.strip())
        if limited:
            return cls.by_instructions(parse_instructions(limited[1]))
        found = _TEXT.fullmatch(text.strip())
        if not found or (found[2] and float(found[3]) >= 60):
            raise ValueError(
                f"{text[:40]!r} is not a time control; write seconds as base+increment, 60+0.5, or 40/60+0.5, or "
                "5/move; or, for WebAssembly bots, 10M instructions/move"
            )
        moves, minutes, seconds, increment = found.groups(default="0")
        base = 60_000 * int(minutes) + _milliseconds(seconds)
        return cls(base, _milliseconds(increment), moves=int(moves) if found[1] else None)

    @classmethod
    def by_instructions(cls, instructions: int) -> "TimeControl":
        """Return the time control that limits each move to this number of instructions. Raises ValueError."""
        return cls(0, instructions=instructions)

    @classmethod
    def between(cls, first: "TimeControl", second: "TimeControl") -> "TimeControl":
        """Return the time control of a match with these times. Raises ValueError if one has odds itself."""
        return first if first == second else replace(first, odds=second)

    def of(self, seat: int) -> "TimeControl":
        """Return the time control of a seat."""
        if self.odds is None:
            return self
        return self.odds if seat else replace(self, odds=None)

    @property
    def swapped(self) -> "TimeControl":
        """The time control with the seats' times exchanged."""
        return self.between(self.of(1), self.of(0))

    def __str__(self) -> str:
        if self.instructions is not None:
            own = f"{write_instructions(self.instructions)} instructions/move"
        elif self.per_move:
            own = f"{_seconds(self.base)}/move"
        else:
            session = "" if self.moves is None else f"{self.moves}/"
            own = f"{session}{_seconds(self.base)}+{_seconds(self.increment)}"
        return own if self.odds is None else f"{own}{_AGAINST}{self.odds}"

    @property
    def timed(self) -> bool:
        """Whether clocks run."""
        return self.instructions is None

    @property
    def guard(self) -> float:
        """Seconds after which a move without a clock counts as stuck: 60, and 1 for each 10 million instructions."""
        return 60 + max(each.instructions or 0 for each in (self, self.odds or self)) / 10_000_000

    @property
    def initial(self) -> int:
        """Initial time of a clock in milliseconds: the base, or one increment without a base."""
        return self.base or self.increment

    def after(self, left: int, made: int) -> int:
        """Return the clock after a side's move number ``made``; ``left``: the time before increment and session."""
        if self.per_move:
            return self.base
        new_session = self.moves is not None and made % self.moves == 0
        return left + self.increment + (self.base if new_session else 0)

    def moves_to_go(self, made: int) -> int | None:
        """Return the number of moves to the next session of a side that made ``made`` moves; None: no sessions."""
        if self.per_move:
            return 1
        return None if self.moves is None else self.moves - made % self.moves

    @property
    def seconds(self) -> float:
        """Time of a side for a game of 40 moves; with odds, of the side that has more.

        Without a clock: an estimate, for a machine that executes 200 million instructions in a second.
        """
        if self.instructions is not None:
            return 40 * max(self.instructions, (self.odds or self).instructions or 0) / _SPEED
        sessions = 40 if self.per_move else 1 if self.moves is None else -(-40 // self.moves)
        own = (sessions * self.base + 40 * self.increment) / 1000
        return own if self.odds is None else max(own, self.odds.seconds)

    @property
    def time_class(self) -> str:
        """Time class by the time for 40 moves, with the bounds of lichess; ``instructions`` without a clock."""
        if not self.timed:
            return INSTRUCTIONS
        seconds = self.seconds
        if seconds < 180:
            return "bullet"
        if seconds < 480:
            return "blitz"
        return "rapid" if seconds < 1500 else "classical"


def _milliseconds(seconds: str) -> int:
    return round(float(seconds) * 1000)


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")
