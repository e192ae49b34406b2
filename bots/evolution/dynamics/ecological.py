# SPDX-License-Identifier: GPL-3.0-or-later
"""Ecological dynamics (R. Axelrod, The Evolution of Cooperation, 1984): proportional reproduction.

A strategy's next share is in proportion to its share times its mean payoff. Payoffs must not be negative.
"""

from collections.abc import Sequence

from arena.rating.population_dynamics import proportional
from bots.evolution.dynamics import shares
from bots.evolution.dynamics.dynamic import Dynamic, Options
from bots.evolution.genome import Kind
from bots.evolution.population import Population, Result


def begin(kind: Kind, size: int, seed: int, options: Options) -> Population:
    """Return the first shares. Raises ValueError for genomes that are no shares, and for negative payoffs."""
    population = shares.begin(kind, size, seed, options)
    _rates(kind, population)
    return population


def advance(kind: Kind, population: Population, results: Sequence[Result], seed: int, options: Options) -> Population:
    """Return the next generation. Raises ValueError for a negative mean payoff."""
    return shares.grown(kind, population, _rates(kind, population))


def _rates(kind: Kind, population: Population) -> list[float]:
    return proportional(shares.rates_of(kind, population))


DYNAMIC = Dynamic(
    "ecological",
    "shares grow in proportion to payoff, without chance",
    shares.pairs,
    advance,
    begin=begin,
    hosts=False,
    infinite=True,
)
