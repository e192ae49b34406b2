# SPDX-License-Identifier: GPL-3.0-or-later
"""What the compiled searches read and write: one set of arrays that a Searcher owns."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.evaluation import Evaluation
from engine.game import AIMS, SKELETONS, SLOTS, Game
from engine.search.foresight import Foresight, nothing
from engine.search.margins import MARGINS, Margins

PLIES = 128
"""How far a line can go, quiescence search included."""

MAX_DEPTH = 100
"""The greatest depth a search accepts; leaves quiescence search some plies."""

UNLIMITED = 2**62
"""Stands for no limit."""

HISTORY = 1024
"""How many positions of the game so far a search remembers."""

NODES, LIMIT, STOP, ABORTED, SWITCHES, WIN, SOONER, ROOT_MOVES, HORIZON, AGE, TERMS, BOUND = range(12)
"""Cells of ``control``.

NODES: positions visited; LIMIT: no more than these; STOP: set by another thread; ABORTED: set when the search gave up,
its value being meaningless then; ROOT_MOVES: how many moves the driver wrote into row 0 of ``moves``; HORIZON: set when
a position was scored by its features, so that a deeper search may see more; AGE: how many searches there were;
TERMS: the evaluation's set of terms; BOUND: what no value exceeds, in the units of the search of games with dice."""

MAN, QUIET, ROOT_ROW, ROOT_DEPTH = range(12, 16)
"""Cells that the frame of play reads.

MAN: what a man is worth, the unit of its margins; QUIET: so many reversible plies in a row are a draw; ROOT_ROW: the
root's row of ``path``; ROOT_DEPTH: the depth of this iteration."""

FORESEEN, SALT, DRAW = range(16, 19)
"""Cells of searches with foresight.

FORESEEN: the seat whose moves are foreseen, -1 for none; SALT: what keys in the table differ by from a search without
foresight, so that neither takes the other's values for its own; DRAW: what a draw by the positions that stood before is
worth to seat 0."""

CELLS = 19

KEY, SINCE, FIRST_KILLER, SECOND_KILLER = range(4)
"""Columns of ``path``. SINCE: the earliest row that the position of this row can repeat; killers: the history slots of
the moves that last refuted a position in this row, -1 when there are none."""

SLOT, AIM, SCORE, PRESSED, CUT, EXCLUDED, TOOK = range(4, 11)
"""Columns of ``path`` that the frame of play reads and writes.

SLOT, AIM: of the move that led here, -1 and 0 after a pass; SCORE: what features say, seen by seat 0; PRESSED: whether
the seat to move is threatened; CUT: whether a cut is expected here; EXCLUDED: a move that is not to be tried, -1 for
none; TOOK: whether the move that led here won something. Its killers are moves."""

COLUMNS = 11


SCORES = 1 << 15
"""Scores of features that are kept, in a cache near the processor."""


class Memory(NamedTuple):
    """The arrays of one search. Keys of positions are 64 bits without a sign, kept here as if they had one."""

    control: NDArray[np.int64]
    """The cells named above."""
    weights: NDArray[np.int64]
    """The evaluation's weights, as its terms have them."""
    moves: NDArray[np.int64]
    """(ply, width): the legal moves at each ply of the line; the root's in the order that the driver gave them."""
    order: NDArray[np.int64]
    """(ply, width): how soon each is tried; see engine.search.ordering."""
    slots: NDArray[np.int64]
    """(ply, width): the history slot of each; in games with dice, where it stood before it was put into order."""
    line: NDArray[np.int64]
    """(ply, ply): row p holds the best line found from ply p on, from column p, ended by -1."""
    bounds: NDArray[np.int64]
    """(ply, 2, width): what each roll is worth at least, and at most; see engine.search.expectiminimax."""
    path: NDArray[np.int64]
    """(history + ply, column): the positions of the line, after those of the game so far."""
    history: NDArray[np.int64]
    """(2 seats, SLOTS): how well a move did."""
    table: NDArray[np.int64]
    """(2 ** bits, 4): see engine.search.transposition; (2 ** bits, 2) in the frame of play."""
    replies: NDArray[np.int64]
    """(2 seats, SLOTS): the move that last refuted each move."""
    followups: NDArray[np.int16]
    """(2, AIMS, AIMS): how well a move did after the last move, and after the one before that."""
    corrections: NDArray[np.int64]
    """(2 seats, SKELETONS): by how much scores were off; see engine.search.play.corrections."""
    margins: Margins
    """What the frame of play dares."""
    beliefs: NDArray[np.int64]
    """(ply, width): the belief in each move of who is foreseen, in thousandths."""
    foresight: Foresight
    """How that player plays."""
    scores: NDArray[np.int64]
    """(SCORES,): the upper half of a position's key, and what features say of it."""


def new_memory(game: Game, evaluation: Evaluation, table: NDArray[np.int64], margins: Margins = MARGINS) -> Memory:
    """Return the arrays for searching a game with an evaluation."""
    control = np.zeros(CELLS, np.int64)
    control[WIN] = evaluation.win
    control[SOONER] = evaluation.sooner
    control[MAN] = evaluation.man or abs(evaluation.weights[0]) or 1
    control[QUIET] = game.draws.quiet_plies or UNLIMITED
    control[TERMS] = evaluation.terms.number
    control[FORESEEN] = -1
    return Memory(
        control=control,
        weights=evaluation.words(),
        moves=np.zeros((PLIES, game.width), np.int64),
        order=np.zeros((PLIES, game.width), np.int64),
        slots=np.zeros((PLIES, game.width), np.int64),
        line=np.full((PLIES, PLIES), -1, np.int64),
        path=np.zeros((HISTORY + PLIES, COLUMNS), np.int64),
        bounds=np.zeros((PLIES, 2, game.width), np.int64),
        history=np.zeros((2, SLOTS), np.int64),
        table=table,
        replies=np.zeros((2, SLOTS), np.int64),
        followups=np.zeros((2, AIMS, AIMS), np.int16),
        corrections=np.zeros((2, SKELETONS), np.int64),
        margins=margins,
        beliefs=np.zeros((PLIES, game.width), np.int64),
        foresight=nothing(),
        scores=np.zeros(SCORES, np.int64),
    )
