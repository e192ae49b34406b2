# SPDX-License-Identifier: GPL-3.0-or-later
"""Nash averaging (D. Balduzzi et al., "Re-evaluating Evaluation", NeurIPS 2018): play against those who matter.

Two choose a player each and win what theirs scores against the other's. In equilibrium neither can do better, whatever
the other chooses; of all equilibria the most even one is unique. Its shares say whom the best choice is made of, and
what everybody scores against such a choice is a rating that easy prey cannot raise, nor copies of a player change.
"""

from typing import NamedTuple

import numpy as np

from arena.rating.results import Floats

_TOLERANCE = 1e-7
"""By how much the equilibrium may be bettered: with nothing to spare there would be no interior to search in."""

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

    ``scores``: a square matrix, what the row's player scores (0 to 1) against the column's; what both score adds up to
    1, hence 1/2 against oneself. Raises ValueError when it is not so.
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
    """Return the prices after as much of a step as lowers the function by a fair part of what its slope promises."""

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
