# SPDX-License-Identifier: GPL-3.0-or-later
"""What evaluations weigh: men and mobility, the terms of G. Kendall and G. Whitwell (CEC 2001).

Their seventh term, the king, is the same for both sides and left out.
"""

import numpy as np

from engine.bits import Bits, popcount
from engine.evaluation import Evaluation
from engine.game import features
from engine.games.chess.board import Chess
from engine.games.chess.moves import mobility
from engine.games.chess.sight import turned
from engine.kernel import implements, inlined


@inlined
def lead(state: Chess, men: Bits) -> int:
    """Return by how many of these the mover has more than the other."""
    return popcount(men & state.own) - popcount(men & state.enemy)


@implements(features, Chess)
def _features(state: Chess) -> tuple[int, int, int, int, int, np.int64]:
    """Pawns, knights, bishops, rooks, queens and legal moves, own minus other's.

    The other's legal moves are those it would have now if it were to move.
    """
    queens = state.diagonal & state.straight
    return (
        lead(state, state.pawns),
        lead(state, state.knights),
        lead(state, state.diagonal ^ queens),
        lead(state, state.straight ^ queens),
        lead(state, queens),
        np.int64(mobility(state)) - np.int64(mobility(turned(state))),
    )


EVALUATIONS = {
    evaluation.name: evaluation
    for evaluation in (
        Evaluation("material", (100, 330, 330, 500, 900, 0), "men, in hundredths of a pawn"),
        Evaluation(
            "kendall-whitwell",
            (100, 300, 300, 500, 900, 10),
            "men, and a tenth of a pawn for each legal move: the standard weights that evolved ones are compared with",
        ),
    )
}
"""Weights of pawns, knights, bishops, rooks, queens and mobility."""
