# SPDX-License-Identifier: GPL-3.0-or-later
"""The one frame of all searches but plain minimax: alpha-beta, fail-soft, with what the switches add."""

from typing import Any

import numpy as np

from engine.buffers import borrowed
from engine.game import State, irreversible, key, legal_moves, outcome, step, to_move
from engine.kernel import compiled
from engine.search.leaf import final_value, static_value
from engine.search.limits import given_up
from engine.search.memory import ABORTED, AGE, HORIZON, KEY, ROOT_MOVES, SINCE, SWITCHES, Memory
from engine.search.minimax import extend_line
from engine.search.ordering import ORDER, next_index, rate, reward
from engine.search.quiescence import quiesce
from engine.search.switches import Switch
from engine.search.transposition import UNKNOWN, best_index, find, keep, saw_horizon, settled_value, settles

CUTS, TABLE, TABLE_MOVE, NULL_WINDOWS, QUIESCENCE, REPETITION = (
    int(Switch.CUTS),
    int(Switch.TABLE),
    int(Switch.TABLE_MOVE),
    int(Switch.NULL_WINDOWS),
    int(Switch.QUIESCENCE),
    int(Switch.REPETITION),
)

WORTH_TESTING = 3
"""At smaller depths a null window that fails costs more than it can save."""


@compiled
def search(state: State, depth: int, alpha: int, beta: int, ply: int, row: int, memory: Memory) -> Any:
    """Return v, for the seat to move: v <= alpha is an upper bound of the value, v >= beta a lower one, else v is it.

    ``row`` is the position's row of ``memory.path``: ``ply`` rows after the first that the game so far has not filled.
    In ``memory.line[ply]`` stands the best line where v is the value; it ends early at a position the table knew.
    """
    memory = borrowed(memory)
    control = memory.control
    switches = control[SWITCHES]
    if depth == 0 and switches & QUIESCENCE:
        return quiesce(state, alpha, beta, ply, memory)
    line = memory.line
    line[ply, ply] = -1
    if given_up(control, 1):
        return 0
    over, first, second = outcome(state)
    seat = to_move(state)
    if over:
        return final_value(second if seat else first, depth, memory)
    path = memory.path
    mark = np.int64(0)
    if switches & (TABLE | REPETITION):
        mark = np.int64(key(state))
        path[row, KEY] = mark
    if switches & REPETITION and ply > 0 and third_time(path, row):
        return 0
    if depth == 0:
        control[HORIZON] = 1
        return static_value(state, memory)
    index = -1
    if switches & TABLE:
        entry = find(memory.table, mark)
        if entry >= 0:
            if switches & TABLE_MOVE:
                index = best_index(memory.table, entry)
            if ply > 0 and settles(memory.table, entry, depth, alpha, beta):
                control[HORIZON] |= saw_horizon(memory.table, entry)
                return settled_value(memory.table, entry, beta)
    moves = memory.moves[ply]
    count = legal_moves(state, moves) if ply else control[ROOT_MOVES]
    if switches & ORDER:
        rate(state, seat, ply, row, count, index, beta - alpha > 1, memory)
    saw = control[HORIZON]
    control[HORIZON] = 0
    bar = alpha
    best = -UNKNOWN
    index = -1
    for i in range(count):
        chosen = i
        if switches & ORDER:
            chosen = next_index(ply, i, count, memory)
        move = moves[chosen]
        child = step(state, move)
        path[row + 1, SINCE] = path[row, SINCE]
        if switches & REPETITION and irreversible(state, move):
            path[row + 1, SINCE] = row + 1
        same = to_move(child) == seat
        floor = bar
        top = bar + 1 if switches & NULL_WINDOWS and i > 0 and depth >= WORTH_TESTING else beta
        while True:
            value = search(child, depth - 1, floor if same else -top, top if same else -floor, ply + 1, row + 1, memory)
            if control[ABORTED]:
                return 0
            if not same:
                value = -value
            if value < top or top >= beta:
                break
            floor = value - 1
            top = beta
        if value > best:
            best = value
            index = chosen
            if value > bar:
                extend_line(line, ply, move)
                if switches & CUTS:
                    bar = value
                    if value >= beta:
                        if switches & ORDER:
                            reward(seat, ply, row, i, depth, memory)
                        break
    if switches & TABLE:
        keep(memory.table, mark, depth, alpha, beta, best, index, control[HORIZON], control[AGE])
    control[HORIZON] |= saw
    return best


@compiled
def third_time(path: Any, row: int) -> bool:
    """Return whether the position of this row stands for the third time on the path."""
    times = 1
    for i in range(path[row, SINCE], row):
        if path[i, KEY] == path[row, KEY]:
            times += 1
    return times >= 3
