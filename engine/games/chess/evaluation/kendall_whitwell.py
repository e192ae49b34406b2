# SPDX-License-Identifier: GPL-3.0-or-later
"""Men and mobility: the seven terms of G. Kendall and G. Whitwell (CEC 2001)."""

import numpy as np

from engine.bits import Bits, popcount
from engine.evaluation import Evaluation, Terms, Words
from engine.games.chess.board import Chess
from engine.games.chess.moves import mobility
from engine.games.chess.rules import dead
from engine.games.chess.sight import in_check, turned
from engine.kernel import compiled, inlined

TERMS = Terms(0, ("pawns", "knights", "bishops", "rooks", "queens", "kings", "legal moves"))
"""Each the mover's less the other's. Kings are always even: the term is there for its author's sake."""

MOBILITY = 6

EVALUATIONS = (
    Evaluation("material", (100, 330, 330, 500, 900, 0, 0), "men, in hundredths of a pawn", terms=TERMS),
    Evaluation(
        "kendall-whitwell",
        (100, 300, 300, 500, 900, 10_000, 10),
        "men, and a tenth of a pawn for each legal move: the standard weights that evolved ones are compared with",
        terms=TERMS,
    ),
)


@inlined
def lead(state: Chess, men: Bits) -> int:
    """Return by how many of these the mover has more than the other."""
    return popcount(men & state.own) - popcount(men & state.enemy)


@inlined
def men(state: Chess) -> tuple[int, int, int, int, int, int]:
    """Return pawns, knights, bishops, rooks, queens and kings, own less the other's."""
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
    """Return the legal moves, less those that the other would have now if it were to move."""
    return np.int64(mobility(state)) - np.int64(mobility(turned(state)))


@compiled
def weighed(state: Chess, weights: Words) -> np.int64:
    """Return weights × features; moves are only counted where they weigh anything."""
    value = np.int64(0)
    for i, feature in enumerate(men(state)):
        value += weights[i] * feature
    if weights[MOBILITY]:
        value += weights[MOBILITY] * freedom(state)
    return value


@compiled
def appraised(state: Chess, weights: Words) -> tuple[bool, float, np.int64]:
    """Return whether the game is over, the mover's pay-off if it is, and else weights × features.

    The mover's moves, which are counted anyway, tell whether there is one.
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
    """Write the features and return how many there are."""
    for i, feature in enumerate(men(state)):
        out[i] = feature
    out[MOBILITY] = freedom(state)
    return MOBILITY + 1
