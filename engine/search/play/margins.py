# SPDX-License-Identifier: GPL-3.0-or-later
"""How much the frame of play dares to leave out: margins in hundredths of a man, and depths in plies."""

import math
from typing import Any

import numpy as np

from engine.buffers import borrowed
from engine.game import State, exchange_reaches
from engine.kernel import compiled, inlined
from engine.search.memory import CUT, FIRST_KILLER, MAN, SCORE, SECOND_KILLER, SWITCHES, Memory
from engine.search.play.picking import MOST, quiet_merit
from engine.search.switches import Switch

EXCHANGES = int(Switch.EXCHANGES)

REVERSE_DEPTH, REVERSE_MARGIN = 7, 95
RAZOR_DEPTH, RAZOR_BASE, RAZOR_MARGIN = 3, 150, 200
NULL_DEPTH, NULL_LESS, NULL_VERIFIED = 3, 3, 14
LATE_DEPTH = 8
FUTILE_DEPTH, FUTILE_BASE, FUTILE_MARGIN = 6, 120, 110
LOSING_DEPTH, LOSING_MARGIN, RISKY_MARGIN = 7, 150, 25
REDUCED_DEPTH = 3
DELTA_MARGIN = 200

REDUCTIONS = np.array(
    [
        [
            int(0.6 + math.log(max(depth, 1)) * math.log(max(move, 1)) / 2.6) if depth and move else 0
            for move in range(64)
        ]
        for depth in range(64)
    ],
    np.int64,
)
"""By how many plies less a late quiet move is searched, by depth left and the number of moves before it."""


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
    return depth - 1 - NULL_LESS - depth // 4 - min(ahead // men(200, memory), 3)


@inlined
def late(depth: int, tried: int, better: bool) -> bool:
    """Return whether quiet moves are left out at this depth once so many moves were searched."""
    return depth <= LATE_DEPTH and tried > (5 + depth * depth) // (1 if better else 2)


@compiled
def futile(
    state: State,
    move: int,
    forcing: bool,
    depth: int,
    tried: int,
    score: int,
    alpha: int,
    loan: Memory,
) -> bool:
    """Return whether a move is futile at this depth, others having been searched.

    ``forcing``: whether it wins something or threatens; ``tried``: how many moves were searched; ``score``: what
    features say.
    """
    memory = borrowed(loan)
    weighs = memory.control[SWITCHES] & EXCHANGES
    if forcing:
        return bool(weighs and depth <= LOSING_DEPTH and not exchange_reaches(state, move, -LOSING_MARGIN * depth))
    ahead = max(depth - REDUCTIONS[min(depth, 63), min(tried, 63)], 1)
    if ahead <= FUTILE_DEPTH and score + men(FUTILE_BASE + FUTILE_MARGIN * ahead, memory) <= alpha:
        return True
    risk = RISKY_MARGIN * ahead * ahead
    return bool(weighs and ahead <= LOSING_DEPTH and not exchange_reaches(state, move, -risk))


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
    less = REDUCTIONS[min(depth, 63), min(tried, 63)]
    if open_:
        less -= 1
    if memory.path[row, CUT]:
        less += 1
    if tactical:
        return less // 2
    if not better:
        less += 1
    if checks:
        less -= 1
    if move == memory.path[row, FIRST_KILLER] or move == memory.path[row, SECOND_KILLER]:
        less -= 1
    return less - quiet_merit(state, seat, row, move, memory) * 2 // MOST
