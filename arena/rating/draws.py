# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw models: the probability of a draw by difference of strength, with the derivatives for Newton's method.

x is the natural logarithm of the odds of winning to losing if there were no draws; c sets the frequency of draws.
"""

from collections.abc import Callable
from math import exp, inf, log
from typing import NamedTuple

import numpy as np

from arena.rating.results import Floats, Results


class Curve(NamedTuple):
    """The log-likelihood of results, and its derivatives by x, one value a row, and by c, summed over all rows.

    Second derivatives are negated: they are the information of the results about x and c.
    """

    value: float
    by_x: Floats
    by_c: float
    x_x: Floats
    x_c: Floats
    c_c: float


class DrawModel(NamedTuple):
    """A model: the curve at some x and a c, the share of draws between equals at a c, and which c to begin at."""

    curve: Callable[[Results, Floats, float], Curve]
    rate: Callable[[float], float]
    start: float
    without: float
    """The c without draws."""


def _davidson(results: Results, x: Floats, c: float) -> Curve:
    wins, draws, losses, games = results.wins, results.draws, results.losses, results.games
    up = np.exp(x / 2)
    total = up + 1 / up + exp(c)
    lead = (up - 1 / up) / total
    drawn = exp(c) / total
    drawn_games = float(draws.sum())
    value = float((x / 2 * (wins - losses) - games * np.log(total)).sum()) + (c * drawn_games if drawn_games else 0)
    return Curve(
        value,
        (wins - losses - games * lead) / 2,
        float((draws - games * drawn).sum()),
        games * (1 - drawn - lead**2) / 4,
        -games * drawn * lead / 2,
        float((games * drawn * (1 - drawn)).sum()),
    )


def _rao_kupper(results: Results, x: Floats, c: float) -> Curve:
    if c < 0:
        nothing = np.zeros_like(x)
        return Curve(-inf, nothing, 0, nothing, nothing, 0)
    not_lost, not_won = results.wins + results.draws, results.losses + results.draws
    won, lost = 1 / (1 + np.exp(c - x)), 1 / (1 + np.exp(c + x))
    value = float((not_lost * np.log(won) + not_won * np.log(lost)).sum())
    by_c = -float((not_lost * (1 - won) + not_won * (1 - lost)).sum())
    told_won, told_lost = not_lost * won * (1 - won), not_won * lost * (1 - lost)
    c_c = float((told_won + told_lost).sum())
    if drawn_games := float(results.draws.sum()):
        odds = exp(2 * c) - 1
        value += drawn_games * (log(odds) if odds > 0 else -inf)
        by_c += drawn_games * (2 * (odds + 1) / odds if odds > 0 else 0)
        c_c += drawn_games * (4 * (odds + 1) / odds**2 if odds > 0 else 0)
    return Curve(
        value, not_lost * (1 - won) - not_won * (1 - lost), by_c, told_won + told_lost, told_lost - told_won, c_c
    )


DAVIDSON = DrawModel(_davidson, lambda c: exp(c) / (2 + exp(c)), 0.0, -inf)
"""Draws are e^c times as likely as the geometric mean of winning and losing (R. R. Davidson, 1970)."""

RAO_KUPPER = DrawModel(_rao_kupper, lambda c: 1 - 2 / (1 + exp(c)), 0.5, 0.0)
"""A player that is not c stronger on the day does not win; the win probability is 1 / (1 + e^(c - x)) (P. V. Rao and L.
L. Kupper, 1967); BayesElo's model."""
