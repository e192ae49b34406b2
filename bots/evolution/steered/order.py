# SPDX-License-Identifier: GPL-3.0-or-later
"""Which move a steered search tries first: merits by the individual's own weights, and what refutations teach."""

from typing import Any

import numpy as np

from bots.evolution.steered.daring import LEARNING
from bots.evolution.steered.desk import (
    AFTER,
    AIM,
    ANSWER,
    BEST,
    CAPTURED,
    CLEAN,
    FIRST,
    FOLLOWING,
    KILLER,
    LOSING,
    NO_MOVE,
    NOWHERE,
    OTHER_KILLER,
    PAST,
    SEQUEL,
    SLOT,
    WASTED,
    Desk,
)
from engine.buffers import borrowed
from engine.game import State, aim, exchange_reaches, gain, slot
from engine.kernel import compiled, inlined

PER_MAN = 100.0
"""Points of ``gain`` that a man is worth."""

FOREMOST = 1e9


@inlined
def sequel(state: State, seat: int, row: int, move: int, desk: Desk) -> Any:
    """Return how well a move did after the other side's last move, and after the own one before that."""
    path, at = desk.path, aim(state, move)
    before = path[row - 1, AIM] if row > 0 else np.int64(0)
    return desk.sequels[0, seat, path[row, AIM], at], desk.sequels[1, seat, before, at]


@inlined
def leaning(state: State, seat: int, row: int, move: int, desk: Desk) -> float:
    """Return how well a move did so far, from -1 to 1; with sequels from -3 to 3."""
    found = desk.history[seat, slot(state, move)]
    if desk.control[SEQUEL]:
        after, following = sequel(state, seat, row, move, desk)
        found += after + following
    return found


@compiled
def rate(state: State, seat: int, ply: int, row: int, count: int, loan: Desk) -> None:
    """Give each of the legal moves of a ply its merit."""
    desk = borrowed(loan)
    order, moves, merits = desk.order, desk.moves[ply], desk.merits[ply]
    led = desk.path[row, SLOT]
    answer = desk.answers[seat, led] if led >= 0 else led
    foremost = desk.control[FIRST] if ply == 0 else np.int64(NO_MOVE)
    if desk.along[ply] != 0:
        foremost = desk.line[ply]
    place = desk.places[ply]
    if place != NOWHERE and desk.tree[place, BEST] != NO_MOVE:
        foremost = desk.tree[place, BEST]
    sequels = desk.control[SEQUEL] != 0
    for i in range(count):
        move = moves[i]
        won = gain(state, move)
        merit = order[PAST] * desk.history[seat, slot(state, move)]
        if won > 0:
            merit += order[CAPTURED] * won / PER_MAN
            if order[LOSING] != 0.0 and not exchange_reaches(state, move, 0):
                merit -= order[LOSING]
            if order[CLEAN] != 0.0 and exchange_reaches(state, move, won):
                merit += order[CLEAN]
        elif move == desk.killers[ply, 0]:
            merit += order[KILLER]
        elif move == desk.killers[ply, 1]:
            merit += order[OTHER_KILLER]
        elif order[WASTED] != 0.0 and not exchange_reaches(state, move, 0):
            merit -= order[WASTED]
        if move == answer:
            merit += order[ANSWER]
        if sequels:
            after, following = sequel(state, seat, row, move, desk)
            merit += order[AFTER] * after + order[FOLLOWING] * following
        if move == foremost:
            merit = FOREMOST
        merits[i] = merit


@inlined
def bring(place: int, count: int, moves: Any, merits: Any) -> Any:
    """Bring the best move that was not tried yet to a place, and return it; the first of equals, the rest as it was."""
    best = place
    for i in range(place + 1, count):
        if merits[i] > merits[best]:
            best = i
    move, merit = moves[best], merits[best]
    for i in range(best, place, -1):
        moves[i] = moves[i - 1]
        merits[i] = merits[i - 1]
    moves[place] = move
    merits[place] = merit
    return move


@compiled
def reward(state: State, seat: int, ply: int, row: int, place: int, depth: float, loan: Desk) -> None:
    """Remember that the move of a place refuted the position, and that those before it did not."""
    desk = borrowed(loan)
    moves, killers = desk.moves[ply], desk.killers[ply]
    refutation = moves[place]
    led = desk.path[row, SLOT]
    if led >= 0:
        desk.answers[seat, led] = refutation
    if gain(state, refutation) <= 0 and killers[0] != refutation:
        killers[1] = killers[0]
        killers[0] = refutation
    step = min(depth * depth * desk.dares[LEARNING], 0.5)
    for i in range(place + 1):
        at = slot(state, moves[i])
        goal = 1.0 if i == place else -1.0
        desk.history[seat, at] += step * (goal - desk.history[seat, at])
        if desk.control[SEQUEL]:
            path, to = desk.path, aim(state, moves[i])
            last = path[row, AIM]
            before = path[row - 1, AIM] if row > 0 else np.int64(0)
            desk.sequels[0, seat, last, to] += step * (goal - desk.sequels[0, seat, last, to])
            desk.sequels[1, seat, before, to] += step * (goal - desk.sequels[1, seat, before, to])
