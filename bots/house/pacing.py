# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of its clock a bot that searches gives to a move."""

MOVES_AHEAD = 25
"""A clock for the whole game is parted as if this many moves were to come."""

LAG = 0.05
"""Seconds of a clock that are left alone."""

_LEAST = 0.01
"""Seconds for a move however little is left."""


def share(left: float, increment: float = 0.0, moves_to_go: int | None = None) -> float:
    """Return the seconds that a move may cost when so many are ``left``, with ``increment`` more after each move.

    ``moves_to_go``: moves until the clock is set anew; None: never.
    """
    ahead = MOVES_AHEAD if moves_to_go is None else max(1, min(moves_to_go, MOVES_AHEAD))
    return max(_LEAST, min(left / ahead + 0.8 * increment, left - LAG))
