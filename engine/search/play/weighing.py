# SPDX-License-Identifier: GPL-3.0-or-later
"""The root of a search that weighs what the other side is believed to answer: PrOM search at one ply.

An opponent is of one type or another, and each type answers a move by another one (J. Donkers, "Nosce Hostem", 2003).
Here each answer that is believed in is a type of its own, and what is left of the belief goes to who answers as well as
the search can: a move is worth the mean of what the answers lead to, by belief. Values are not linear in what they are
worth to who plays for points, so they are squashed before the mean is taken, and brought back after it.
"""

from typing import Any

import numpy as np

from engine.buffers import borrowed
from engine.game import State, ended, gain, legal_moves, step, threatened, to_move
from engine.kernel import compiled
from engine.search.foresight import WHOLE
from engine.search.memory import (
    ABORTED,
    CUT,
    EXCLUDED,
    FORESEEN,
    KEY,
    NODES,
    ROOT_MOVES,
    SALT,
    SWITCHES,
    TOOK,
    Memory,
)
from engine.search.minimax import extend_line
from engine.search.play.entries import MARK, NO_MOVE, recall
from engine.search.play.foreseeing import foresee
from engine.search.play.frame import search
from engine.search.play.picking import chosen, loses, next_move, rate
from engine.search.play.positions import drawn, pass_on
from engine.search.play.pruning import men, reduction
from engine.search.switches import Switch
from engine.search.transposition import UNKNOWN

REDUCTIONS, REPETITION = int(Switch.REDUCTIONS), int(Switch.REPETITION)

MOST = 6
"""Answers to a move that are searched by themselves, the most believed ones."""

NO_BOUND = np.int64(UNKNOWN)


@compiled
def weigh(state: State, depth: int, alpha: int, beta: int, row: int, loan: Memory) -> Any:
    """Search the root at a depth of 2 or more, whose row of ``memory.path`` is ``row``.

    Returns v for the seat to move: v <= alpha is an upper bound of the value, v >= beta a lower one, else v is it.
    """
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
        pass_on(state, child, row, move, checks, memory)
        path[row + 1, EXCLUDED] = NO_MOVE
        path[row + 1, TOOK] = tactical
        path[row + 1, CUT] = tried > 0
        believed = 0
        repeats = control[SWITCHES] & REPETITION and drawn(row + 1, checks, loan)
        if to_move(child) == control[FORESEEN] and not ended(child) and not repeats:
            believed = _believed(child, row + 1, answers, shares, loan)
        less = 0
        late = tried > 2 and (not tactical or loses(number))
        if control[SWITCHES] & REDUCTIONS and depth >= margins.reduced_depth and late:
            less = reduction(state, seat, row, move, tactical, checks, depth, tried, beta - alpha > 1, True, loan)
            less = max(min(less, depth - 2), 0)
        if believed:
            value = _weighed(child, seat, depth, bar, row, believed, answers, shares, less, tried > 0, loan)
        else:
            value = _plain(child, seat, depth, bar, beta, row, less, tried > 0, loan)
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
def _believed(child: State, row: int, answers: Any, shares: Any, loan: Memory) -> int:
    """Write the answers that are searched by themselves, and their shares of the belief; return how many they are."""
    memory = borrowed(loan)
    ply = np.int64(1)
    count = legal_moves(child, memory.moves[1])
    _, _, _, known, _, _ = recall(memory.table, memory.path[row, KEY] ^ memory.control[SALT])
    foresee(child, to_move(child), ply, row, count, known, loan)
    found = 0
    for i in range(count):
        belief = memory.beliefs[1, i]
        if belief < memory.margins.weighed_least:
            continue
        share = belief * (WHOLE - memory.margins.weighed_own) / (WHOLE * WHOLE)
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
def _weighed(
    child: State,
    seat: int,
    depth: int,
    bar: int,
    row: int,
    believed: int,
    answers: Any,
    shares: Any,
    less: int,
    bounded: bool,
    loan: Memory,
) -> Any:
    """Return what a move is worth if that is more than ``bar``, else an upper bound of it.

    ``less``: by how many plies less deep it is first tried whether it can be more; ``bounded``: whether there is
    something to try it against.
    """
    memory = borrowed(loan)
    control = memory.control
    if bounded:
        # no answer leads to more than the bar: their mean does not, nor does what the best answer leaves
        while True:
            most = -NO_BOUND
            for i in range(believed):
                most = max(most, _after(child, answers[i], seat, depth - less, bar, bar + 1, row, loan))
                if most > bar or control[ABORTED]:
                    break
            if most <= bar or less == 0 or control[ABORTED]:
                break
            less = 0
        if most <= bar or control[ABORTED]:
            return most
    scale = max(men(memory.margins.weighed_scale, memory), 1)
    mean = 0.0
    rest = 1.0
    least = NO_BOUND
    for i in range(believed):
        value = _after(child, answers[i], seat, depth, -NO_BOUND, NO_BOUND, row, loan)
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
            # a point less, for it is rounded twice
            floor = unsquashed(needed, scale) - 1
    player, salt = control[FORESEEN], control[SALT]
    control[FORESEEN] = -1
    control[SALT] = 0
    value = _searched(child, seat, depth - 1, floor, min(least, NO_BOUND - 1) + 1, row + 1, np.int64(1), loan)
    control[FORESEEN] = player
    control[SALT] = salt
    if bounded and value <= floor:
        return min(bar, least)
    return unsquashed(mean + rest * squashed(min(value, least), scale), scale)


@compiled
def _plain(
    child: State, seat: int, depth: int, bar: int, beta: int, row: int, less: int, bounded: bool, loan: Memory
) -> Any:
    """Return what a move is worth that nobody is known to answer in some way."""
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
def _after(child: State, answer: int, seat: int, depth: int, low: int, high: int, row: int, loan: Memory) -> Any:
    """Return what an answer to a move leads to."""
    memory = borrowed(loan)
    path = memory.path
    after = step(child, answer)
    pass_on(child, after, row + 1, answer, threatened(after), memory)
    path[row + 2, EXCLUDED] = NO_MOVE
    path[row + 2, TOOK] = gain(child, answer) > 0
    path[row + 2, CUT] = False
    return _searched(after, seat, depth - 2, low, high, row + 2, np.int64(2), loan)


@compiled
def _searched(state: State, seat: int, depth: int, low: int, high: int, row: int, ply: int, loan: Memory) -> Any:
    """Search a position, seen by ``seat``."""
    if to_move(state) == seat:
        return search(state, depth, low, high, ply, row, loan)
    return -search(state, depth, -high, -low, ply, row, loan)


@compiled
def squashed(value: int, scale: int) -> float:
    """Return a value between -scale and scale: a whole ``scale`` ahead is half of all there is to win."""
    return scale * (value / (scale + abs(value)))


@compiled
def unsquashed(value: float, scale: int) -> Any:
    """Undo ``squashed``."""
    return np.int64(np.rint(scale * (value / max(scale - abs(value), 1e-7 * scale))))
