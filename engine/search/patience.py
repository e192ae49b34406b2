# SPDX-License-Identifier: GPL-3.0-or-later
"""When a search with a soft limit of time has thought long enough: sooner where its mind is made up."""

STEADINESS = (1.7, 1.3, 1.05, 0.9, 0.8, 0.7)
"""How much of the time is used after so many iterations in a row with the same best move."""

DROP = 0.3
"""A loss of so many men since the iteration before is alarming."""
ALARM = 1.4
"""How much more time is used then."""


class Patience:
    """Follows the iterations of one search. ``seconds``: the time that an ordinary position deserves."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._move: int | None = None
        self._steady = 0
        self._value = 0.0
        self._before = 0.0

    def note(self, move: int, men: float) -> None:
        """Note an iteration's best move, and its value in men."""
        self._steady = self._steady + 1 if move == self._move else 0
        self._before = men if self._move is None else self._value
        self._move, self._value = move, men

    def over(self, elapsed: float) -> bool:
        """Return whether another iteration is not worth beginning after so many seconds."""
        factor = STEADINESS[min(self._steady, len(STEADINESS) - 1)]
        if self._value < self._before - DROP:
            factor *= ALARM
        return elapsed >= self._seconds * factor
