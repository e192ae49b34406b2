# SPDX-License-Identifier: GPL-3.0-or-later
"""Pruning and reductions of the evolved search by the margins of its genome, and static values of positions.

The rules are reverse futility, futility, late move pruning, SEE pruning, delta pruning and late move reductions. A
pruned branch is not searched: it costs no node, and a good move in it is missed.
"""

from math import log
from typing import Any

import numpy as np

from bots.evolution.steered.desk import MAN, TERMS, WIN, Desk
from bots.evolution.steered.steering import NEVER, place
from engine.buffers import borrowed
from engine.game import State, exchange_reaches, outcome, score, to_move
from engine.kernel import compiled, inlined

BEYOND = 2**62
"""Larger than any value of a position."""
FAR = 100.0
"""Limit of the scores and bounds that programs read, in pawn units."""
PER_MAN = 100.0
"""Units of ``gain`` in a pawn unit."""

REVERSE_FUTILITY_MARGIN, REVERSE_FUTILITY_IMPROVING = (
    place("reverse futility margin"),
    place("reverse futility improving"),
)
FUTILITY_BASE, FUTILITY_MARGIN = place("futility base"), place("futility margin")
LATE_MOVE_COUNT, SEE_MARGIN = place("late move count"), place("SEE margin")
QUIESCENCE_SEE_MARGIN, DELTA_MARGIN = place("quiescence SEE margin"), place("delta margin")
LMR_SLOPE, LMR_MOVE_COUNT, LMR_HISTORY = place("LMR slope"), place("LMR move count"), place("LMR history")
LMR_CUT_NODE, LMR_OPEN_WINDOW, LMR_NOT_IMPROVING = (
    place("LMR cut node"),
    place("LMR open window"),
    place("LMR not improving"),
)


@inlined
def worth(payoff: float, ply: int, desk: Desk) -> Any:
    """Return the value of a finished game for a seat with this payoff: an earlier win is worth more."""
    return np.int64(np.rint(payoff * (desk.control[WIN] - ply)))


@compiled
def ended_value(state: State, ply: int, loan: Desk) -> Any:
    """Return the value of a finished state for the seat to move."""
    desk = borrowed(loan)
    _, first, second = outcome(state)
    return worth(second if to_move(state) else first, ply, desk)


@inlined
def static(state: State, desk: Desk) -> Any:
    """Return the static evaluation for the seat to move."""
    return np.int64(score(state, desk.control[TERMS], desk.weights))


@inlined
def in_men(value: Any, desk: Desk) -> Any:
    """Return a value in pawn units, from -FAR to FAR."""
    return min(max(value / desk.control[MAN], -FAR), FAR)


@inlined
def above_beta(stand: Any, depth: float, worse: bool, beta: Any, desk: Desk) -> bool:
    """Reverse futility: return whether a static evaluation reaches beta plus the margin for a depth."""
    margin = desk.parameters[REVERSE_FUTILITY_MARGIN]
    plies = depth if worse else max(depth - desk.parameters[REVERSE_FUTILITY_IMPROVING], 0.0)
    return margin < NEVER and stand - np.int64(margin * plies * desk.control[MAN]) >= beta


@inlined
def futility(stand: Any, won: Any, depth: float, desk: Desk) -> Any:
    """Futility: return static evaluation + immediate gain of a move + margin for a depth."""
    parameters = desk.parameters
    margin = won / PER_MAN + parameters[FUTILITY_BASE] + parameters[FUTILITY_MARGIN] * depth
    return stand + np.int64(margin * desk.control[MAN])


@inlined
def late(tried: int, depth: float, worse: bool, desk: Desk) -> bool:
    """Late move pruning: return whether quiet moves are skipped after this number of searched moves."""
    most = desk.parameters[LATE_MOVE_COUNT] * (1.0 + depth * depth / 2.0)
    return tried >= (most / (1.0 + desk.parameters[LMR_NOT_IMPROVING]) if worse else most)


@inlined
def loses_much(state: State, move: int, depth: float, desk: Desk) -> bool:
    """SEE pruning: return whether a move loses more than the margin for a depth."""
    margin = desk.parameters[SEE_MARGIN]
    return margin < NEVER and not exchange_reaches(state, move, -int(PER_MAN * margin * depth))


@inlined
def reduction(depth: float, tried: int, history: float, open_: bool, cut: bool, worse: bool, desk: Desk) -> float:
    """Late move reductions: return the reduction of a move in plies."""
    parameters = desk.parameters
    if tried < parameters[LMR_MOVE_COUNT]:
        return 0.0
    plies = parameters[LMR_SLOPE] * log(max(depth, 1.0)) * log(tried + 1.0) - parameters[LMR_HISTORY] * history
    if open_:
        plies -= parameters[LMR_OPEN_WINDOW]
    if cut:
        plies += parameters[LMR_CUT_NODE]
    if worse:
        plies += parameters[LMR_NOT_IMPROVING]
    return max(plies, 0.0)


@inlined
def wins_enough(state: State, move: int, stand: Any, beta: Any, desk: Desk) -> bool:
    """Return whether static evaluation + SEE value of a capture exceeds beta by the margin of quiescence search."""
    margin = desk.parameters[QUIESCENCE_SEE_MARGIN]
    if margin >= NEVER or abs(beta) >= desk.control[WIN] // 2:
        return False
    return exchange_reaches(state, move, int(PER_MAN * (in_men(beta - stand, desk) + margin)))


@inlined
def least_won(stand: Any, bar: Any, desk: Desk) -> Any:
    """Delta pruning: return the SEE value that a capture needs; quiescence search skips captures below it."""
    margin = desk.parameters[DELTA_MARGIN]
    if margin >= NEVER:
        return np.int64(0)
    return max(np.int64(PER_MAN * (in_men(bar - stand, desk) - margin)), np.int64(0))
