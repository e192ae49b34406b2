# SPDX-License-Identifier: GPL-3.0-or-later
"""Monte Carlo tree search: selection, expansion, playout and backup, for any number of threads.

UCT: L. Kocsis, C. Szepesvári, Bandit based Monte-Carlo planning, 2006. RAVE: S. Gelly, D. Silver, Monte-Carlo tree
search and rapid action value estimation in computer Go, 2011. Priors: C. Rosin, Multi-armed bandits with episode
context, 2011; the formula is AlphaZero's. Progressive widening: R. Coulom, Computing Elo ratings of move patterns in
the game of Go, 2007; G. Chaslot and others, Progressive strategies for Monte-Carlo tree search, 2008. Solver: M.
Winands, Y. Björnsson, J.-T. Saito, Monte-Carlo tree search solver, 2008, with bounds, which cover draws and points
too: T. Cazenave, A. Saffidine, Score bounded Monte-Carlo tree search, 2010.
"""

from math import log, sqrt
from typing import Any

import numpy as np

from engine.game import CHANCE, State, appraise, key, legal_moves, odds, outcome, repetition_key, step, to_move
from engine.hints.alphabeta import exchange_reaches, gain, slot
from engine.hints.playouts import prior_values
from engine.kernel import compiled, inlined
from engine.native.atomics import atomic_add, atomic_swap, swapped_if
from engine.native.buffers import borrowed, lent
from engine.search.tree.leaves import playout, random_word, value_of
from engine.search.tree.memory import (
    BUSY,
    DEPTH,
    FORBIDDEN_MOVE,
    FORBIDS,
    LEAF,
    LIMIT,
    NO_PROGRESS,
    NODES,
    PAST,
    PATH,
    PLAYED,
    PLAYOUTS,
    QUIET,
    REPETITION,
    ROOT,
    STARTED,
    STOP,
    SWITCHES,
    TERMS,
    UNIT,
    WIN,
    Scratch,
    Tree,
    take_block,
)
from engine.search.tree.switches import TreeSwitch
from engine.walks.playout import NEVER, noted

SOLVER, RAVE, PUCT, PRIOR, WIDENING, HEURISTIC = (
    int(TreeSwitch.SOLVER),
    int(TreeSwitch.RAVE),
    int(TreeSwitch.PUCT),
    int(TreeSwitch.PRIOR),
    int(TreeSwitch.WIDENING),
    int(TreeSwitch.HEURISTIC),
)

_MOST_MERIT = 30.0
"""Bound of the difference of scores, in units of the temperature."""

_ROUNDING = 1e-6
"""Bound of the error of an average over rolls."""

# ---------------------------------------------------------------- expansion


@compiled
def rate(state: State, seat: int, count: int, loan: Any, lent_scratch: Any) -> None:
    """Write the prior probabilities of the moves in ``row`` to ``merits``, and sort both, the most probable first.

    The prior is proportional to exp(score / temperature), with the static evaluation after the move, less what the
    moved piece may lose by the exchange.
    """
    tree, scratch = borrowed(loan), borrowed(lent_scratch)
    row, merits = scratch.row, scratch.merits
    best = -np.inf
    for i in range(count):
        move = row[i]
        child = step(state, move)
        over, payoff, points = appraise(child, tree.control[TERMS], tree.weights)
        merit = payoff * tree.control[WIN] if over else np.float64(points)
        if max(to_move(child), 0) != seat:
            merit = -merit
        if not over and not exchange_reaches(state, move, 0):
            merit -= gain(state, move) + tree.man
        merit /= tree.man * tree.parameters.temperature
        best = max(best, merit)
        at = i
        while at > 0 and merits[at - 1] < merit:
            row[at], merits[at] = row[at - 1], merits[at - 1]
            at -= 1
        row[at], merits[at] = move, merit
    total = 0.0
    for i in range(count):
        merits[i] = np.exp(max(merits[i] - best, -_MOST_MERIT))
        total += merits[i]
    share = tree.parameters.uniform
    for i in range(count):
        merits[i] = (1.0 - share) * merits[i] / total + share / count


@compiled
def expand(state: State, last: int, node: int, loan: Any, lent_scratch: Any) -> bool:
    """Give a node its children; return False if another thread does that, or memory is full.

    ``last``: the move that led there, -1 if unknown.
    """
    tree, scratch = borrowed(loan), borrowed(lent_scratch)
    if not swapped_if(tree.first, node, LEAF, BUSY):
        return False
    row, merits = scratch.row, scratch.merits
    count = legal_moves(state, row)
    block = take_block(count, loan)
    if block == LEAF:
        atomic_swap(tree.first, node, LEAF)
        return False
    seat = to_move(state)
    if seat == CHANCE:
        total = 0.0
        for i in range(count):
            merits[i] = odds(state, row[i])
            total += merits[i]
        for i in range(count):
            merits[i] /= total
    elif tree.control[SWITCHES] & PRIOR:
        rate(state, seat, count, loan, lent_scratch)
        atomic_add(tree.control, NODES, count)
    else:
        # in random order, so that the order of the rules does not decide between equal moves
        for i in range(count):
            other = i + np.int64(random_word(scratch.numbers) * np.uint64(count - i) >> np.uint64(32))
            row[i], row[other] = row[other], row[i]
            merits[i] = 1.0 / count
    guessed = tree.control[SWITCHES] & HEURISTIC and prior_values(state, last, row, count, scratch.virtual)
    for i in range(count):
        child = block + i
        tree.moves[child] = row[i]
        tree.slots[child] = slot(state, row[i])
        tree.first[child], tree.counts[child] = LEAF, 0
        tree.visits[child], tree.totals[child] = 0, 0
        tree.rave_visits[child], tree.rave_totals[child] = 0, 0
        tree.virtual_visits[child], tree.virtual_totals[child] = 0.0, 0.0
        if guessed:
            weight = tree.parameters.heuristic
            tree.virtual_visits[child] = weight * scratch.virtual[i, 0]
            tree.virtual_totals[child] = weight * scratch.virtual[i, 1]
            tree.rave_visits[child] = np.int64(np.rint(weight * scratch.virtual[i, 0]))
            tree.rave_totals[child] = np.int64(np.rint(weight * scratch.virtual[i, 1] * UNIT))
        tree.priors[child] = merits[i]
        tree.low[child], tree.high[child] = 0.0, 1.0
    tree.counts[node], tree.seats[node] = count, seat
    atomic_swap(tree.first, node, block)
    return True


# ---------------------------------------------------------------- selection


@compiled
def choose_child(node: int, chooser: int, loan: Any) -> int:
    """Return the child of a node to be visited next; ``chooser``: the seat that chose the node."""
    tree = borrowed(loan)
    parameters, switches = tree.parameters, tree.control[SWITCHES]
    block, count, seat = tree.first[node], tree.counts[node], tree.seats[node]
    visits = np.float64(max(tree.visits[node], 1))
    own = tree.totals[node] / (visits * UNIT)
    first_play = (own if (chooser == 1) == (seat == 1) else 1.0 - own) - parameters.reduction
    tried = count
    if switches & WIDENING:
        tried = np.int64(parameters.widening * visits**parameters.widening_power) + 1
    root, logarithm = sqrt(visits), log(visits)
    best, most = LEAF, -np.inf
    for child in range(block, block + count):
        if child - block >= tried and best != LEAF:
            break
        if tree.counts[child] == FORBIDDEN_MOVE:
            continue
        low, high = np.float64(tree.low[child]), np.float64(tree.high[child])
        # a child that cannot improve on the value that is already proved is not visited
        if switches & SOLVER and (low >= tree.high[node] if seat == 1 else high <= tree.low[node]):
            continue
        times = np.float64(tree.visits[child])
        value = first_play if switches & PUCT else parameters.first_play
        known, total = times, tree.totals[child] / UNIT
        if switches & HEURISTIC:
            known += tree.virtual_visits[child]
            total += tree.virtual_totals[child]
        if known > 0:
            value = total / known
        if switches & RAVE:
            seen = np.float64(tree.rave_visits[child])
            if seen > 0:
                # the least mean squared error, if the mean of later moves has a constant bias
                weight = seen / (seen + known + seen * known / parameters.equivalence)
                value = (1.0 - weight) * value + weight * tree.rave_totals[child] / (seen * UNIT)
        if switches & SOLVER and times > 0:
            value = min(max(value, 1.0 - high), 1.0 - low) if seat == 1 else min(max(value, low), high)
        if switches & PUCT:
            value += parameters.exploration * tree.priors[child] * root / (1.0 + times)
        else:
            value += parameters.exploration * sqrt(logarithm / (1.0 + times))
        if value > most:
            best, most = child, value
    # another thread may have proved all children meanwhile
    return best if best != LEAF else block


@compiled
def roll(node: int, loan: Any, numbers: Any) -> int:
    """Return a child of a chance node at random, by its odds."""
    tree = borrowed(loan)
    left = np.float64(random_word(numbers)) / 2.0**32
    last = tree.first[node] + tree.counts[node] - 1
    for child in range(tree.first[node], last):
        left -= tree.priors[child]
        if left < 0:
            return child
    return last


# ---------------------------------------------------------------- backup


@compiled
def tighten(node: int, loan: Any) -> bool:
    """Compute the bounds of a node from those of its children; return whether they changed."""
    tree = borrowed(loan)
    low, high, seat, block = tree.low, tree.high, tree.seats[node], tree.first[node]
    below, above = low[block], high[block]
    least, most = np.float64(below), np.float64(above)
    mean_low, mean_high = 0.0, 0.0
    for child in range(block, block + tree.counts[node]):
        least, most = min(least, low[child]), max(most, high[child])
        mean_low += tree.priors[child] * low[child]
        mean_high += tree.priors[child] * high[child]
        if seat == 1:
            below, above = min(below, low[child]), min(above, high[child])
        else:
            below, above = max(below, low[child]), max(above, high[child])
    if seat == CHANCE:
        # probabilities are rounded
        below, above = np.float32(max(mean_low - _ROUNDING, least)), np.float32(min(mean_high + _ROUNDING, most))
        if above - below < 4 * _ROUNDING and low[node] != high[node]:
            low[node] = high[node] = below
            return True
    if below <= low[node] and above >= high[node]:
        return False
    low[node], high[node] = max(low[node], below), min(high[node], above)
    return True


@compiled
def learn(value: float, depth: int, plies: int, loan: Any, lent_scratch: Any) -> None:
    """RAVE: credit the playout to all moves that its seats played now or later, the first to play each."""
    tree, scratch = borrowed(loan), borrowed(lent_scratch)
    owners, path, movers = scratch.owners, scratch.path, scratch.movers
    scratch.numbers[1] += np.uint64(1)
    stamp = np.int64(scratch.numbers[1]) << 2
    for ply in range(min(plies, PLAYED) - 1, -1, -1):
        owners[scratch.played[ply]] = stamp + scratch.players[ply] + 1
    for ply in range(depth - 1, -1, -1):
        seat = np.int64(movers[ply])
        node, own = path[ply], stamp + seat + 1
        owners[tree.slots[path[ply + 1]]] = own
        if seat < 0:
            continue
        units = np.int64(np.rint((1.0 - value if seat == 1 else value) * UNIT))
        block = tree.first[node]
        for child in range(block, block + tree.counts[node]):
            if owners[tree.slots[child]] == own:
                tree.rave_visits[child] += 1
                tree.rave_totals[child] += units


@compiled
def back_up(value: float, depth: int, proved: bool, loan: Any, lent_scratch: Any) -> None:
    """Add a value for seat 0 to the nodes of a line; ``proved``: the bounds of its last node changed."""
    tree, scratch = borrowed(loan), borrowed(lent_scratch)
    path, movers = scratch.path, scratch.movers
    units = np.int64(np.rint(value * UNIT))
    for ply in range(depth, 0, -1):
        atomic_add(tree.totals, path[ply], UNIT - units if movers[ply - 1] == 1 else units)
    atomic_add(tree.totals, ROOT, units)
    ply = depth - 1
    while proved and ply >= 0:
        proved = tighten(path[ply], loan)
        ply -= 1


# ---------------------------------------------------------------- the search


@inlined
def recurs(marks: Any, quiet: int, inside: int) -> bool:
    """Return whether the newest position occurred before, not earlier than position ``inside`` of the row."""
    found = False
    for place in range(inside, quiet):
        found |= marks[place] == marks[quiet]
    return found


@compiled
def repeats(depth: int, loan: Any, lent_scratch: Any) -> bool:
    """Return whether the newest position of a line repeats an earlier one of the game or the line. False if the last
    move did not change the repetition key, as a pass does.
    """
    tree, scratch = borrowed(loan), borrowed(lent_scratch)
    keys, past = scratch.keys, tree.past
    newest = keys[depth]
    if keys[depth - 1] == newest:
        return False
    found = False
    for place in range(tree.control[PAST]):
        found |= past[place] == newest
    for place in range(depth):
        found |= keys[place] == newest
    return found


@compiled
def forbid(node: int, child: int, loan: Any) -> bool:
    """Forbid a child of a node permanently: the path to a node never changes, so neither do the positions that it
    repeats. Return whether another one may still be played; without any the game is drawn.
    """
    tree = borrowed(loan)
    tree.counts[child] = FORBIDDEN_MOVE
    tree.low[child] = tree.high[child] = 1.0 if tree.seats[node] == 1 else 0.0
    left = False
    for other in range(tree.first[node], tree.first[node] + tree.counts[node]):
        left |= tree.counts[other] != FORBIDDEN_MOVE
    return left


@compiled
def simulate(state: State, loan: Any, lent_scratch: Any) -> None:
    """One playout: go down the tree, expand a leaf, play it out, and add the value to all nodes of the line."""
    tree, scratch = borrowed(loan), borrowed(lent_scratch)
    control, first = tree.control, tree.first
    solves = control[SWITCHES] & SOLVER
    limit = control[REPETITION]
    quiet, inside = control[QUIET], control[QUIET]
    node, depth, plies, chooser = np.int64(ROOT), np.int64(0), np.int64(0), np.int64(0)
    value, proved, grown = 0.5, False, False
    last = np.int64(-1)
    scratch.path[0] = ROOT
    if control[FORBIDS]:
        scratch.keys[0] = np.uint64(repetition_key(state))
    # the last playout wrote over the marks of the game if it had an irreversible move
    for place in range(quiet + 1 if limit != NEVER else 0):
        scratch.marks[place] = tree.history[place]
    atomic_add(tree.visits, ROOT, 1)
    while True:
        if solves and tree.low[node] == tree.high[node]:
            value = np.float64(tree.low[node])
            break
        if first[node] < 0:
            over, payoff, _ = outcome(state)
            if over:
                value = value_of(payoff, tree.stakes)
                proved = True
                break
            ripe = node == ROOT or (tree.visits[node] >= tree.parameters.expansion and depth < PATH - 1)
            if grown or not ripe or not expand(state, last, node, loan, lent_scratch):
                value, plies = playout(state, last, quiet, loan, lent_scratch)
                break
            grown = True
        seat = np.int64(tree.seats[node])
        child = roll(node, loan, scratch.numbers) if seat == CHANCE else choose_child(node, chooser, loan)
        atomic_add(tree.visits, child, 1)
        move = tree.moves[child]
        following = step(state, move)
        if control[FORBIDS]:
            scratch.keys[depth + 1] = np.uint64(repetition_key(following))
            if repeats(depth + 1, loan, lent_scratch):
                atomic_add(tree.visits, child, -1)
                if forbid(node, child, loan):
                    continue
                value, proved = 0.5, True
                break
        quiet, repeated = noted(state, move, following, quiet, limit, scratch.marks)
        state = following
        scratch.movers[depth] = seat
        depth += 1
        scratch.path[depth] = child
        node, chooser, last = np.int64(child), seat, np.int64(move)
        if quiet == 0:
            inside = np.int64(0)
        if repeated >= limit or quiet >= control[NO_PROGRESS]:
            over, payoff, _ = outcome(state)
            value = value_of(payoff, tree.stakes) if over else 0.5
            proved = True
            break
        # a side that repeats once can repeat again
        if repeated > 1 and recurs(scratch.marks, quiet, inside):
            break
        if limit != NEVER and quiet >= len(scratch.marks) - 1:
            break
    if proved and solves:
        tree.low[node] = tree.high[node] = value
    back_up(value, depth, proved and solves, loan, lent_scratch)
    if control[SWITCHES] & RAVE:
        learn(value, depth, plies, loan, lent_scratch)
    atomic_add(control, NODES, depth + plies + 1)
    if depth > control[DEPTH]:
        control[DEPTH] = depth


@compiled
def grow(state: State, most: int, tree: Tree, scratch: Scratch) -> int:
    """Run playouts from the root until a limit, a stop or ``most``; return their number.

    The first playout of a search ignores the limits.
    """
    tree, scratch = borrowed(tree), borrowed(scratch)
    control = tree.control
    loan, lent_scratch = lent(tree), lent(scratch)
    done = 0
    while done < most and tree.low[ROOT] != tree.high[ROOT]:
        if control[STARTED] > 0 and (control[STOP] or control[NODES] >= control[LIMIT]):
            break
        if atomic_add(control, STARTED, 1) >= control[PLAYOUTS]:
            atomic_add(control, STARTED, -1)
            break
        simulate(state, loan, lent_scratch)
        done += 1
    return done


@compiled
def locate(state: State, wanted: np.uint64, seat: int, node: int, plies: int, tree: Tree) -> Any:
    """Return the visited node of a position this many plies below a node, and its chooser; LEAF: there is no such node.

    ``wanted``: the position's key; ``seat``: the seat to move there.
    """
    tree = borrowed(tree)
    nothing = np.int64(LEAF), np.int64(0)
    if tree.first[node] < 0:
        return nothing
    for child in range(tree.first[node], tree.first[node] + tree.counts[node]):
        if tree.visits[child] == 0:
            continue
        following = step(state, tree.moves[child])
        if plies > 1:
            found = locate(following, wanted, seat, child, plies - 1, tree)
            if found[0] != LEAF:
                return found
        elif np.uint64(key(following)) == wanted and to_move(following) == seat:
            return np.int64(child), np.int64(tree.seats[node])
    return nothing
