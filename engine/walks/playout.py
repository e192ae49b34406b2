# SPDX-License-Identifier: GPL-3.0-or-later
"""Random playouts: games of random legal moves in a compiled loop, with the same draws as ``engine.match``.

Where repetition is forbidden (superko), playouts enforce only the part of the rule that the state stores, such as a
simple ko.

Each game has its own seed, from the common seed and its number, so each can be repeated alone.
"""

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.game import Game, Moves, State, irreversible, key, outcome, pick, step, to_move
from engine.hints.playouts import light_move
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed
from engine.rules import FORBIDDEN, Draws
from engine.splitmix import GOLDEN, scramble

Marks = NDArray[np.uint64]
"""Hashes of the positions since the last irreversible move."""

Light: TypeAlias = Literal[True] | None
"""Whether playouts are light. Two types, so that only the policy in use is compiled."""

NEVER = 2**62
"""Stands for "no limit"."""

_RECORD = 1024
"""Size of the first buffer of moves; most games are shorter."""

_HALF = np.uint64(32)


class Limits(NamedTuple):
    """The draw rules of a game as numbers; NEVER: no such rule."""

    repetition: int
    no_progress_plies: int
    plies: int


class Tally(NamedTuple):
    """Numbers of games and plies, and of wins and draws."""

    games: int
    plies: int
    first: int
    """Won by seat 0."""
    drawn: int
    second: int
    """Won by seat 1."""


@inlined
def mark(state: State) -> np.uint64:
    """Return a hash of state and seat to move, for repetitions."""
    return np.uint64(key(state)) ^ np.uint64(to_move(state)) * GOLDEN


@inlined
def noted(state: State, move: int, following: State, quiet: int, repetition: int, marks: Marks) -> tuple[int, int]:
    """Note the position after a move; return the number of reversible moves in a row, and of its occurrences.

    ``quiet``: number of reversible moves before; ``repetition``: the limit of occurrences; ``marks``: hashes of the
    positions since the last irreversible move.
    """
    if irreversible(state, move):
        return 0, 0
    if repetition == NEVER:
        return quiet + 1, 0
    if quiet == 0:
        marks[0] = mark(state)
    newest = mark(following)
    marks[quiet + 1] = newest
    repeated = 1
    for index in range(quiet + 1):
        repeated += marks[index] == newest
    return quiet + 1, repeated


@compiled
def _play(
    state: State, limits: Limits, seed: np.uint64, number: int, light: Light, row: Moves, marks: Marks, record: Moves
) -> tuple[int, float, float]:
    """Play one game; return its plies and both payoffs. ``record`` takes as many moves as fit."""
    row, marks, record = borrowed(row), borrowed(marks), borrowed(record)
    random = scramble(seed + np.uint64(number) * GOLDEN)
    plies = quiet = 0
    while True:
        random += GOLDEN
        chance = scramble(random) >> _HALF
        if light is None:  # noqa: SIM108  # numba leaves out the branch of a statement, not of an expression
            move = pick(state, chance, row)
        else:
            move = light_move(state, chance, row)
        if move < 0:
            _, first, second = outcome(state)
            return plies, first, second
        if plies < len(record):
            record[plies] = move
        following = step(state, move)
        plies += 1
        quiet, repeated = noted(state, move, following, quiet, limits.repetition, marks)
        state = following
        if repeated >= limits.repetition or quiet >= limits.no_progress_plies or plies >= limits.plies:
            over, first, second = outcome(state)
            return plies, first if over else 0.0, second if over else 0.0


@compiled
def _play_many(
    state: State, limits: Limits, seed: np.uint64, count: int, light: Light, row: Moves, marks: Marks, record: Moves
) -> tuple[int, int, int]:
    """Play games; return the number of plies, and of wins of each seat."""
    total = first_won = second_won = 0
    for number in range(count):
        plies, first, second = _play(state, limits, seed, number, light, row, marks, record)
        total += plies
        first_won += first > second
        second_won += second > first
    return total, first_won, second_won


def limits_of(draws: Draws) -> Limits:
    """Return the draw rules of a game as numbers; forbidden repetition is no draw."""
    repetition = None if draws.repetition == FORBIDDEN else draws.repetition
    limits = (repetition, draws.no_progress_plies, draws.plies)
    return Limits(*(NEVER if limit is None else limit for limit in limits))


def room(limits: Limits) -> Marks:
    """Return a buffer for the longest possible row of reversible moves.

    Raises ValueError for a game with a repetition rule, but without a limit of such rows.
    """
    if limits.repetition == NEVER:
        return np.empty(1, np.uint64)
    longest = min(limits.no_progress_plies, limits.plies)
    if longest == NEVER:
        raise ValueError("a game with a repetition rule needs a no-progress rule or a ply limit")
    return np.empty(longest + 1, np.uint64)


def playouts(game: Game, count: int, seed: int = 0, *, state: State | None = None, light: bool = False) -> Tally:
    """Play ``count`` random games from a state, by default the game's start.

    ``light``: by the policy of light playouts, ``light_move``, not by uniform legal moves. Raises ValueError like
    ``room``.
    """
    limits = limits_of(game.draws)
    state = game.pack(game.start() if state is None else state)
    row, record = np.empty(game.width, np.int64), np.empty(0, np.int64)
    plies, first, second = _play_many(
        state, limits, np.uint64(seed), count, True if light else None, row, room(limits), record
    )
    return Tally(count, plies, first, count - first - second, second)


def playout(
    game: Game, seed: int = 0, number: int = 0, *, state: State | None = None, light: bool = False
) -> tuple[list[int], tuple[float, float]]:
    """Return the moves and payoffs of one game of ``playouts`` with this seed. Raises ValueError like ``room``."""
    limits = limits_of(game.draws)
    state = game.pack(game.start() if state is None else state)
    row, record = np.empty(game.width, np.int64), np.empty(_RECORD, np.int64)
    plies, first, second = _play(
        state, limits, np.uint64(seed), number, True if light else None, row, room(limits), record
    )
    if plies > _RECORD:
        record = np.empty(plies, np.int64)
        _play(state, limits, np.uint64(seed), number, True if light else None, row, room(limits), record)
    return record[:plies].tolist(), (first, second)
