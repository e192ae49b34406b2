# SPDX-License-Identifier: GPL-3.0-or-later
"""Root of the selective search: the entry that Python calls, and the expectation over the opponent's answers.

With ROOT_EXPECTATION and an opponent model, the value of a root move is the expectation over the opponent's answers:
PrOM search at one ply (J. Donkers, "Nosce Hostem", 2003). Each probable answer counts with its prior; the rest of the
probability goes to the best answer. Before averaging, values are squashed to s · v / (s + |v|), because the chance to
win is not linear in the value; the mean is transformed back.

There is one entry for both ways to search a root, because each entry is compiled together with all that it calls.
"""

from typing import Any

import numpy as np

from engine.game import State, ended, key, legal_moves, step, to_move
from engine.hints.alphabeta import gain, threatened
from engine.kernel import compiled
from engine.native.buffers import borrowed, lent
from engine.search.memory import (
    ABORTED,
    CUT,
    EXCLUDED,
    FORBIDS,
    KEY,
    MODELLED,
    NODES,
    PRESSED,
    ROOT_MOVES,
    SALT,
    SWITCHES,
    TOOK,
    Memory,
)
from engine.search.minimax import extend_line
from engine.search.opponent import WHOLE
from engine.search.selective.ordering import chosen, loses, next_move, predict, rate
from engine.search.selective.positions import drawn, enter_child
from engine.search.selective.pruning import points, reduction
from engine.search.selective.search import search
from engine.search.selective.table import MARK, NO_MOVE, recall
from engine.search.superko import note_root
from engine.search.switches import Switch
from engine.search.transposition import UNKNOWN

# ---------------------------------------------------------------- expectation over answers


LATE_MOVE_REDUCTIONS, REPETITION = int(Switch.LATE_MOVE_REDUCTIONS), int(Switch.REPETITION)

MOST = 6
"""Maximum number of probable answers to a move that are searched separately."""

NO_BOUND = np.int64(UNKNOWN)


@compiled
def search_expectation(state: State, depth: int, alpha: int, beta: int, row: int, loan: Memory) -> Any:
    """Search the root at a depth of 2 or more with the expectation over answers; return v as ``search`` does."""
    memory = borrowed(loan)
    control, path, margins = memory.control, memory.path, memory.margins
    control[NODES] += 1
    root = np.int64(0)
    memory.line[0, 0] = -1
    seat = to_move(state)
    count = control[ROOT_MOVES]
    rate(state, seat, root, row, count, memory.moves[0, 0] & MARK, loan)
    answers, shares = np.empty(MOST, np.int64), np.empty(MOST)
    best: Any = -NO_BOUND
    bar = alpha
    for tried in range(count):
        number = next_move(state, seat, root, row, count, loan)
        move = chosen(root, number, memory)
        tactical = gain(state, move) > 0
        child = step(state, move)
        checks = threatened(child)
        enter_child(state, child, row, move, checks, memory)
        path[row + 1, EXCLUDED] = NO_MOVE
        path[row + 1, TOOK] = tactical
        path[row + 1, CUT] = tried > 0
        found = 0
        repeats = control[SWITCHES] & REPETITION and drawn(row + 1, checks, loan)
        if to_move(child) == control[MODELLED] and not ended(child) and not repeats:
            found = _probable_answers(child, row + 1, answers, shares, loan)
        less = 0
        late = tried > 2 and (not tactical or loses(number))
        if control[SWITCHES] & LATE_MOVE_REDUCTIONS and depth >= margins.lmr_depth and late:
            less = reduction(state, seat, row, move, tactical, checks, depth, tried, beta - alpha > 1, True, loan)
            less = max(min(less, depth - 2), 0)
        if found:
            value = _expectation(child, seat, depth, bar, row, found, answers, shares, less, tried > 0, loan)
        else:
            value = _plain_value(child, seat, depth, bar, beta, row, less, tried > 0, loan)
        if control[ABORTED]:
            return 0
        if value > best:
            best = value
            if value > bar:
                extend_line(memory.line, root, move)
                bar = value
                if value >= beta:
                    break
    return best


@compiled
def _probable_answers(child: State, row: int, answers: Any, shares: Any, loan: Memory) -> int:
    """Write the probable answers and their shares of the probability, most probable first; return their number."""
    memory = borrowed(loan)
    ply = np.int64(1)
    count = legal_moves(child, memory.moves[1])
    _, _, _, known, _, _ = recall(memory.table, memory.path[row, KEY] ^ memory.control[SALT])
    predict(child, to_move(child), ply, row, count, known, loan)
    found = 0
    for i in range(count):
        chance = memory.priors[1, i]
        if chance < memory.margins.expectation_least:
            continue
        share = chance * (WHOLE - memory.margins.expectation_best) / (WHOLE * WHOLE)
        place = found
        while place > 0 and shares[place - 1] < share:
            if place < MOST:
                answers[place], shares[place] = answers[place - 1], shares[place - 1]
            place -= 1
        if place < MOST:
            answers[place], shares[place] = memory.moves[1, i], share
            found = min(found + 1, MOST)
    return found


@compiled
def _expectation(
    child: State,
    seat: int,
    depth: int,
    bar: int,
    row: int,
    found: int,
    answers: Any,
    shares: Any,
    less: int,
    bounded: bool,
    loan: Memory,
) -> Any:
    """Return the expectation of a root move if it exceeds ``bar``, else an upper bound.

    ``less``: reduction of the test whether the move can exceed the bar; ``bounded``: whether there is a bar.
    """
    memory = borrowed(loan)
    control = memory.control
    if bounded:
        # if no answer leads to more than the bar, neither does the mean
        while True:
            most = -NO_BOUND
            for i in range(found):
                most = max(most, _value_after(child, answers[i], seat, depth - less, bar, bar + 1, row, loan))
                if most > bar or control[ABORTED]:
                    break
            if most <= bar or less == 0 or control[ABORTED]:
                break
            less = 0
        if most <= bar or control[ABORTED]:
            return most
    scale = max(points(memory.margins.expectation_scale, memory), 1)
    mean = 0.0
    rest = 1.0
    least = NO_BOUND
    for i in range(found):
        value = _value_after(child, answers[i], seat, depth, -NO_BOUND, NO_BOUND, row, loan)
        if control[ABORTED]:
            return 0
        mean += shares[i] * squashed(value, scale)
        rest -= shares[i]
        least = min(least, value)
    memory.line[1, 1] = -1
    if rest < 1.0 / WHOLE:
        return unsquashed(mean / (1.0 - rest), scale)
    floor = -NO_BOUND
    if bounded:
        needed = (squashed(bar, scale) - mean) / rest
        if needed >= squashed(least, scale):
            return bar
        if needed > -scale:
            # a point less, because it is rounded twice
            floor = unsquashed(needed, scale) - 1
    seat_modelled, salt = control[MODELLED], control[SALT]
    control[MODELLED] = -1
    control[SALT] = 0
    value = _searched(child, seat, depth - 1, floor, min(least, NO_BOUND - 1) + 1, row + 1, np.int64(1), loan)
    control[MODELLED] = seat_modelled
    control[SALT] = salt
    if bounded and value <= floor:
        return min(bar, least)
    return unsquashed(mean + rest * squashed(min(value, least), scale), scale)


@compiled
def _plain_value(
    child: State, seat: int, depth: int, bar: int, beta: int, row: int, less: int, bounded: bool, loan: Memory
) -> Any:
    """Return the value of a root move without probable answers: plain principal variation search."""
    control = borrowed(loan).control
    ply = np.int64(1)
    if bounded:
        value = _searched(child, seat, depth - 1 - less, bar, bar + 1, row + 1, ply, loan)
        if value > bar and less and not control[ABORTED]:
            value = _searched(child, seat, depth - 1, bar, bar + 1, row + 1, ply, loan)
        if value <= bar or value >= beta or control[ABORTED]:
            return value
    return _searched(child, seat, depth - 1, bar, beta, row + 1, ply, loan)


@compiled
def _value_after(child: State, answer: int, seat: int, depth: int, low: int, high: int, row: int, loan: Memory) -> Any:
    """Return the value after an answer to a root move."""
    memory = borrowed(loan)
    path = memory.path
    after = step(child, answer)
    enter_child(child, after, row + 1, answer, threatened(after), memory)
    path[row + 2, EXCLUDED] = NO_MOVE
    path[row + 2, TOOK] = gain(child, answer) > 0
    path[row + 2, CUT] = False
    return _searched(after, seat, depth - 2, low, high, row + 2, np.int64(2), loan)


@compiled
def _searched(state: State, seat: int, depth: int, low: int, high: int, row: int, ply: int, loan: Memory) -> Any:
    """Search a position; return the value for ``seat``."""
    if to_move(state) == seat:
        return search(state, depth, low, high, ply, row, loan)
    return -search(state, depth, -high, -low, ply, row, loan)


@compiled
def squashed(value: int, scale: int) -> float:
    """Map a value to (-scale, scale): an advantage of ``scale`` counts as half of a win."""
    return scale * (value / (scale + abs(value)))


@compiled
def unsquashed(value: float, scale: int) -> Any:
    """Invert ``squashed``."""
    return np.int64(np.rint(scale * (value / max(scale - abs(value), 1e-7 * scale))))


# ---------------------------------------------------------------- entry


ROOT_EXPECTATION = int(Switch.ROOT_EXPECTATION)


@compiled
def search_root(state: State, depth: int, alpha: int, beta: int, row: int, memory: Memory) -> Any:
    """Search the root, whose row of ``memory.path`` is ``row``; return v as ``search`` does."""
    path, control = memory.path, memory.control
    path[row, KEY] = np.int64(key(state))
    path[row, PRESSED] = threatened(state)
    path[row, TOOK] = False
    if control[FORBIDS]:
        note_root(state, row, memory)
    loan = lent(borrowed(memory))
    if control[SWITCHES] & ROOT_EXPECTATION and depth > 1 and control[MODELLED] >= 0:
        return search_expectation(state, depth, alpha, beta, row, loan)
    return search(state, depth, alpha, beta, 0, row, loan)
