# SPDX-License-Identifier: GPL-3.0-or-later
"""Move ordering of the evolved search: merits by the genome's weights; killers, history and counter moves."""

from typing import Any

import numpy as np

from bots.evolution.steered.desk import (
    AIM,
    BEST,
    CONTINUES,
    FIRST,
    NO_MOVE,
    NOWHERE,
    SLOT,
    Desk,
)
from bots.evolution.steered.steering import CONTINUATION_HISTORY_WEIGHT, SECOND_CONTINUATION_HISTORY_WEIGHT, place
from engine.buffers import borrowed
from engine.game import State, aim, exchange_reaches, gain, slot
from engine.kernel import compiled, inlined

PER_MAN = 100.0
"""Units of ``gain`` in a pawn unit."""

CAPTURE_WEIGHT, LOSING_CAPTURE_PENALTY = place("capture weight"), place("losing capture penalty")
FIRST_KILLER_WEIGHT, SECOND_KILLER_WEIGHT = place("first killer weight"), place("second killer weight")
HISTORY_WEIGHT, COUNTER_MOVE_WEIGHT = place("history weight"), place("counter move weight")
LOSING_QUIET_PENALTY, SAFE_CAPTURE_WEIGHT = place("losing quiet move penalty"), place("safe capture weight")
HISTORY_RATE = place("history rate")

FOREMOST = 1e9


@inlined
def continuation(state: State, seat: int, row: int, move: int, desk: Desk) -> Any:
    """Return how well a move did after the other side's last move, and after the own one before that."""
    path, at = desk.path, aim(state, move)
    before = path[row - 1, AIM] if row > 0 else np.int64(0)
    return desk.continuation_history[0, seat, path[row, AIM], at], desk.continuation_history[1, seat, before, at]


@inlined
def history_of(state: State, seat: int, row: int, move: int, desk: Desk) -> float:
    """Return the history of a move, from -1 to 1; with continuation history from -3 to 3."""
    found = desk.history[seat, slot(state, move)]
    if desk.control[CONTINUES]:
        after, following = continuation(state, seat, row, move, desk)
        found += after + following
    return found


@compiled
def rate(state: State, seat: int, ply: int, row: int, count: int, loan: Desk) -> None:
    """Give each of the legal moves of a ply its merit."""
    desk = borrowed(loan)
    weights, moves, merits = desk.parameters, desk.moves[ply], desk.merits[ply]
    led = desk.path[row, SLOT]
    counter_move = desk.counter_moves[seat, led] if led >= 0 else led
    foremost = desk.control[FIRST] if ply == 0 else np.int64(NO_MOVE)
    if desk.along[ply] != 0:
        foremost = desk.line[ply]
    place = desk.places[ply]
    if place != NOWHERE and desk.tree[place, BEST] != NO_MOVE:
        foremost = desk.tree[place, BEST]
    continues = desk.control[CONTINUES] != 0
    for i in range(count):
        move = moves[i]
        won = gain(state, move)
        merit = weights[HISTORY_WEIGHT] * desk.history[seat, slot(state, move)]
        if won > 0:
            merit += weights[CAPTURE_WEIGHT] * won / PER_MAN
            if weights[LOSING_CAPTURE_PENALTY] != 0.0 and not exchange_reaches(state, move, 0):
                merit -= weights[LOSING_CAPTURE_PENALTY]
            if weights[SAFE_CAPTURE_WEIGHT] != 0.0 and exchange_reaches(state, move, won):
                merit += weights[SAFE_CAPTURE_WEIGHT]
        elif move == desk.killers[ply, 0]:
            merit += weights[FIRST_KILLER_WEIGHT]
        elif move == desk.killers[ply, 1]:
            merit += weights[SECOND_KILLER_WEIGHT]
        elif weights[LOSING_QUIET_PENALTY] != 0.0 and not exchange_reaches(state, move, 0):
            merit -= weights[LOSING_QUIET_PENALTY]
        if move == counter_move:
            merit += weights[COUNTER_MOVE_WEIGHT]
        if continues:
            after, following = continuation(state, seat, row, move, desk)
            first, second = weights[CONTINUATION_HISTORY_WEIGHT], weights[SECOND_CONTINUATION_HISTORY_WEIGHT]
            merit += first * after + second * following
        if move == foremost:
            merit = FOREMOST
        merits[i] = merit


@compiled
def reward(state: State, seat: int, ply: int, row: int, place: int, depth: float, loan: Desk) -> None:
    """Remember that the move of a place refuted the position, and that those before it did not."""
    desk = borrowed(loan)
    moves, killers = desk.moves[ply], desk.killers[ply]
    refutation = moves[place]
    led = desk.path[row, SLOT]
    if led >= 0:
        desk.counter_moves[seat, led] = refutation
    if gain(state, refutation) <= 0 and killers[0] != refutation:
        killers[1] = killers[0]
        killers[0] = refutation
    step = min(depth * depth * desk.parameters[HISTORY_RATE], 0.5)
    for i in range(place + 1):
        at = slot(state, moves[i])
        goal = 1.0 if i == place else -1.0
        desk.history[seat, at] += step * (goal - desk.history[seat, at])
        if desk.control[CONTINUES]:
            path, to = desk.path, aim(state, moves[i])
            last = path[row, AIM]
            before = path[row - 1, AIM] if row > 0 else np.int64(0)
            continued = desk.continuation_history
            continued[0, seat, last, to] += step * (goal - continued[0, seat, last, to])
            continued[1, seat, before, to] += step * (goal - continued[1, seat, before, to])
