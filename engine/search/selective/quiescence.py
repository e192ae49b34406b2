# SPDX-License-Identifier: GPL-3.0-or-later
"""Quiescence search of the selective search: captures that do not lose by the exchange, all moves when in check."""

from typing import Any

import numpy as np

from engine.game import State, ended, legal_moves, step, to_move
from engine.hints.alphabeta import gain, tactical_moves, threatened
from engine.kernel import compiled
from engine.native.buffers import borrowed
from engine.search.memory import (
    ABORTED,
    AGE,
    FORBIDS,
    HORIZON,
    KEY,
    LIMIT,
    NODES,
    PLIES,
    PRESSED,
    SALT,
    STOP,
    SWITCHES,
    Memory,
)
from engine.search.minimax import extend_line
from engine.search.selective.ordering import chosen, loses, next_move, rate
from engine.search.selective.positions import (
    best_estimate,
    cached_score,
    corrected_score,
    ended_value,
    enter_child,
    from_here,
    from_root,
    leaf_value,
    proves,
)
from engine.search.selective.pruning import points
from engine.search.selective.table import EXACT, LOWER, NO_MOVE, UPPER, keep, recall
from engine.search.superko import repeats
from engine.search.switches import Switch
from engine.search.transposition import UNKNOWN

TABLE, DELTA, REPETITION = int(Switch.TABLE), int(Switch.DELTA), int(Switch.REPETITION)


@compiled
def quiesce(state: State, alpha: int, beta: int, ply: int, row: int, loan: Memory) -> Any:
    """Quiescence search with delta and SEE pruning; return v as ``search.search`` does.

    The seat to move may stand pat, unless it is threatened (in check).
    """
    memory = borrowed(loan)
    control = memory.control
    memory.line[ply, ply] = -1
    if control[NODES] >= control[LIMIT] or control[STOP]:
        control[ABORTED] = 1
        return 0
    control[NODES] += 1
    if ended(state):
        return ended_value(state, ply, loan)
    if ply >= PLIES - 2:
        return leaf_value(state, ply, loan)
    control[HORIZON] = 1
    switches = control[SWITCHES]
    seat = to_move(state)
    mark = memory.path[row, KEY] ^ control[SALT]
    bound, kept, _, known, features, _ = recall(memory.table, mark)
    value = from_root(kept, ply, memory)
    if switches & TABLE and bound and proves(bound, value, alpha, beta):
        return value
    moves = memory.moves[ply]
    pressed = memory.path[row, PRESSED]
    best: Any = -UNKNOWN
    if pressed:
        count = legal_moves(state, moves)
        if count == 0:
            return ended_value(state, ply, loan)
    else:
        features = cached_score(state, row, features, memory)
        best = best_estimate(corrected_score(state, seat, row, features, memory), bound, value)
        if best >= beta:
            return best
        count = tactical_moves(state, moves)
    # see search.search: arrays that were not needed before are loaded here
    memory = borrowed(loan)
    control = memory.control
    rate(state, seat, ply, row, count, known, loan)
    bar = max(alpha, best)
    refutation = NO_MOVE
    stand = best
    forbids = control[FORBIDS] and switches & REPETITION
    for _ in range(count):
        number = next_move(state, seat, ply, row, count, loan)
        move = chosen(ply, number, memory)
        if not pressed:
            if loses(number):
                break
            if switches & DELTA:
                most = stand + points(gain(state, move) + memory.margins.delta_margin, memory)
                if most <= bar:
                    best = max(best, most)
                    continue
        child = step(state, move)
        if forbids and repeats(child, row, loan):
            continue
        same = to_move(child) == seat
        enter_child(state, child, row, move, threatened(child), memory)
        value = quiesce(child, bar if same else -beta, beta if same else -bar, ply + 1, row + 1, loan)
        if control[ABORTED]:
            return 0
        if not same:
            value = -value
        if value > best:
            best = value
            if value > bar:
                extend_line(memory.line, ply, move)
                refutation = move
                bar = value
                if value >= beta:
                    break
    if switches & TABLE:
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        kept = from_here(best, ply, memory)
        keep(memory.table, mark, np.int64(0), bound, kept, refutation, features, control[HORIZON], control[AGE])
    return best
