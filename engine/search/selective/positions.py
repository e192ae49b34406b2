# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions in the selective search: static evaluation, correction history, bounds of wins, draws by history."""

from typing import Any

import numpy as np

from engine.game import State, irreversible, key, outcome, to_move
from engine.hints.alphabeta import aim, slot, structure
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed, prefetch
from engine.search.memory import (
    AIM,
    CUT,
    EXCLUDED,
    HORIZON,
    KEY,
    MAN,
    NO_PROGRESS,
    PRESSED,
    ROOT_DEPTH,
    ROOT_ROW,
    SALT,
    SCORE,
    SINCE,
    SLOT,
    SOONER,
    SWITCHES,
    TOOK,
    WIN,
    Memory,
)
from engine.search.minimax import final_value, static_value
from engine.search.programs.memory import LINE, REST
from engine.search.selective.ordering import with_gravity
from engine.search.selective.table import EXACT, LOWER, NO_MOVE, NO_SCORE, UPPER, bucket
from engine.search.switches import Switch

CORRECTION_HISTORY, PROGRAM = int(Switch.CORRECTION_HISTORY), int(Switch.PROGRAM)

MOST = 1024
"""Bound of an entry of the correction history."""
SHARE = 1600
"""Units of the correction history per pawn."""
CREDIT = MOST // 4
"""Largest change of an entry."""


@compiled
def ended_value(state: State, ply: int, loan: Memory) -> Any:
    """Return the value of a finished game to the seat to move."""
    memory = borrowed(loan)
    _, first, second = outcome(state)
    return final_value(second if to_move(state) else first, memory.control[ROOT_DEPTH] - ply, memory)


@compiled
def leaf_value(state: State, ply: int, loan: Memory) -> Any:
    """Return the value of a position that is not searched further."""
    memory = borrowed(loan)
    over, _, _ = outcome(state)
    if over:
        return ended_value(state, ply, loan)
    memory.control[HORIZON] = 1
    return static_value(state, memory)


@inlined
def decided(value: int, memory: Memory) -> bool:
    """Return whether a value is that of a won or lost game."""
    return abs(value) >= memory.control[WIN] // 2


@inlined
def from_here(value: int, ply: int, memory: Memory) -> Any:
    """Convert a value for the table: wins count the plies from this ply, not from the root."""
    if not decided(value, memory):
        return value
    bonus = memory.control[SOONER] * (memory.control[ROOT_DEPTH] - ply)
    return value - bonus if value > 0 else value + bonus


@inlined
def from_root(value: int, ply: int, memory: Memory) -> Any:
    """Undo ``from_here``."""
    if not decided(value, memory):
        return value
    bonus = memory.control[SOONER] * (memory.control[ROOT_DEPTH] - ply)
    return value + bonus if value > 0 else value - bonus


@inlined
def proves(bound: int, value: int, alpha: int, beta: int) -> bool:
    """Return whether a bound is exact, or proves that the value is outside of the window."""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


@inlined
def best_estimate(score: int, bound: int, value: int) -> Any:
    """Return the best estimate of a position's value: the table's value if its bound improves on the score."""
    if bound == EXACT or (bound == LOWER and value > score) or (bound == UPPER and value < score):
        return value
    return score


@inlined
def cached_score(state: State, row: int, known: int, memory: Memory) -> Any:
    """Return the static evaluation: ``known`` from the table, else from the cache ``memory.scores``, else computed.

    The table has no entries of positions that were cut off by their static evaluation; many of them recur soon.
    """
    if known != NO_SCORE:
        return known
    mark, scores = memory.path[row, KEY], memory.scores
    place = mark & (len(scores) - 1)
    if scores[place] >> 32 == mark >> 32:
        return scores[place] << 32 >> 32
    score = np.int64(static_value(state, memory))
    scores[place] = mark >> 32 << 32 | score & 0xFFFFFFFF
    return score


@inlined
def corrected_score(state: State, seat: int, row: int, features: int, memory: Memory) -> Any:
    """Return the corrected static evaluation, and write it to the path."""
    score = corrected(state, seat, features, memory)
    memory.path[row, SCORE] = -score if seat else score
    return score


@compiled
def drawn(row: int, pressed: bool, loan: Memory) -> bool:
    """Return whether the position of this row is a draw by repetition or by the no-progress rule.

    A second occurrence within the search counts as a draw, because a side that repeats once can repeat again. The
    no-progress rule does not apply to a threatened position, because a mate comes first.
    """
    memory = borrowed(loan)
    path = memory.path
    if row - path[row, SINCE] >= memory.control[NO_PROGRESS] and not pressed:
        return True
    root = memory.control[ROOT_ROW]
    mark = path[row, KEY]
    times = 1
    for i in range(row - 2, path[row, SINCE] - 1, -1):
        if path[i, KEY] == mark:
            times += 1
            if i >= root or times >= 3:
                return True
    return False


@inlined
def enter_child(state: State, child: State, row: int, move: int, pressed: bool, memory: Memory) -> None:
    """Fill the child's row of the path; ``pressed``: whether the child's seat to move is threatened (in check)."""
    path = memory.path
    path[row + 1, SINCE] = row + 1 if irreversible(state, move) else path[row, SINCE]
    path[row + 1, SLOT] = slot(state, move)
    path[row + 1, AIM] = aim(state, move)
    mark = np.int64(key(child))
    path[row + 1, KEY] = mark
    prefetch(memory.table, bucket(memory.table, mark ^ memory.control[SALT]))
    path[row + 1, PRESSED] = pressed


@inlined
def enter_passed(beyond: State, ply: int, row: int, memory: Memory) -> None:
    """Fill the row of the path after a null move."""
    path = memory.path
    path[row + 1, KEY] = np.int64(key(beyond))
    path[row + 1, SINCE] = row + 1
    path[row + 1, SLOT] = -1
    path[row + 1, AIM] = 0
    path[row + 1, PRESSED] = 0
    path[row + 1, TOOK] = 0
    path[row + 1, CUT] = not path[row, CUT]
    path[row + 1, EXCLUDED] = NO_MOVE
    if memory.control[SWITCHES] & PROGRAM:
        memory.program.numbers[LINE + ply + 1, REST] = 0.0


# ---------------------------------------------------------------- correction history


@inlined
def corrected(state: State, seat: int, score: int, memory: Memory) -> Any:
    """Correction history: return a static evaluation less its usual error in positions with the same structure."""
    if not memory.control[SWITCHES] & CORRECTION_HISTORY:
        return score
    return score + memory.corrections[seat, structure(state)] * memory.control[MAN] // SHARE


@inlined
def tells_error(value: int, score: int, alpha: int, beta: int, memory: Memory) -> bool:
    """Return whether a search value shows the error of a static evaluation; a bound that the evaluation satisfies does
    not.
    """
    bound_only = (value >= beta and value <= score) or (value <= alpha and value >= score)
    return not decided(value, memory) and not bound_only


@compiled
def correct(state: State, seat: int, depth: int, error: int, loan: Memory) -> None:
    """Update the correction history: a search to this depth found that the score was too low by ``error`` points."""
    memory = borrowed(loan)
    credit = MOST * error * depth // (40 * memory.control[MAN])
    place = structure(state)
    entry = memory.corrections[seat, place]
    memory.corrections[seat, place] = with_gravity(entry, max(min(credit, CREDIT), -CREDIT), MOST)
