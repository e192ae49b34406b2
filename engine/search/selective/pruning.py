# SPDX-License-Identifier: GPL-3.0-or-later
"""Pruning and reductions of the selective search: null-move depth, late move count, futility, SEE pruning, LMR."""

import math
from typing import Any

import numpy as np

from engine.game import State
from engine.hints.alphabeta import exchange_reaches
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed
from engine.search.memory import CUT, FIRST_KILLER, MAN, ROOT_ROW, SCORE, SECOND_KILLER, SWITCHES, WIN, Memory
from engine.search.selective.ordering import MOST, history_score
from engine.search.switches import Switch

SEE = int(Switch.SEE)

LOGARITHMS = np.array([round(1024 * math.log(max(number, 1))) for number in range(64)], np.int64)
"""Natural logarithms in 1024ths."""


@inlined
def points(centipawns: int, memory: Memory) -> Any:
    """Convert a margin from hundredths of a pawn to points of the evaluation."""
    return centipawns * memory.control[MAN] // 100


@inlined
def improving(seat: int, row: int, ply: int, memory: Memory) -> bool:
    """Return whether the static evaluation is above that of two plies before."""
    if ply < 2:
        return True
    change = memory.path[row, SCORE] - memory.path[row - 2, SCORE]
    return (-change if seat else change) > 0


@inlined
def far_above(guess: int, beta: int, depth: int, better: bool, memory: Memory) -> bool:
    """Reverse futility pruning: return whether the estimated value exceeds beta by the margin for a depth."""
    margins = memory.margins
    surplus = points(margins.reverse_futility_margin * (depth - better), memory)
    return bool(depth <= margins.reverse_futility_depth and beta <= guess - surplus < memory.control[WIN] // 2)


@inlined
def far_below(guess: int, alpha: int, depth: int, memory: Memory) -> bool:
    """Razoring: return whether the estimated value is below alpha by more than the margin for a depth."""
    margins = memory.margins
    shortfall = points(margins.razoring_base + margins.razoring_margin * depth, memory)
    return bool(depth <= margins.razoring_depth and guess + shortfall < alpha)


@inlined
def null_depth(depth: int, ahead: int, memory: Memory) -> Any:
    """Null-move pruning: return the depth of the search after a null move; ``ahead``: points above beta."""
    margins = memory.margins
    less = (margins.null_move_reduction + margins.null_move_reduction_slope * depth) // 100
    return depth - less - min(ahead // points(margins.null_move_margin, memory), 3)


@inlined
def too_late(depth: int, tried: int, better: bool, memory: Memory) -> bool:
    """Late move count pruning: return whether quiet moves are skipped after this many moves were searched."""
    margins = memory.margins
    if depth > margins.late_move_count_depth:
        return False
    hundredths = margins.late_move_count_base + margins.late_move_count_slope * depth * depth
    return tried * 100 > hundredths // (1 if better else 2)


@inlined
def base_reduction(depth: int, tried: int, memory: Memory) -> Any:
    """Late move reductions: return the reduction in hundredths of a ply by depth and number of moves before."""
    margins = memory.margins
    logarithms = LOGARITHMS[min(depth, 63)] * LOGARITHMS[min(tried, 63)]
    return margins.lmr_base + (margins.lmr_slope * logarithms >> 20)


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
    """Futility and SEE pruning: return whether a move is skipped at this depth.

    ``tactical``: whether it has a gain; ``checks``: whether it threatens; ``tried``: number of moves searched before;
    ``score``: static evaluation.
    """
    memory = borrowed(loan)
    margins = memory.margins
    see = memory.control[SWITCHES] & SEE
    if tactical or checks:
        risk = (margins.see_check_margin if checks else margins.see_capture_margin) * depth
        return bool(see and depth <= margins.see_depth and not exchange_reaches(state, move, -risk))
    ahead = max(depth - base_reduction(depth, tried, memory) // 100, 1)
    shortfall = points(margins.futility_base + margins.futility_margin * ahead, memory)
    if ahead <= margins.futility_depth and score + shortfall <= alpha:
        return True
    risk = margins.see_quiet_margin * ahead * ahead
    return bool(see and ahead <= margins.see_depth and not exchange_reaches(state, move, -risk))


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
    """Late move reductions: return the reduction of a move in plies."""
    memory = borrowed(loan)
    margins = memory.margins
    less = base_reduction(depth, tried, memory)
    if open_:
        less += margins.lmr_open_window
    if memory.path[row, CUT]:
        less += margins.lmr_cut_node
    if row == memory.control[ROOT_ROW]:
        less += margins.lmr_root
    if checks:
        less += margins.lmr_check
    if tactical:
        return less // 200
    if not better:
        less += margins.lmr_not_improving
    if move == memory.path[row, FIRST_KILLER] or move == memory.path[row, SECOND_KILLER]:
        less += margins.lmr_killer
    less += history_score(state, seat, row, move, memory) * margins.lmr_history // MOST
    return less // 100
