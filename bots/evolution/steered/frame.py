# SPDX-License-Identifier: GPL-3.0-or-later
"""The alpha-beta frame that individuals steer: fail-soft, with null windows, no hash table, and a program that says of
every branch how deep it is searched.

A program runs once for each branch, after the move is made. What it gives is the depth left there, at most as much as
the position itself has: a branch is extended by one ply at most, so a search goes on only as long as nodes, and plies,
allow. Below a depth of 1 a position is left to quiescence search; below 0 the branch is left out, and costs no node.
No position loses its first branch so, nor any as long as nothing was found there but that the game is lost; the root
loses none. With the program ``horizon`` this is plain NegaScout, and without null windows plain alpha-beta: minimax's
value, quiescence and repetition apart, which the tests hold it to.
"""

from typing import Any

import numpy as np

from bots.evolution.programs.code import execute
from bots.evolution.steered.desk import (
    ABORTED,
    CHOSEN,
    KEY,
    LIMIT,
    MAN,
    MEN,
    NO_MOVE,
    NODES,
    PASSES,
    PLIES,
    REACHED,
    ROOT_DEPTH,
    ROOT_ROW,
    SINCE,
    SLOT,
    STANDS,
    TERMS,
    TRACED,
    VERIFIES,
    WIN,
    WINDOWS,
    Desk,
)
from bots.evolution.steered.order import PER_MAN, bring, rate, reward
from bots.evolution.steered.trace import closed, opened
from engine.buffers import borrowed, lent
from engine.game import (
    State,
    can_pass,
    count_moves,
    ended,
    exchange_reaches,
    gain,
    irreversible,
    key,
    legal_moves,
    outcome,
    passed,
    score,
    slot,
    step,
    tactical_moves,
    threatened,
    to_move,
)
from engine.kernel import compiled, inlined

LEVEL, HORIZON, ALPHA, BETA, SCORE, MATERIAL, MOVES, PLACE, MERIT, GAIN, USED = range(11)
THREATENED, THREATENS, LOSES, PRINCIPAL, PASS = range(11, 16)
"""What a program sees of a branch: the places of ``words.CONTEXT``."""
SEES_SCORE, SEES_MATERIAL, SEES_THREATENED = 1 << SCORE, 1 << MATERIAL, 1 << THREATENED
SEES_THREATENS, SEES_LOSES = 1 << THREATENS, 1 << LOSES

BEYOND = 2**62
"""What no value reaches."""
FAR = 100.0
"""Windows are seen by programs as no wider than so many men."""
OMITTED = -1.0
LONGEST = 2
"""Lines are extended to so many times the depth of the root."""


@inlined
def worth(payoff: float, ply: int, desk: Desk) -> Any:
    """Return what a finished game is worth to a seat with this pay-off: the more, the sooner it is won."""
    return np.int64(np.rint(payoff * (desk.control[WIN] - ply)))


@compiled
def ended_value(state: State, ply: int, loan: Desk) -> Any:
    """Return what a state that is over is worth to the seat to move."""
    desk = borrowed(loan)
    _, first, second = outcome(state)
    return worth(second if to_move(state) else first, ply, desk)


@inlined
def static(state: State, desk: Desk) -> Any:
    """Return what features say, seen by the seat to move."""
    return np.int64(score(state, desk.control[TERMS], desk.weights))


@inlined
def in_men(value: Any, desk: Desk) -> Any:
    """Return a value in men, FAR at most."""
    return min(max(value / desk.control[MAN], -FAR), FAR)


@inlined
def repeated(row: int, desk: Desk) -> bool:
    """Return whether the position of a row stands a second time in the search, or a third time in the game."""
    path = desk.path
    times = 1
    for i in range(row - 2, path[row, SINCE] - 1, -1):
        if path[i, KEY] == path[row, KEY]:
            times += 1
            if i >= desk.control[ROOT_ROW] or times >= 3:
                return True
    return False


@compiled
def quiesce(state: State, alpha: int, beta: int, ply: int, loan: Desk) -> Any:
    """Return v as ``search`` does: captures that do not lose by the exchange, and every answer to a threat.

    Where a game does not say who is threatened, all its moves may have to win something: then nobody can stand.
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
        if not pressed and not exchange_reaches(state, move, 0):
            continue
        child = step(state, move)
        same = to_move(child) == seat
        bar: Any = max(alpha, best)
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


@inlined
def given(depth: float, ply: int, desk: Desk) -> Any:
    """Return what the program gives a branch of a position with so much depth left; OMITTED, which is below 0: none."""
    deep = execute(desk.code, desk.rows[ply], desk.shared, desk.stack)
    most = depth if ply < LONGEST * desk.control[ROOT_DEPTH] else depth - 1.0
    return min(deep, most) if deep >= 0.0 else OMITTED


@inlined
def note(child: State, since: int, led: int, row: int, desk: Desk) -> None:
    """Write into the path what the search of a child must know."""
    desk.path[row + 1, KEY] = np.int64(key(child))
    desk.path[row + 1, SINCE] = since
    desk.path[row + 1, SLOT] = led


@compiled
def search(state: State, depth: float, alpha: int, beta: int, ply: int, row: int, loan: Desk) -> Any:
    """Return v, for the seat to move: v <= alpha is an upper bound of the value, v >= beta a lower one, else v is it.

    That is the value of the tree that the program cuts out. ``row`` is the position's row of ``path``.
    """
    desk = borrowed(loan)
    control = desk.control
    control[REACHED] = max(control[REACHED], ply)
    if depth < 1.0:
        return quiesce(state, alpha, beta, ply, loan)
    if control[NODES] >= control[LIMIT]:
        control[ABORTED] = 1
        return 0
    control[NODES] += 1
    if ended(state):
        return ended_value(state, ply, loan)
    path = desk.path
    if ply > 0 and repeated(row, desk):
        return 0
    if ply >= PLIES - 2:
        return static(state, desk)
    seat = to_move(state)
    traced = ply < control[TRACED]
    branch = np.int64(0)
    looks = desk.code.looks
    open_ = beta - alpha > 1
    row_of = desk.rows[ply]
    moves, merits = desk.moves[ply], desk.merits[ply]
    trying = control[PASSES] != 0 and not open_ and ply > 0 and path[row, SLOT] >= 0
    pressed = (trying or looks & SEES_THREATENED != 0) and threatened(state)
    stand = np.int64(0)
    if trying or looks & SEES_SCORE:
        stand = static(state, desk)
    row_of[LEVEL] = ply
    row_of[HORIZON] = depth - 1.0
    row_of[BETA] = in_men(beta, desk)
    row_of[ALPHA] = in_men(alpha, desk)
    row_of[SCORE] = in_men(stand, desk)
    row_of[THREATENED] = 1.0 if pressed else 0.0
    row_of[PRINCIPAL] = 1.0 if open_ else 0.0
    row_of[USED] = control[NODES] / control[LIMIT]
    if looks & SEES_MATERIAL:
        row_of[MATERIAL] = score(state, 0, desk.material) / MEN
    if trying and not pressed and stand >= beta and abs(beta) < control[WIN] // 2 and can_pass(state):
        row_of[MOVES] = 0.0
        row_of[PLACE] = 0.0
        row_of[MERIT] = 0.0
        row_of[GAIN] = 0.0
        row_of[THREATENS] = 0.0
        row_of[LOSES] = 0.0
        row_of[PASS] = 1.0
        less = min(given(depth, ply, desk), depth - 1.0)
        if less >= 0.0:
            beyond = passed(state)
            note(beyond, row + 1, -1, row, desk)
            if traced:
                branch = opened(np.int64(NO_MOVE), ply, loan)
            value = -search(beyond, less, -beta, 1 - beta, ply + 1, row + 1, loan)
            if control[ABORTED]:
                return 0
            if traced:
                closed(branch, less, loan)
            if value >= beta:
                return value if value < control[WIN] // 2 else beta
    count = legal_moves(state, moves)
    if count == 0:
        return ended_value(state, ply, loan)
    rate(state, seat, ply, row, count, loan)
    row_of[MOVES] = count
    row_of[PASS] = 0.0
    bar = alpha
    best = np.int64(-BEYOND)
    for i in range(count):
        move = bring(i, count, moves, merits)
        child = step(state, move)
        same = to_move(child) == seat
        note(child, row + 1 if irreversible(state, move) else path[row, SINCE], slot(state, move), row, desk)
        row_of[ALPHA] = in_men(bar, desk)
        row_of[PLACE] = i
        row_of[MERIT] = min(max(merits[i], -FAR), FAR)
        row_of[GAIN] = gain(state, move) / PER_MAN
        if looks & SEES_THREATENS:
            row_of[THREATENS] = 1.0 if threatened(child) else 0.0
        if looks & SEES_LOSES:
            row_of[LOSES] = 0.0 if exchange_reaches(state, move, 0) else 1.0
        ahead = given(depth, ply, desk)
        if ahead < 0.0:
            if ply > 0 and best > -control[WIN] // 2:
                continue
            ahead = 0.0
        if traced:
            branch = opened(move, ply, loan)
        floor = bar
        top = bar + 1 if control[WINDOWS] and i > 0 else beta
        while True:
            value = search(child, ahead, floor if same else -top, top if same else -floor, ply + 1, row + 1, loan)
            if control[ABORTED]:
                return 0
            if not same:
                value = -value
            if value <= bar:
                break
            if control[VERIFIES] and ahead < depth - 1.0:
                ahead = depth - 1.0
            elif value >= top and top < beta:
                top = beta
            else:
                break
        if traced:
            closed(branch, ahead, loan)
        if value > best:
            best = value
            if value > bar:
                bar = value
                if ply == 0:
                    control[CHOSEN] = move
                if value >= beta:
                    reward(state, seat, ply, row, i, depth, loan)
                    break
    return best


@compiled
def look_ahead(state: State, depth: float, row: int, desk: Desk) -> Any:
    """Search the root to a depth; see ``search``. The best move is in ``control``, even when the search gave up."""
    desk.path[row, KEY] = np.int64(key(state))
    # a literal 0 would be a type of its own: a second search, that calls the first, and is broken when loaded from disk
    alpha, beta = np.int64(-BEYOND), np.int64(BEYOND)
    return search(state, depth, alpha, beta, np.int64(0), row, lent(borrowed(desk)))
