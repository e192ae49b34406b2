# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixed-depth alpha-beta for games that are played entirely in compiled code, as in breeding.

It is a third loop beside the exact and the selective search because it is the only one that compiled games can call:
numba's cache does not load a function correctly that calls a recursive one, so each depth is a function of its own
here. It keeps no line, path or table: the exact search with the same move ordering takes 2.3 times as long in chess at
3 plies, and 3.2 times in checkers at 5 (medians of 7 over 200 random positions, with the standard weights).

The move chosen is minimax's: the first of the best in the order of immediate gain, then of the rules. Inside the tree
the move that last caused a cutoff at the same depth goes first, which changes no value. Only for games in which the
seats take turns.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.evaluation import Evaluation, Words
from engine.game import Game, State, appraise, ended, legal_moves, outcome, step, to_move
from engine.hints.alphabeta import gain
from engine.kernel import inlined, part
from engine.native.buffers import borrowed

LEAVES = 0
"""The cell of ``Arrays.counts`` that counts positions at depth 0."""

DEEPEST = 6
"""Maximum depth, in plies."""

NO_MOVE = -1
BEYOND = 2**62
"""Larger than any value."""

PLACES = 4095
"""The low bits of a rank: moves of equal gain keep the order of the rules."""
KILLER = 2**40


class Weighing(NamedTuple):
    """An evaluation as compiled code reads it."""

    terms: int
    win: int
    sooner: int
    weights: Words


class Arrays(NamedTuple):
    """The arrays of a search, in rows by remaining depth. Each thread needs its own."""

    moves: NDArray[np.int64]
    """(depth, width): the legal moves."""
    ranks: NDArray[np.int64]
    """(depth, 2 * width): the ordering key of each move, largest first; behind them, room for sorting."""
    killers: NDArray[np.int64]
    """(depth): the move that last caused a cutoff with this remaining depth."""
    counts: NDArray[np.int64]


def weighing_of(evaluation: Evaluation) -> Weighing:
    """Return an evaluation as compiled code reads it."""
    return Weighing(evaluation.terms.number, evaluation.win, evaluation.sooner, evaluation.words())


def new_arrays(game: Game, depth: int) -> Arrays:
    """Return the arrays for searches of a game to a depth."""
    return Arrays(
        moves=np.zeros((depth + 1, game.width), np.int64),
        ranks=np.zeros((depth + 1, 2 * game.width), np.int64),
        killers=np.full(depth + 1, NO_MOVE, np.int64),
        counts=np.zeros(1, np.int64),
    )


@part
def advance(state: State, move: int) -> State:
    """Return the state after a move; a call of ``step`` that is not inlined."""
    return step(state, move)


@part
def ordered(state: Any, depth: int, arrays: Arrays) -> int:
    """List the legal moves and rank them; return their number."""
    arrays = borrowed(arrays)
    moves, ranks, killer = arrays.moves[depth], arrays.ranks[depth], arrays.killers[depth]
    count = legal_moves(state, moves)
    winning = quiet = 0
    behind = len(moves)
    for i in range(count):
        points = KILLER if moves[i] == killer else gain(state, moves[i])
        rank = points * (PLACES + 1) + PLACES - i
        if points <= 0:
            ranks[behind + quiet] = rank
            quiet += 1
            continue
        place = winning
        while place > 0 and ranks[place - 1] < rank:
            ranks[place] = ranks[place - 1]
            place -= 1
        ranks[place] = rank
        winning += 1
    for i in range(quiet):
        ranks[winning + i] = ranks[behind + i]
    return count


@inlined
def move_at(place: int, depth: int, arrays: Arrays) -> int:
    """Return the move at a place in the order."""
    return arrays.moves[depth, PLACES - (arrays.ranks[depth, place] & PLACES)]


@inlined
def worth(payoff: float, depth: int, weighing: Weighing) -> Any:
    """Return the value of a finished game for a seat with this payoff; wins count more the sooner they come."""
    return np.int64(np.rint(payoff * (weighing.win + weighing.sooner * depth)))


@part
def decided(state: State, depth: int, weighing: Weighing) -> Any:
    """Return the value of a finished game for the seat to move."""
    _, first, second = outcome(state)
    return worth(second if to_move(state) else first, depth, weighing)


@inlined
def leaf(state: State, weighing: Weighing) -> Any:
    """Return the static value of a state for the seat to move."""
    over, payoff, value = appraise(state, weighing.terms, weighing.weights)
    return worth(payoff, 0, weighing) if over else value


@part
def frontier(state: State, depth: int, alpha: Any, beta: Any, weighing: Weighing, arrays: Arrays) -> Any:
    """Search one ply, as ``lookahead`` does."""
    weighing, arrays = borrowed(weighing), borrowed(arrays)
    count = 0 if ended(state) else ordered(state, 1, arrays)
    if count == 0:
        return decided(state, 1, weighing)
    best = np.int64(-BEYOND)
    for place in range(count):
        move = move_at(place, 1, arrays)
        value = -leaf(step(state, move), weighing)
        if value > best:
            best = value
            if value >= beta:
                arrays.killers[1] = move
                arrays.counts[LEAVES] += place + 1
                return best
    arrays.counts[LEAVES] += count
    return best


def _deeper(below: Any) -> Any:
    """Return a search one ply deeper than ``below``."""

    @part
    def search(state: State, depth: int, alpha: Any, beta: Any, weighing: Weighing, arrays: Arrays) -> Any:
        weighing, arrays = borrowed(weighing), borrowed(arrays)
        count = 0 if ended(state) else ordered(state, depth, arrays)
        if count == 0:
            return decided(state, depth, weighing)
        best = np.int64(-BEYOND)
        for place in range(count):
            move = move_at(place, depth, arrays)
            value = -below(advance(state, move), depth - 1, -beta, -max(alpha, best), weighing, arrays)
            if value > best:
                best = value
                if value >= beta:
                    arrays.killers[depth] = move
                    break
        return best

    return search


_two = _deeper(frontier)
_three = _deeper(_two)
_four = _deeper(_three)
_five = _deeper(_four)
_six = _deeper(_five)


@part
def lookahead(state: State, depth: int, alpha: Any, beta: Any, weighing: Weighing, arrays: Arrays) -> Any:
    """Search to a depth of at most DEEPEST, fail-soft: return v for the seat to move.

    v <= alpha is an upper bound of the value, v >= beta a lower bound, any other v the value.
    """
    if depth == 0:
        arrays.counts[LEAVES] += 1
        return leaf(state, weighing)
    if depth == 1:
        return frontier(state, depth, alpha, beta, weighing, arrays)
    if depth == 2:
        return _two(state, depth, alpha, beta, weighing, arrays)
    if depth == 3:
        return _three(state, depth, alpha, beta, weighing, arrays)
    if depth == 4:
        return _four(state, depth, alpha, beta, weighing, arrays)
    if depth == 5:
        return _five(state, depth, alpha, beta, weighing, arrays)
    return _six(state, depth, alpha, beta, weighing, arrays)


@part
def choose(state: State, depth: int, weighing: Weighing, arrays: Arrays) -> Any:
    """Return the best move; NO_MOVE if the game is over."""
    weighing, arrays = borrowed(weighing), borrowed(arrays)
    arrays.killers[:] = NO_MOVE
    chosen = np.int64(NO_MOVE)
    best = np.int64(-BEYOND)
    for place in range(0 if ended(state) else ordered(state, depth, arrays)):
        move = move_at(place, depth, arrays)
        value = -lookahead(advance(state, move), depth - 1, np.int64(-BEYOND), -best, weighing, arrays)
        if value > best:
            best = value
            chosen = move
    return chosen
