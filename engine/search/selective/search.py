# SPDX-License-Identifier: GPL-3.0-or-later
"""Selective search: principal variation search with pruning, reductions and extensions.

It is separate from the exact search, ``engine.search.alphabeta``, because their parts differ. The exact search proves
minimax's value in few positions: its table stores both bounds of a value and uses them at equal depth only, and killers
come before the table's move so that proofs share positions. The selective search looks for the best move in little
time: small table entries whose bounds hold at all smaller depths, static evaluations of inner positions, staged move
ordering, and a depth for each move. Without its inexact switches it returns minimax's value.

With an opponent model (``engine.search.opponent``), the keys of the table are salted, because values depend on the
model, and the best root move is verified by a search without the model.

``search`` is one long function because numba's cache does not store functions that call each other in a circle.
"""

from typing import Any

import numpy as np

from engine.game import State, ended, legal_moves, step, to_move
from engine.hints.alphabeta import can_pass, gain, passed, threatened
from engine.kernel import compiled
from engine.native.buffers import borrowed
from engine.search.memory import (
    ABORTED,
    AGE,
    AIM,
    CUT,
    DRAW,
    EXCLUDED,
    FORBIDS,
    HORIZON,
    KEY,
    LIMIT,
    MODELLED,
    NODES,
    PLIES,
    PRESSED,
    ROOT_DEPTH,
    ROOT_MOVES,
    SALT,
    SCORE,
    STOP,
    SWITCHES,
    TOOK,
    WIN,
    Memory,
)
from engine.search.minimax import copy_line, extend_line
from engine.search.selective.extensions import may_be_singular, predicted_depth
from engine.search.selective.ordering import (
    TRIED,
    chosen,
    loses,
    next_move,
    predict,
    prior,
    rate,
    reward,
    skip_quiet_moves,
)
from engine.search.selective.positions import (
    CORRECTION_HISTORY,
    best_estimate,
    cached_score,
    correct,
    corrected_score,
    decided,
    drawn,
    ended_value,
    enter_child,
    enter_passed,
    from_here,
    from_root,
    leaf_value,
    proves,
    tells_error,
)
from engine.search.selective.programmed import OMITTED, branch_depth
from engine.search.selective.pruning import (
    far_above,
    far_below,
    futile,
    improving,
    null_depth,
    points,
    reduction,
    too_late,
)
from engine.search.selective.quiescence import quiesce
from engine.search.selective.table import EXACT, LOWER, MARK, NO_MOVE, NO_SCORE, UPPER, keep, recall
from engine.search.superko import repeats
from engine.search.switches import OPPONENT_MODEL, Switch
from engine.search.transposition import UNKNOWN

QUIESCENCE, REPETITION, TABLE, TABLE_MOVE, NULL_WINDOWS = (
    int(Switch.QUIESCENCE),
    int(Switch.REPETITION),
    int(Switch.TABLE),
    int(Switch.TABLE_MOVE),
    int(Switch.NULL_WINDOWS),
)
(
    DEEPER_BOUNDS,
    CHECK_EXTENSIONS,
    SINGULAR,
    MULTI_CUT,
    NULL_MOVE,
    LATE_MOVE_REDUCTIONS,
    REVERSE_FUTILITY,
    RAZORING,
    INTERNAL_REDUCTION,
) = (
    int(Switch.DEEPER_BOUNDS),
    int(Switch.CHECK_EXTENSIONS),
    int(Switch.SINGULAR),
    int(Switch.MULTI_CUT),
    int(Switch.NULL_MOVE),
    int(Switch.LATE_MOVE_REDUCTIONS),
    int(Switch.REVERSE_FUTILITY),
    int(Switch.RAZORING),
    int(Switch.INTERNAL_REDUCTION),
)
ROOT_VERIFICATION = int(Switch.ROOT_VERIFICATION)
PREDICTS = int(OPPONENT_MODEL & ~(Switch.ROOT_VERIFICATION | Switch.ROOT_EXPECTATION))
PROGRAM = int(Switch.PROGRAM)
LATE_MOVE_COUNT, FUTILITY = int(Switch.LATE_MOVE_COUNT), int(Switch.FUTILITY)
SCORES = int(
    Switch.NULL_MOVE
    | Switch.REVERSE_FUTILITY
    | Switch.RAZORING
    | Switch.FUTILITY
    | Switch.LATE_MOVE_COUNT
    | Switch.CORRECTION_HISTORY
    | Switch.PROGRAM
)
"""Switches that need static evaluations of inner positions."""

NULL_VERIFIED = 14
"""From this depth on a null-move cutoff is verified by a search without null moves."""


@compiled
def search(state: State, depth: int, alpha: int, beta: int, ply: int, row: int, loan: Memory) -> Any:
    """Selective search, fail-soft: return v for the seat to move.

    v <= alpha is an upper bound of the value, v >= beta a lower bound, any other v the value; ``memory.line[ply]`` is
    then the best line. ``row``: the position's row of ``memory.path``, filled by the caller (``enter_child``).
    ``loan``: the arrays, as ``engine.native.buffers.lent`` returns them.
    """
    memory = borrowed(loan)
    control = memory.control
    margins = memory.margins
    switches = control[SWITCHES]
    if depth <= 0 and switches & QUIESCENCE:
        return quiesce(state, alpha, beta, ply, row, loan)
    memory.line[ply, ply] = -1
    if control[NODES] >= control[LIMIT] or control[STOP]:
        control[ABORTED] = 1
        return 0
    control[NODES] += 1
    if ended(state):
        return ended_value(state, ply, loan)
    path = memory.path
    mark = path[row, KEY]
    pressed = path[row, PRESSED] != 0
    if switches & REPETITION and ply > 0 and drawn(row, pressed, loan):
        return -control[DRAW] if to_move(state) else control[DRAW]
    if depth <= 0 or ply >= PLIES - 2:
        return leaf_value(state, ply, loan)
    seat = to_move(state)
    open_ = beta - alpha > 1
    excluded = path[row, EXCLUDED]
    bound, kept, before, known, features, saw_horizon = recall(memory.table, mark ^ control[SALT])
    value = from_root(kept, ply, memory)
    if (
        switches & TABLE
        and ply > 0
        and excluded == NO_MOVE
        and (before == depth or (switches & DEEPER_BOUNDS and before > depth))
        and not (open_ and switches & NULL_WINDOWS)
        and proves(bound, value, alpha, beta)
    ):
        control[HORIZON] |= saw_horizon
        return value
    # borrowed again, because otherwise all arrays would be loaded at the beginning, also by searches that end above
    memory = borrowed(loan)
    control, margins, path = memory.control, memory.margins, memory.path
    if not switches & TABLE_MOVE:
        known = NO_MOVE
    score = np.int64(NO_SCORE)
    guess = score
    better = False
    if switches & SCORES:
        if pressed:
            path[row, SCORE] = path[max(row - 2, 0), SCORE]
        else:
            features = cached_score(state, row, features, memory)
            score = corrected_score(state, seat, row, features, memory)
            guess = best_estimate(score, bound, value)
            better = improving(seat, row, ply, memory)
    if not (open_ or pressed or excluded != NO_MOVE or decided(beta, memory)):
        if switches & REVERSE_FUTILITY and far_above(guess, beta, depth, better, memory):
            control[HORIZON] = 1
            return guess
        if switches & RAZORING and far_below(guess, alpha, depth, memory):
            trial = quiesce(state, alpha, beta, ply, row, loan)
            if trial <= alpha or control[ABORTED]:
                return trial
        if (
            switches & NULL_MOVE
            and depth >= margins.null_move_depth
            and guess >= beta
            and path[row, AIM]
            and can_pass(state)
        ):
            beyond = passed(state)
            enter_passed(beyond, ply, row, memory)
            less = null_depth(depth, guess - beta, memory)
            trial = -search(beyond, less, -beta, 1 - beta, ply + 1, row + 1, loan)
            if control[ABORTED]:
                return 0
            if trial >= beta:
                control[HORIZON] = 1
                if decided(trial, memory):
                    trial = beta
                if depth < NULL_VERIFIED:
                    return trial
                # in zugzwang passing is better than all moves: verify by a search without null moves
                led = path[row, AIM]
                path[row, AIM] = 0
                check = search(state, less, beta - 1, beta, ply, row, loan)
                path[row, AIM] = led
                if control[ABORTED]:
                    return 0
                if check >= beta:
                    return trial
    if (
        switches & INTERNAL_REDUCTION
        and depth >= margins.internal_reduction_depth
        and known == NO_MOVE
        and (open_ or path[row, CUT])
    ):
        depth -= 1
    longer = 0
    trusted = known != NO_MOVE and excluded == NO_MOVE and bound & LOWER and before >= depth - 3
    if switches & SINGULAR and trusted and may_be_singular(value, depth, ply, memory):
        level = value - points(margins.singular_margin * depth // 100, memory)
        path[row, EXCLUDED] = known
        other = search(state, (depth - 1) // 2, level - 1, level, ply, row, loan)
        path[row, EXCLUDED] = NO_MOVE
        if control[ABORTED]:
            return 0
        if other < level:
            longer = 2 if not open_ and other < level - points(margins.double_extension_margin, memory) else 1
        elif switches & MULTI_CUT and level >= beta:
            return level
        elif value >= beta:
            longer = -1
    memory = borrowed(loan)
    control, margins, path = memory.control, memory.margins, memory.path
    moves = memory.moves[ply]
    count = legal_moves(state, moves) if ply else control[ROOT_MOVES]
    if count == 0:
        return ended_value(state, ply, loan)
    if ply == 0:
        known = moves[0] & MARK
    rate(state, seat, ply, row, count, known, loan)
    modelled = seat == control[MODELLED] and switches & PREDICTS and depth >= margins.opponent_depth
    if modelled:
        predict(state, seat, ply, row, count, known, loan)
    memory.line[ply, ply] = -1  # the searches above have written a line
    saw = control[HORIZON]
    control[HORIZON] = 0
    bar = alpha
    best: Any = -UNKNOWN
    refutation = NO_MOVE
    quietly = True
    tried = 0
    quiet = 0
    while True:
        number = next_move(state, seat, ply, row, count, loan)
        if number == TRIED:
            break
        move = chosen(ply, number, memory)
        if move & MARK == excluded:
            continue
        tactical = gain(state, move) > 0
        spares = tried > 0 and ply > 0 and not pressed and best > -control[WIN] // 2
        if spares and switches & LATE_MOVE_COUNT and not tactical and too_late(depth, tried, better, memory):
            control[HORIZON] = 1
            skip_quiet_moves(ply, count, memory)
            continue
        child = step(state, move)
        if control[FORBIDS] and switches & REPETITION and repeats(child, row, loan):
            continue
        same = to_move(child) == seat
        checks = threatened(child)
        if spares and switches & FUTILITY and futile(state, move, tactical, checks, depth, tried, score, bar, loan):
            control[HORIZON] = 1
            continue
        enter_child(state, child, row, move, checks, memory)
        path[row + 1, EXCLUDED] = NO_MOVE
        path[row + 1, TOOK] = tactical
        ahead = depth - 1
        if switches & PROGRAM:
            ahead = branch_depth(state, move, checks, depth, bar, beta, ply, row, count, tried, loan)
            if ahead == OMITTED:
                if tried > 0 and ply > 0 and best > -control[WIN] // 2:
                    control[HORIZON] = 1
                    continue
                ahead = 0
        if move & MARK == known:
            ahead += longer
        if switches & CHECK_EXTENSIONS and checks and ahead == depth - 1 and not loses(number):
            ahead += ply < 2 * control[ROOT_DEPTH]
        less = 0
        late_enough = tried > 1 + (ply == 0) and (not tactical or loses(number))
        if switches & LATE_MOVE_REDUCTIONS and depth >= margins.lmr_depth and late_enough:
            less = reduction(state, seat, row, move, tactical, checks, depth, tried, open_, better, loan)
            less = max(min(less, ahead - 1), 0)
        if modelled:
            ahead, less = predicted_depth(prior(ply, number, memory), depth, ahead, less, tried, ply, memory)
        floor = bar
        top = bar + 1 if switches & NULL_WINDOWS and tried > 0 else beta
        while True:
            path[row + 1, CUT] = top < beta and (less > 0 or not path[row, CUT])
            low, high = (floor, top) if same else (-top, -floor)
            if ahead <= less and switches & QUIESCENCE:
                value = quiesce(child, low, high, ply + 1, row + 1, loan)
            else:
                value = search(child, ahead - less, low, high, ply + 1, row + 1, loan)
            if control[ABORTED]:
                return 0
            if not same:
                value = -value
            if value <= bar:
                break
            if less > 0:
                less = 0
            elif value >= top and top < beta:
                top = beta
            else:
                break
        if (
            switches & ROOT_VERIFICATION
            and ply == 0
            and value > bar
            and control[MODELLED] >= 0
            and depth > margins.verification_reduction
        ):
            level = value - points(margins.verification_margin, memory)
            seat_modelled, salt = control[MODELLED], control[SALT]
            control[MODELLED] = -1
            control[SALT] = 0
            path[row + 1, CUT] = True
            shallower = max(ahead - margins.verification_reduction, 0)
            line = np.empty(PLIES, memory.line.dtype)
            copy_line(memory.line[1], line)
            verified = search(
                child, shallower, level - 1 if same else -level, level if same else 1 - level, ply + 1, row + 1, loan
            )
            control[MODELLED] = seat_modelled
            control[SALT] = salt
            copy_line(line, memory.line[1])
            if control[ABORTED]:
                return 0
            if not same:
                verified = -verified
            if verified < level:
                value = verified
        tried += 1
        if value > best:
            best = value
            if value > bar:
                extend_line(memory.line, ply, move)
                refutation = move
                quietly = not tactical
                bar = value
                if value >= beta:
                    if not tactical:
                        reward(state, seat, ply, row, move, quiet, depth, loan)
                    break
        if not tactical and quiet < len(memory.slots[ply]):
            memory.slots[ply, quiet] = move
            quiet += 1
    if tried == 0:  # all moves are excluded or forbidden
        best = 0 if excluded == NO_MOVE else alpha
    learns = switches & CORRECTION_HISTORY and quietly and not pressed and excluded == NO_MOVE
    if learns and tells_error(best, score, alpha, beta, memory):
        correct(state, seat, depth, best - score, loan)
    if switches & TABLE and excluded == NO_MOVE:
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        kept = from_here(best, ply, memory)
        keep(
            memory.table, mark ^ control[SALT], depth, bound, kept, refutation, features, control[HORIZON], control[AGE]
        )
    control[HORIZON] |= saw
    return best
