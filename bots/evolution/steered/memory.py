# SPDX-License-Identifier: GPL-3.0-or-later
"""What a steered search remembers of itself: the tree of its lines.

A refutation table (S. Akl and M. Newborn, "The principal continuation and the killer heuristic", 1977) keeps what
answered each move at the root; this one goes on for as many plies as there is room, and keeps what lines were worth.
A line that comes again, as when a window was too narrow, is not searched again for what is known of it. When the game
goes on along a line its branch becomes the tree. It is no hash table: a position is found only by the line that led to
it before, so what other orders of the same moves found helps nobody.
"""

from typing import Any

import numpy as np

from bots.evolution.steered.desk import (
    BEST,
    FIRST_BRANCH,
    GROWN,
    LEAST,
    LEAST_DEPTH,
    MADE,
    MOST,
    MOST_DEPTH,
    NEXT_BRANCH,
    NO_MOVE,
    NOWHERE,
    UNSEARCHED,
    WIN,
    Desk,
)
from bots.evolution.steered.pruning import BEYOND
from engine.buffers import borrowed
from engine.game import State, key, step
from engine.kernel import compiled, inlined

PARTS = 1_000
"""Depths are kept in thousandths."""


@inlined
def blank(row: Any, move: Any, after: Any, tree: Any) -> None:
    """Write a row of which nothing is known but how it is reached."""
    tree[row, FIRST_BRANCH] = NOWHERE
    tree[row, NEXT_BRANCH] = after
    tree[row, MADE] = move
    tree[row, BEST] = NO_MOVE
    tree[row, LEAST_DEPTH] = UNSEARCHED
    tree[row, MOST_DEPTH] = UNSEARCHED


@compiled
def branch_of(place: int, move: int, loan: Desk) -> Any:
    """Return the row where a move from a row leads, a new one if need be; NOWHERE where there is no room for it."""
    desk = borrowed(loan)
    tree = desk.tree
    if place == NOWHERE:
        return place
    row = found(place, move, tree)
    if row != NOWHERE:
        return row
    row = desk.control[GROWN]
    if row >= len(tree):
        return np.int64(NOWHERE)
    blank(row, move, tree[place, FIRST_BRANCH], tree)
    tree[place, FIRST_BRANCH] = row
    desk.control[GROWN] = row + 1
    return row


@inlined
def found(place: Any, move: Any, tree: Any) -> Any:
    """Return the row where a move from a row leads, NOWHERE where there is none."""
    row = tree[place, FIRST_BRANCH]
    while row != NOWHERE and tree[row, MADE] != move:
        row = tree[row, NEXT_BRANCH]
    return row


@inlined
def known_worth(place: Any, depth: float, alpha: Any, beta: Any, desk: Desk) -> Any:
    """Return a bound that an earlier search at least so deep found outside the window, BEYOND where there is none."""
    tree, deep = desk.tree, np.int64(depth * PARTS)
    if tree[place, LEAST_DEPTH] >= deep and tree[place, LEAST] >= beta:
        return tree[place, LEAST]
    if tree[place, MOST_DEPTH] >= deep and tree[place, MOST] <= alpha:
        return tree[place, MOST]
    return np.int64(BEYOND)


@inlined
def keep_worth(place: Any, depth: float, value: Any, alpha: Any, beta: Any, desk: Desk) -> None:
    """Keep what a search of such a window found; not near mate, whose value counts plies from the root."""
    tree, deep = desk.tree, np.int64(depth * PARTS)
    if abs(value) >= desk.control[WIN] // 2:
        return
    if value > alpha:
        tree[place, LEAST] = value
        tree[place, LEAST_DEPTH] = deep
    if value < beta:
        tree[place, MOST] = value
        tree[place, MOST_DEPTH] = deep


@compiled
def taken_up(before: State, move: int, sought: int, grown: int, tree: Any) -> Any:
    """Go on with a tree of so many rows, which grew from ``before``, where a game has gone on: after a move, or one of
    the other side too, at the position of a key. Return how many rows are left; 0 where the tree did not come so far.
    """
    row = found(0, move, tree)
    if row == NOWHERE:
        return np.int64(0)
    after = step(before, move)
    if np.int64(key(after)) != sought:
        row = tree[row, FIRST_BRANCH]
        while row != NOWHERE and (tree[row, MADE] == NO_MOVE or np.int64(key(step(after, tree[row, MADE]))) != sought):
            row = tree[row, NEXT_BRANCH]
    return np.int64(0) if row == NOWHERE else replanted(row, grown, tree)


@inlined
def replanted(root: Any, grown: int, tree: Any) -> Any:
    """Make a row the first one, with all that grows from it, in the order that it was; return how many rows that are.

    Rows are younger than those that they grow from, so none is written over before it was moved.
    """
    places = np.full(grown, NOWHERE, np.int64)
    places[root] = 0
    count = np.int64(0)
    for row in range(root, grown):
        if places[row] == NOWHERE:
            continue
        places[row] = count
        count += 1
        branch = tree[row, FIRST_BRANCH]
        while branch != NOWHERE:
            places[branch] = 0
            branch = tree[branch, NEXT_BRANCH]
    for row in range(root, grown):
        place = places[row]
        if place == NOWHERE:
            continue
        tree[place] = tree[row]
        for column in (FIRST_BRANCH, NEXT_BRANCH):
            if tree[place, column] != NOWHERE:
                tree[place, column] = places[tree[place, column]]
    tree[0, NEXT_BRANCH] = NOWHERE
    return count
