# SPDX-License-Identifier: GPL-3.0-or-later
"""How much the frame of play dares to leave out: numbers that a searcher can be given others of.

Margins are in hundredths of a man, depths in plies.
"""

from typing import NamedTuple


class Margins(NamedTuple):
    """What a search dares; a searcher may be given others."""

    reverse_depth: int = 7
    """Reverse futility up to this depth,"""
    reverse_margin: int = 50
    """where the score is above beta by so much for each ply left."""
    razor_depth: int = 3
    razor_base: int = 560
    razor_margin: int = 460
    """Razoring where the score is below alpha by the base and so much for each ply left."""
    null_depth: int = 3
    """A pass is tried from this depth on,"""
    null_less: int = 370
    """and searched by so many hundredths of a ply less,"""
    null_slope: int = 26
    """by so many more for each ply left,"""
    null_ahead: int = 310
    """and by a ply more for each such margin above beta, three at most."""
    late_depth: int = 8
    """Late quiet moves are left out up to this depth,"""
    late_base: int = 495
    """after so many hundredths of a move,"""
    late_slope: int = 240
    """and so many more for each ply left, squared."""
    futile_depth: int = 6
    futile_base: int = 2
    futile_margin: int = 90
    """Quiet moves are futile where the score is below alpha by the base and so much for each ply left."""
    losing_depth: int = 7
    losing_margin: int = 115
    """Forcing moves may lose so much by the exchange for each ply left,"""
    risky_margin: int = 28
    """quiet ones so much for each ply left, squared,"""
    threat_margin: int = 300
    """and moves that threaten so much for each ply left."""
    reduced_depth: int = 3
    """Late moves are reduced from this depth on, all in hundredths of a ply:"""
    reduced_base: int = 145
    reduced_slope: int = 65
    """times the logarithms of depth and number of moves before,"""
    reduced_open: int = -110
    """where the window is open,"""
    reduced_root: int = -200
    """at the root,"""
    reduced_cut: int = 100
    """where a cut is expected,"""
    reduced_worse: int = -50
    """where the score does not improve,"""
    reduced_check: int = -300
    """for moves that threaten,"""
    reduced_killer: int = -55
    """for killers,"""
    reduced_history: int = -70
    """and for a history as good as can be."""
    delta_margin: int = 340
    """Captures in quiescence search are left out where even with this they do not reach alpha."""
    singular_depth: int = 7
    singular_margin: int = 235
    """A move is singular if others are worth less by so many hundredths of a hundredth for each ply left."""
    double_margin: int = 90
    """It is extended twice if they are worth less by this again."""
    internal_depth: int = 4
    """Positions without a move in the table are searched a ply less from this depth on."""
    credit: int = 125
    """What a move's history gains for each ply left where it refutes,"""
    most_credit: int = 1050
    """and gains at most."""
    foresight_depth: int = 3
    """Moves are foreseen from this depth on, beliefs being in thousandths:"""
    believed: int = 400
    """from so much on a move is believed in,"""
    doubted: int = 35
    """below this it is doubted,"""
    doubted_less: int = 2
    """and searched by so many plies less."""
    verified_less: int = 3
    """The best move must hold without foresight, by so many plies less deep,"""
    verified_margin: int = 30
    """and may be worth so much less then."""
    weighed_least: int = 100
    """Answers to a move at the root that are believed in by so much are weighed by themselves,"""
    weighed_own: int = 200
    """so much of all belief is left for the best answer, whatever is believed,"""
    weighed_scale: int = 300
    """and who is so far ahead has half of all there is to win."""
    window: int = 20
    """Half the width of the first window."""


MARGINS = Margins()
"""Those of the house."""
