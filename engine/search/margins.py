# SPDX-License-Identifier: GPL-3.0-or-later
"""How much the frame of play dares to leave out: numbers that a searcher can be given others of.

Margins are in hundredths of a man, depths in plies.
"""

from typing import NamedTuple


class Margins(NamedTuple):
    """What a search dares; a searcher may be given others."""

    reverse_depth: int = 7
    """Reverse futility up to this depth,"""
    reverse_margin: int = 95
    """where the score is above beta by so much for each ply left."""
    razor_depth: int = 3
    razor_base: int = 150
    razor_margin: int = 200
    """Razoring where the score is below alpha by the base and so much for each ply left."""
    null_depth: int = 3
    """A pass is tried from this depth on,"""
    null_less: int = 400
    """and searched by so many hundredths of a ply less,"""
    null_slope: int = 25
    """by so many more for each ply left,"""
    null_ahead: int = 200
    """and by a ply more for each such margin above beta, three at most."""
    late_depth: int = 8
    """Late quiet moves are left out up to this depth,"""
    late_base: int = 500
    """after so many hundredths of a move,"""
    late_slope: int = 100
    """and so many more for each ply left, squared."""
    futile_depth: int = 6
    futile_base: int = 120
    futile_margin: int = 110
    """Quiet moves are futile where the score is below alpha by the base and so much for each ply left."""
    losing_depth: int = 7
    losing_margin: int = 150
    """Forcing moves may lose so much by the exchange for each ply left,"""
    risky_margin: int = 25
    """and quiet ones so much for each ply left, squared."""
    reduced_depth: int = 3
    """Late moves are reduced from this depth on, all in hundredths of a ply:"""
    reduced_base: int = 60
    reduced_slope: int = 38
    """times the logarithms of depth and number of moves before,"""
    reduced_open: int = -100
    """where the window is open,"""
    reduced_cut: int = 100
    """where a cut is expected,"""
    reduced_worse: int = 100
    """where the score does not improve,"""
    reduced_check: int = -100
    """for moves that threaten,"""
    reduced_killer: int = -100
    """for killers,"""
    reduced_history: int = -200
    """and for a history as good as can be."""
    delta_margin: int = 200
    """Captures in quiescence search are left out where even with this they do not reach alpha."""
    singular_depth: int = 7
    singular_margin: int = 200
    """A move is singular if others are worth less by so many hundredths of a hundredth for each ply left."""
    double_margin: int = 25
    """It is extended twice if they are worth less by this again."""
    internal_depth: int = 4
    """Positions without a move in the table are searched a ply less from this depth on."""
    credit: int = 160
    """What a move's history gains for each ply left where it refutes,"""
    most_credit: int = 1600
    """and gains at most."""
    window: int = 20
    """Half the width of the first window."""


MARGINS = Margins()
"""Those of the house."""
