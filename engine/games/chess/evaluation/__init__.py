# SPDX-License-Identifier: GPL-3.0-or-later
"""Static evaluations of chess: sets of terms, and named evaluations."""

import numpy as np

from engine.evaluation import Words
from engine.game import appraise, outcome, score, to_move, vector
from engine.games.chess.board import Chess
from engine.games.chess.evaluation import evochess, kendall_whitwell, tuned
from engine.kernel import implements

EVALUATIONS = {
    evaluation.name: evaluation
    for evaluation in (*kendall_whitwell.EVALUATIONS, *evochess.EVALUATIONS, *tuned.EVALUATIONS)
}
"""All evaluations by name, the default first."""

MEN_AND_MOBILITY, EVOCHESS, TUNED = (each.TERMS.number for each in (kendall_whitwell, evochess, tuned))


@implements(score, Chess)
def _score(state: Chess, terms: int, weights: Words) -> np.int64:
    if terms == TUNED:
        return tuned.weighed(state, weights)
    if terms == EVOCHESS:
        return evochess.weighed(state, weights)
    return kendall_whitwell.weighed(state, weights)


@implements(appraise, Chess)
def _appraise(state: Chess, terms: int, weights: Words) -> tuple[bool, float, np.int64]:
    if terms == MEN_AND_MOBILITY and weights[kendall_whitwell.MOBILITY]:
        return kendall_whitwell.appraised(state, weights)
    over, first, second = outcome(state)
    if over:
        return True, second if to_move(state) else first, np.int64(0)
    return False, 0.0, np.int64(score(state, terms, weights))


@implements(vector, Chess)
def _vector(state: Chess, terms: int, out: Words) -> int:
    if terms == TUNED:
        return tuned.written(state, out)
    if terms == EVOCHESS:
        return evochess.written(state, out)
    return kendall_whitwell.written(state, out)
