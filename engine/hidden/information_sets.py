# SPDX-License-Identifier: GPL-3.0-or-later
"""ISMCTS: Monte Carlo tree search over the information sets of one seat (single observer).

P. I. Cowling, E. J. Powley, D. Whitehouse, Information set Monte Carlo tree search, 2012. A node of the tree is
everything that the observer knows, ``information_key``. Moves that are legal in some states of a node only are chosen
by the number of visits in which they were available.
"""

from math import log, sqrt
from typing import Any

import numpy as np

from engine.game import CHANCE, State, information_key, legal_moves, outcome, pick, score, step, to_move
from engine.kernel import compiled
from engine.splitmix import GOLDEN, scramble

VISITS, AVAILABLE, COLUMNS = range(3)
"""Columns of ``counts``: visits of a move, and visits of its node in which it was legal."""

USED, NODES, TERMS, WIN, PLIES, CONTROLS = range(6)
"""Places of ``control``: used entries; plies of all playouts; the set of terms of the evaluation and its score of a
payoff of 1; the ply limit of a playout, after which the evaluation counts."""

LOW, HIGH = range(2)
"""Places of ``bounds``: the least and the greatest value of a playout so far."""


@compiled
def entry_of(node: np.uint64, move: int, keys: Any, control: Any) -> Any:
    """Return the entry of a move of a node, which is made if there is room; else -1."""
    mark = scramble(node + np.uint64(move + 1) * GOLDEN) | np.uint64(1)
    size = len(keys)
    place = np.int64(mark >> np.uint64(1)) & (size - 1)
    while keys[place] != np.uint64(0):
        if keys[place] == mark:
            return place
        place = (place + 1) & (size - 1)
    if 8 * control[USED] >= 7 * size:
        return -1
    control[USED] += 1
    keys[place] = mark
    return place


@compiled
def node_of(state: State, observer: int) -> np.uint64:
    """Return the key of the node of a state."""
    return np.uint64(information_key(state, observer)) ^ (np.uint64(to_move(state) + 1) * GOLDEN)


@compiled
def explore(
    state: State,
    observer: int,
    playouts: int,
    exploration: float,
    keys: Any,
    counts: Any,
    totals: Any,
    bounds: Any,
    control: Any,
    numbers: Any,
    row: Any,
    path: Any,
    weights: Any,
) -> None:
    """Make playouts from a state that the observer considers possible. Values are for seat 0."""
    for _ in range(playouts):
        current, inside, length, plies, value = state, True, 0, 0, 0.0
        while True:
            over, first, _ = outcome(current)
            if over:
                value = first * np.float64(control[WIN])
                break
            seat = to_move(current)
            if plies >= control[PLIES] and seat != CHANCE:
                value = np.float64(score(current, control[TERMS], weights))
                if seat:
                    value = -value
                break
            numbers[0] += GOLDEN
            chance = scramble(numbers[0]) >> np.uint64(32)
            move: Any
            if seat == CHANCE or not inside or length >= len(path):
                move = pick(current, chance, row)
            else:
                count = legal_moves(current, row)
                node = node_of(current, observer)
                move, taken, untried, best = np.int64(row[0]), np.int64(-1), 0, -np.inf
                for i in range(count):
                    at = entry_of(node, row[i], keys, control)
                    if at < 0:
                        continue
                    counts[at, AVAILABLE] += 1
                    visits = counts[at, VISITS]
                    if visits == 0:
                        # one of the untried moves at random
                        untried += 1
                        numbers[0] += GOLDEN
                        draw = scramble(numbers[0]) >> np.uint64(32)
                        if np.int64(draw * np.uint64(untried) >> np.uint64(32)) == 0:
                            move, taken = np.int64(row[i]), at
                    elif untried == 0:
                        worth = 0.5
                        if bounds[HIGH] > bounds[LOW]:
                            worth = (totals[at] / visits - bounds[LOW]) / (bounds[HIGH] - bounds[LOW])
                        if seat:
                            worth = 1.0 - worth
                        worth += exploration * sqrt(log(np.float64(counts[at, AVAILABLE])) / visits)
                        if worth > best:
                            move, taken, best = np.int64(row[i]), at, worth
                if taken < 0:
                    move = np.int64(row[np.int64(chance * np.uint64(count) >> np.uint64(32))])
                    inside = False
                else:
                    path[length] = taken
                    length += 1
                    inside = untried == 0
            current = step(current, move)
            plies += 1
        control[NODES] += plies
        bounds[LOW], bounds[HIGH] = min(bounds[LOW], value), max(bounds[HIGH], value)
        for at in range(length):
            counts[path[at], VISITS] += 1
            totals[path[at]] += value


@compiled
def root_statistics(
    state: State, observer: int, moves: Any, keys: Any, counts: Any, totals: Any, control: Any, out: Any, means: Any
) -> None:
    """Write visits and mean values, for seat 0, of moves of the root."""
    node = node_of(state, observer)
    for i in range(len(moves)):
        at = entry_of(node, moves[i], keys, control)
        out[i] = 0 if at < 0 else counts[at, VISITS]
        means[i] = totals[at] / counts[at, VISITS] if out[i] else 0.0
