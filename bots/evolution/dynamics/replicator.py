# SPDX-License-Identifier: GPL-3.0-or-later
"""The replicator equation (P. D. Taylor and L. B. Jonker, 1978): each share x has dx/dt = x · (own - mean payoff).

A generation multiplies each share by e^(step · payoff), which follows the equation for small steps and never leaves the
simplex. The unit of time is 1 divided by the difference of the largest and the smallest payoff of the matrix, so that a
step means the same in every matrix; orbits do not depend on it.
"""

from collections.abc import Sequence

from arena.rating.population_dynamics import STEP, replicating
from bots.evolution.dynamics import shares
from bots.evolution.dynamics.dynamic import Dynamic, Options
from bots.evolution.genome import Kind
from bots.evolution.population import Population, Result


def advance(kind: Kind, population: Population, results: Sequence[Result], seed: int, options: Options) -> Population:
    """Return the next generation."""
    rates = shares.rates_of(kind, population)
    return shares.grown(kind, population, replicating(rates, options["step"], kind.payoff_spread))


DYNAMIC = Dynamic(
    "replicator",
    "shares follow the replicator equation, without chance",
    shares.pairs,
    advance,
    begin=shares.begin,
    hosts=False,
    infinite=True,
    options={"step": STEP},
    meanings={"step": "time of a generation, in units of 1 / (largest - smallest payoff)"},
    ranges={"step": (1e-6, 10.0)},
)
