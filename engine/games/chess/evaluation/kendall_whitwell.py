# SPDX-License-Identifier: GPL-3.0-or-later
"""Material and mobility: the seven terms of G. Kendall and G. Whitwell (CEC 2001)."""

import numpy as np

from engine.bitboards.bits import Bits, popcount
from engine.evaluation import Evaluation, Terms, Words
from engine.games.chess.attacks import in_check, turned
from engine.games.chess.board import Chess
from engine.games.chess.moves import mobility
from engine.games.chess.rules import dead
from engine.kernel import compiled, inlined

TERMS = Terms(0, ("pawns", "knights", "bishops", "rooks", "queens", "kings", "legal moves"))
"""Each term is own minus other's. The kings are always even; the authors have the term."""

MOBILITY = 6

EVALUATIONS = (
    Evaluation("material", (100, 330, 330, 500, 900, 0, 0), "material, in centipawns", terms=TERMS),
    Evaluation(
        "kendall-whitwell",
        (100, 300, 300, 500, 900, 10_000, 10),
        "material, and 10 centipawns for each legal move; evolved weights are compared with these",
        terms=TERMS,
    ),
)


@inlined
def lead(state: Chess, men: Bits) -> int:
    """Return the number of own pieces among these minus the other side's."""
    return popcount(men & state.own) - popcount(men & state.enemy)


@inlined
def men(state: Chess) -> tuple[int, int, int, int, int, int]:
    """Return pawns, knights, bishops, rooks, queens and kings, own minus other's."""
    queens = state.diagonal & state.straight
    return (
        lead(state, state.pawns),
        lead(state, state.knights),
        lead(state, state.diagonal ^ queens),
        lead(state, state.straight ^ queens),
        lead(state, queens),
        lead(state, state.kings),
    )


@inlined
def freedom(state: Chess) -> np.int64:
    """Return the number of legal moves minus that of the other side if it were to move."""
    return np.int64(mobility(state)) - np.int64(mobility(turned(state)))


@compiled
def weighed(state: Chess, weights: Words) -> np.int64:
    """Return weights × features; moves are counted only if their weight is not 0."""
    value = np.int64(0)
    for i, feature in enumerate(men(state)):
        value += weights[i] * feature
    if weights[MOBILITY]:
        value += weights[MOBILITY] * freedom(state)
    return value


@compiled
def appraised(state: Chess, weights: Words) -> tuple[bool, float, np.int64]:
    """Return whether the game is over, then the mover's payoff, else weights × features.

    The number of legal moves shows whether the game is over.
    """
    moves = mobility(state)
    if not moves:
        return True, -1.0 if in_check(state) else 0.0, np.int64(0)
    if dead(state):
        return True, 0.0, np.int64(0)
    value = weights[MOBILITY] * (np.int64(moves) - np.int64(mobility(turned(state))))
    for i, feature in enumerate(men(state)):
        value += weights[i] * feature
    return False, 0.0, value


@compiled
def written(state: Chess, out: Words) -> int:
    """Write the features; return their number."""
    for i, feature in enumerate(men(state)):
        out[i] = feature
    out[MOBILITY] = freedom(state)
    return MOBILITY + 1
