# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of leaves: random playouts, and the static evaluation after a quiescence search."""

from math import exp
from typing import Any

import numpy as np

from engine.game import CHANCE, State, ended, legal_moves, outcome, score, step, to_move
from engine.hints.alphabeta import exchange_reaches, gain, slot, tactical_moves, threatened
from engine.hints.playouts import answer, light_move
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed
from engine.search.tree.memory import NO_PROGRESS, PLAYED, PLIES, REPETITION, SETTLED_PLIES, SWITCHES, TERMS, WIN
from engine.search.tree.switches import TreeSwitch
from engine.splitmix import GOLDEN, scramble
from engine.walks.playout import NEVER, noted

RAVE, ANSWERS = int(TreeSwitch.RAVE), int(TreeSwitch.ANSWERS)

ANSWERED = 400
"""Plies of a playout after which it becomes light: answers can repeat a position for ever."""

THREE_IN_FOUR = 1.0986122886681098
"""ln 3: the logarithm of the odds of winning three games in four."""

_DECIDED = 40.0
"""Bound of the exponent."""

_INFINITY = 2**62


@inlined
def random_word(numbers: Any) -> np.uint64:
    """Return the next random number below 2 ** 32."""
    numbers[0] += GOLDEN
    return scramble(numbers[0]) >> np.uint64(32)


@inlined
def value_of(payoff: float, stakes: float) -> float:
    """Return a payoff on the scale from 0 to 1."""
    return 0.5 + 0.5 * payoff / stakes


@inlined
def win_probability(pawns: float, scale: float) -> float:
    """Return the probability of winning with a score: 3 in 4 at ``scale``, on a logistic curve."""
    return 1.0 / (1.0 + exp(-min(max(THREE_IN_FOUR * pawns / scale, -_DECIDED), _DECIDED)))


@compiled
def settle(state: State, alpha: Any, beta: Any, left: int, loan: Any, lent_rows: Any) -> Any:
    """Quiescence search of ``left`` plies at most: return the score for the seat to move, at a chance node for seat 0.

    It searches the moves with a gain that lose nothing by the exchange; for a threatened side, all moves. A side that
    is not threatened may stand pat.
    """
    tree, rows = borrowed(loan), borrowed(lent_rows)
    seat = to_move(state)
    if ended(state):
        _, first, second = outcome(state)
        return np.int64((second if seat == 1 else first) * tree.control[WIN])
    stand = np.int64(score(state, tree.control[TERMS], tree.weights))
    if left == 0 or seat == CHANCE or stand >= _INFINITY:
        return stand
    moves = rows[left]
    forced = threatened(state)
    best: Any = stand
    if forced:
        count = np.int64(legal_moves(state, moves))
        if count == 0:
            _, first, second = outcome(state)
            return np.int64((second if seat == 1 else first) * tree.control[WIN])
        best = np.int64(-_INFINITY)
    else:
        if best >= beta:
            return best
        count = np.int64(tactical_moves(state, moves))
    for i in range(count):
        bar: Any = max(alpha, best)
        if bar >= beta:
            break
        chosen, most = i, np.int64(-1)
        for j in range(i, count):
            won = np.int64(gain(state, moves[j]))
            if won > most:
                chosen, most = j, won
        move = moves[chosen]
        moves[chosen] = moves[i]
        if not forced and not exchange_reaches(state, move, 0):
            continue
        child = step(state, move)
        same = max(to_move(child), 0) == seat
        value = settle(child, bar if same else -beta, beta if same else -bar, left - 1, loan, lent_rows)
        best = max(best, value if same else -value)
    return best


@compiled
def evaluated(state: State, loan: Any, lent_scratch: Any) -> float:
    """Return the value of a position for seat 0 by the evaluation."""
    tree, scratch = borrowed(loan), borrowed(lent_scratch)
    seat = to_move(state)
    points = settle(state, -_INFINITY, _INFINITY, np.int64(SETTLED_PLIES), loan, scratch.rows)
    chance = win_probability(points / tree.man, tree.parameters.scale)
    return 1.0 - chance if seat == 1 else chance


@compiled
def playout(state: State, last: int, quiet: int, loan: Any, lent_scratch: Any) -> Any:
    """Play light random moves, to the end of the game or ``playout_plies``; return the value for seat 0, and the plies.

    With ANSWERS the moves answer the last one, at first ``last``, where the game has an answer.
    ``quiet``: reversible moves in a row so far. Draws by history end it as in ``engine.walks.playout``. With RAVE the
    moves are written to ``played`` and ``players``.
    """
    tree, scratch = borrowed(loan), borrowed(lent_scratch)
    control, marks, row = tree.control, scratch.marks, scratch.row
    repetition, no_progress, limit = control[REPETITION], control[NO_PROGRESS], control[PLIES]
    records, informed = control[SWITCHES] & RAVE, control[SWITCHES] & ANSWERS
    most = np.int64(tree.parameters.playout_plies)
    plies = np.int64(0)
    while True:
        if plies == most:
            over, first, _ = outcome(state)
            return value_of(first, tree.stakes) if over else evaluated(state, loan, lent_scratch), plies
        move: Any = np.int64(-1)
        if informed and plies < ANSWERED:
            move = np.int64(answer(state, last, random_word(scratch.numbers), row))
        if move < 0:
            move = np.int64(light_move(state, random_word(scratch.numbers), row))
        if move < 0:
            _, first, _ = outcome(state)
            return value_of(first, tree.stakes), plies
        if records and plies < PLAYED:
            scratch.played[plies] = slot(state, move)
            scratch.players[plies] = to_move(state)
        following = step(state, move)
        plies += 1
        quiet, repeated = noted(state, move, following, quiet, repetition, marks)
        state, last = following, move
        if repeated >= repetition or quiet >= no_progress or plies >= limit:
            over, first, _ = outcome(state)
            return value_of(first, tree.stakes) if over else 0.5, plies
        if repetition != NEVER and quiet >= len(marks) - 1:
            return 0.5, plies
