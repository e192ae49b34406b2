# SPDX-License-Identifier: GPL-3.0-or-later
"""Static evaluation of Othello: mobility, corners and the squares beside them, stability, discs, parity.

Each feature has a weight for the opening and one for the end, interpolated by the number of empty squares.
"""

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount
from engine.evaluation import Evaluation, Terms, Words
from engine.game import Moves, State, score, vector
from engine.games.othello.board import (
    DOWN,
    MIDDLE,
    ONE,
    PASS,
    WHOLE,
    Othello,
    SmallOthello,
    area,
    targets,
)
from engine.games.othello.stability import stable
from engine.hints.alphabeta import gain, structure, tactical_moves
from engine.kernel import implements, inlined, kernel

FEATURES = (
    "legal moves",
    "empty squares beside discs",
    "corners",
    "squares beside empty corners along the edge",
    "squares diagonal to empty corners",
    "stable discs",
    "discs",
    "last move",
)
SIZE = len(FEATURES)

UNIT = 60
"""Denominator of the interpolation between the weights of the opening and of the end: the number of empty squares at
the start.
"""

TERMS = Terms(
    names=tuple(f"{name}, {stage}" for stage in ("opening", "end") for name in FEATURES),
    ranges=((-5_000, 5_000),) * 2 * SIZE,
    unit=UNIT,
)

DISC = 100

EVALUATIONS = {
    evaluation.name: evaluation
    for evaluation in (
        Evaluation(
            "positional",
            (90, 30, 1_000, -250, -900, 200, -40, 0, 200, 0, 200, -80, -200, 100, 20, 150),
            "mobility, corners, stable discs, discs and parity, in hundredths of a disc",
            terms=TERMS,
            man=DISC,
        ),
        Evaluation(
            "discs",
            (0, 0, 0, 0, 0, 0, DISC, 0) * 2,
            "the number of discs",
            terms=TERMS,
            man=DISC,
        ),
    )
}
"""All evaluations by name, the default first."""


# ---------------------------------------------------------------- squares of the two boards


def _squares(*names: str) -> Bits:
    return Bits(sum(1 << "abcdefgh".index(name[0]) + 8 * int(name[1]) - 8 for name in names))


LARGE = (
    _squares("a1", "h1", "a8", "h8"),
    _squares("b1", "a2", "g1", "h2", "a7", "b8", "g8", "h7"),
    _squares("b2", "g2", "b7", "g7"),
)
SMALL = (
    _squares("b2", "g2", "b7", "g7"),
    _squares("c2", "b3", "f2", "g3", "b6", "c7", "f7", "g6"),
    _squares("c3", "f3", "c6", "f6"),
)
"""Corners, the squares beside them along the edges (C squares), and diagonally (X squares); of 6 × 6 in the middle."""


@kernel
def places(state: State) -> tuple[Bits, Bits, Bits]:
    """Return the corners, C squares and X squares of the board."""
    return LARGE


@implements(places, SmallOthello)
def _small_places(state: State) -> tuple[Bits, Bits, Bits]:
    return SMALL


NOT_A, NOT_H = Bits(0xFEFEFEFEFEFEFEFE), Bits(0x7F7F7F7F7F7F7F7F)


# ---------------------------------------------------------------- features


@inlined
def beside(discs: Bits) -> Bits:
    """Return discs with all squares beside them."""
    wide = discs | (discs & NOT_H) << ONE | (discs & NOT_A) >> ONE
    return wide | wide << DOWN | wide >> DOWN


@inlined
def lead(state: State, squares: Bits) -> int:
    """Return the number of own discs on these squares minus the other side's."""
    return popcount(state.own & squares) - popcount(state.enemy & squares)


@inlined
def counts(state: State) -> tuple[int, int, int, int, int, int, int, int]:
    """Return the features, own minus the other side's, in the order of FEATURES."""
    own, enemy = state.own, state.enemy
    squares = area(state)
    empty = squares & ~(own | enemy)
    corners, along, diagonal = places(state)
    taken = corners & ~empty
    open_corners = beside(corners & empty)
    firm = 0
    if taken:
        firm = popcount(stable(own, enemy, squares)) - popcount(stable(enemy, own, squares))
    return (
        popcount(targets(own, enemy, squares)) - popcount(targets(enemy, own, squares)),
        popcount(beside(enemy) & empty) - popcount(beside(own) & empty),
        lead(state, corners),
        lead(state, along & open_corners),
        lead(state, diagonal & open_corners),
        firm,
        lead(state, WHOLE),
        1 if popcount(empty) & 1 else -1,
    )


@inlined
def earliness(state: State) -> int:
    """Return the share of the opening's weights: UNIT at the start, 0 on a full board."""
    squares = area(state)
    empty = squares & ~(state.own | state.enemy)
    return UNIT * popcount(empty) // (popcount(squares) - 4)


@implements(score, Othello, SmallOthello)
def _score(state: State, terms: int, weights: Words) -> np.int64:
    early = earliness(state)
    sum_ = np.int64(UNIT // 2)
    for i, count in enumerate(counts(state)):
        sum_ += np.int64(count) * (weights[i] * early + weights[SIZE + i] * (UNIT - early))
    return sum_ // UNIT


@implements(vector, Othello, SmallOthello)
def _vector(state: State, terms: int, out: Words) -> int:
    early = earliness(state)
    for i, count in enumerate(counts(state)):
        out[i] = count * early
        out[SIZE + i] = count * (UNIT - early)
    return 2 * SIZE


# ---------------------------------------------------------------- moves


CORNER = 700
"""Gain of a corner, in hundredths of a disc."""


@implements(gain, Othello, SmallOthello)
def _gain(state: State, move: int) -> int:
    corners, _, _ = places(state)
    return CORNER if move != PASS and corners >> np.uint64(move) & ONE else 0


@implements(tactical_moves, Othello, SmallOthello)
def _tactical_moves(state: State, out: Moves) -> int:
    corners, _, _ = places(state)
    left = targets(state.own, state.enemy, corners)
    count = 0
    while left:
        out[count] = np.int64(lowest(left))
        count += 1
        left &= left - ONE
    return count


EDGES = ~MIDDLE & WHOLE


@implements(structure, Othello, SmallOthello)
def _structure(state: State) -> np.int64:
    """A hash of the edges, of 6 × 6 of the corners."""
    corners, _, _ = places(state)
    edges = EDGES | corners
    mixed = (state.own & edges) * Bits(0x9E3779B97F4A7C15) ^ (state.enemy & edges) * Bits(0xBF58476D1CE4E5B9)
    return np.int64(mixed >> Bits(52))
