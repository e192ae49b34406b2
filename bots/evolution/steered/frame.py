# SPDX-License-Identifier: GPL-3.0-or-later
"""The alpha-beta frame that individuals steer: fail-soft, with null windows, no hash table, and a program that says of
every branch how deep it is searched.

A program runs once for each branch, after the move is made. What it gives is the depth left there, at most as much as
the position itself has: a branch is extended by one ply at most, so a search goes on only as long as nodes, and plies,
allow. Below a depth of 1 a position is left to quiescence search; below 0 the search skips the branch, which costs no
node. It never skips the first branch of a position, and it skips no branch at the root. It skips none either while all
branches of the position that it has searched lose the game. Margins prune more, off the principal variation
(``pruning``); by default, and in the rivals, they prune nothing. Then, with the program ``horizon``, this is plain
NegaScout, and without null windows plain alpha-beta: minimax's value, quiescence and repetition apart, which the tests
hold it to.
"""

from typing import Any

import numpy as np

from bots.evolution.steered.desk import (
    ABORTED,
    AIM,
    BEST,
    CHOSEN,
    FIRST,
    KEY,
    LIMIT,
    MAN,
    MEN,
    NO_MOVE,
    NODES,
    NOWHERE,
    PASSES,
    PLIES,
    PRUNES,
    REACHED,
    ROOT_DEPTH,
    ROOT_ROW,
    SINCE,
    SLOT,
    TRACED,
    VERIFIES,
    WIN,
    WINDOWS,
    Desk,
)
from bots.evolution.steered.memory import branch_of, keep_worth, known_worth
from bots.evolution.steered.order import PER_MAN, history_of, rate, reward
from bots.evolution.steered.pruning import (
    BEYOND,
    FAR,
    FUTILITY_BASE,
    LMR_HISTORY,
    LMR_NOT_IMPROVING,
    LMR_SLOPE,
    above_beta,
    ended_value,
    futility,
    in_men,
    late,
    loses_much,
    reduction,
    static,
)
from bots.evolution.steered.quiescence import quiesce
from bots.evolution.steered.steering import NEVER, place
from bots.evolution.steered.trace import closed, opened
from engine.buffers import borrowed, lent
from engine.game import (
    State,
    aim,
    can_pass,
    ended,
    exchange_reaches,
    gain,
    irreversible,
    key,
    legal_moves,
    passed,
    score,
    slot,
    step,
    threatened,
    to_move,
)
from engine.kernel import compiled, inlined
from engine.search.negascout import bring_best
from engine.search.programs.code import execute

LEVEL, HORIZON, ALPHA, BETA, SCORE, MATERIAL, MOVES, PLACE, MERIT, GAIN, USED = range(11)
THREATENED, THREATENS, LOSES, PRINCIPAL, PASS, SHORTFALL = range(11, 17)
"""What a program sees of a branch: the places of ``words.CONTEXT``."""
SEES_SCORE, SEES_MATERIAL, SEES_THREATENED = 1 << SCORE, 1 << MATERIAL, 1 << THREATENED
SEES_THREATENS, SEES_LOSES, SEES_SHORTFALL = 1 << THREATENS, 1 << LOSES, 1 << SHORTFALL

ASPIRATION_WINDOW, HISTORY_MARGIN = place("aspiration window"), place("history margin")
NULL_MOVE_REDUCTION, NULL_MOVE_SCORE_REDUCTION = place("null move reduction"), place("null move score reduction")
INTERNAL_ITERATIVE_REDUCTION = place("internal iterative reduction")
PRUNING_LMR_SHARE = place("pruning LMR share")

OMITTED = -1.0
LONGEST = 2
"""Lines are extended to so many times the depth of the root."""
NARROWED = 2.0
"""Deeper iterations begin with a narrow window."""
MOST_SURPLUS = 2.0
"""Passing is looked at by no more plies less deep for how good the position is."""
LEAST_UNKNOWN = 3.0
"""From so many plies on it matters that no move is remembered."""


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


@inlined
def given(depth: float, ply: int, desk: Desk) -> Any:
    """Return what the program gives a branch of a position with so much depth left; OMITTED, which is below 0: none."""
    deep = execute(desk.code, desk.rows[ply], desk.shared, desk.stack)
    most = depth if ply < LONGEST * desk.control[ROOT_DEPTH] else depth - 1.0
    return min(deep, most) if deep >= 0.0 else OMITTED


@inlined
def note(child: State, since: int, led: int, aimed: int, row: int, desk: Desk) -> None:
    """Write into the path what the search of a child must know."""
    desk.path[row + 1, KEY] = np.int64(key(child))
    desk.path[row + 1, SINCE] = since
    desk.path[row + 1, SLOT] = led
    desk.path[row + 1, AIM] = aimed


@compiled
def search(state: State, depth: float, alpha: int, beta: int, ply: int, row: int, loan: Desk) -> Any:
    """Return v, for the seat to move: v <= alpha is an upper bound of the value, v >= beta a lower one, else v is it.

    That is the value of the tree that the program cuts out. ``row`` is the position's row of ``path``.
    """
    desk = borrowed(loan)
    control = desk.control
    control[REACHED] = max(control[REACHED], ply)
    desk.lines[ply, ply] = NO_MOVE
    if depth < 1.0:
        return quiesce(state, alpha, beta, ply, row, loan)
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
    place = desk.places[ply]
    known = place != NOWHERE
    traced = ply < control[TRACED]
    branch = np.int64(0)
    looks = desk.code.looks
    open_ = beta - alpha > 1
    if known and not open_:
        worth = known_worth(place, depth, alpha, beta, desk)
        if worth != BEYOND:
            return worth
    row_of = desk.rows[ply]
    moves, merits = desk.moves[ply], desk.merits[ply]
    trying = control[PASSES] != 0 and not open_ and ply > 0 and path[row, SLOT] >= 0
    prunes = control[PRUNES] != 0 and not open_ and ply > 0
    reduces = desk.parameters[LMR_SLOPE] > 0.0
    pressed = (trying or prunes or reduces or looks & SEES_THREATENED != 0) and threatened(state)
    stand = np.int64(0)
    compares = reduces and desk.parameters[LMR_NOT_IMPROVING] > 0.0
    if trying or prunes or compares or looks & (SEES_SCORE | SEES_SHORTFALL):
        stand = static(state, desk)
    desk.stands[ply] = -BEYOND if pressed else stand
    worse = compares and not pressed and ply > 1 and stand <= desk.stands[ply - 2]
    cut = not open_ and desk.cuts[ply] != 0
    searched = depth
    if known and depth >= LEAST_UNKNOWN and ply > 0 and (open_ or cut) and desk.tree[place, BEST] == NO_MOVE:
        depth -= desk.parameters[INTERNAL_ITERATIVE_REDUCTION]
    half = control[WIN] // 2
    prunes = prunes and not pressed and abs(beta) < half
    if prunes and above_beta(stand, depth, worse, beta, desk):
        return stand
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
    if trying and not pressed and stand >= beta and abs(beta) < half and can_pass(state):
        row_of[MOVES] = 0.0
        row_of[PLACE] = 0.0
        row_of[MERIT] = 0.0
        row_of[GAIN] = 0.0
        row_of[THREATENS] = 0.0
        row_of[LOSES] = 0.0
        row_of[PASS] = 1.0
        row_of[SHORTFALL] = 0.0
        less = min(given(depth, ply, desk), depth - 1.0)
        if less >= 0.0:
            surplus = min(desk.parameters[NULL_MOVE_SCORE_REDUCTION] * in_men(stand - beta, desk), MOST_SURPLUS)
            less = max(less - desk.parameters[NULL_MOVE_REDUCTION] - surplus, 0.0)
            beyond = passed(state)
            note(beyond, row + 1, -1, 0, row, desk)
            desk.along[ply + 1] = 0
            desk.cuts[ply + 1] = 1 - desk.cuts[ply]
            desk.places[ply + 1] = branch_of(place, np.int64(NO_MOVE), loan) if known and less >= 1.0 else NOWHERE
            if traced:
                branch = opened(np.int64(NO_MOVE), ply, loan)
            value = -search(beyond, less, -beta, 1 - beta, ply + 1, row + 1, loan)
            if control[ABORTED]:
                return 0
            if traced:
                closed(branch, less, loan)
            if value >= beta:
                return value if value < half else beta
    count = legal_moves(state, moves)
    if count == 0:
        return ended_value(state, ply, loan)
    rate(state, seat, ply, row, count, loan)
    row_of[MOVES] = count
    row_of[PASS] = 0.0
    bar = alpha
    best = np.int64(-BEYOND)
    futile = desk.parameters[FUTILITY_BASE] < NEVER
    wary = desk.parameters[HISTORY_MARGIN] < NEVER
    found = np.int64(NO_MOVE)
    tried = 0
    for i in range(count):
        move = bring_best(i, count, moves, merits)
        child = step(state, move)
        same = to_move(child) == seat
        won = gain(state, move)
        asks = wary or (reduces and desk.parameters[LMR_HISTORY] > 0.0)
        history = history_of(state, seat, row, move, desk) if asks else 0.0
        checks = (prunes or reduces or looks & SEES_THREATENS != 0) and threatened(child)
        less = 0.0
        if reduces and won <= 0 and not checks and not pressed:
            less = reduction(depth, tried, history, open_, cut, worse, desk)
        if prunes and not checks and bar > -half:
            deep = max(depth - desk.parameters[PRUNING_LMR_SHARE] * less, 0.0)
            most = futility(stand, won, deep, desk)
            if futile and most <= bar:
                best = max(best, most)
                continue
            if tried > 0:
                bad = wary and history < -desk.parameters[HISTORY_MARGIN] * depth
                if won <= 0 and (bad or late(tried, depth, worse, desk)):
                    continue
                if loses_much(state, move, deep, desk):
                    continue
        since = row + 1 if irreversible(state, move) else path[row, SINCE]
        note(child, since, slot(state, move), aim(state, move), row, desk)
        desk.along[ply + 1] = 1 if desk.along[ply] != 0 and move == desk.line[ply] else 0
        row_of[ALPHA] = in_men(bar, desk)
        row_of[PLACE] = i
        row_of[MERIT] = min(max(merits[i], -FAR), FAR)
        row_of[GAIN] = won / PER_MAN
        row_of[THREATENS] = 1.0 if checks else 0.0
        if looks & SEES_SHORTFALL:
            row_of[SHORTFALL] = max(in_men(bar, desk) - in_men(stand, desk) - won / PER_MAN, 0.0)
        if looks & SEES_LOSES:
            row_of[LOSES] = 0.0 if exchange_reaches(state, move, 0) else 1.0
        full = given(depth, ply, desk)
        if full < 0.0:
            if ply > 0 and best > -half:
                continue
            full = 0.0
        ahead = max(full - np.floor(less), 0.0)
        if traced:
            branch = opened(move, ply, loan)
        floor = bar
        top = bar + 1 if control[WINDOWS] and tried > 0 else beta
        while True:
            desk.cuts[ply + 1] = 1 if open_ else 1 - desk.cuts[ply]
            desk.places[ply + 1] = branch_of(place, move, loan) if known and ahead >= 1.0 else NOWHERE
            value = search(child, ahead, floor if same else -top, top if same else -floor, ply + 1, row + 1, loan)
            if control[ABORTED]:
                return 0
            if not same:
                value = -value
            if value <= bar:
                break
            if ahead < full:
                ahead = full
            elif control[VERIFIES] and ahead < depth - 1.0:
                ahead = depth - 1.0
            elif value >= top and top < beta:
                top = beta
            else:
                break
        if traced:
            closed(branch, ahead, loan)
        tried += 1
        if value > best:
            best = value
            if value > bar:
                bar = value
                found = move
                extend(ply, move, desk)
                if ply == 0:
                    control[CHOSEN] = move
                if value >= beta:
                    reward(state, seat, ply, row, i, depth, loan)
                    break
    if known:
        keep_worth(place, searched, best, alpha, beta, desk)
        if found != NO_MOVE:
            desk.tree[place, BEST] = found
    return best


@inlined
def extend(ply: int, move: int, desk: Desk) -> None:
    """Make a move and the best line after it the best line of a ply."""
    lines = desk.lines
    lines[ply, ply] = move
    after = ply + 1
    while after < PLIES and lines[ply + 1, after] != NO_MOVE:
        lines[ply, after] = lines[ply + 1, after]
        after += 1
    if after < PLIES:
        lines[ply, after] = NO_MOVE


@compiled
def look_ahead(state: State, depth: float, guess: int, row: int, desk: Desk) -> Any:
    """Search the root to a depth; see ``search``. The best move is in ``control``, even when the search gave up.

    ``guess``: what the value may be, where the individual searches a narrow window first.
    """
    desk.path[row, KEY] = np.int64(key(state))
    desk.stands[0] = -BEYOND
    # a literal 0 would be a type of its own: a second search, that calls the first, and is broken when loaded from disk
    alpha, beta, root = np.int64(-BEYOND), np.int64(BEYOND), np.int64(0)
    narrow = desk.parameters[ASPIRATION_WINDOW]
    if narrow < NEVER and depth > NARROWED and abs(guess) < desk.control[WIN] // 2:
        width = np.int64(narrow * desk.control[MAN]) + 1
        alpha, beta = np.int64(guess - width), np.int64(guess + width)
    value = search(state, depth, alpha, beta, root, row, lent(borrowed(desk)))
    if desk.control[ABORTED] == 0 and not alpha < value < beta:
        if value <= alpha:
            alpha = np.int64(-BEYOND)
        else:
            beta = np.int64(BEYOND)
        desk.control[FIRST] = desk.control[CHOSEN]
        desk.along[0] = 0
        value = search(state, depth, alpha, beta, root, row, lent(borrowed(desk)))
    return value
