# SPDX-License-Identifier: GPL-3.0-or-later
"""SPSA (J. Spall, 1992), as fishtest uses it: θ + c·Δ plays θ - c·Δ, Δ = ±1, and θ goes a step towards the winner.

A generation plays many trials from one θ, each with a Δ of its own, and takes the mean of what they say. γ = 0.101 and
α = 0.602; with N generations to come A is N / 10. c and a are parts of the width that each gene begins with.
"""

from collections.abc import Sequence

import msgspec

from bots.evolution.dynamics.dynamic import Dynamic, Options, Pair
from bots.evolution.genes import Schema, Values
from bots.evolution.operators import chance_for
from bots.evolution.population import VERSION, Member, Population, Result

ALPHA, GAMMA = 0.602, 0.101
SETTLED = 0.1
"""A, as a part of all generations."""


def begin(schema: Schema, size: int, seed: int, options: Options) -> Population:
    """Return θ in the middle, and the first trials. Raises ValueError when there is no room for a trial."""
    if size < 2:
        raise ValueError(f"a population has at least two members, not {size}")
    middle = schema.fitted([(gene.first[0] + gene.first[1]) / 2 for gene in schema.genes])
    return _sampled(Population(VERSION, schema.name, schema.version, 0, (), 0), middle, size, seed, options)


def pairs(population: Population, seed: int, options: Options) -> list[Pair]:
    """Return the trials: each member with the one on the other side of θ."""
    numbers = [member.number for member in population.members[1:]]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def advance(population: Population, results: Sequence[Result], seed: int, options: Options) -> Population:
    """Return θ after its step, and the next trials."""
    schema, theta = population.genes, population.members[0]
    time = population.generation + 1
    rate = options["a"] / (SETTLED * options["generations"] + time) ** ALPHA
    trial = options["c"] / time**GAMMA
    slopes = [0.0] * len(schema.genes)
    for result, signs in zip(results, population.state["signs"], strict=True):
        lead = sum(result.scores) - 1
        for place, sign in enumerate(signs):
            slopes[place] += lead * sign / (2 * trial * len(results))
    widths = [gene.first[1] - gene.first[0] for gene in schema.genes]
    values = schema.fitted(
        [value + rate * slope * width for value, slope, width in zip(theta.values, slopes, widths, strict=True)]
    )
    empty = population.next((), population.next_number, 2 * len(results))
    return _sampled(empty, values, len(population.members) - 1, seed, options, theta)


def _sampled(
    empty: Population, theta: Values, size: int, seed: int, options: Options, before: Member | None = None
) -> Population:
    """Return a generation that has no members yet with θ and trials around it."""
    schema, number, born = empty.genes, empty.next_number, empty.generation
    chance = chance_for(seed, born, "trials")
    trial = options["c"] / (born + 1) ** GAMMA
    members = [Member(number, theta, born, "sample", () if before is None else (before.number,))]
    signs = [[chance.choice((-1, 1)) for _ in schema.genes] for _ in range(size // 2)]
    for each in signs:
        for side in (1, -1):
            values = schema.fitted(
                [
                    value + side * sign * trial * (gene.first[1] - gene.first[0])
                    for value, sign, gene in zip(theta, each, schema.genes, strict=True)
                ]
            )
            members.append(Member(number + len(members), values, born, "sample", (number,)))
    return msgspec.structs.replace(
        empty, members=tuple(members), next_number=number + len(members), state={"signs": signs}
    )


DYNAMIC = Dynamic(
    "spsa",
    "trials on both sides of one point, which goes towards the winners",
    pairs,
    advance,
    begin,
    best=lambda population: population.members[0],
    hosts=False,
    options={"a": 1.5, "c": 0.1, "generations": 100.0},
    meanings={
        "a": "how far θ goes",
        "c": "how far trials are from θ, as a part of the width that each gene begins with",
        "generations": "to come, by which steps become smaller",
    },
)
