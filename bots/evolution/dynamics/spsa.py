# SPDX-License-Identifier: GPL-3.0-or-later
"""SPSA (J. Spall, 1992), as fishtest uses it: θ + c·Δ plays θ - c·Δ, Δ = ±1, and θ moves a step towards the winner.

A generation plays many trials from one θ, each with its own Δ, and uses the mean of their results. The gains follow the
rules of J. Spall ("Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", IEEE
Transactions on Aerospace and Electronic Systems 34, 1998): α = 0.602 and γ = 0.101; with N generations to come A is
N / 10; and a gives the first step the requested size, considering the variance of the results of a generation.

The unit of a gene, if it has none of its own, is twice its value, or a hundredth of the width of its first range if
that is more. Weights with equal first ranges may end a hundred times apart, so one absolute step would not fit them
all. Single steps are mostly noise; with ``average`` the best genome is the mean of the points of the second half.
"""

from collections.abc import Sequence
from math import sqrt

import msgspec

from bots.evolution.dynamics.dynamic import Dynamic, Options, Pair
from bots.evolution.genome import Kind, Values
from bots.evolution.operators import chance_for
from bots.evolution.population import VERSION, Member, Population, Result

ALPHA, GAMMA = 0.602, 0.101
SETTLED = 0.1
"""A, as a share of all generations."""
LUCK = 0.7
"""The standard deviation of a side's score in two games, if about half of the games are draws."""
LEAST_SCALE = 0.01
"""The least unit of a gene, relative to the width of its first range."""


def begin(kind: Kind, size: int, seed: int, options: Options) -> Population:
    """Return θ in the middle, and the first trials. Raises ValueError for a population without room for a trial."""
    if size < 2:
        raise ValueError(f"a population has at least two members, not {size}")
    middle = kind.fitted([(gene.first[0] + gene.first[1]) / 2 for gene in kind.genes])
    return _sampled(kind, Population(VERSION, kind.name, kind.version, 0, (), 0), middle, size, seed, options)


def pairs(population: Population, seed: int, options: Options) -> list[Pair]:
    """Return the trials: each member with the one on the other side of θ."""
    numbers = [member.number for member in population.members[1:]]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def advance(kind: Kind, population: Population, results: Sequence[Result], seed: int, options: Options) -> Population:
    """Return θ after its step, and the next trials."""
    theta = population.members[0]
    time = population.generation + 1
    settled = SETTLED * options["generations"]
    # a step of slopes that are luck alone has this size at first
    luck = LUCK / (2 * options["c"] * sqrt(len(results)))
    rate = options["step"] / luck * ((settled + 1) / (settled + time)) ** ALPHA
    trial = options["c"] / time**GAMMA
    slopes = [0.0] * len(kind.genes)
    for result, signs in zip(results, population.state["signs"], strict=True):
        lead = sum(result.scores) - 1
        for place, sign in enumerate(signs):
            slopes[place] += lead * sign / (2 * trial * len(results))
    values = kind.fitted(
        [
            value + rate * slope * scale
            for value, slope, scale in zip(theta.values, slopes, scales(kind, theta.values), strict=True)
        ]
    )
    empty = population.next((), population.next_number, 2 * len(results))
    after = _sampled(kind, empty, values, len(population.members) - 1, seed, options, theta)
    count = time - options["generations"] // 2
    if not options["average"] or count < 1:
        return after
    before = population.state.get("mean", values)
    mean = [old + (new - old) / count for old, new in zip(before, values, strict=True)]
    return msgspec.structs.replace(after, state=after.state | {"mean": mean})


def best(population: Population) -> Member:
    """Return θ, or the mean of its last values."""
    theta = population.members[0]
    return msgspec.structs.replace(theta, values=tuple(population.state.get("mean", theta.values)))


def scales(kind: Kind, theta: Values) -> list[float]:
    """Return the unit of each gene at θ."""
    return [
        gene.unit or max(2 * abs(value), LEAST_SCALE * (gene.first[1] - gene.first[0]))
        for gene, value in zip(kind.genes, theta, strict=True)
    ]


def _sampled(
    kind: Kind, empty: Population, theta: Values, size: int, seed: int, options: Options, before: Member | None = None
) -> Population:
    """Return a generation that has no members yet with θ and trials around it."""
    number, born = empty.next_number, empty.generation
    chance = chance_for(seed, born, "trials")
    trial = options["c"] / (born + 1) ** GAMMA
    members = [Member(number, theta, born, "sample", () if before is None else (before.number,))]
    measured = scales(kind, theta)
    signs = [[chance.choice((-1, 1)) for _ in kind.genes] for _ in range(size // 2)]
    for each in signs:
        for side in (1, -1):
            values = kind.fitted(
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
    best=best,
    hosts=False,
    numeric=True,
    options={"step": 0.05, "c": 0.15, "generations": 100.0, "average": 0.0},
    meanings={
        "step": "expected size of the first step if all results are random, in units of twice the value of each weight "
        "or, with --guest, of the range of each gene",
        "c": "distance of the first trial genomes from the current genome, in the same units",
        "generations": "planned number of generations, over which steps become smaller",
        "average": "if 1, the result is the mean of the genomes of the second half of the generations",
    },
)
