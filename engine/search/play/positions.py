# SPDX-License-Identifier: GPL-3.0-or-later
"""What the frame of play knows of a position before it looks at its moves."""

from typing import Any

import numpy as np

from engine.buffers import borrowed, prefetch
from engine.game import State, aim, irreversible, key, outcome, slot, to_move
from engine.kernel import compiled, inlined
from engine.search.leaf import final_value, static_value
from engine.search.memory import (
    AIM,
    HORIZON,
    KEY,
    PRESSED,
    QUIET,
    ROOT_DEPTH,
    ROOT_ROW,
    SALT,
    SCORE,
    SINCE,
    SLOT,
    SOONER,
    WIN,
    Memory,
)
from engine.search.play.corrections import corrected
from engine.search.play.entries import EXACT, LOWER, NO_SCORE, UPPER, bucket


@compiled
def ended_value(state: State, ply: int, loan: Memory) -> Any:
    """Return what a finished game is worth to the seat to move."""
    memory = borrowed(loan)
    _, first, second = outcome(state)
    return final_value(second if to_move(state) else first, memory.control[ROOT_DEPTH] - ply, memory)


@compiled
def leaf_value(state: State, ply: int, loan: Memory) -> Any:
    """Return what a position is worth that is searched no further."""
    memory = borrowed(loan)
    over, _, _ = outcome(state)
    if over:
        return ended_value(state, ply, loan)
    memory.control[HORIZON] = 1
    return static_value(state, memory)


@inlined
def decided(value: int, memory: Memory) -> bool:
    """Return whether a value says that the game is won or lost."""
    return abs(value) >= memory.control[WIN] // 2


@inlined
def from_here(value: int, ply: int, memory: Memory) -> Any:
    """Return a value as the table has it: a win seen from this ply rather than from the root."""
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
    """Return whether a bound is enough to know that the value lies outside the window, or what it is."""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


@inlined
def sharpened(score: int, bound: int, value: int) -> Any:
    """Return the better guess of a position's value: its score, or what the table has on that side of it."""
    if bound == EXACT or (bound == LOWER and value > score) or (bound == UPPER and value < score):
        return value
    return score


@inlined
def features_score(state: State, row: int, known: int, memory: Memory) -> Any:
    """Return what features say, from where it is known: the table, or ``memory.scores``.

    The table holds no position whose score was enough to leave it; many of those are soon come to again.
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
def noted_score(state: State, seat: int, row: int, features: int, memory: Memory) -> Any:
    """Return what features say, corrected, and note it on the path."""
    score = corrected(state, seat, features, memory)
    memory.path[row, SCORE] = -score if seat else score
    return score


@compiled
def drawn(row: int, pressed: bool, loan: Memory) -> bool:
    """Return whether the position of this row is drawn by those before it.

    To stand twice within the search is taken for a draw already: who repeats once can do so again. Who is threatened
    may be lost, which comes before a draw by counting.
    """
    memory = borrowed(loan)
    path = memory.path
    if row - path[row, SINCE] >= memory.control[QUIET] and not pressed:
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
def pass_on(state: State, child: State, row: int, move: int, pressed: bool, memory: Memory) -> None:
    """Write into the child's row of the path what its search must know of the move; ``pressed``: it is threatened."""
    path = memory.path
    path[row + 1, SINCE] = row + 1 if irreversible(state, move) else path[row, SINCE]
    path[row + 1, SLOT] = slot(state, move)
    path[row + 1, AIM] = aim(state, move)
    mark = np.int64(key(child))
    path[row + 1, KEY] = mark
    prefetch(memory.table, bucket(memory.table, mark ^ memory.control[SALT]))
    path[row + 1, PRESSED] = pressed
