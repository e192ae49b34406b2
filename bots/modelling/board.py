# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards as cells with kinds of pieces, and properties of legal moves, in compiled code."""

import numpy as np
from numpy.typing import NDArray

from engine.bitboards.bits import Bits, lowest
from engine.game import Moves, State, count_moves, legal_moves, step
from engine.games.checkers.board import Checkers
from engine.games.chess.board import Chess
from engine.hints.alphabeta import can_pass, exchange_reaches, gain, passed, tactical_moves, threatened
from engine.kernel import compiled, implements, kernel

Cells = NDArray[np.int8]
"""(64): 0 for an empty cell, or the number of the kind of piece on it; see ``bots.modelling.patterns``."""

GAIN, SAFE, WINS, CHECK, HANGS, THREAT, REPLIES, ROOM = range(8)
"""Properties of a move.

GAIN: immediate gain; SAFE, WINS: whether it loses nothing, and wins something, by exchanges on its target; CHECK:
whether it is a check (a threat that the opponent must answer); HANGS: the opponent's best gain afterwards; THREAT: the
mover's best gain if the opponent passed; REPLIES: number of the opponent's moves; ROOM: number of the mover's moves if
it were to move again, -1 if unknown. Gains are in hundredths of a pawn unit."""

FACTS = 8

LEVELS = (80, 280, 450, 850)
"""The steps in which gains by exchanges are measured."""


@kernel
def men(state: State, side: int, out: Cells) -> None:
    """Write the pieces of the seat to move (``side`` 0), or of the other one (1), seen by that side."""
    raise NotImplementedError


@implements(men, Chess)
def _men_of_chess(state: Chess, side: int, out: Cells) -> None:
    turn = Bits(56) if side else Bits(0)
    left = state.enemy if side else state.own
    out[:] = 0
    while left:
        bit = left & ~(left - Bits(1))
        kind = 1
        if bit & state.knights:
            kind = 2
        elif bit & state.kings:
            kind = 6
        elif bit & state.diagonal:
            kind = 5 if bit & state.straight else 3
        elif bit & state.straight:
            kind = 4
        out[np.int64(lowest(bit) ^ turn)] = kind
        left ^= bit


@implements(men, Checkers)
def _men_of_checkers(state: Checkers, side: int, out: Cells) -> None:
    left = state.enemy if side else state.own
    white = (np.int64(state.turn) ^ side) == 1
    out[:] = 0
    while left:
        bit = left & ~(left - Bits(1))
        place = np.int64(lowest(bit))
        number = place - place // 9
        row = number // 4
        cell = 8 * row + 2 * (number % 4) + (1 if row % 2 == 0 else 0)
        out[63 - cell if white else cell] = 2 if bit & state.kings else 1
        left ^= bit


@compiled
def won(state: State, scratch: Moves) -> int:
    """Return the gain of the best exchange of the seat to move, as one of LEVELS or 0."""
    level = 0
    for i in range(tactical_moves(state, scratch)):
        while level < len(LEVELS) and exchange_reaches(state, scratch[i], LEVELS[level]):
            level += 1
    return LEVELS[level - 1] if level else 0


@compiled
def spread_out(state: State, moves: Moves, before: Cells, after) -> int:  # type: ignore[no-untyped-def]  # numba infers the types
    """List the legal moves and return how many there are.

    ``before``: the mover's pieces; ``after``: those after each move (width, 64), seen by the mover.
    """
    men(state, 0, before)
    count = legal_moves(state, moves)
    for i in range(count):
        men(step(state, moves[i]), 1, after[i])
    return count


@compiled
def weigh(state: State, moves: Moves, count: int, facts, scratch: Moves) -> None:  # type: ignore[no-untyped-def]  # numba infers the types
    """Write the properties of each legal move (width, FACTS)."""
    for i in range(count):
        move = moves[i]
        child = step(state, move)
        check = threatened(child)
        facts[i, GAIN] = gain(state, move)
        facts[i, SAFE] = exchange_reaches(state, move, 0)
        facts[i, WINS] = exchange_reaches(state, move, LEVELS[0])
        facts[i, CHECK] = check
        facts[i, HANGS] = won(child, scratch)
        facts[i, REPLIES] = count_moves(child, scratch)
        facts[i, THREAT] = 0
        facts[i, ROOM] = -1
        if not check and can_pass(child):
            again = passed(child)
            facts[i, THREAT] = won(again, scratch)
            facts[i, ROOM] = count_moves(again, scratch)


@compiled
def trace(state: State, move: int, before: Cells, after: Cells) -> None:
    """Write the mover's pieces before and after a move, seen by the mover."""
    men(state, 0, before)
    men(step(state, move), 1, after)


@compiled
def stand(state: State, own: Cells, other: Cells) -> None:
    """Write the pieces of the seat to move, and of the other one, each seen by its own side."""
    men(state, 0, own)
    men(state, 1, other)


@compiled
def course(before: Cells, after: Cells):  # type: ignore[no-untyped-def]  # numba infers the types
    """Return the origin, target and kind of a move; of the most valuable piece if two move."""
    origin, target, kind = -1, -1, 0
    for cell in range(len(before)):
        if before[cell] != after[cell]:
            if before[cell] and not after[cell] and (origin < 0 or before[cell] > before[origin]):
                origin = cell
            if after[cell] and (target < 0 or after[cell] > after[target]):
                target = cell
    if origin >= 0:
        kind = before[origin]
    return origin, target, kind


@compiled
def courses(before: Cells, after, count: int, spans) -> None:  # type: ignore[no-untyped-def]  # numba infers the types
    """Write origin, target and kind of each move (width, 3)."""
    for i in range(count):
        spans[i, 0], spans[i, 1], spans[i, 2] = course(before, after[i])
