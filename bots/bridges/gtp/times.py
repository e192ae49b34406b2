# SPDX-License-Identifier: GPL-3.0-or-later
"""The clocks of a GTP engine: ``time_settings`` and ``time_left``, as the arena's turns tell them."""

from dataclasses import dataclass
from math import isfinite

_MOST = 10**7
"""Seconds or stones; no number is larger."""


@dataclass(slots=True)
class _Clock:
    left: float
    """Seconds."""
    stones: int
    """Moves within these seconds; 0: main time."""


class Times:
    """Both clocks: a main time, then ``overtime`` seconds for each ``stones`` moves (Canadian overtime)."""

    def __init__(self, main: float, overtime: float = 0.0, stones: int = 0, *, periods: bool = False) -> None:
        """``periods``: overtime is for each move (byo-yomi), and ``time_left`` counts periods in place of stones."""
        self._overtime = overtime
        self._stones = 1 if periods else stones
        self._periods = periods
        first = _Clock(main, 0) if main > 0 else _Clock(overtime, self._stones)
        self._clocks = [first, _Clock(first.left, first.stones)]

    @classmethod
    def parse(cls, words: list[str]) -> "Times | None":
        """Read the words of ``time_settings``: main time, overtime, stones; None: no limit of time. Raises ValueError.

        Overtime for 0 stones means no limit, and so does no time at all.
        """
        if len(words) != 3:
            raise ValueError("write main time, overtime and stones")
        main, overtime, stones = seconds(words[0]), seconds(words[1]), count(words[2])
        if (overtime > 0 and not stones) or not (main or overtime):
            return None
        return cls(main, overtime, stones if overtime else 0)

    @classmethod
    def parse_kgs(cls, words: list[str]) -> "Times | None":
        """Read the words of ``kgs-time_settings``; None: no limit of time. Raises ValueError."""
        match words:
            case ["none"]:
                return None
            case ["absolute", main]:
                return cls.parse([main, "0", "0"])
            case ["byoyomi", main, overtime, periods]:
                count(periods)
                return cls(seconds(main), seconds(overtime), 1, periods=True)
            case ["canadian", main, overtime, stones]:
                return cls.parse([main, overtime, stones])
        raise ValueError("write none, absolute, byoyomi or canadian, and their times")

    def tell(self, seat: int, left: float, stones: int) -> None:
        """Set a clock, as ``time_left`` tells it."""
        self._clocks[seat] = _Clock(left, min(stones, 1) if self._periods else stones)

    def spend(self, seat: int, spent: float) -> None:
        """Charge a seat for a move; where the controller tells the time left, that replaces this."""
        clock = self._clocks[seat]
        clock.left -= spent
        if clock.stones:
            clock.stones -= 1
            if not clock.stones:
                clock.left, clock.stones = self._overtime, self._stones
        elif clock.left <= 0 and self._overtime:
            clock.left, clock.stones = self._overtime, self._stones

    @property
    def clocks(self) -> tuple[int, int]:
        """Both clocks in milliseconds."""
        first, second = (max(1, int(1000 * clock.left)) for clock in self._clocks)
        return first, second

    def increment(self, seat: int) -> int:
        """Milliseconds that each move may take once the main time is over; 0 in overtime."""
        if self._clocks[seat].stones or not self._stones:
            return 0
        return int(1000 * self._overtime / self._stones)

    def moves_to_go(self, seat: int) -> int | None:
        """Return the number of moves within the seat's clock; None: the rest of the game."""
        return self._clocks[seat].stones or None


def seconds(text: str) -> float:
    """Read a time. Raises ValueError."""
    time = float(text)
    if not (isfinite(time) and time >= 0):
        raise ValueError(f"{text[:20]!r} is not a time")
    return min(time, _MOST)


def count(text: str) -> int:
    """Read a number of stones or periods. Raises ValueError."""
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise ValueError(f"{text[:20]!r} is not a number")
    return min(int(text), _MOST)
