# SPDX-License-Identifier: GPL-3.0-or-later
"""Quiescence search of the steered frame: where depth ends, captures go on."""

from typing import Any

import numpy as np

from bots.evolution.steered.desk import ABORTED, AIM, LIMIT, NODES, PLIES, STANDS, Desk
from bots.evolution.steered.order import CAPTURE_WEIGHT, SAFE_CAPTURE_WEIGHT, history_of
from bots.evolution.steered.pruning import BEYOND, PER_MAN, ended_value, least_won, static, wins_enough
from bots.evolution.steered.steering import place
from engine.buffers import borrowed
from engine.game import (
    State,
    aim,
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
from engine.search.negascout import bring_best

EVASION_HISTORY_WEIGHT = place("evasion history weight")


@compiled
def quiesce(state: State, alpha: int, beta: int, ply: int, row: int, loan: Desk) -> Any:
    """Return v as ``search`` does: captures that do not lose by the exchange, and every answer to a threat.

    Where a game does not say who is threatened, all its moves may have to win something: then nobody can stand. Delta
    pruning skips captures that win too little by the exchange, and captures that win enough return beta.
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
    capture, safe = desk.parameters[CAPTURE_WEIGHT], desk.parameters[SAFE_CAPTURE_WEIGHT]
    clean = safe / capture * PER_MAN if capture > 0.0 else 0.0
    evasive = PER_MAN * desk.parameters[EVASION_HISTORY_WEIGHT] if pressed else 0.0
    for i in range(count):
        won = gain(state, moves[i])
        merits[i] = won
        if clean > 0.0 and won > 0 and exchange_reaches(state, moves[i], won):
            merits[i] += clean
        if evasive > 0.0:
            merits[i] += evasive * history_of(state, seat, row, moves[i], desk)
    for i in range(count):
        move = bring_best(i, count, moves, merits)
        bar: Any = max(alpha, best)
        if not pressed:
            if wins_enough(state, move, stand, beta, desk):
                return beta
            if not exchange_reaches(state, move, least_won(stand, bar, desk)):
                continue
        child = step(state, move)
        desk.path[row + 1, AIM] = aim(state, move)
        same = to_move(child) == seat
        value = quiesce(child, bar if same else -beta, beta if same else -bar, ply + 1, row + 1, loan)
        if control[ABORTED]:
            return 0
        if not same:
            value = -value
        if value > best:
            best = value
            if value >= beta:
                break
    return best
