# SPDX-License-Identifier: GPL-3.0-or-later
"""CMA-ES (N. Hansen and A. Ostermeier, 2001), by the ``cmaes`` package: a modern rival on the same genomes and games.

Each sample plays two games against the mean of its distribution, and samples are ranked by their scores: no other
opponent is of equal strength in every generation. The first distribution has the mean and the deviation of members
drawn at random. Payoffs of a matrix are refused: the better side of the mean changes with the mean, so that the
distribution leaps over an equilibrium and its steps do not shrink.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import msgspec
import numpy as np
from cmaes import CMA

from bots.evolution.dynamics.dynamic import Dynamic, Options, Pair
from bots.evolution.genome import Kind, Values
from bots.evolution.operators import chance_for
from bots.evolution.population import VERSION, Member, Population, Result

WIDTH = sqrt(1 / 12)
"""The standard deviation of the uniform distribution on [0, 1]."""

EVOLVES = ("_g", "_mean", "_sigma", "_p_sigma", "_pc", "_c_1d")
"""The attributes that change between generations, among those that the package pickles."""


def begin(kind: Kind, size: int, seed: int, options: Options) -> Population:
    """Return the first samples, and the mean. Raises ValueError when there are too few of them."""
    if size < 4:
        raise ValueError(f"CMA-ES needs at least four samples, not {size}")
    optimizer = _optimizer(kind, size)
    empty = Population(VERSION, kind.name, kind.version, 0, (), 0, 0, _kept(optimizer))
    return _sampled(kind, empty, optimizer, seed)


def pairs(population: Population, seed: int, options: Options) -> list[Pair]:
    """Return every sample with the mean."""
    mean, *samples = population.members
    return [(sample.number, mean.number) for sample in samples]


def advance(kind: Kind, population: Population, results: Sequence[Result], seed: int, options: Options) -> Population:
    """Return the mean and the samples of the next distribution."""
    samples = population.members[1:]
    optimizer = _restored(kind, len(samples), population.state)
    told = zip(population.state["samples"], results, strict=True)
    optimizer.tell([(np.array(sample), -sum(result.scores)) for sample, result in told])
    number, state = population.next_number, _kept(optimizer)
    return _sampled(kind, population.next((), number, 2 * len(results), state), optimizer, seed, population.members[0])


def _sampled(kind: Kind, empty: Population, optimizer: CMA, seed: int, before: Member | None = None) -> Population:
    """Return a generation that has no members yet with the mean of a distribution and samples of it."""
    number, born = empty.next_number, empty.generation
    optimizer.reseed_rng(chance_for(seed, born, "samples").getrandbits(32))
    samples = [optimizer.ask() for _ in range(optimizer.population_size)]
    parents = () if before is None else (before.number,)
    members = [Member(number, _values(kind, optimizer.mean), born, "sample", parents)]
    for sample in samples:
        members.append(Member(number + len(members), _values(kind, sample), born, "sample", (number,)))
    return msgspec.structs.replace(
        empty,
        members=tuple(members),
        next_number=number + len(members),
        state=empty.state | {"samples": [sample.tolist() for sample in samples]},
    )


def _kept(optimizer: CMA) -> dict[str, Any]:
    """Return what the next generation needs of a distribution, as JSON."""
    return {name: np.asarray(value).tolist() for name, value in optimizer.__getstate__().items() if name in EVOLVES}


def _optimizer(kind: Kind, size: int) -> CMA:
    """Return the first distribution; free genes are measured by the width that they begin with."""
    bounds = np.array([_span(kind, place) for place in kind.free])
    return CMA(mean=np.full(len(kind.free), 0.5), sigma=WIDTH, bounds=bounds, population_size=size)


def _span(kind: Kind, place: int) -> tuple[float, float]:
    gene = kind.genes[place]
    low, high = gene.first
    return (gene.low - low) / (high - low), (gene.high - low) / (high - low)


def _restored(kind: Kind, size: int, state: Mapping[str, Any]) -> CMA:
    optimizer = _optimizer(kind, size)
    kept = {name: value if isinstance(value, int | float) else np.array(value) for name, value in state.items()}
    optimizer.__setstate__(optimizer.__getstate__() | {name: kept[name] for name in EVOLVES})
    return optimizer


def _values(kind: Kind, point: "np.ndarray[Any, Any]") -> Values:
    """Return the genome at a point of the distribution's space."""
    values = list(kind.standard)
    for place, part in zip(kind.free, point.tolist(), strict=True):
        low, high = kind.genes[place].first
        values[place] = low + part * (high - low)
    return kind.fitted(values)


DYNAMIC = Dynamic(
    "cma-es",
    "a normal distribution that follows its better samples, which play against its mean",
    pairs,
    advance,
    begin,
    best=lambda population: population.members[0],
    hosts=False,
    numeric=True,
    follows=False,
)
