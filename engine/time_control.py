# SPDX-License-Identifier: GPL-3.0-or-later
"""Time controls: base time and increment, written "60+0.5" (seconds), and the class of play they belong to."""

import re
from dataclasses import dataclass

_SECONDS = r"([0-9]{1,7}(?:\.[0-9]{1,3})?)"
_TEXT = re.compile(rf"{_SECONDS}\+{_SECONDS}")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """``base`` milliseconds for the whole game, and ``increment`` milliseconds more after each move."""

    base: int
    increment: int = 0

    def __post_init__(self) -> None:
        if self.base < 0 or self.increment < 0 or not self.base + self.increment:
            raise ValueError(f"a time control needs time: {self.base} ms + {self.increment} ms")

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Read "base+increment" in seconds. Raises ValueError when the text is none."""
        found = _TEXT.fullmatch(text.strip())
        if not found:
            raise ValueError(f"{text[:40]!r} is no time control; write seconds as base+increment, such as 60+0.5")
        return cls(*(round(float(seconds) * 1000) for seconds in found.groups()))

    def __str__(self) -> str:
        return f"{_seconds(self.base)}+{_seconds(self.increment)}"

    @property
    def initial(self) -> int:
        """What a clock starts with, in milliseconds: the base, or one increment where there is no base."""
        return self.base or self.increment

    @property
    def seconds(self) -> float:
        """What one side has for a game of 40 moves."""
        return (self.base + 40 * self.increment) / 1000

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
