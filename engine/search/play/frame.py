# SPDX-License-Identifier: GPL-3.0-or-later
"""The frame of play: principal variation search that looks at little of the tree, and deep where it matters.

A frame of its own beside ``engine.search.alphabeta`` because they want different things of the same parts. That one
proves minimax's value in few positions: its table keeps both bounds of a value and uses them at equal depth only, and
killers come before the table's move so that proofs share positions. This one wants the best move in little time: small
table entries whose bounds hold at every smaller depth, scores by features at inner positions, moves that are rated one
stage after the other, and depths that are neither whole subtrees' nor the same for two moves. With none of its inexact
switches on it still returns minimax's value.

Who is told how the other side plays foresees its moves (``engine.search.foresight``). Then keys in the table are
salted, for values that lean on beliefs are not those of a search without; the best move at the root is held against
such a one.

``search`` is one long function because numba's cache does not hold functions that call each other in a circle.
"""

from typing import Any

import numpy as np

from engine.buffers import borrowed
from engine.game import (
    State,
    can_pass,
    ended,
    gain,
    key,
    legal_moves,
    passed,
    step,
    threatened,
    to_move,
)
from engine.kernel import compiled
from engine.search.memory import (
    ABORTED,
    AGE,
    AIM,
    CUT,
    DRAW,
    EXCLUDED,
    FORESEEN,
    HORIZON,
    KEY,
    LIMIT,
    NODES,
    PLIES,
    PRESSED,
    ROOT_DEPTH,
    ROOT_MOVES,
    SALT,
    SCORE,
    SINCE,
    SLOT,
    STOP,
    SWITCHES,
    TOOK,
    WIN,
    Memory,
)
from engine.search.minimax import extend_line
from engine.search.play.corrections import CORRECTIONS, correct
from engine.search.play.entries import EXACT, LOWER, MARK, NO_MOVE, NO_SCORE, UPPER, keep, recall
from engine.search.play.foreseeing import belief, foresee
from engine.search.play.picking import TRIED, chosen, leave_quiet, loses, next_move, rate, reward
from engine.search.play.positions import (
    decided,
    drawn,
    ended_value,
    features_score,
    from_here,
    from_root,
    leaf_value,
    noted_score,
    pass_on,
    proves,
    sharpened,
)
from engine.search.play.pruning import futile, improving, late, men, null_depth, reduction
from engine.search.play.quiescence import quiesce
from engine.search.switches import FORESIGHT, Switch
from engine.search.transposition import UNKNOWN

QUIESCENCE, REPETITION, TABLE, TABLE_MOVE, NULL_WINDOWS = (
    int(Switch.QUIESCENCE),
    int(Switch.REPETITION),
    int(Switch.TABLE),
    int(Switch.TABLE_MOVE),
    int(Switch.NULL_WINDOWS),
)
DEEPER, THREATS, SINGULAR, MULTI_CUT, NULL_MOVE, REDUCTIONS, REVERSE_FUTILITY, RAZORING, INTERNAL = (
    int(Switch.DEEPER),
    int(Switch.THREATS),
    int(Switch.SINGULAR),
    int(Switch.MULTI_CUT),
    int(Switch.NULL_MOVE),
    int(Switch.REDUCTIONS),
    int(Switch.REVERSE_FUTILITY),
    int(Switch.RAZORING),
    int(Switch.INTERNAL),
)
ORDER = int(Switch.GAINS | Switch.KILLERS | Switch.HISTORY | Switch.TABLE_MOVE | Switch.EXCHANGES)
BELIEVED_DEEPER, DOUBTED, VERIFIED = int(Switch.BELIEVED_DEEPER), int(Switch.DOUBTED), int(Switch.VERIFIED)
FORESEES = int(FORESIGHT & ~(Switch.VERIFIED | Switch.WEIGHED))
LATE_MOVES, FUTILITY = int(Switch.LATE_MOVES), int(Switch.FUTILITY)
SCORES = int(
    Switch.NULL_MOVE
    | Switch.REVERSE_FUTILITY
    | Switch.RAZORING
    | Switch.FUTILITY
    | Switch.LATE_MOVES
    | Switch.CORRECTIONS
)
"""Switches that ask for the score of inner positions."""

NULL_VERIFIED = 14
"""From this depth on a pass is held against a search without passing."""


@compiled
def search(state: State, depth: int, alpha: int, beta: int, ply: int, row: int, loan: Memory) -> Any:
    """Return v, for the seat to move: v <= alpha is an upper bound of the value, v >= beta a lower one, else v is it.

    Values are exact only as far as the switches are. ``row`` is the position's row of ``memory.path``, where the caller
    has written what its search must know; in ``memory.line[ply]`` stands the best line where v is the value.
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
        and (before == depth or (switches & DEEPER and before > depth))
        and not (open_ and switches & NULL_WINDOWS)
        and proves(bound, value, alpha, beta)
    ):
        control[HORIZON] |= saw_horizon
        return value
    # what is not borrowed anew is loaded at the beginning, by all those searches too that end above and do not need it
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
            features = features_score(state, row, features, memory)
            score = noted_score(state, seat, row, features, memory)
            guess = sharpened(score, bound, value)
            better = improving(seat, row, ply, memory)
    if not (open_ or pressed or excluded != NO_MOVE or decided(beta, memory)):
        surplus = men(margins.reverse_margin * (depth - better), memory)
        if (
            switches & REVERSE_FUTILITY
            and depth <= margins.reverse_depth
            and beta <= guess - surplus < control[WIN] // 2
        ):
            control[HORIZON] = 1
            return guess
        shortfall = men(margins.razor_base + margins.razor_margin * depth, memory)
        if switches & RAZORING and depth <= margins.razor_depth and guess + shortfall < alpha:
            trial = quiesce(state, alpha, beta, ply, row, loan)
            if trial <= alpha or control[ABORTED]:
                return trial
        if (
            switches & NULL_MOVE
            and depth >= margins.null_depth
            and guess >= beta
            and path[row, AIM]
            and can_pass(state)
        ):
            beyond = passed(state)
            path[row + 1, KEY] = np.int64(key(beyond))
            path[row + 1, SINCE] = row + 1
            path[row + 1, SLOT] = -1
            path[row + 1, AIM] = 0
            path[row + 1, PRESSED] = 0
            path[row + 1, TOOK] = 0
            path[row + 1, CUT] = not path[row, CUT]
            path[row + 1, EXCLUDED] = NO_MOVE
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
                # who is in zugzwang would be glad to pass: hold it against a search without passing
                led = path[row, AIM]
                path[row, AIM] = 0
                check = search(state, less, beta - 1, beta, ply, row, loan)
                path[row, AIM] = led
                if control[ABORTED]:
                    return 0
                if check >= beta:
                    return trial
    if switches & INTERNAL and depth >= margins.internal_depth and known == NO_MOVE and (open_ or path[row, CUT]):
        depth -= 1
    longer = 0
    if (
        switches & SINGULAR
        and ply > 0
        and depth >= margins.singular_depth
        and known != NO_MOVE
        and excluded == NO_MOVE
        and bound & LOWER
        and before >= depth - 3
        and not decided(value, memory)
        and ply < 2 * control[ROOT_DEPTH]
    ):
        level = value - men(margins.singular_margin * depth // 100, memory)
        path[row, EXCLUDED] = known
        other = search(state, (depth - 1) // 2, level - 1, level, ply, row, loan)
        path[row, EXCLUDED] = NO_MOVE
        if control[ABORTED]:
            return 0
        if other < level:
            longer = 2 if not open_ and other < level - men(margins.double_margin, memory) else 1
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
    foreseen = seat == control[FORESEEN] and switches & FORESEES and depth >= margins.foresight_depth
    if foreseen:
        foresee(state, seat, ply, row, count, known, loan)
    memory.line[ply, ply] = -1  # what the searches above have left there
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
        if spares and switches & LATE_MOVES and not tactical and late(depth, tried, better, memory):
            control[HORIZON] = 1
            leave_quiet(ply, count, memory)
            continue
        child = step(state, move)
        same = to_move(child) == seat
        checks = threatened(child)
        if spares and switches & FUTILITY and futile(state, move, tactical, checks, depth, tried, score, bar, loan):
            control[HORIZON] = 1
            continue
        pass_on(state, child, row, move, checks, memory)
        path[row + 1, EXCLUDED] = NO_MOVE
        path[row + 1, TOOK] = tactical
        ahead = depth - 1
        if move & MARK == known:
            ahead += longer
        if switches & THREATS and checks and ahead == depth - 1 and ply < 2 * control[ROOT_DEPTH] and not loses(number):
            ahead += 1
        less = 0
        late_enough = tried > 1 + (ply == 0) and (not tactical or loses(number))
        if switches & REDUCTIONS and depth >= margins.reduced_depth and late_enough:
            less = reduction(state, seat, row, move, tactical, checks, depth, tried, open_, better, loan)
            less = max(min(less, ahead - 1), 0)
        if foreseen:
            probable = belief(ply, number, memory)
            if probable >= margins.believed and switches & BELIEVED_DEEPER:
                less = 0
                if ahead == depth - 1 and ply < control[ROOT_DEPTH]:
                    ahead += 1
            elif probable < margins.doubted and switches & DOUBTED and tried > 0:
                less = max(min(less + margins.doubted_less, ahead - 1), 0)
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
            switches & VERIFIED
            and ply == 0
            and value > bar
            and control[FORESEEN] >= 0
            and depth > margins.verified_less
        ):
            level = value - men(margins.verified_margin, memory)
            player, salt = control[FORESEEN], control[SALT]
            control[FORESEEN] = -1
            control[SALT] = 0
            path[row + 1, CUT] = True
            shallower = max(ahead - margins.verified_less, 0)
            line = memory.line[1].copy()
            held = search(
                child, shallower, level - 1 if same else -level, level if same else 1 - level, ply + 1, row + 1, loan
            )
            control[FORESEEN] = player
            control[SALT] = salt
            memory.line[1] = line
            if control[ABORTED]:
                return 0
            if not same:
                held = -held
            if held < level:
                value = held
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
    if tried == 0:
        best = alpha
    if (
        switches & CORRECTIONS
        and not pressed
        and quietly
        and excluded == NO_MOVE
        and not decided(best, memory)
        and not (best >= beta and best <= score)
        and not (best <= alpha and best >= score)
    ):
        correct(state, seat, depth, best - score, loan)
    if switches & TABLE and excluded == NO_MOVE:
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        kept = from_here(best, ply, memory)
        keep(
            memory.table, mark ^ control[SALT], depth, bound, kept, refutation, features, control[HORIZON], control[AGE]
        )
    control[HORIZON] |= saw
    return best
