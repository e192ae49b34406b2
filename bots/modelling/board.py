# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands where, as patterns are looked for: cells with numbers of kinds, and what legal moves make of them."""

import numpy as np
from numpy.typing import NDArray

from engine.bits import Bits, lowest
from engine.game import (
    Moves,
    State,
    can_pass,
    count_moves,
    exchange_reaches,
    gain,
    legal_moves,
    passed,
    step,
    tactical_moves,
    threatened,
)
from engine.games.checkers.board import Checkers
from engine.games.chess.board import Chess
from engine.kernel import compiled, implements, kernel

Cells = NDArray[np.int8]
"""(64): 0, or the number of the kind of man that stands there; see ``bots.modelling.templates``."""

GAIN, SAFE, WINS, CHECK, HANGS, THREAT, REPLIES, ROOM = range(8)
"""What is told of a move.

GAIN: what it wins at once; SAFE, WINS: whether it loses nothing, and wins something, by exchanges where it arrives;
CHECK: whether the other side must answer at once; HANGS: what the other side can win then; THREAT: what the mover could
win if the other side passed; REPLIES: how many moves the other side has; ROOM: how many the mover would have if it were
to move again, -1 where that cannot be told. What is won is in hundredths of a man."""

FACTS = 8

LEVELS = (80, 280, 450, 850)
"""What is won by exchanges is told in these steps."""


@kernel
def men(state: State, side: int, out: Cells) -> None:
    """Write what stands where of the seat to move (``side`` 0), or of the other one (1), seen by that side."""
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
    """Return what the seat to move can win by its best exchange, as one of LEVELS or 0."""
    level = 0
    for i in range(tactical_moves(state, scratch)):
        while level < len(LEVELS) and exchange_reaches(state, scratch[i], LEVELS[level]):
            level += 1
    return LEVELS[level - 1] if level else 0


@compiled
def spread_out(state: State, moves: Moves, before: Cells, after) -> int:  # type: ignore[no-untyped-def]  # numba infers the types
    """List the legal moves and return how many there are.

    ``before``: the mover's men; ``after``: those after each move (width, 64), seen by the mover.
    """
    men(state, 0, before)
    count = legal_moves(state, moves)
    for i in range(count):
        men(step(state, moves[i]), 1, after[i])
    return count


@compiled
def weigh(state: State, moves: Moves, count: int, facts, scratch: Moves) -> None:  # type: ignore[no-untyped-def]  # numba infers the types
    """Write what is told of each of the legal moves (width, FACTS)."""
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
    """Write the mover's men before and after a move, seen by the mover."""
    men(state, 0, before)
    men(step(state, move), 1, after)


@compiled
def stand(state: State, own: Cells, other: Cells) -> None:
    """Write the men of the seat to move, and of the other one, each seen by its own side."""
    men(state, 0, own)
    men(state, 1, other)


@compiled
def course(before: Cells, after: Cells):  # type: ignore[no-untyped-def]  # numba infers the types
    """Return from where to where a man went, and its kind: that of the most valuable one where two moved."""
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
