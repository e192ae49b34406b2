# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact alpha-beta search (fail-soft) with its move ordering and quiescence search; switches select the techniques.

Without quiescence search the value equals minimax's at the same depth.
"""

from typing import Any

import numpy as np

from engine.game import State, irreversible, key, legal_moves, outcome, step, to_move
from engine.hints.alphabeta import gain, slot
from engine.kernel import compiled
from engine.native.buffers import borrowed
from engine.search.limits import given_up
from engine.search.memory import (
    ABORTED,
    AGE,
    FIRST_KILLER,
    FORBIDS,
    HORIZON,
    KEY,
    PLIES,
    ROOT_MOVES,
    SECOND_KILLER,
    SINCE,
    SWITCHES,
    Memory,
)
from engine.search.minimax import extend_line, final_value, static_value
from engine.search.superko import note_root, repeats
from engine.search.switches import ORDERING, Switch
from engine.search.transposition import UNKNOWN, best_index, find, keep, saw_horizon, settled_value, settles

CUTS, TABLE, TABLE_MOVE, NULL_WINDOWS, QUIESCENCE, REPETITION = (
    int(Switch.CUTS),
    int(Switch.TABLE),
    int(Switch.TABLE_MOVE),
    int(Switch.NULL_WINDOWS),
    int(Switch.QUIESCENCE),
    int(Switch.REPETITION),
)
GAINS, KILLERS, HISTORY = int(Switch.GAINS), int(Switch.KILLERS), int(Switch.HISTORY)
ORDER = int(ORDERING | Switch.TABLE_MOVE)

WORTH_TESTING = 3
"""Null windows are used from this depth on; at smaller depths a failed one costs more than it saves."""


# ---------------------------------------------------------------- move ordering
#
# Each move has an ordering key; the largest comes first. Its lowest 16 bits hold the place in the list of legal moves.
# On the principal variation the table's move is first. Elsewhere the order is: two killer moves, the table's move, the
# other moves by history (cutoffs weighed by depth, less a penalty for failing where another move cut) plus gain.
#
# Killers come before the table's move, and gains only add to the history, because a proof is smaller if the same moves
# refute many positions: the table's move of a shallower search suits its own position only.

PLACES = 0xFFFF
FIRST, KILLER, OTHER_KILLER, TABLES = 1 << 42, 1 << 40, 1 << 39, 1 << 38
BOUND = 1 << 36
"""Bound of the history."""

PENALTY = 4
"""A failed move loses this many times the bonus of a cutoff."""


@compiled
def rate(state: State, seat: int, ply: int, row: int, count: int, known: int, principal: bool, memory: Memory) -> None:
    """Compute the ordering key of each of the ``count`` moves at ``ply``.

    ``known``: index of the table's move, or -1; ``principal``: whether the window is open.
    """
    memory = borrowed(memory)
    switches = memory.control[SWITCHES]
    for i in range(count):
        move = memory.moves[ply, i]
        place = slot(state, move)
        memory.slots[ply, i] = place
        merit = 0
        if switches & HISTORY:
            merit += memory.history[seat, place]
        if switches & KILLERS:
            if memory.path[row, FIRST_KILLER] == place:
                merit = KILLER
            elif memory.path[row, SECOND_KILLER] == place:
                merit = OTHER_KILLER
        if switches & GAINS:
            merit += gain(state, move)
        if i == known:
            merit = FIRST if principal else max(merit, TABLES)
        memory.order[ply, i] = merit << 16 | (PLACES - i)


@compiled
def next_index(ply: int, i: int, count: int, memory: Memory) -> int:
    """Selection sort: bring the best remaining move to place ``i`` of the order; return its index among the moves."""
    order = borrowed(memory).order[ply]
    best = i
    for j in range(i + 1, count):
        if order[j] > order[best]:
            best = j
    order[i], order[best] = order[best], order[i]
    return PLACES - (order[i] & PLACES)


@compiled
def reward(seat: int, ply: int, row: int, i: int, depth: int, memory: Memory) -> None:
    """Update killers and history after a cutoff by the move at place ``i`` of the order; earlier moves failed."""
    memory = borrowed(memory)
    refutation = slot_at(ply, i, memory)
    if memory.path[row, FIRST_KILLER] != refutation:
        memory.path[row, SECOND_KILLER] = memory.path[row, FIRST_KILLER]
        memory.path[row, FIRST_KILLER] = refutation
    for j in range(i + 1):
        place = slot_at(ply, j, memory)
        credit = depth * depth if j == i else -PENALTY * depth * depth
        memory.history[seat, place] = min(max(memory.history[seat, place] + credit, -BOUND), BOUND)


@compiled
def slot_at(ply: int, i: int, memory: Memory) -> int:
    """Return the history slot of the move at place ``i`` of the order."""
    return memory.slots[ply, PLACES - (memory.order[ply, i] & PLACES)]


# ---------------------------------------------------------------- quiescence search


@compiled
def quiesce(state: State, alpha: int, beta: int, ply: int, memory: Memory) -> Any:
    """Quiescence search: only moves with a gain, largest gain first; return v as ``search`` does.

    The seat to move may stand pat, unless all legal moves have a gain: captures may be compulsory.
    """
    memory = borrowed(memory)
    control = memory.control
    memory.line[ply, ply] = -1
    if given_up(control, 1):
        return 0
    over, first, second = outcome(state)
    seat = to_move(state)
    if over:
        return final_value(second if seat else first, 0, memory)
    control[HORIZON] = 1
    stand = static_value(state, memory)
    if ply >= PLIES - 2:
        return stand
    moves = memory.moves[ply]
    count = legal_moves(state, moves)
    order = memory.order[ply]
    tactical = 0
    for i in range(count):
        won = gain(state, moves[i])
        if won > 0:
            order[tactical] = won << 16 | (PLACES - i)
            tactical += 1
    best = -UNKNOWN if tactical == count else stand
    for i in range(tactical):
        bar = max(alpha, best) if control[SWITCHES] & CUTS else alpha
        if bar >= beta:
            break
        child = step(state, moves[next_index(ply, i, tactical, memory)])
        same = to_move(child) == seat
        value = quiesce(child, bar if same else -beta, beta if same else -bar, ply + 1, memory)
        if control[ABORTED]:
            return 0
        best = max(best, value if same else -value)
    return best


# ---------------------------------------------------------------- alpha-beta


@compiled
def search(state: State, depth: int, alpha: int, beta: int, ply: int, row: int, memory: Memory) -> Any:
    """Alpha-beta, fail-soft: return v for the seat to move.

    v <= alpha is an upper bound of the value, v >= beta a lower bound, any other v the value; ``memory.line[ply]`` is
    then the best line, which ends early at positions whose value the table had. ``row``: the position's row of
    ``memory.path``, ``ply`` rows after the positions of the game so far.
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
    if ply == 0 and control[FORBIDS]:
        note_root(state, row, memory)
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
        if control[FORBIDS] and switches & REPETITION and repeats(child, row, memory):
            continue
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
    if index < 0:  # all moves are forbidden
        control[HORIZON] |= saw
        return 0
    if switches & TABLE:
        keep(memory.table, mark, depth, alpha, beta, best, index, control[HORIZON], control[AGE])
    control[HORIZON] |= saw
    return best


@compiled
def third_time(path: Any, row: int) -> bool:
    """Return whether the position of this row occurs for the third time on the path."""
    times = 1
    for i in range(path[row, SINCE], row):
        if path[i, KEY] == path[row, KEY]:
            times += 1
    return times >= 3
