# SPDX-License-Identifier: GPL-3.0-or-later
"""SPSA (J. Spall, 1992), as fishtest uses it: θ + c·Δ plays θ - c·Δ, Δ = ±1, and θ goes a step towards the winner.

A generation plays many trials from one θ, each with a Δ of its own, and takes the mean of what they say. The gains are
by the rules of J. Spall ("Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", IEEE
Transactions on Aerospace and Electronic Systems 34, 1998): α = 0.602 and γ = 0.101; with N generations to come A is
N / 10; and a is such that the first step has the size that is asked for, given how much the results of a generation
differ by luck.

Every gene is measured by twice its own value, or by a hundredth of the width that it begins with where that is more:
weights that begin alike may have to end a hundred times apart, and what is a small step for one is far for another.
"""

from collections.abc import Sequence
from math import sqrt

import msgspec

from bots.evolution.dynamics.dynamic import Dynamic, Options, Pair
from bots.evolution.genes import Schema, Values
from bots.evolution.operators import chance_for
from bots.evolution.population import VERSION, Member, Population, Result

ALPHA, GAMMA = 0.602, 0.101
SETTLED = 0.1
"""A, as a part of all generations."""
LUCK = 0.7
"""The standard deviation of what a side scores in two games, less one point, about as many being drawn as not."""
LEAST_SCALE = 0.01
"""By which part of the width that it begins with a gene is measured at least."""


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
    settled = SETTLED * options["generations"]
    # a step of slopes that are luck alone has this size at first
    luck = LUCK / (2 * options["c"] * sqrt(len(results)))
    rate = options["step"] / luck * ((settled + 1) / (settled + time)) ** ALPHA
    trial = options["c"] / time**GAMMA
    slopes = [0.0] * len(schema.genes)
    for result, signs in zip(results, population.state["signs"], strict=True):
        lead = sum(result.scores) - 1
        for place, sign in enumerate(signs):
            slopes[place] += lead * sign / (2 * trial * len(results))
    values = schema.fitted(
        [
            value + rate * slope * scale
            for value, slope, scale in zip(theta.values, slopes, scales(schema, theta.values), strict=True)
        ]
    )
    empty = population.next((), population.next_number, 2 * len(results))
    return _sampled(empty, values, len(population.members) - 1, seed, options, theta)


def scales(schema: Schema, theta: Values) -> list[float]:
    """Return what each gene is measured by, where θ stands."""
    widths = (gene.first[1] - gene.first[0] for gene in schema.genes)
    return [max(2 * abs(value), LEAST_SCALE * width) for value, width in zip(theta, widths, strict=True)]


def _sampled(
    empty: Population, theta: Values, size: int, seed: int, options: Options, before: Member | None = None
) -> Population:
    """Return a generation that has no members yet with θ and trials around it."""
    schema, number, born = empty.genes, empty.next_number, empty.generation
    chance = chance_for(seed, born, "trials")
    trial = options["c"] / (born + 1) ** GAMMA
    members = [Member(number, theta, born, "sample", () if before is None else (before.number,))]
    measured = scales(schema, theta)
    signs = [[chance.choice((-1, 1)) for _ in schema.genes] for _ in range(size // 2)]
    for each in signs:
        for side in (1, -1):
            values = schema.fitted(
                [value + side * sign * trial * scale for value, sign, scale in zip(theta, each, measured, strict=True)]
            )
            members.append(Member(number + len(members), values, born, "sample", (number,)))
    return msgspec.structs.replace(
        empty, members=tuple(members), next_number=number + len(members), state={"signs": signs}
    )


DYNAMIC = Dynamic(
    "spsa",
    "pairs of trials on both sides of one point, which moves towards the winners",
    pairs,
    advance,
    begin,
    best=lambda population: population.members[0],
    hosts=False,
    options={"step": 0.05, "c": 0.15, "generations": 100.0},
    meanings={
        "step": "first step of the mean from purely random results, relative to twice each gene's value",
        "c": "first distance of trials from the mean, relative to twice each gene's value",
        "generations": "planned number of generations, over which steps become smaller",
    },
)
