# SPDX-License-Identifier: GPL-3.0-or-later
"""Nash averaging (D. Balduzzi et al., "Re-evaluating Evaluation", NeurIPS 2018): rating against the Nash equilibrium.

Two sides choose a player each; the payoff is the score of one player against the other. In equilibrium neither side can
improve. The equilibrium of maximum entropy is unique. Its probabilities are the mixture of best players, and the score
against that mixture is a rating that neither wins against weak players nor copies of a player change.
"""

from typing import NamedTuple

import numpy as np

from arena.rating.results import Floats

_TOLERANCE = 1e-7
"""Tolerance of the equilibrium: without it the feasible set would have no interior to search in."""

_LAST_BARRIER = 1e-11
_LOWERING = 0.2
_ROUNDS = 60
_DECREMENT = 1e-10
_HALVINGS = 50


class Average(NamedTuple):
    """The shares of the most even equilibrium, and what everybody scores on average against it, less one half."""

    shares: Floats
    skill: Floats


def nash_average(scores: Floats) -> Average:
    """Return the Nash average of players.

    ``scores``: a square matrix, the score (0 to 1) of the row's player against the column's; both scores of a pair add
    up to 1, so the diagonal is 1/2. Otherwise raises ValueError.
    """
    if scores.ndim != 2 or not scores.shape[0] == scores.shape[1] > 0:
        raise ValueError("scores come in a square matrix")
    if not np.allclose(scores + scores.T, 1):
        raise ValueError("what two score against each other must add up to 1")
    game = (scores - scores.T) / 2
    shares = _most_even(game)
    return Average(shares, game @ shares)


def _most_even(game: Floats) -> Floats:
    """Return the distribution p of greatest entropy with game·p ≤ 0, to the tolerance.

    With prices λ > 0 of the inequalities, p is the softmax of -gameᵀλ, and λ minimises log Σ exp(-gameᵀλ) +
    tolerance·Σλ: a convex function, here with a barrier -μ·Σ log λ before the border, which Newton's method follows as
    μ is lowered.
    """
    prices = np.ones(len(game))
    barrier = 1.0
    while barrier > _LAST_BARRIER:
        for _ in range(_ROUNDS):
            shares = _softmax(-game.T @ prices)
            gradient = _TOLERANCE - game @ shares - barrier / prices
            spread = game * shares @ game.T - np.outer(game @ shares, game @ shares)
            # in units of the prices themselves, so that the system is well conditioned
            scaled = prices[:, None] * spread * prices + barrier * np.eye(len(game))
            step = -prices * np.linalg.solve(scaled, prices * gradient)
            fall = float(-gradient @ step)
            if fall <= _DECREMENT * barrier:
                break
            prices = _descended(game, prices, step, barrier, fall)
        barrier *= _LOWERING
    return _softmax(-game.T @ prices)


def _descended(game: Floats, prices: Floats, step: Floats, barrier: float, fall: float) -> Floats:
    """Backtracking line search: return the prices after a step that lowers the function by a fair part of its slope."""

    def value(at: Floats) -> float:
        exponents = -game.T @ at
        most = exponents.max()
        total = most + np.log(np.exp(exponents - most).sum())
        return float(total + _TOLERANCE * at.sum() - barrier * np.log(at).sum())

    before, part = value(prices), 1.0
    for _ in range(_HALVINGS):
        newer = prices + part * step
        if (newer > 0).all() and value(newer) <= before - 0.1 * part * fall:
            return newer
        part /= 2
    return prices


def _softmax(exponents: Floats) -> Floats:
    weights = np.exp(exponents - exponents.max())
    shares: Floats = weights / weights.sum()
    return shares
