# SPDX-License-Identifier: GPL-3.0-or-later
"""Population dynamics: they choose the pairs of a generation and make the next one from results. Pure functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bots.evolution.genome import Kind
from bots.evolution.operators import Chance, chance_for
from bots.evolution.population import Member, Population, Result, deviations, founded, means

Pair = tuple[int, int]
"""The numbers of two members that play two games; the first one moves first in the first game."""
Options = Mapping[str, float]


class Bout(NamedTuple):
    """Two games with exchanged seats of a member and another, or a rival, from the opening of a seed."""

    first: int
    second: int
    seed: int


def begin_at_random(kind: Kind, size: int, seed: int, options: Options) -> Population:
    """Return a first generation of members drawn at random."""
    return founded(kind, size, chance_for(seed, "founding"))


def medoid(population: Population) -> Member:
    """Return the member nearest to the mean, each gene measured by its deviation.

    Single results are mostly luck; the centre of the population is not.
    """
    centre, spread = means(population.members), deviations(population.members)
    scales = [one or 1.0 for one in spread]

    def distance(member: Member) -> float:
        return sum(
            ((value - mean) / scale) ** 2 for value, mean, scale in zip(member.values, centre, scales, strict=True)
        )

    return min(population.members, key=lambda member: (distance(member), member.number))


@dataclass(frozen=True, slots=True)
class Dynamic:
    """Population dynamics.

    ``pairs`` returns the pairs of a generation. ``advance`` returns the next generation; its results are those of the
    pairs, in order and checked. Random choices of both depend on the seed and the generation.
    """

    name: str
    description: str
    pairs: Callable[[Population, int, Options], list[Pair]]
    advance: Callable[[Kind, Population, Sequence[Result], int, Options], Population]
    begin: Callable[[Kind, int, int, Options], Population] = begin_at_random
    """Return the first generation of a size, drawn by a seed."""
    best: Callable[[Population], Member] = medoid
    """Return the best genome of a population."""
    hosts: bool = True
    """Whether it accepts immigrants."""
    numeric: bool = False
    """Whether it changes numbers only, so its genomes have no programs."""
    rounds: Callable[[Kind, Population, Sequence[Result], int, Options], list[Bout]] | None = None
    """Return the next games of a generation after some results, none at its end, where members meet frozen rivals."""
    follows: bool = True
    """Whether it can follow payoffs against its own population, which change with it."""
    infinite: bool = False
    """Whether its only member is the shares of strategies in an infinite population."""
    newest: bool = False
    """Whether an immigrant replaces the newest member rather than one at random."""
    merit: Callable[[Population], float] = lambda population: 0.0
    """Return what compares islands before their best members play each other."""
    options: Options = field(default_factory=dict)
    """Options with their defaults."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of the options."""
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Least and largest values of options; whole numbers where both are ``int``."""

    def due(
        self, kind: Kind, population: Population, results: Sequence[Result], seed: int, options: Options
    ) -> list[Bout]:
        """Return the next games of a generation after some results; none when all are played."""
        if self.rounds is not None:
            return self.rounds(kind, population, results, seed, options)
        if results:
            return []
        chance = chance_for(seed, population.generation, "games")
        return [Bout(*pair, chance.getrandbits(63)) for pair in self.pairs(population, seed, options)]

    def chosen(self, options: Options) -> dict[str, float]:
        """Return all options. Raises ValueError for an unknown one and for a value out of range."""
        if strange := sorted(set(options) - set(self.options)):
            there = ", ".join(self.options) or "none"
            raise ValueError(f"{self.name} has no option {strange[0][:40]!r}; there are {there}")
        for name, value in options.items():
            least, most = self.ranges.get(name, (float("-inf"), float("inf")))
            if isinstance(least, int) and value != round(value):
                raise ValueError(f"{name} must be an integer (got {value:g})")
            if not least <= value <= most:
                raise ValueError(f"{name} must be from {least:g} to {most:g} (got {value:g})")
        return {**self.options, **options}


def shuffled_pairs(members: Sequence[Member], chance: Chance) -> list[Pair]:
    """Return random pairs of the members; one member has no pair if their number is odd."""
    numbers = [member.number for member in members]
    chance.shuffle(numbers)
    return list(zip(numbers[::2], numbers[1::2], strict=False))


def points(members: Sequence[Member], results: Sequence[Result]) -> dict[int, float]:
    """Return the mean score of each member; 1/2 for one that did not play."""
    scored: dict[int, list[float]] = {member.number: [] for member in members}
    for first, second, scores, *_ in results:
        scored[first] += scores
        scored[second] += [1 - score for score in scores]
    return {number: sum(own) / len(own) if own else 0.5 for number, own in scored.items()}


def merits(kind: Kind, members: Sequence[Member], results: Sequence[Result]) -> dict[int, float]:
    """Return what selection compares: mean payoffs against the others where a matrix decides, or mean scores."""
    payoffs = kind.payoffs([member.genotype for member in members])
    if payoffs is None:
        return points(members, results)
    return {member.number: payoff for member, payoff in zip(members, payoffs, strict=True)}
