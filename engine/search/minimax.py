# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain minimax, the reference for all other searches, and the values of leaves that all searches share."""

from typing import Any

import numpy as np

from engine.game import State, legal_moves, outcome, score, step, to_move
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed
from engine.search.limits import given_up
from engine.search.memory import ABORTED, HORIZON, ROOT_MOVES, SOONER, TERMS, WIN, Memory
from engine.search.transposition import UNKNOWN


@inlined
def static_value(state: State, memory: Memory) -> Any:
    """Static evaluation: weights × features, for the seat to move."""
    return score(state, memory.control[TERMS], memory.weights)


@inlined
def final_value(payoff: float, depth: int, memory: Memory) -> Any:
    """Value of a finished game to a seat with this payoff; an earlier win is worth more."""
    return np.int64(np.rint(payoff * (memory.control[WIN] + memory.control[SOONER] * depth)))


@compiled
def minimax(state: State, depth: int, ply: int, memory: Memory) -> Any:
    """Search to a depth without pruning; return the value for the seat to move, leave the line in ``memory.line``."""
    memory = borrowed(memory)
    control = memory.control
    line = memory.line
    line[ply, ply] = -1
    if given_up(control, 1):
        return 0
    over, first, second = outcome(state)
    seat = to_move(state)
    if over:
        return final_value(second if seat else first, depth, memory)
    if depth == 0:
        control[HORIZON] = 1
        return static_value(state, memory)
    best = -UNKNOWN
    moves = memory.moves[ply]
    count = legal_moves(state, moves) if ply else control[ROOT_MOVES]
    for i in range(count):
        move = moves[i]
        child = step(state, move)
        value = minimax(child, depth - 1, ply + 1, memory)
        if control[ABORTED]:
            return 0
        if to_move(child) != seat:
            value = -value
        if value > best:
            best = value
            extend_line(line, ply, move)
    return best


@compiled
def extend_line(line: Any, ply: int, move: int) -> None:
    """Update the triangular table: the best line from ``ply`` on is ``move`` and the best line of the next ply."""
    line[ply, ply] = move
    column = ply + 1
    while line[ply + 1, column] >= 0:
        line[ply, column] = line[ply + 1, column]
        column += 1
    line[ply, column] = -1


@compiled
def copy_line(source: Any, target: Any) -> None:
    """Copy a row of the triangular table; an assignment of arrays would compile the texts of numpy's errors, too."""
    for column in range(len(source)):
        target[column] = source[column]
