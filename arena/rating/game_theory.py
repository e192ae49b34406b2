# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings from game theory, for players where A beats B, B beats C and C beats A: α-Rank, Nash averaging, the
replicator dynamics and the Moran process.

All read a square matrix: the score, 0 to 1, of the row's player against the column's.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.results import Floats

# ---------------------------------------------------------------- α-Rank
#
# S. Omidshafiei et al., "α-Rank: Multi-Agent Evaluation by Evolution", Scientific Reports 9, 2019. Now and then a
# mutant with another strategy enters a population in which all members play one strategy. Strategies with better scores
# are copied more often, until one strategy has taken over. The share of time that the population spends with each
# strategy in the long run is its mass; a cycle shares it.

ALPHA = 100.0
"""How strongly a better score is preferred."""

POPULATION = 50

_LEAST = 1e-250
"""Minimum probability to take over: positive, so that every strategy can be reached from every other."""


def alpha_rank(scores: Floats, *, alpha: float = ALPHA, population: int = POPULATION) -> Floats:
    """Return the mass of each strategy; the masses add up to 1.

    ``scores``: a square matrix, the score (0 to 1) of the row's strategy against the column's. For two strategies, only
    the difference between their mutual scores counts. Raises ValueError if the matrix is not square or empty, or alpha
    or the population is too small.
    """
    count = _square(scores)
    if not alpha > 0 or population < 2:
        raise ValueError(f"alpha must be positive and the population 2 or more (got {alpha:g}, {population})")
    if count == 1:
        return np.ones(1)
    # a mutant's advantage over residents: its score against them minus their score against it
    lead = scores.T - scores
    with np.errstate(over="ignore", invalid="ignore"):
        chance = np.expm1(-alpha * lead) / np.expm1(-alpha * population * lead)
    chance = np.where(lead == 0, 1 / population, np.where(np.isfinite(chance), chance, 0.0))
    return _stationary(np.maximum(chance, _LEAST) / (count - 1))


def _square(matrix: Floats) -> int:
    """Return the order of a square matrix. Raises ValueError when it is none, or holds something besides numbers."""
    if matrix.ndim != 2 or not matrix.shape[0] == matrix.shape[1] > 0 or not np.isfinite(matrix).all():
        raise ValueError(f"scores must be a square matrix of finite numbers (got shape {matrix.shape})")
    return len(matrix)


def _stationary(moves: NDArray[np.float64]) -> Floats:
    """Return the stationary distribution of a Markov chain with these transition probabilities from row to column.

    By W. K. Grassmann, M. I. Taksar and D. P. Heyman (1985): states are removed one by one, without subtraction, so
    probabilities of very different size stay exact.
    """
    moves = moves.copy()
    count = len(moves)
    for last in range(count - 1, 0, -1):
        moves[:last, last] /= moves[last, :last].sum()
        moves[:last, :last] += np.outer(moves[:last, last], moves[last, :last])
    mass = np.zeros(count)
    mass[0] = 1.0
    for state in range(1, count):
        mass[state] = mass[:state] @ moves[:state, state]
        mass[: state + 1] /= mass[: state + 1].sum()
    return mass


# ---------------------------------------------------------------- Nash averaging
#
# D. Balduzzi et al., "Re-evaluating Evaluation", NeurIPS 2018: rating against the Nash equilibrium. Two sides choose a
# player each; the payoff is the score of one player against the other. In equilibrium neither side can improve. The
# equilibrium of maximum entropy is unique. Its probabilities are the mixture of best players, and the score against
# that mixture is a rating that neither wins against weak players nor copies of a player change.

_TOLERANCE = 1e-7
"""Tolerance of the equilibrium: without it the feasible set would have no interior to search in."""

_LAST_BARRIER = 1e-11
_LOWERING = 0.2
_ROUNDS = 60
_DECREMENT = 1e-10
_HALVINGS = 50


class Average(NamedTuple):
    """The shares of the equilibrium of maximum entropy, and each player's mean score against it, minus one half."""

    shares: Floats
    skill: Floats


def nash_average(scores: Floats) -> Average:
    """Return the Nash average of players.

    ``scores``: a square matrix, the score (0 to 1) of the row's player against the column's; both scores of a pair add
    up to 1, so the diagonal is 1/2. Otherwise raises ValueError.
    """
    _square(scores)
    if not np.allclose(scores + scores.T, 1):
        raise ValueError("the two scores of a pair must add up to 1")
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


# ---------------------------------------------------------------- replicator dynamics
#
# P. D. Taylor and L. B. Jonker, 1978: selection alone, without chance. Shares x of strategies grow by their score above
# the average, ẋ = x∘(Ax - xᵀAx). With u = log x up to a constant that is u̇ = A·softmax(u), which keeps all shares
# positive and their sum 1 for every step size.

STEPS_A_UNIT = 8
"""Steps of the fourth-order Runge-Kutta method in a unit of time; scores are from 0 to 1, so little happens in one."""


def replicated(scores: Floats, units: int, shares: Floats | None = None) -> Floats:
    """Return the shares after 0, 1, ... ``units`` units of time, a row each.

    ``scores``: a square matrix, the score of the row's strategy against the column's; ``shares``: the positive initial
    shares, equal by default. Raises ValueError if the matrix is not square, or the shares do not match it.
    """
    count = _square(scores)
    if shares is None:
        shares = np.full(count, 1 / count)
    if shares.shape != scores.shape[:1] or not (shares > 0).all():
        raise ValueError("every strategy needs a positive share")
    logs: Floats = np.log(shares)
    step = 1 / STEPS_A_UNIT
    course = [_softmax(logs)]
    for _ in range(units):
        for _ in range(STEPS_A_UNIT):
            first = scores @ _softmax(logs)
            second = scores @ _softmax(logs + step / 2 * first)
            third = scores @ _softmax(logs + step / 2 * second)
            fourth = scores @ _softmax(logs + step * third)
            logs = logs + step / 6 * (first + 2 * second + 2 * third + fourth)
        course.append(_softmax(logs))
    return np.array(course)


# ---------------------------------------------------------------- the Moran process
#
# P. A. P. Moran, 1958: one is born and one dies, until all descend from one. The parent is selected by fitness,
# e^(selection · its mean score in the population), the victim uniformly. Fixation depends on the whole population, and
# with more than two kinds there is no formula for it: it is simulated many times.

RUNS = 500
MOST_BIRTHS = 20_000
"""Births after which a run that is still undecided counts for its kinds by their shares."""


def fixation(scores: Floats, *, selection: float, runs: int = RUNS, seed: int = 0) -> Floats:
    """Return each member's fixation probability without mutation: that all members finally descend from it.

    ``scores``: a square matrix, the score of the row's member against the column's. The standard error is at most
    1/(2·√runs). Raises ValueError if the matrix is not square, or selection is negative.
    """
    size = _square(scores)
    if selection < 0 or runs < 1:
        raise ValueError(f"selection must not be negative, and runs must be 1 or more (got {selection:g}, {runs})")
    chance = np.random.default_rng(seed)
    counts = np.ones((runs, size))
    going: NDArray[np.int64] = np.arange(runs if size > 1 else 0)
    for _ in range(MOST_BIRTHS):
        if not len(going):
            break
        now = counts[going]
        fitness = now * np.exp(selection * (now @ scores.T) / size)
        rows = np.arange(len(going))
        born, dies = _drawn(fitness, chance), _drawn(now, chance)
        now[rows, born] += 1
        now[rows, dies] -= 1
        counts[going] = now
        going = going[now.max(axis=1) < size]
    shares: Floats = counts.mean(axis=0) / size
    return shares


def _drawn(weights: Floats, chance: np.random.Generator) -> NDArray[np.int64]:
    """Return a column of each row, drawn by the row's weights."""
    sums = weights.cumsum(axis=1)
    points = chance.random(len(weights)) * sums[:, -1]
    # a point may round up to the sum itself
    columns: NDArray[np.int64] = np.minimum((sums <= points[:, None]).sum(axis=1), weights.shape[1] - 1)
    return columns
