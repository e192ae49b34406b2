# SPDX-License-Identifier: GPL-3.0-or-later
"""Time controls as runners of matches write them, and the class of play they belong to.

In seconds: "60+0.5" is a base and an increment after each move, "40/60+0.5" gives the base anew after every 40 moves,
"5/move" is for each move alone. "60" has no increment, and a base may be in minutes: "1:30". Odds are written with the
times of both seats, "60+0.5 v 30+0.3".
"""

import re
from dataclasses import dataclass, replace

_SECONDS = r"[0-9]{1,7}(?:\.[0-9]{1,3})?"
_MINUTES = r"(?:([0-9]{1,5}):)?"
_MOVES = r"(?:([0-9]{1,4})/)?"
_TEXT = re.compile(rf"{_MOVES}{_MINUTES}({_SECONDS})(?:\+({_SECONDS}))?")
_PER_MOVE = re.compile(rf"({_SECONDS})/move")
_AGAINST = " v "


@dataclass(frozen=True, slots=True)
class TimeControl:
    """``base`` milliseconds for the whole game, and ``increment`` milliseconds more after each move."""

    base: int
    increment: int = 0
    odds: "TimeControl | None" = None
    """What seat 1 has instead; None: the same."""
    moves: int | None = None
    """The moves of a session: after each a side has ``base`` more. None: the game is one session."""
    per_move: bool = False
    """Whether ``base`` is for each move alone: what is left of it is lost."""

    def __post_init__(self) -> None:
        if self.base < 0 or self.increment < 0 or not self.base + self.increment:
            raise ValueError(f"a time control needs time: {self.base} ms + {self.increment} ms")
        if self.moves is not None and not (self.moves > 0 and self.base):
            raise ValueError(f"a time control cannot give {self.base} ms for {self.moves} moves")
        if self.per_move and (self.increment or self.moves is not None):
            raise ValueError("a time for each move has neither an increment nor sessions")
        if self.odds is not None and self.odds.odds is not None:
            raise ValueError("a match has two sides, and no more time controls")

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Read a time control, or one for each seat. Raises ValueError when the text is none."""
        first, against, second = text.partition(_AGAINST)
        if against:
            return cls.between(cls.parse(first), cls.parse(second))
        each = _PER_MOVE.fullmatch(text.strip())
        if each:
            return cls(_milliseconds(each[1]), per_move=True)
        found = _TEXT.fullmatch(text.strip())
        if not found or (found[2] and float(found[3]) >= 60):
            raise ValueError(
                f"{text[:40]!r} is no time control; write seconds as base+increment, 60+0.5, or 40/60+0.5, or 5/move"
            )
        moves, minutes, seconds, increment = found.groups(default="0")
        base = 60_000 * int(minutes) + _milliseconds(seconds)
        return cls(base, _milliseconds(increment), moves=int(moves) if found[1] else None)

    @classmethod
    def between(cls, first: "TimeControl", second: "TimeControl") -> "TimeControl":
        """Return the time control of a match whose seats have these. Raises ValueError when one has odds itself."""
        return first if first == second else replace(first, odds=second)

    def of(self, seat: int) -> "TimeControl":
        """Return what a seat has."""
        if self.odds is None:
            return self
        return self.odds if seat else replace(self, odds=None)

    @property
    def swapped(self) -> "TimeControl":
        """The same with the seats' times exchanged."""
        return self.between(self.of(1), self.of(0))

    def __str__(self) -> str:
        if self.per_move:
            own = f"{_seconds(self.base)}/move"
        else:
            session = "" if self.moves is None else f"{self.moves}/"
            own = f"{session}{_seconds(self.base)}+{_seconds(self.increment)}"
        return own if self.odds is None else f"{own}{_AGAINST}{self.odds}"

    @property
    def initial(self) -> int:
        """What a clock starts with, in milliseconds: the base, or one increment where there is no base."""
        return self.base or self.increment

    def after(self, left: int, made: int) -> int:
        """Return what a clock shows after a side's move number ``made``, before which it came down to ``left``."""
        if self.per_move:
            return self.base
        new_session = self.moves is not None and made % self.moves == 0
        return left + self.increment + (self.base if new_session else 0)

    def moves_to_go(self, made: int) -> int | None:
        """Return the moves until a clock is set anew, of a side that has ``made`` so many; None: it never is."""
        if self.per_move:
            return 1
        return None if self.moves is None else self.moves - made % self.moves

    @property
    def seconds(self) -> float:
        """What a side has for a game of 40 moves; with odds, the side that has more."""
        sessions = 40 if self.per_move else 1 if self.moves is None else -(-40 // self.moves)
        own = (sessions * self.base + 40 * self.increment) / 1000
        return own if self.odds is None else max(own, self.odds.seconds)

    @property
    def time_class(self) -> str:
        """The class of play, by the length of a game of 40 moves, with the bounds that lichess uses."""
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
