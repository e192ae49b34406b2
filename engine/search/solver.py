# SPDX-License-Identifier: GPL-3.0-or-later
"""Solver: proves the value of a position with best play to the end, in games whose number of plies is bounded.

Null-window alpha-beta with a table of bounds narrows the value down, nearest to a draw first, as P. Pons describes for
Connect Four ("Solving Connect Four", 2015). A game takes part by the kernels ``plies_left`` and ``value_bounds``; with
``prospects`` it leaves out moves and orders them, with ``symmetric_key`` mirrored positions share an entry.

Values are counted in plies: 0 is a draw, and a win is 1 + the plies that could still follow at the end of the game; a
loss is the negative. So an earlier win is worth more, and the value of a position does not depend on its ply.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game import Game, Moves, State, legal_moves, outcome, step, to_move
from engine.hints.solver import plies_left, prospects, symmetric_key, value_bounds
from engine.kernel import brief, compiled, implemented, inlined
from engine.native.buffers import borrowed, lent
from engine.search.limits import given_up
from engine.search.memory import ABORTED, LIMIT, NODES, PLIES, STOP, UNLIMITED

NO_BOUND = 64
"""Larger than all values."""

_TAG = np.uint64(20)
"""Lower bits of a word: both bounds + NO_BOUND, of 7 bits each, and the plies left. The others are of the key."""
_SEVEN, _FOURTEEN = np.uint64(7), np.uint64(14)
_BOUND, _PLIES = np.uint64(127), np.uint64(63)
_ONE = np.uint64(1)
_EMPTY = np.uint64(0)

SPARE = 500_000
"""The search for the principal variation visits at most this many positions more than a quarter of those before."""


class Proof(NamedTuple):
    """The arrays of a solver."""

    control: NDArray[np.int64]
    """``Memory.control`` of the search."""
    moves: Moves
    """(ply, width)"""
    table: NDArray[np.uint64]
    """Pairs of entries: the first keeps the position with more plies left, the second is always replaced."""


@inlined
def _row(key: Any, table: Any) -> Any:
    """Return the first of the two rows of a position: from the bits that are not in the words."""
    return np.int64((key & np.uint64((len(table) >> 1) - 1)) << _ONE)


@inlined
def _recall(key: Any, table: Any) -> tuple[int, int]:
    """Return the bounds of a position in the table."""
    row = _row(key, table)
    word = table[row]
    if word == _EMPTY or word >> _TAG != key >> _TAG:
        word = table[row + 1]
        if word == _EMPTY or word >> _TAG != key >> _TAG:
            return -NO_BOUND, NO_BOUND
    return np.int64(word & _BOUND) - NO_BOUND, np.int64(word >> _SEVEN & _BOUND) - NO_BOUND  # type: ignore[return-value]  # an int64, compiled


@inlined
def _keep(key: Any, left: int, low: int, high: int, table: Any) -> None:
    """Store the bounds of a position."""
    row = _row(key, table)
    word = table[row]
    if word >> _TAG != key >> _TAG and np.uint64(left) < word >> _FOURTEEN & _PLIES:
        row += 1
    bounds = np.uint64(low + NO_BOUND) | np.uint64(high + NO_BOUND) << _SEVEN
    table[row] = key >> _TAG << _TAG | np.uint64(left) << _FOURTEEN | bounds


@compiled
def prove(state: State, alpha: int, beta: int, ply: int, loan: Proof) -> int:
    """Return v for the seat to move of a game that is not over, fail-soft: v <= alpha is an upper bound of the value,
    v >= beta a lower bound, any other v the value. ``loan``: what ``engine.native.buffers.lent`` returns.
    """
    proof = borrowed(loan)
    if given_up(proof.control, 1):
        return 0
    low, high = value_bounds(state)
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    key = np.uint64(symmetric_key(state))
    lower, upper = _recall(key, proof.table)
    low, high = max(low, lower), min(high, upper)
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    alpha, beta = max(alpha, low), min(beta, high)
    row = proof.moves[ply]
    best: Any = np.int64(low)
    for index in range(prospects(state, row)):
        value: Any = -prove(step(state, row[index]), -beta, -max(alpha, best), ply + 1, loan)
        if proof.control[ABORTED]:
            return 0
        if value > best:
            best = value
            if value >= beta:
                break
    if best <= alpha:
        high = best
    elif best >= beta:
        low = best
    else:
        low = high = best
    _keep(key, plies_left(state), low, high, proof.table)
    return best


@compiled
def _best(state: State, moves: Moves, alpha: int, beta: int, proof: Proof) -> tuple[int, int]:
    """Return the value of the best of some moves, fail-soft, and its index; the first of those that reach beta."""
    loan = lent(borrowed(proof))
    seat = to_move(state)
    best: Any = np.int64(-NO_BOUND)
    found: Any = np.int64(0)
    for index in range(len(moves)):
        child = step(state, moves[index])
        over, first, second = outcome(child)
        value: Any
        if over:
            value = np.int64(np.rint(second if seat else first)) * (1 + plies_left(child))
        else:
            value = -prove(child, -beta, -max(alpha, best), np.int64(1), loan)
        if proof.control[ABORTED]:
            break
        if value > best:
            best, found = value, np.int64(index)
            if value >= beta:
                break
    return best, found


@brief
def _plies_left(state):  # type: ignore[no-untyped-def]  # numba infers the types
    over, _, _ = outcome(state)
    return 0 if over else plies_left(state)


@brief
def _survey(state, out):  # type: ignore[no-untyped-def]  # numba infers the types
    low, high = value_bounds(state)
    return low, high, prospects(state, out)


@brief
def _list(state, out):  # type: ignore[no-untyped-def]  # numba infers the types
    return legal_moves(state, out)


@brief
def _symmetric(state):  # type: ignore[no-untyped-def]  # numba infers the types
    return symmetric_key(state)


class Solver:
    """Proves values of positions of one game; the table is kept between proofs. Not thread-safe."""

    def __init__(self, game: Game, control: NDArray[np.int64], bits: int) -> None:
        """The table has 2 ** ``bits`` entries of 8 bytes. ``control``: as in ``engine.search.memory``.

        With 21 bits or more, no two positions are taken for each other; with fewer, very rarely.
        """
        self._game = game
        self.control = control
        table = np.empty(1 << bits, np.uint64)
        table.fill(0)  # with empty, unlike zeros, numpy asks for huge pages, which saves misses at look-ups
        self._proof = Proof(control, np.zeros((PLIES, game.width), np.int64), table)

    def clear(self) -> None:
        """Empty the table."""
        self._proof.table.fill(0)

    def solve(
        self, state: State, moves: Sequence[int], lost: AbstractSet[int] = frozenset()
    ) -> tuple[int, tuple[int, ...]] | None:
        """Return the value of the best of ``moves`` in plies, and the principal variation.

        If a limit ends the search, returns a lower bound and the move of a win that is proven by then; None if no win
        is proven.

        The game is not over, and the state is of the game's own type (``Game.pack``). ``lost``: ``symmetric`` keys of
        positions that are known to be lost for the seat to move. Of equally good moves the first is chosen, unless that
        would take long to find. The variation ends early in that case.
        """
        control = self.control
        low, high, count = _survey(state, self._proof.moves[0])
        promising = [move for move in self._proof.moves[0, :count].tolist() if move in moves]
        order = np.array([*promising, *(move for move in moves if move not in promising)], np.int64)
        if len(moves) < len(self._legal(state)):
            low, high = -NO_BOUND + 1, NO_BOUND - 1
        found, won = 0, False
        if lost and low <= 0 < high:
            known = [index for index, key in enumerate(self._following(state, order)) if key in lost]
            if known:
                low, found, won = 1, known[0], True
        while low < high:
            bar = _bar(low, high)
            value, index = _best(state, order, bar, bar + 1, self._proof)
            if control[ABORTED]:
                return (int(low), (int(order[found]),)) if won else None
            if value > bar:
                low, found, won = value, index, value > 0
            else:
                high = value
        return int(low), self._line(state, moves, int(order[found]), int(low))

    def winning_move(self, state: State, nodes: int = UNLIMITED) -> int | None:
        """Return a move that wins; None if there is none, or if it is not proven within this many positions.

        The game is not over.
        """
        order = self._ordered(state)
        position = self._game.look(state)
        for move in order.tolist():
            if self._game.play(position, move).payoffs[position.to_move] > 0:
                return int(move)
        value, index = self._tested(state, order, 0, nodes)
        return int(order[index]) if value > 0 else None

    def exceeds(self, state: State, bar: int) -> bool:
        """Return whether the value of a state is larger than ``bar``, in plies. The game is not over."""
        return self._tested(state, self._ordered(state), bar, UNLIMITED)[0] > bar

    def _tested(self, state: State, order: Moves, bar: int, nodes: int) -> tuple[int, int]:
        """Return a bound of the value of a state, on its side of ``bar``, and the index of the move that proves it.

        If the node limit ends the search, returns the trivial bound -NO_BOUND.
        """
        control = self.control
        control[[NODES, ABORTED, STOP]] = 0
        control[LIMIT] = nodes
        value, index = _best(state, order, bar, bar + 1, self._proof)
        return (-NO_BOUND, 0) if control[ABORTED] else (int(value), int(index))

    def _following(self, state: State, moves: Moves) -> list[int]:
        """Return the keys of the positions after some moves."""
        position = self._game.look(state)
        return [symmetric(self._game.play(position, move).state) for move in moves.tolist()]

    def _line(self, state: State, moves: Sequence[int], known: int, value: int) -> tuple[int, ...]:
        """Return best moves of both sides, at least one; ``known``: a best move of the state.

        A limit of its own, besides the search's, ends it.
        """
        control = self.control
        limit, nodes = int(control[LIMIT]), int(control[NODES])
        control[LIMIT] = min(limit, nodes + nodes // 4 + SPARE)
        line: list[int] = []
        choice = np.array(moves, np.int64)
        position = self._game.look(state)
        while not position.over:
            _, index = _best(position.state, choice, value - 1, value, self._proof)
            if control[ABORTED] and line:
                break
            line.append(known if control[ABORTED] else int(choice[index]))
            position = self._game.play(position, line[-1])
            if not position.over:
                choice = self._ordered(position.state)
            value = -value
        control[[LIMIT, ABORTED]] = limit, 0
        return tuple(line)

    def _ordered(self, state: State) -> Moves:
        """Return the legal moves, prospects first."""
        _, _, count = _survey(state, self._proof.moves[0])
        promising = self._proof.moves[0, :count].tolist()
        return np.array([*promising, *(move for move in self._legal(state) if move not in promising)], np.int64)

    def _legal(self, state: State) -> list[int]:
        out = np.empty(self._game.width, np.int64)
        return out[: _list(state, out)].tolist()


def _bar(low: int, high: int) -> int:
    """Return the value to test next: first whether the position is won, then whether it is lost, then the middle."""
    if low <= 0 < high:
        return 0
    return -1 if low < high == 0 else (low + high - 1) // 2


def symmetric(state: State) -> int:
    """Return the ``symmetric_key`` of a state, which is of the game's own type."""
    return int(_symmetric(state))


def solvable(game: Game) -> bool:
    """Return whether a game has its own exact search, or the kernels of the solver."""
    return game.exact is not None or has_kernels(game)


def has_kernels(game: Game) -> bool:
    """Return whether a game has the kernels of the solver."""
    return implemented(plies_left, game.state) and implemented(value_bounds, game.state)


def longest(state: State) -> int:
    """Return the largest number of plies until the end of the game, 0 if it is over; of a solvable game."""
    return int(_plies_left(state))
