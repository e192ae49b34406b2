# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of its clock a bot that searches gives to a move."""

from typing import NamedTuple

MOVES_AHEAD = 25
"""A clock for the whole game is parted as if this many moves were to come."""

LAG = 0.05
"""Seconds of a clock that are left alone."""

_LEAST = 0.01
"""Seconds for a move however little is left."""
_STRETCH = 3.0
"""A difficult move may take this many times its share of time."""
_LARGEST_PART = 0.25
"""Nor does it then take a larger part of the clock than this."""


class Pace(NamedTuple):
    """Seconds for a move."""

    soft: float
    """The time for an ordinary position; infinite if all the time may be used."""
    hard: float
    """What none exceeds."""


def pace(left: float, increment: float = 0.0, moves_to_go: int | None = None) -> Pace:
    """Return the time for a move, with so many seconds ``left`` and ``increment`` after each move.

    ``moves_to_go``: moves until the next time control; None: never.
    """
    ahead = MOVES_AHEAD if moves_to_go is None else max(1, min(moves_to_go, MOVES_AHEAD))
    most = max(_LEAST, left - LAG)
    soft = min(most, left / ahead + 0.8 * increment)
    return Pace(soft, min(most, max(_LEAST, soft, min(_STRETCH * soft, _LARGEST_PART * left))))
