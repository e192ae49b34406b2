# SPDX-License-Identifier: GPL-3.0-or-later
"""Random playouts: whole games of random legal moves in a compiled loop, drawn by history as ``engine.match`` does.

Each game has a seed of its own, made from the seed of all and its number, so that any of them can be played again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.buffers import borrowed
from engine.game import Draws, Game, Moves, State, irreversible, key, outcome, pick, step, to_move
from engine.kernel import compiled, inlined

Marks = NDArray[np.uint64]
"""What tells the positions since the last irreversible move apart."""

NEVER = 2**62
"""A limit that no game reaches."""

_RECORD = 1024
"""Plies that most games stay below."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


class Limits(NamedTuple):
    """The draws of a game as numbers: NEVER where there is no such rule."""

    repetition: int
    quiet_plies: int
    plies: int


class Tally(NamedTuple):
    """How many games were played, of how many plies in all, and how they ended."""

    games: int
    plies: int
    first: int
    """Won by seat 0."""
    drawn: int
    second: int
    """Won by seat 1."""


@inlined
def scramble(number: np.uint64) -> np.uint64:
    """Return the output function of splitmix64 (S. Vigna, after Steele, Lea and Flood, 2014)."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@inlined
def mark(state: State) -> np.uint64:
    """Return what is equal for positions that repeat each other: the same state with the same seat to move."""
    return np.uint64(key(state)) ^ np.uint64(to_move(state)) * _GOLDEN


@inlined
def noted(state: State, move: int, following: State, quiet: int, repetition: int, marks: Marks) -> tuple[int, int]:
    """Note the position after a move; return the reversible moves in a row, and how often it stood since they began.

    ``quiet``: those before; ``repetition``: the limit, NEVER where nobody need count; ``marks``: the positions since.
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
    state: State, limits: Limits, seed: np.uint64, number: int, row: Moves, marks: Marks, record: Moves
) -> tuple[int, float, float]:
    """Play the game of a number to its end; return its plies and both pay-offs. ``record`` takes what moves it can."""
    row, marks, record = borrowed(row), borrowed(marks), borrowed(record)
    random = scramble(seed + np.uint64(number) * _GOLDEN)
    plies = quiet = 0
    while True:
        random += _GOLDEN
        move = pick(state, scramble(random) >> _HALF, row)
        if move < 0:
            _, first, second = outcome(state)
            return plies, first, second
        if plies < len(record):
            record[plies] = move
        following = step(state, move)
        plies += 1
        quiet, repeated = noted(state, move, following, quiet, limits.repetition, marks)
        state = following
        if repeated >= limits.repetition or quiet >= limits.quiet_plies or plies >= limits.plies:
            over, first, second = outcome(state)
            return plies, first if over else 0.0, second if over else 0.0


@compiled
def _play_many(
    state: State, limits: Limits, seed: np.uint64, count: int, row: Moves, marks: Marks, record: Moves
) -> tuple[int, int, int]:
    """Play games; return their plies and how many each seat won."""
    total = first_won = second_won = 0
    for number in range(count):
        plies, first, second = _play(state, limits, seed, number, row, marks, record)
        total += plies
        first_won += first > second
        second_won += second > first
    return total, first_won, second_won


def limits_of(draws: Draws) -> Limits:
    """Return a game's draws by history as numbers."""
    limits = (draws.repetition, draws.quiet_plies, draws.plies)
    return Limits(*(NEVER if limit is None else limit for limit in limits))


def room(limits: Limits) -> Marks:
    """Return room for as many positions in a row as can repeat each other.

    Raises ValueError for a game that counts repetitions and may go on for ever without an irreversible move.
    """
    if limits.repetition == NEVER:
        return np.empty(1, np.uint64)
    longest = min(limits.quiet_plies, limits.plies)
    if longest == NEVER:
        raise ValueError("a game that counts repetitions needs a limit of quiet plies, or of plies")
    return np.empty(longest + 1, np.uint64)


def playouts(game: Game, count: int, seed: int = 0, *, state: State | None = None) -> Tally:
    """Play ``count`` games of random moves from a state, by default the game's start.

    Raises ValueError for a game that counts repetitions and may go on for ever without an irreversible move.
    """
    limits = limits_of(game.draws)
    state = game.pack(game.start() if state is None else state)
    row, record = np.empty(game.width, np.int64), np.empty(0, np.int64)
    plies, first, second = _play_many(state, limits, np.uint64(seed), count, row, room(limits), record)
    return Tally(count, plies, first, count - first - second, second)


def playout(
    game: Game, seed: int = 0, number: int = 0, *, state: State | None = None
) -> tuple[list[int], tuple[float, float]]:
    """Return the moves and the pay-offs of one of the games that ``playouts`` plays with this seed.

    Raises ValueError as ``playouts`` does.
    """
    limits = limits_of(game.draws)
    state = game.pack(game.start() if state is None else state)
    row, record = np.empty(game.width, np.int64), np.empty(_RECORD, np.int64)
    plies, first, second = _play(state, limits, np.uint64(seed), number, row, room(limits), record)
    if plies > _RECORD:
        record = np.empty(plies, np.int64)
        _play(state, limits, np.uint64(seed), number, row, room(limits), record)
    return record[:plies].tolist(), (first, second)
