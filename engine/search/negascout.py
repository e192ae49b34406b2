# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixed opponents of evolved players: fail-soft NegaScout (A. Reinefeld, 1983) and plain alpha-beta.

``f-negascout-N`` searches N plies and orders moves by captured value, then two killers, then history;
``alpha-beta-N`` has neither move ordering nor null windows. Both have quiescence search, and no transposition table.
Published comparisons count their nodes, so this search must not change when other searches improve.

The arrays are those of all searches, except that ordering scores and histories are floats.
"""

from typing import Any

import numpy as np

from engine.game import State, count_moves, ended, irreversible, key, legal_moves, step, to_move
from engine.hints.alphabeta import exchange_reaches, gain, slot, tactical_moves, threatened
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed, lent
from engine.search.limits import given_up
from engine.search.memory import (
    ABORTED,
    FIRST_KILLER,
    FORBIDS,
    KEY,
    PLIES,
    SECOND_KILLER,
    SINCE,
    STANDS,
    SWITCHES,
    Memory,
)
from engine.search.minimax import extend_line, static_value
from engine.search.selective.positions import drawn, ended_value
from engine.search.superko import note_root, repeats
from engine.search.switches import ORDERING, Switch
from engine.search.transposition import UNKNOWN

NULL_WINDOWS, ORDERED = int(Switch.NULL_WINDOWS), int(ORDERING)

FOREMOST = 1e9
"""Ordering score of the root's first move."""
KILLER, OTHER_KILLER, MOST_HISTORY = 40.0, 30.0, 10.0
"""Ordering scores, in units of ``gain``; a history is from -1 to 1."""
RATE = 1 / 64
"""Step of histories towards 1 or -1 after a cutoff: this times the depth squared, 1/2 at most."""


@compiled
def search(state: State, depth: int, alpha: int, beta: int, ply: int, row: int, loan: Memory) -> Any:
    """Fail-soft NegaScout or alpha-beta: return v for the seat to move.

    v <= alpha is an upper bound of the value, v >= beta a lower bound, any other v the value; ``memory.line[ply]`` is
    then the best line. ``row``: the position's row of ``memory.path``. ``loan``: the result of
    ``engine.native.buffers.lent``.
    """
    memory = borrowed(loan)
    memory.line[ply, ply] = -1
    if depth == 0:
        return quiesce(state, alpha, beta, ply, loan)
    if given_up(memory.control, 1):
        return 0
    if ended(state):
        return ended_value(state, ply, loan)
    if ply > 0 and drawn(row, False, loan):
        return 0
    if ply >= PLIES - 2:
        return static_value(state, memory)
    control, path = memory.control, memory.path
    seat = to_move(state)
    moves, scores = memory.moves[ply], memory.order[ply]
    count = legal_moves(state, moves)
    if count == 0:
        return ended_value(state, ply, loan)
    rate(state, seat, ply, row, count, loan)
    bar = alpha
    best: Any = -UNKNOWN
    for i in range(count):
        move = bring_best(i, count, moves, scores)
        child = step(state, move)
        if control[FORBIDS] and repeats(child, row, loan):
            continue
        same = to_move(child) == seat
        path[row + 1, KEY] = np.int64(key(child))
        path[row + 1, SINCE] = row + 1 if irreversible(state, move) else path[row, SINCE]
        top = bar + 1 if control[SWITCHES] & NULL_WINDOWS and i > 0 else beta
        while True:
            value = search(child, depth - 1, bar if same else -top, top if same else -bar, ply + 1, row + 1, loan)
            if control[ABORTED]:
                return 0
            if not same:
                value = -value
            if value < top or top >= beta:
                break
            top = beta
        if value > best:
            best = value
            if value > bar:
                bar = value
                extend_line(memory.line, ply, move)
                if value >= beta:
                    reward(state, seat, ply, row, i, depth, loan)
                    break
    return 0 if best == -UNKNOWN else best  # all moves are forbidden


@compiled
def quiesce(state: State, alpha: int, beta: int, ply: int, loan: Memory) -> Any:
    """Quiescence search: captures that do not lose by the exchange, and all moves of a threatened side (in check).

    In games that do not implement ``threatened``, a side cannot stand pat if all its moves have a gain: captures may be
    compulsory. Returns v as ``search`` does.
    """
    memory = borrowed(loan)
    if given_up(memory.control, 1):
        return 0
    if ended(state):
        return ended_value(state, ply, loan)
    if ply >= PLIES - 2:
        return static_value(state, memory)
    seat = to_move(state)
    moves, scores = memory.moves[ply], memory.order[ply]
    forced = threatened(state)
    best: Any = -UNKNOWN
    if forced:
        count = legal_moves(state, moves)
        if count == 0:
            return ended_value(state, ply, loan)
    else:
        stand = static_value(state, memory)
        if memory.control[STANDS] and stand >= beta:
            return stand
        count = tactical_moves(state, moves)
        if not memory.control[STANDS]:
            forced = count > 0 and count == count_moves(state, memory.moves[ply + 1])
        if not forced:
            best = stand
            if best >= beta:
                return best
    for i in range(count):
        scores[i] = gain(state, moves[i])
    for i in range(count):
        move = bring_best(i, count, moves, scores)
        if not forced and not exchange_reaches(state, move, 0):
            continue
        child = step(state, move)
        same = to_move(child) == seat
        bar: Any = max(alpha, best)
        value = quiesce(child, bar if same else -beta, beta if same else -bar, ply + 1, loan)
        if memory.control[ABORTED]:
            return 0
        best = max(best, value if same else -value)
        if best >= beta:
            break
    return best


# ---------------------------------------------------------------- move ordering


@compiled
def rate(state: State, seat: int, ply: int, row: int, count: int, loan: Memory) -> None:
    """Write the ordering scores of the ``count`` moves at ``ply``."""
    memory = borrowed(loan)
    moves, scores = memory.moves[ply], memory.order[ply]
    for i in range(count):
        scores[i] = 0.0
        if memory.control[SWITCHES] & ORDERED:
            won = gain(state, moves[i])
            scores[i] = MOST_HISTORY * memory.history[seat, slot(state, moves[i])]
            if won > 0:
                scores[i] += won
            elif moves[i] == memory.path[row, FIRST_KILLER]:
                scores[i] += KILLER
            elif moves[i] == memory.path[row, SECOND_KILLER]:
                scores[i] += OTHER_KILLER
    if ply == 0:
        scores[0] = FOREMOST


@inlined
def bring_best(place: int, count: int, moves: Any, scores: Any) -> Any:
    """Bring the best remaining move to a place, the first of equals, and return it; the others keep their order."""
    best = place
    for i in range(place + 1, count):
        if scores[i] > scores[best]:
            best = i
    move, score = moves[best], scores[best]
    for i in range(best, place, -1):
        moves[i] = moves[i - 1]
        scores[i] = scores[i - 1]
    moves[place] = move
    scores[place] = score
    return move


@compiled
def reward(state: State, seat: int, ply: int, row: int, place: int, depth: int, loan: Memory) -> None:
    """Update killers and histories after a cutoff by the move at ``place``; the moves before it failed."""
    memory = borrowed(loan)
    moves, path = memory.moves[ply], memory.path
    refutation = moves[place]
    if gain(state, refutation) <= 0 and path[row, FIRST_KILLER] != refutation:
        path[row, SECOND_KILLER] = path[row, FIRST_KILLER]
        path[row, FIRST_KILLER] = refutation
    change = min(depth * depth * RATE, 0.5)
    for i in range(place + 1):
        at = slot(state, moves[i])
        goal = 1.0 if i == place else -1.0
        memory.history[seat, at] += change * (goal - memory.history[seat, at])


@compiled
def search_root(state: State, depth: int, row: int, memory: Memory) -> Any:
    """Search the root to a depth with an open window; the best line is in row 0 of ``memory.line``."""
    memory.path[row, KEY] = np.int64(key(state))
    if memory.control[FORBIDS]:
        note_root(state, row, memory)
    # literals would be types of their own, and compile a second search
    return search(state, depth, -UNKNOWN, UNKNOWN, np.int64(0), row, lent(borrowed(memory)))
