# SPDX-License-Identifier: GPL-3.0-or-later
"""PIMC in one world: alpha-beta search with iterative deepening of a state in which nothing is hidden.

M. L. Ginsberg, GIB: Imperfect information in a computationally challenging game, 2001. Cards that are not dealt yet
belong to the world: a chance node always has the same outcome in it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.game import CHANCE, State, key, legal_moves, outcome, pick, score, step, to_move
from engine.hints.alphabeta import threatened
from engine.kernel import compiled
from engine.splitmix import scramble

NODES, LIMIT, ABORTED, HORIZON, TERMS, WIN, SEED, CONTROLS = range(8)
"""Places of ``control``: nodes visited and their limit; whether the limit ended the search; whether a leaf was
evaluated; the set of terms of the evaluation and its score of a payoff of 1; the seed of the world's chance nodes."""

MOST_PLIES = 64
"""Depth limit of a search."""

DEPTH, KIND, MOVE, COLUMNS = range(4)
"""Columns of ``entries``: depth of the search; which bound the value is; the best move."""
EXACT, AT_LEAST, AT_MOST = range(3)

SOLVED = 2**20
"""Depth of an entry that no static evaluation entered."""


@compiled
def settle_chance(state: State, seed: np.uint64, row: NDArray[np.int64]) -> State:
    """Return the next state in which a seat is to move or the game is over, with the outcomes of this world."""
    while to_move(state) == CHANCE:
        over, _, _ = outcome(state)
        if over:
            break
        state = step(state, pick(state, scramble(np.uint64(key(state)) ^ seed) >> np.uint64(32), row))
    return state


@compiled
def value_of(
    state: State,
    depth: int,
    alpha: float,
    beta: float,
    ply: int,
    rows: Any,
    control: Any,
    keys: Any,
    values: Any,
    entries: Any,
    killers: Any,
    weights: Any,
) -> Any:
    """Return the value of a state for seat 0 in points of the evaluation, by alpha-beta of ``depth`` plies.

    The result is an upper bound if it is at most ``alpha``, and a lower bound if it is at least ``beta``.
    """
    control[NODES] += 1
    if control[NODES] > control[LIMIT]:
        control[ABORTED] = 1
        return 0.0
    row = rows[ply]
    state = settle_chance(state, np.uint64(control[SEED]), row)
    over, first, _ = outcome(state)
    if over:
        return first * np.float64(control[WIN])
    seat = to_move(state)
    if depth <= 0 and threatened(state):
        depth = 1
    if depth <= 0 or ply == MOST_PLIES - 1:
        control[HORIZON] = 1
        points = np.float64(score(state, control[TERMS], weights))
        return -points if seat else points
    mark = scramble(np.uint64(key(state)) ^ np.uint64(control[SEED]) ^ np.uint64(seat))
    place = np.int64(mark & np.uint64(len(keys) - 1))
    known = np.int64(-1)
    if keys[place] == mark:
        known = entries[place, MOVE]
        if entries[place, DEPTH] >= depth:
            kind, stored = entries[place, KIND], values[place]
            if kind == EXACT or (kind == AT_LEAST and stored >= beta) or (kind == AT_MOST and stored <= alpha):
                if entries[place, DEPTH] < SOLVED:
                    control[HORIZON] = 1
                return stored
    saw = control[HORIZON]
    control[HORIZON] = 0
    count = legal_moves(state, row)
    front = 0
    for wanted in (known, killers[ply]):
        for i in range(front, count):
            if row[i] == wanted:
                row[i], row[front] = row[front], row[i]
                front += 1
                break
    low, high = alpha, beta
    best, chosen = -np.inf if seat == 0 else np.inf, row[0]
    for i in range(count):
        move = row[i]
        value = value_of(
            step(state, move), depth - 1, low, high, ply + 1, rows, control, keys, values, entries, killers, weights
        )
        if control[ABORTED]:
            return 0.0
        if (seat == 0 and value > best) or (seat == 1 and value < best):
            best, chosen = value, move
        if seat == 0:
            low = max(low, best)
        else:
            high = min(high, best)
        if low >= high:
            killers[ply] = move
            break
    keys[place], values[place] = mark, best
    entries[place, DEPTH] = depth if control[HORIZON] else SOLVED
    entries[place, KIND] = AT_MOST if best <= alpha else AT_LEAST if best >= beta else EXACT
    entries[place, MOVE] = chosen
    control[HORIZON] |= saw
    return best


@compiled
def search_world(
    state: State,
    moves: Any,
    found: Any,
    most: int,
    rows: Any,
    control: Any,
    keys: Any,
    values: Any,
    entries: Any,
    killers: Any,
    weights: Any,
) -> int:
    """Write the value of each root move for the seat to move; return the depth of the last complete iteration.

    ``most``: depth limit in plies, the root's move included. The first iteration is always completed.
    """
    seat, limit, reached = to_move(state), control[LIMIT], 0
    fresh = np.empty(len(moves))
    for depth in range(1, most + 1):
        control[HORIZON], control[ABORTED] = 0, 0
        control[LIMIT] = limit if depth > 1 else 2**62
        for i in range(len(moves)):
            value = value_of(
                step(state, moves[i]),
                depth - 1,
                -np.inf,
                np.inf,
                1,
                rows,
                control,
                keys,
                values,
                entries,
                killers,
                weights,
            )
            if control[ABORTED]:
                break
            fresh[i] = -value if seat else value
        if control[ABORTED]:
            break
        found[:] = fresh
        reached = depth
        if control[HORIZON] == 0:
            break
    control[LIMIT] = limit
    return reached
