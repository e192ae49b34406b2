# SPDX-License-Identifier: GPL-3.0-or-later
"""What the frame of play leaves out, by ``engine.search.margins``."""

import math
from typing import Any

import numpy as np

from engine.buffers import borrowed
from engine.game import State, exchange_reaches
from engine.kernel import compiled, inlined
from engine.search.memory import CUT, FIRST_KILLER, MAN, ROOT_ROW, SCORE, SECOND_KILLER, SWITCHES, Memory
from engine.search.play.picking import MOST, quiet_merit
from engine.search.switches import Switch

EXCHANGES = int(Switch.EXCHANGES)

LOGARITHMS = np.array([round(1024 * math.log(max(number, 1))) for number in range(64)], np.int64)
"""In 1024ths."""


@inlined
def men(hundredths: int, memory: Memory) -> Any:
    """Return a margin in the evaluation's points."""
    return hundredths * memory.control[MAN] // 100


@inlined
def improving(seat: int, row: int, ply: int, memory: Memory) -> bool:
    """Return whether features say more for the seat than two plies before."""
    if ply < 2:
        return True
    change = memory.path[row, SCORE] - memory.path[row - 2, SCORE]
    return (-change if seat else change) > 0


@inlined
def null_depth(depth: int, ahead: int, memory: Memory) -> Any:
    """Return the depth at which a pass is searched by who is ``ahead`` of beta by so many points."""
    margins = memory.margins
    less = (margins.null_less + margins.null_slope * depth) // 100
    return depth - less - min(ahead // men(margins.null_ahead, memory), 3)


@inlined
def late(depth: int, tried: int, better: bool, memory: Memory) -> bool:
    """Return whether quiet moves are left out at this depth once so many moves were searched."""
    margins = memory.margins
    if depth > margins.late_depth:
        return False
    return tried * 100 > (margins.late_base + margins.late_slope * depth * depth) // (1 if better else 2)


@inlined
def usual(depth: int, tried: int, memory: Memory) -> Any:
    """Return by how many hundredths of a ply a quiet move is reduced, by depth left and the number of moves before."""
    margins = memory.margins
    logarithms = LOGARITHMS[min(depth, 63)] * LOGARITHMS[min(tried, 63)]
    return margins.reduced_base + (margins.reduced_slope * logarithms >> 20)


@compiled
def futile(
    state: State,
    move: int,
    tactical: bool,
    checks: bool,
    depth: int,
    tried: int,
    score: int,
    alpha: int,
    loan: Memory,
) -> bool:
    """Return whether a move is futile at this depth, others having been searched.

    ``tactical``: whether it wins something; ``checks``: whether it threatens; ``tried``: how many moves were searched;
    ``score``: what features say.
    """
    memory = borrowed(loan)
    margins = memory.margins
    weighs = memory.control[SWITCHES] & EXCHANGES
    if tactical or checks:
        risk = (margins.threat_margin if checks else margins.losing_margin) * depth
        return bool(weighs and depth <= margins.losing_depth and not exchange_reaches(state, move, -risk))
    ahead = max(depth - usual(depth, tried, memory) // 100, 1)
    shortfall = men(margins.futile_base + margins.futile_margin * ahead, memory)
    if ahead <= margins.futile_depth and score + shortfall <= alpha:
        return True
    risk = margins.risky_margin * ahead * ahead
    return bool(weighs and ahead <= margins.losing_depth and not exchange_reaches(state, move, -risk))


@compiled
def reduction(
    state: State,
    seat: int,
    row: int,
    move: int,
    tactical: bool,
    checks: bool,
    depth: int,
    tried: int,
    open_: bool,
    better: bool,
    loan: Memory,
) -> Any:
    """Return by how many plies less a late move is searched at first."""
    memory = borrowed(loan)
    margins = memory.margins
    less = usual(depth, tried, memory)
    if open_:
        less += margins.reduced_open
    if memory.path[row, CUT]:
        less += margins.reduced_cut
    if row == memory.control[ROOT_ROW]:
        less += margins.reduced_root
    if checks:
        less += margins.reduced_check
    if tactical:
        return less // 200
    if not better:
        less += margins.reduced_worse
    if move == memory.path[row, FIRST_KILLER] or move == memory.path[row, SECOND_KILLER]:
        less += margins.reduced_killer
    less += quiet_merit(state, seat, row, move, memory) * margins.reduced_history // MOST
    return less // 100
