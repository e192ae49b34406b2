# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain minimax: every position to the full depth, nothing else; the yardstick of all other searches."""

from typing import Any

from engine.buffers import borrowed
from engine.game import State, legal_moves, outcome, step, to_move
from engine.kernel import compiled
from engine.search.leaf import final_value, static_value
from engine.search.limits import given_up
from engine.search.memory import ABORTED, HORIZON, ROOT_MOVES, Memory
from engine.search.transposition import UNKNOWN


@compiled
def minimax(state: State, depth: int, ply: int, memory: Memory) -> Any:
    """Return the value for the seat to move, ``depth`` plies deep; the best line is left in ``memory.line[ply]``."""
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
    """Make the best line from ``ply`` on: ``move``, then the best line from the next ply on."""
    line[ply, ply] = move
    column = ply + 1
    while line[ply + 1, column] >= 0:
        line[ply, column] = line[ply + 1, column]
        column += 1
    line[ply, column] = -1
