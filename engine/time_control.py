# SPDX-License-Identifier: GPL-3.0-or-later
"""Time controls: base time and increment, written "60+0.5" (seconds), and the class of play they belong to.

Odds are written with the times of both seats, "60+0.5 v 30+0.3".
"""

import re
from dataclasses import dataclass, replace

_SECONDS = r"([0-9]{1,7}(?:\.[0-9]{1,3})?)"
_TEXT = re.compile(rf"{_SECONDS}\+{_SECONDS}")
_AGAINST = " v "


@dataclass(frozen=True, slots=True)
class TimeControl:
    """``base`` milliseconds for the whole game, and ``increment`` milliseconds more after each move."""

    base: int
    increment: int = 0
    odds: "TimeControl | None" = None
    """What seat 1 has instead; None: the same."""

    def __post_init__(self) -> None:
        if self.base < 0 or self.increment < 0 or not self.base + self.increment:
            raise ValueError(f"a time control needs time: {self.base} ms + {self.increment} ms")
        if self.odds is not None and self.odds.odds is not None:
            raise ValueError("a match has two sides, and no more time controls")

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Read "base+increment" in seconds, or one for each seat. Raises ValueError when the text is none."""
        first, against, second = text.partition(_AGAINST)
        if against:
            return cls.between(cls.parse(first), cls.parse(second))
        found = _TEXT.fullmatch(text.strip())
        if not found:
            raise ValueError(f"{text[:40]!r} is no time control; write seconds as base+increment, such as 60+0.5")
        base, increment = (round(float(seconds) * 1000) for seconds in found.groups())
        return cls(base, increment)

    @classmethod
    def between(cls, first: "TimeControl", second: "TimeControl") -> "TimeControl":
        """Return the time control of a match whose seats have these. Raises ValueError when one has odds itself."""
        return first if first == second else replace(first, odds=second)

    def of(self, seat: int) -> "TimeControl":
        """Return what a seat has."""
        return self.odds if seat and self.odds is not None else self

    def __str__(self) -> str:
        own = f"{_seconds(self.base)}+{_seconds(self.increment)}"
        return own if self.odds is None else f"{own}{_AGAINST}{self.odds}"

    @property
    def initial(self) -> int:
        """What a clock starts with, in milliseconds: the base, or one increment where there is no base."""
        return self.base or self.increment

    @property
    def seconds(self) -> float:
        """What a side has for a game of 40 moves; with odds, the side that has more."""
        own = (self.base + 40 * self.increment) / 1000
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


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")
