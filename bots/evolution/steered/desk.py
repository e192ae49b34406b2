# SPDX-License-Identifier: GPL-3.0-or-later
"""What a steered search works on: one set of arrays for each player."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.evolution.steered.steering import (
    CONTINUATION_HISTORY_WEIGHT,
    SECOND_CONTINUATION_HISTORY_WEIGHT,
    Steering,
)
from engine.evaluation import Words
from engine.game import AIMS, SLOTS, Game, threatened
from engine.kernel import implemented
from engine.search.programs.code import ROW, SHARED, STACK, Code, Numbers, compiled_from

PLIES = 96
"""How far a line can go, quiescence search included."""
HISTORY = 1024
"""How many positions of the game so far a search remembers."""

NODES, LIMIT, ABORTED, CHOSEN, FIRST, ROOT_DEPTH, ROOT_ROW = range(7)
"""Cells of ``control``: positions visited, and how many may be; whether the search gave up; the best move so far; the
move that is tried first at the root; the depth of the iteration; the root's row of ``path``."""
TERMS, WIN, MAN, WINDOWS, VERIFIES, PASSES, STANDS = range(7, 14)
"""The evaluation's terms, what a won game and a man are worth; the frame's switches; whether who is not threatened may
stand on a score in quiescence search, whatever moves there are."""
TRACED, WRITTEN, REACHED = range(14, 17)
"""Plies whose branches are written down; how many were; how far from the root the search has been."""
PRUNES = 17
"""Whether margins prune anything."""
REMEMBERS, CONTINUES, GROWN = range(18, 21)
"""Whether the tree is kept; whether there is continuation history; how many rows of ``tree`` are in use."""
CELLS = 21

KEY, SINCE, SLOT, AIM = range(4)
"""Columns of ``path``: a position's key, the earliest row that it can repeat, the slot of the move that led to it, and
its aim, 0 for none."""

FIRST_BRANCH, NEXT_BRANCH, MADE, BEST, LEAST, LEAST_DEPTH, MOST, MOST_DEPTH = range(8)
"""Columns of ``tree``: the rows of a position's first branch and of the next one of the position before it, NOWHERE for
none; the move that led here, NO_MOVE for passing; the best move, NO_MOVE where nobody knows; what the position is worth
at least, and at most, and how deep it was searched for that, in thousandths, UNSEARCHED where it was not."""
UNSEARCHED = -1
NOWHERE = -1
MEMORY = 1 << 15
"""Positions that are remembered at most."""

PARENT, MOVE, GIVEN, SPENT, REACH = range(5)
"""Columns of ``trace``: the branch's row that it grows from, ROOT for those of the root; its move, NO_MOVE for passing;
the depth that it was given, in thousandths; the nodes that it took; how far from the root it went."""
TRACED_PLIES = 3
"""Of which branches are written down, where they are."""
ROOT, NOT_TRACED = -1, -2

NO_MOVE = -1


class Desk(NamedTuple):
    """The arrays of one player."""

    control: NDArray[np.int64]
    weights: Words
    material: Words
    """The weights of the game's first evaluation, which counts men."""
    parameters: Numbers
    """The values of ``steering.PARAMETERS``."""
    moves: NDArray[np.int64]
    """(ply, width): the legal moves."""
    merits: Numbers
    """(ply, width): how soon each is tried, the largest first."""
    killers: NDArray[np.int64]
    """(ply, 2): the moves that last refuted a position at this ply."""
    history: Numbers
    """(2 seats, SLOTS): how well a move did, from -1 to 1."""
    counter_moves: NDArray[np.int64]
    """(2 seats, SLOTS): the move that last refuted each move."""
    continuation_history: Numbers
    """(2 distances, 2 seats, AIMS, AIMS): how well a move did after the move before, and after the own one before that.
    """
    tree: NDArray[np.int64]
    """(MEMORY, column): the tree of the search, lines that were searched; nothing is looked up by what a position is.
    """
    places: NDArray[np.int64]
    """(ply,): the row of ``tree`` of the position that the line leads to, NOWHERE where it is not remembered."""
    cuts: NDArray[np.int64]
    """(ply,): 1 where a refutation is expected."""
    stands: NDArray[np.int64]
    """(ply,): the scores of the line's positions."""
    lines: NDArray[np.int64]
    """(ply, ply): the best line from each ply on that is being searched, NO_MOVE where it ends."""
    line: NDArray[np.int64]
    """(ply,): the best line of the last iteration."""
    along: NDArray[np.int64]
    """(ply,): 1 where what leads to the ply is that line."""
    path: NDArray[np.int64]
    """(history + ply, column): the positions of the line, after those of the game so far."""
    rows: Numbers
    """(ply, ROW): what the program sees and keeps at each level."""
    shared: Numbers
    """The registers of the search and of the game."""
    stack: Numbers
    code: Code
    trace: NDArray[np.int64]
    """(branch, column): what became of the branches near the root; no row where nobody asks."""
    stems: NDArray[np.int64]
    """(ply,): the row of ``trace`` of the branch that the line takes to a ply, ROOT, or NOT_TRACED."""


def new_desk(game: Game, steering: Steering, traced: int = 0) -> Desk:
    """Return room for the searches of a player, and to write down so many branches of each.

    Raises ValueError for a program that is none.
    """
    evaluation, counting = steering.evaluation, next(iter(game.evaluations.values()))
    control = np.zeros(CELLS, np.int64)
    control[TERMS] = evaluation.terms.number
    control[WIN] = evaluation.win
    control[MAN] = max(1, round(evaluation.points(1)))
    control[WINDOWS] = steering.on("null window")
    control[VERIFIES] = steering.on("full-depth re-search")
    control[PASSES] = steering.on("null move")
    control[STANDS] = implemented(threatened, game.state)
    control[PRUNES] = steering.prunes
    remembers = control[REMEMBERS] = steering.on("search tree memory")
    weights = (CONTINUATION_HISTORY_WEIGHT, SECOND_CONTINUATION_HISTORY_WEIGHT)
    control[CONTINUES] = any(steering.parameters[number] for number in weights)
    control[TRACED] = TRACED_PLIES if traced else 0
    men = counting.words().astype(np.float64) / counting.points(1)
    return Desk(
        control=control,
        weights=evaluation.words(),
        material=np.rint(men * MEN).astype(np.int64),
        parameters=np.array(steering.parameters, np.float64),
        moves=np.zeros((PLIES, game.width), np.int64),
        merits=np.zeros((PLIES, game.width), np.float64),
        killers=np.full((PLIES, 2), NO_MOVE, np.int64),
        history=np.zeros((2, SLOTS), np.float64),
        counter_moves=np.full((2, SLOTS), NO_MOVE, np.int64),
        continuation_history=np.zeros((2, 2, AIMS, AIMS) if control[CONTINUES] else (2, 2, 1, 1), np.float64),
        tree=np.zeros((MEMORY if remembers else 1, MOST_DEPTH + 1), np.int64),
        places=np.full(PLIES, NOWHERE, np.int64),
        cuts=np.zeros(PLIES, np.int64),
        stands=np.zeros(PLIES, np.int64),
        lines=np.full((PLIES, PLIES), NO_MOVE, np.int64),
        line=np.full(PLIES, NO_MOVE, np.int64),
        along=np.zeros(PLIES, np.int64),
        path=np.zeros((HISTORY + PLIES, 4), np.int64),
        rows=np.zeros((PLIES, ROW), np.float64),
        shared=np.zeros(SHARED, np.float64),
        stack=np.zeros(STACK, np.float64),
        code=compiled_from(steering.program),
        trace=np.zeros((traced, 5), np.int64),
        stems=np.full(PLIES, ROOT, np.int64),
    )


MEN = 1000
"""``material`` counts in thousandths of a man."""
