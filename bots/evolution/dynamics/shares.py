# SPDX-License-Identifier: GPL-3.0-or-later
"""Dynamics of an infinite population of pure strategies: its only member is a mixed strategy, the shares.

No chance is involved. The mean payoff of a strategy is that against the shares.
"""

from bots.evolution.dynamics.dynamic import Options, Pair
from bots.evolution.genome import Genotype, Kind
from bots.evolution.population import VERSION, Member, Population


def begin(kind: Kind, size: int, seed: int, options: Options) -> Population:
    """Return the given shares, else equal ones. Raises ValueError for genomes that are no shares."""
    genotype = kind.guests[0] if kind.guests else Genotype(kind.standard)
    if kind.rates(genotype) is None:
        raise ValueError(f"genomes of {kind.name} are no shares of strategies; choose --schema matrix/mixed")
    member = Member(0, genotype.values, 0, "guest" if kind.guests else "random")
    return Population(VERSION, kind.name, kind.version, 0, (member,), 1)


def pairs(population: Population, seed: int, options: Options) -> list[Pair]:
    """Return no pairs: nobody plays."""
    return []


def rates_of(kind: Kind, population: Population) -> list[float]:
    """Return the mean payoff of each strategy against the shares."""
    rates = kind.rates(population.members[0].genotype)
    assert rates is not None, "begin has checked it"
    return rates


def grown(kind: Kind, population: Population, factors: list[float]) -> Population:
    """Return the next generation: the shares in proportion to share × factor."""
    [member] = population.members
    values = kind.fitted([share * factor for share, factor in zip(member.values, factors, strict=True)])
    child = Member(population.next_number, values, population.generation + 1, "mutant", (member.number,))
    return population.next((child,), population.next_number + 1, 0)
