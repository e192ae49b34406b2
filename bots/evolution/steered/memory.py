# SPDX-License-Identifier: GPL-3.0-or-later
"""What a steered search remembers of itself: the tree of its lines.

A refutation table (S. Akl and M. Newborn, "The principal continuation and the killer heuristic", 1977) keeps what
answered each move at the root; this one goes on for as many plies as there is room. It is no hash table: a position is
found only by the line that led to it before, and nothing that is found ends a search.
"""

from typing import Any

import numpy as np

from bots.evolution.steered.desk import (
    BEST,
    FIRST_BRANCH,
    GROWN,
    MADE,
    NEXT_BRANCH,
    NO_MOVE,
    NOWHERE,
    Desk,
)
from engine.buffers import borrowed
from engine.kernel import compiled, inlined


@inlined
def blank(row: Any, move: Any, after: Any, tree: Any) -> None:
    """Write a row of which nothing is known but how it is reached."""
    tree[row, FIRST_BRANCH] = NOWHERE
    tree[row, NEXT_BRANCH] = after
    tree[row, MADE] = move
    tree[row, BEST] = NO_MOVE


@compiled
def branch_of(place: int, move: int, loan: Desk) -> Any:
    """Return the row where a move from a row leads, a new one if need be; NOWHERE where there is no room for it."""
    desk = borrowed(loan)
    tree = desk.tree
    if place == NOWHERE:
        return place
    row = tree[place, FIRST_BRANCH]
    while row != NOWHERE:
        if tree[row, MADE] == move:
            return row
        row = tree[row, NEXT_BRANCH]
    row = desk.control[GROWN]
    if row >= len(tree):
        return np.int64(NOWHERE)
    blank(row, move, tree[place, FIRST_BRANCH], tree)
    tree[place, FIRST_BRANCH] = row
    desk.control[GROWN] = row + 1
    return row
