# SPDX-License-Identifier: GPL-3.0-or-later
"""Quiescence search of the steered frame: where depth ends, captures go on."""

from typing import Any

import numpy as np

from bots.evolution.steered.daring import believed, least_won
from bots.evolution.steered.desk import ABORTED, LIMIT, NODES, PLIES, STANDS, Desk
from bots.evolution.steered.order import bring
from bots.evolution.steered.values import BEYOND, ended_value, static
from engine.buffers import borrowed
from engine.game import (
    State,
    count_moves,
    ended,
    exchange_reaches,
    gain,
    legal_moves,
    step,
    tactical_moves,
    threatened,
    to_move,
)
from engine.kernel import compiled


@compiled
def quiesce(state: State, alpha: int, beta: int, ply: int, loan: Desk) -> Any:
    """Return v as ``search`` does: captures that do not lose by the exchange, and every answer to a threat.

    Where a game does not say who is threatened, all its moves may have to win something: then nobody can stand. By its
    habits a player leaves out captures that win too little by the exchange, and believes those that win enough.
    """
    desk = borrowed(loan)
    control = desk.control
    if control[NODES] >= control[LIMIT]:
        control[ABORTED] = 1
        return 0
    control[NODES] += 1
    if ended(state):
        return ended_value(state, ply, loan)
    if ply >= PLIES - 2:
        return static(state, desk)
    seat = to_move(state)
    moves, merits = desk.moves[ply], desk.merits[ply]
    pressed = threatened(state)
    best = np.int64(-BEYOND)
    stand = best
    if pressed:
        count = legal_moves(state, moves)
        if count == 0:
            return ended_value(state, ply, loan)
    else:
        stand = static(state, desk)
        if control[STANDS]:
            if stand >= beta:
                return stand
            count = tactical_moves(state, moves)
        else:
            count = tactical_moves(state, moves)
            pressed = count > 0 and count == count_moves(state, desk.moves[ply + 1])
        if not pressed:
            best = stand
            if best >= beta:
                return best
    for i in range(count):
        merits[i] = gain(state, moves[i])
    for i in range(count):
        move = bring(i, count, moves, merits)
        bar: Any = max(alpha, best)
        if not pressed:
            if believed(state, move, stand, beta, desk):
                return beta
            if not exchange_reaches(state, move, least_won(stand, bar, desk)):
                continue
        child = step(state, move)
        same = to_move(child) == seat
        value = quiesce(child, bar if same else -beta, beta if same else -bar, ply + 1, loan)
        if control[ABORTED]:
            return 0
        if not same:
            value = -value
        if value > best:
            best = value
            if value >= beta:
                break
    return best
