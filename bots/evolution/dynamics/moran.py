# SPDX-License-Identifier: GPL-3.0-or-later
"""The Moran process (P. A. P. Moran, 1958): one birth and one death at a time, so the population keeps its size.

The parent is chosen by fitness, e^(``selection`` · mean score), and the victim uniformly; the child is a mutant of its
parent. A generation has as many births as pairs, all by the fitness from its games; members born in it count as even.

Where a matrix decides, the mean payoff against the others of the present population takes the place of the score, anew
for each birth: the frequency-dependent Moran process (M. A. Nowak, A. Sasaki, C. Taylor and D. Fudenberg, 2004), with
the exponential fitness of A. Traulsen, N. Shoresh and M. A. Nowak (2008), or, with ``proportional``, the payoff itself.
"""

from collections.abc import Sequence
from math import exp

from arena.rating.population_dynamics import proportional
from bots.evolution.dynamics.dynamic import Dynamic, Options, Pair, points, shuffled_pairs
from bots.evolution.genome import Kind
from bots.evolution.operators import chance_for, mutated
from bots.evolution.population import Member, Population, Result, deviations

EVEN = 0.5


def pairs(population: Population, seed: int, options: Options) -> list[Pair]:
    """Return the pairs of a generation."""
    return shuffled_pairs(population.members, chance_for(seed, population.generation, "pairs"))


def advance(kind: Kind, population: Population, results: Sequence[Result], seed: int, options: Options) -> Population:
    """Return the population after the births and deaths of a generation."""
    chance = chance_for(seed, population.generation, "births")
    scored, spread = points(population.members, results), deviations(population.members)
    members, number = list(population.members), population.next_number
    for _ in results:
        payoffs = kind.payoffs([member.genotype for member in members])
        if payoffs is None:
            fitness = [exp(options["selection"] * scored.get(member.number, EVEN)) for member in members]
        elif options["proportional"]:
            fitness = proportional(payoffs)
        else:
            # probabilities depend on differences only, and payoffs may be large
            most = max(payoffs) if options["selection"] > 0 else min(payoffs)
            fitness = [exp(options["selection"] * (payoff - most)) for payoff in payoffs]
        parent = chance.choices(members, fitness)[0]
        program = kind.inherited(parent.program, None, chance)
        values = mutated(kind, parent.values, spread, options["factor"], chance)
        child = Member(number, values, population.generation + 1, "mutant", (parent.number,), program=program)
        members[chance.randrange(len(members))] = child
        number += 1
    return population.next(members, number, 2 * len(results))


DYNAMIC = Dynamic(
    "moran",
    "repeatedly: a parent chosen by fitness replaces a random member",
    pairs,
    advance,
    options={"selection": 4.0, "factor": 1.0, "proportional": 0.0},
    meanings={
        "proportional": "if 1, the mean payoff itself is the fitness (with a matrix only)",
        "selection": "weight of the score in fitness",
        "factor": "mutation step, in standard deviations of the population",
    },
)
