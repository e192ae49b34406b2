# SPDX-License-Identifier: GPL-3.0-or-later
"""The players that are bred: plain alpha-beta to a fixed depth, compiled for playing whole games in one go.

The move chosen is minimax's: the first of the best in the order of what a move wins at once, and of the rules where
that is equal. Inside the tree the move that last refuted a position at the same depth goes first, which changes no
value. Only for games in which the seats take turns.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.buffers import borrowed
from engine.evaluation import Evaluation, Words
from engine.game import Game, State, appraise, ended, gain, legal_moves, outcome, step, to_move
from engine.kernel import inlined, part

LEAVES = 0
"""The cell of ``Desk.counts`` that counts positions scored by their features, or found to be over, at depth 0."""

DEEPEST = 6
"""Plies that a search can be deep."""

NO_MOVE = -1
BEYOND = 2**62
"""What no value reaches."""

PLACES = 4095
"""The low bits of a rank: moves of equal merit keep the order of the rules."""
KILLER = 2**40


class Mind(NamedTuple):
    """What a player thinks of positions: an evaluation as compiled code reads it."""

    terms: int
    win: int
    sooner: int
    weights: Words


class Desk(NamedTuple):
    """What a search works on: rows by the depth left. One for each thread."""

    moves: NDArray[np.int64]
    """(depth, width): the legal moves."""
    ranks: NDArray[np.int64]
    """(depth, 2 * width): how soon each is tried, the largest first; behind them, room to put them into order."""
    killers: NDArray[np.int64]
    """(depth): the move that last refuted a position with so much depth left."""
    counts: NDArray[np.int64]


def mind_of(evaluation: Evaluation) -> Mind:
    """Return an evaluation as compiled code reads it."""
    return Mind(evaluation.terms.number, evaluation.win, evaluation.sooner, evaluation.words())


def new_desk(game: Game, depth: int) -> Desk:
    """Return room for searches of a game that are so deep."""
    return Desk(
        moves=np.zeros((depth + 1, game.width), np.int64),
        ranks=np.zeros((depth + 1, 2 * game.width), np.int64),
        killers=np.full(depth + 1, NO_MOVE, np.int64),
        counts=np.zeros(1, np.int64),
    )


@part
def advance(state: State, move: int) -> State:
    """Return the state after a move; for where speed does not call for ``step`` being inlined."""
    return step(state, move)


@part
def ordered(state: Any, depth: int, desk: Desk) -> int:
    """List the legal moves and rank them; return how many there are."""
    desk = borrowed(desk)
    moves, ranks, killer = desk.moves[depth], desk.ranks[depth], desk.killers[depth]
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
def move_at(place: int, depth: int, desk: Desk) -> int:
    """Return the move of a place in the order."""
    return desk.moves[depth, PLACES - (desk.ranks[depth, place] & PLACES)]


@inlined
def worth(payoff: float, depth: int, mind: Mind) -> Any:
    """Return what a finished game is worth to a seat with this pay-off: the more, the sooner it is won."""
    return np.int64(np.rint(payoff * (mind.win + mind.sooner * depth)))


@part
def decided(state: State, depth: int, mind: Mind) -> Any:
    """Return what a state that is over is worth to the seat to move."""
    _, first, second = outcome(state)
    return worth(second if to_move(state) else first, depth, mind)


@inlined
def leaf(state: State, mind: Mind) -> Any:
    """Return what a state that is not searched further is worth to the seat to move."""
    over, payoff, value = appraise(state, mind.terms, mind.weights)
    return worth(payoff, 0, mind) if over else value


@part
def frontier(state: State, depth: int, alpha: Any, beta: Any, mind: Mind, desk: Desk) -> Any:
    """Return what ``lookahead`` does for a depth of 1; no move is passed over for ``alpha``."""
    mind, desk = borrowed(mind), borrowed(desk)
    count = 0 if ended(state) else ordered(state, 1, desk)
    if count == 0:
        return decided(state, 1, mind)
    best = np.int64(-BEYOND)
    for place in range(count):
        move = move_at(place, 1, desk)
        value = -leaf(step(state, move), mind)
        if value > best:
            best = value
            if value >= beta:
                desk.killers[1] = move
                desk.counts[LEAVES] += place + 1
                return best
    desk.counts[LEAVES] += count
    return best


def _deeper(below: Any) -> Any:
    """Return a search one ply deeper than ``below``.

    A chain of functions, not one that calls itself: numba loads no function from its cache correctly that has called a
    recursive one.
    """

    @part
    def search(state: State, depth: int, alpha: Any, beta: Any, mind: Mind, desk: Desk) -> Any:
        mind, desk = borrowed(mind), borrowed(desk)
        count = 0 if ended(state) else ordered(state, depth, desk)
        if count == 0:
            return decided(state, depth, mind)
        best = np.int64(-BEYOND)
        for place in range(count):
            move = move_at(place, depth, desk)
            value = -below(advance(state, move), depth - 1, -beta, -max(alpha, best), mind, desk)
            if value > best:
                best = value
                if value >= beta:
                    desk.killers[depth] = move
                    break
        return best

    return search


_two = _deeper(frontier)
_three = _deeper(_two)
_four = _deeper(_three)
_five = _deeper(_four)
_six = _deeper(_five)


@part
def lookahead(state: State, depth: int, alpha: Any, beta: Any, mind: Mind, desk: Desk) -> Any:
    """Return v, for the seat to move.

    v <= alpha is an upper bound of the value, v >= beta a lower one, else v is it. ``depth`` is at most DEEPEST.
    """
    if depth == 0:
        desk.counts[LEAVES] += 1
        return leaf(state, mind)
    if depth == 1:
        return frontier(state, depth, alpha, beta, mind, desk)
    if depth == 2:
        return _two(state, depth, alpha, beta, mind, desk)
    if depth == 3:
        return _three(state, depth, alpha, beta, mind, desk)
    if depth == 4:
        return _four(state, depth, alpha, beta, mind, desk)
    if depth == 5:
        return _five(state, depth, alpha, beta, mind, desk)
    return _six(state, depth, alpha, beta, mind, desk)


@part
def choose(state: State, depth: int, mind: Mind, desk: Desk) -> Any:
    """Return the move that a search finds; NO_MOVE where the game is over."""
    mind, desk = borrowed(mind), borrowed(desk)
    desk.killers[:] = NO_MOVE
    chosen = np.int64(NO_MOVE)
    best = np.int64(-BEYOND)
    for place in range(0 if ended(state) else ordered(state, depth, desk)):
        move = move_at(place, depth, desk)
        value = -lookahead(advance(state, move), depth - 1, np.int64(-BEYOND), -best, mind, desk)
        if value > best:
            best = value
            chosen = move
    return chosen
