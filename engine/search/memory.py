# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays and counters of a search, which a ``Searcher`` owns and compiled code reads and writes."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.evaluation import Evaluation
from engine.game import Game
from engine.hints.alphabeta import AIMS, SLOTS, STRUCTURES
from engine.rules import FORBIDDEN
from engine.search.margins import MARGINS, Margins
from engine.search.opponent import OpponentModel, no_model
from engine.search.programs.memory import ProgramMemory, no_program

PLIES = 128
"""Maximum length of a line, quiescence search included."""

MAX_DEPTH = 100
"""Maximum depth of a search; the rest of PLIES is left to quiescence search."""

UNLIMITED = 2**62
"""Stands for "no limit"."""

HISTORY = 1024
"""Maximum number of earlier positions of the game that a search knows."""

NODES, LIMIT, STOP, ABORTED, SWITCHES, WIN, SOONER, ROOT_MOVES, HORIZON, AGE, TERMS, BOUND = range(12)
"""Cells of ``control``.

NODES: visited positions; LIMIT: maximum of NODES; STOP: set by another thread to end the search; ABORTED: set when the
search ended early, its value is then meaningless; ROOT_MOVES: number of moves that the driver wrote into row 0 of
``moves``; HORIZON: set when a position was scored by its static evaluation, so a deeper search may find more; AGE:
number of searches so far; TERMS: the evaluation's set of terms; BOUND: bound of all values in games with dice."""

MAN, NO_PROGRESS, ROOT_ROW, ROOT_DEPTH = range(12, 16)
"""Cells of the selective search.

MAN: the value of a pawn (in checkers a man), the unit of margins; NO_PROGRESS: number of reversible plies in a row that
make a draw; ROOT_ROW: the root's row of ``path``; ROOT_DEPTH: depth of the current iteration."""

MODELLED, SALT, DRAW = range(16, 19)
"""Cells of searches with an opponent model.

MODELLED: the seat whose moves the model predicts, -1 for none; SALT: added (xor) to the keys of the table, so that
searches with and without a model do not use each other's values; DRAW: value of a draw by repetition to seat 0."""

STANDS = 19
"""Cell of ``engine.search.negascout``: whether a side that is not threatened may stand pat, whatever moves it has."""

LOOKS, TRACED, REACHED = range(20, 23)
"""Cells of searches with a depth program. LOOKS: bits of the context that it reads; TRACED: rows of its trace;
REACHED: the largest ply since the last of them was written."""

FORBIDS = 23
"""Cell of all searches with a path: whether the game forbids repetition (superko)."""

CELLS = 24

KEY, SINCE, FIRST_KILLER, SECOND_KILLER = range(4)
"""Columns of ``path``. SINCE: first row after the last irreversible move; killers: history slots of the two moves that
last caused a cutoff in this row, -1 for none."""

SLOT, AIM, SCORE, PRESSED, CUT, EXCLUDED, TOOK = range(4, 11)
"""Columns of ``path`` of the selective search, whose killers are moves.

SLOT, AIM: history slot and aim of the move that led here, -1 and 0 after a null move; SCORE: static evaluation for
seat 0; PRESSED: whether the seat to move is threatened (in check); CUT: whether a cutoff is expected; EXCLUDED: a move
that is not searched (singular extensions), -1 for none; TOOK: whether the move that led here had a gain."""

REPEATED = 11
"""Column of ``path`` in games that forbid repetition: the repetition key."""

COLUMNS = 12


SCORES = 1 << 15
"""Size of the cache of static evaluations; it fits into a cache near the processor."""


class Memory(NamedTuple):
    """The arrays of one search. Keys of positions are unsigned 64-bit numbers stored as signed ones."""

    control: NDArray[np.int64]
    """The cells named above."""
    weights: NDArray[np.int64]
    """The evaluation's weights, in the format of its terms."""
    moves: NDArray[np.int64]
    """(ply, width): legal moves at each ply of the line; the root's in the order of the driver."""
    order: NDArray[np.int64]
    """(ply, width): ordering key of each move; see ``engine.search.alphabeta``."""
    slots: NDArray[np.int64]
    """(ply, width): history slot of each move; in games with dice, its place before ordering."""
    line: NDArray[np.int64]
    """(ply, ply): triangular table; row p is the best line from ply p on, from column p, ended by -1."""
    bounds: NDArray[np.int64]
    """(ply, 2, width): lower and upper bound of each roll's value; see ``engine.search.expectiminimax``."""
    path: NDArray[np.int64]
    """(history + ply, column): positions of the game so far, then those of the line."""
    history: NDArray[np.int64]
    """(2 seats, SLOTS): history heuristic."""
    table: NDArray[np.int64]
    """(2 ** bits, 4): see ``engine.search.transposition``; (2 ** bits, 2) in the selective search."""
    counter_moves: NDArray[np.int64]
    """(2 seats, SLOTS): the move that last refuted each move."""
    continuation: NDArray[np.int16]
    """(2, AIMS, AIMS): continuation history: success of a move after the previous move, and after the one before it."""
    corrections: NDArray[np.int64]
    """(2 seats, STRUCTURES): correction history: average error of the static evaluation."""
    margins: Margins
    """Search parameters of the selective search."""
    priors: NDArray[np.int64]
    """(ply, width): the opponent model's probability of each move, in thousandths."""
    opponent: OpponentModel
    """Model of the seat MODELLED."""
    program: ProgramMemory
    """The program that sets the depth of branches."""
    scores: NDArray[np.int64]
    """(SCORES,): cache of static evaluations: upper half of a position's key, and its score."""


def new_memory(game: Game, evaluation: Evaluation, table: NDArray[np.int64], margins: Margins = MARGINS) -> Memory:
    """Return empty arrays for searching a game with an evaluation."""
    control = np.zeros(CELLS, np.int64)
    control[WIN] = evaluation.win
    control[SOONER] = evaluation.sooner
    control[MAN] = evaluation.man or abs(evaluation.weights[0]) or 1
    control[NO_PROGRESS] = game.draws.no_progress_plies or UNLIMITED
    control[TERMS] = evaluation.terms.number
    control[MODELLED] = -1
    control[FORBIDS] = game.draws.repetition == FORBIDDEN
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
        counter_moves=np.zeros((2, SLOTS), np.int64),
        continuation=np.zeros((2, AIMS, AIMS), np.int16),
        corrections=np.zeros((2, STRUCTURES), np.int64),
        margins=margins,
        priors=np.zeros((PLIES, game.width), np.int64),
        opponent=no_model(),
        program=no_program(),
        scores=np.zeros(SCORES, np.int64),
    )


def write_history(memory: Memory, keys: Sequence[int]) -> int:
    """Write the repetition keys of the game's earlier positions to the path; return the root's row, which follows."""
    recent = np.array([key % 2**64 for key in keys[-HISTORY:]], np.uint64)
    root = len(recent)
    memory.path[:root, KEY] = recent.view(np.int64)
    memory.path[:root, REPEATED] = memory.path[:root, KEY]
    memory.path[root, SINCE] = 0
    memory.control[ROOT_ROW] = root
    return root
