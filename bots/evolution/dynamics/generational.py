# SPDX-License-Identifier: GPL-3.0-or-later
"""A generational genetic algorithm: tournament selection, crossover, self-adaptive mutation.

Fitness is the mean score over ``rounds`` of random pairs. The best ``elite`` members stay; children take the other
places. A parent is the best of ``contest`` random members. With the probability ``crossover`` a child gets each gene
from one of two parents, otherwise it has one parent. Then normal deviates mutate it, by a step that is inherited and
mutated first (H.-P. Schwefel).
"""

from collections.abc import Sequence

import msgspec

from bots.evolution.dynamics.dynamic import Dynamic, Options, Pair, begin_at_random, merits, shuffled_pairs
from bots.evolution.genome import Kind
from bots.evolution.operators import Chance, adapted, chance_for, crossed, kicked
from bots.evolution.population import Member, Population, Result

FIRST_STEP = 0.1
"""The first members' mutation step, relative to the width of a gene's first range."""
LEAST_STEP = 1e-4


def begin(kind: Kind, size: int, seed: int, options: Options) -> Population:
    """Return a random first generation with its mutation steps."""
    population = begin_at_random(kind, size, seed, options)
    members = tuple(msgspec.structs.replace(one, step=FIRST_STEP) for one in population.members)
    return msgspec.structs.replace(population, members=members)


def pairs(population: Population, seed: int, options: Options) -> list[Pair]:
    """Return the pairs of a generation."""
    chance = chance_for(seed, population.generation, "pairs")
    return [pair for _ in range(int(options["rounds"])) for pair in shuffled_pairs(population.members, chance)]


def advance(kind: Kind, population: Population, results: Sequence[Result], seed: int, options: Options) -> Population:
    """Return the next generation: the elite, and children of tournament winners."""
    chance = chance_for(seed, population.generation, "selection")
    scored = merits(kind, population.members, results)
    ranked = sorted(population.members, key=lambda member: (-scored[member.number], member.number))
    members = ranked[: int(options["elite"])]
    number = population.next_number
    while len(members) < len(population.members):
        members.append(child(kind, ranked, number, population.generation + 1, options, chance))
        number += 1
    return population.next(members, number, 2 * len(results))


def child(
    kind: Kind,
    ranked: Sequence[Member],
    number: int,
    born: int,
    options: Options,
    chance: Chance,
    least: float = LEAST_STEP,
) -> Member:
    """Return a child of winners of two tournaments among ranked members; ``least``: of its mutation step."""
    one, other = (ranked[min(chance.randrange(len(ranked)) for _ in range(int(options["contest"])))] for _ in range(2))
    both = one is not other and chance.random() < options["crossover"]
    program = kind.inherited(one.program, other.program if both else None, chance)
    values = crossed(one.values, other.values, chance) if both else one.values
    step = max(least, adapted(one.step or FIRST_STEP, len(kind.free), chance))
    values = kicked(kind, values, step, chance)
    parents = (one.number, other.number) if both else (one.number,)
    return Member(number, values, born, "crossing" if both else "mutant", parents, step, program=program)


DYNAMIC = Dynamic(
    "generational",
    "tournament selection, crossover, and mutation by inherited step sizes",
    pairs,
    advance,
    begin,
    options={"rounds": 1.0, "elite": 2.0, "contest": 3.0, "crossover": 0.7},
    meanings={
        "rounds": "number of rounds of random pairs per generation",
        "elite": "number of best members that survive",
        "contest": "number of random members, of which the best becomes a parent",
        "crossover": "probability that a child has two parents",
    },
)
