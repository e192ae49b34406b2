# SPDX-License-Identifier: GPL-3.0-or-later
"""A population: its members with their lineage, and the state of its dynamics. Plain values, JSON on disk."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import Any, Literal, NamedTuple

import msgspec

from bots.evolution.genome import Genotype, Kind, Program, Schema, Values, schema_named
from bots.evolution.operators import Chance

VERSION = 1

RIVAL = -1
"""In the place of a member: the frozen rival of the population's level."""

Origin = Literal["random", "guest", "mutant", "drift", "crossing", "sample", "immigrant"]
"""The origin of a member: drawn at the start, given, a mutant of a winner, mutated in place, a crossover, drawn from a
distribution, or an immigrant."""


class Record(msgspec.Struct, frozen=True):
    """A member's results against the rival of its level, with its own moves and nodes."""

    games: int = 0
    """Number of games at the level."""
    points: float = 0.0
    """Points of these games: 1, 0.5 or 0 each."""
    moves: int = 0
    """Number of its moves in these games."""
    nodes: int = 0
    """Number of nodes of these moves."""

    @property
    def fitness(self) -> float:
        """The mean score, pulled to 1/3 with the weight of three games, because few games may be luck."""
        return (self.points + 1) / (self.games + 3)

    def after(self, result: "Result") -> "Record":
        """Return the record after two games more."""
        return Record(
            self.games + len(result.scores),
            self.points + sum(result.scores),
            self.moves + result.moves[0],
            self.nodes + result.nodes[0],
        )


class Member(msgspec.Struct, frozen=True, omit_defaults=True):
    """A genome in a population. Its number is unique in all generations; a changed genome is a new member."""

    number: int
    """Number of the member."""
    values: Values
    """The genome, in the order of the schema's genes."""
    born: int
    """Its first generation."""
    origin: Origin
    """The origin of the member."""
    parents: tuple[int, ...] = ()
    """Numbers of its parents."""
    step: float | None = None
    """The mutation step of its children, where steps are inherited."""
    name: str = ""
    """An immigrant's name in the population that it comes from."""
    program: Program = ()
    """The program of its search; empty where genomes are numbers alone."""
    record: Record = Record()
    """Its games against the rival of the population's level."""
    migration: int = 0
    """The number of the migration, for an immigrant from an arena."""

    @property
    def genotype(self) -> Genotype:
        """The genome that it passes on."""
        return Genotype(self.values, self.program)


class Result(NamedTuple):
    """Two games of two members with exchanged seats: the first one's score in each, 1, 1/2 or 0."""

    first: int
    second: int
    """RIVAL: the frozen rival of the population's level."""
    scores: tuple[float, float]
    moves: tuple[int, int] = (0, 0)
    """Of the first and the second player; of both in the first place where they are not counted apart."""
    nodes: tuple[int, int] = (0, 0)
    """Likewise: visited positions, or evaluated ones of searches of a fixed depth."""


class Population(msgspec.Struct, frozen=True):
    """A population at the beginning of a generation."""

    version: int
    """Version of the format."""
    schema: str
    """Name of the schema."""
    schema_version: int
    """Version of the schema."""
    generation: int
    """Number of the generation, from 0."""
    members: tuple[Member, ...]
    """The members."""
    next_number: int
    """Number of the next new member."""
    games: int = 0
    """Number of games played so far."""
    state: dict[str, Any] = {}
    """The state of its dynamics between generations, as JSON."""
    nodes: int = 0
    """Number of nodes so far, of both players."""

    @property
    def genes(self) -> Schema:
        """The schema of its genomes."""
        return schema_named(self.schema)

    def member(self, number: int) -> Member:
        """Return a member. Raises KeyError, with a message for people, for an unknown number."""
        for member in self.members:
            if member.number == number:
                return member
        raise KeyError(f"the population has no member {number}")

    def next(
        self, members: Iterable[Member], next_number: int, games: int, state: Mapping[str, Any] | None = None
    ) -> "Population":
        """Return the next generation."""
        return msgspec.structs.replace(
            self,
            generation=self.generation + 1,
            members=tuple(members),
            next_number=next_number,
            games=self.games + games,
            state=self.state if state is None else dict(state),
        )


def founded(kind: Kind, size: int, chance: Chance) -> Population:
    """Return a random population, with the kind's guests.

    Raises ValueError for fewer than two members, and for more guests than members.
    """
    if size < 2:
        raise ValueError(f"a population has at least two members, not {size}")
    if len(kind.guests) > size:
        raise ValueError(f"there are places for {size} given members, not for {len(kind.guests)}")
    drawn = [kind.drawn(chance) for _ in range(size)]
    members = [Member(number, one.values, 0, "random", program=one.program) for number, one in enumerate(drawn)]
    for number, guest in enumerate(kind.guests):
        members[number] = Member(number, guest.values, 0, "guest", program=guest.program)
    return Population(VERSION, kind.name, kind.version, 0, tuple(members), size)


def means(members: Sequence[Member]) -> Values:
    """Return the mean of each gene."""
    return tuple(fsum(values) / len(members) for values in zip(*(member.values for member in members), strict=True))


def deviations(members: Sequence[Member]) -> Values:
    """Return the standard deviation of each gene over the population (not the estimate from a sample)."""
    centre = means(members)
    return tuple(
        sqrt(fsum((value - mean) ** 2 for value in values) / len(members))
        for values, mean in zip(zip(*(member.values for member in members), strict=True), centre, strict=True)
    )


def checked(population: Population, results: Sequence[Result], pairs: Sequence[tuple[int, int]]) -> None:
    """Compare results with the pairs of the generation.

    Raises ValueError when some are missing, doubled, in another order, of members that do not exist, or impossible.
    """
    numbers = {member.number for member in population.members}
    for result in results:
        for number in (result.first, result.second):
            if number not in numbers:
                raise ValueError(f"a result names member {number}, which is not in generation {population.generation}")
        if any(score not in (0.0, 0.5, 1.0) for score in result.scores):
            raise ValueError(f"a game is won, drawn or lost, not {result.scores}")
    if [(result.first, result.second) for result in results] != list(pairs):
        raise ValueError(f"the results of generation {population.generation} are not those of the pairs that were due")


def write(population: Population) -> bytes:
    """Write a population as JSON."""
    return msgspec.json.format(msgspec.json.encode(population)) + b"\n"


def read(text: bytes) -> Population:
    """Return a population that ``write`` wrote.

    Raises ValueError, with a message for people, when it is none: cut short, of another version or schema, with
    genomes out of bounds, or numbers that cannot be.
    """
    try:
        population = msgspec.json.decode(text, type=Population)
    except msgspec.DecodeError as error:
        raise ValueError(f"no population, or one that was cut short: {error}") from None
    try:
        return validated(population, population.genes)
    except KeyError as error:
        raise ValueError(error.args[0]) from None


def validated(population: Population, kind: Kind) -> Population:
    """Return a validated population. Raises ValueError as ``read`` does."""
    if population.version != VERSION:
        raise ValueError(f"the population is of version {population.version}; this is version {VERSION}")
    if population.schema != kind.name:
        raise ValueError(f"the genomes are those of {population.schema}, not of {kind.name}")
    if population.schema_version != kind.version:
        raise ValueError(
            f"the genomes are of version {population.schema_version} of {kind.name}; this is {kind.version}"
        )
    numbers = [member.number for member in population.members]
    if (
        len(set(numbers)) != len(numbers)
        or not numbers
        or not 0 <= min(numbers) <= max(numbers) < population.next_number
    ):
        raise ValueError("the numbers of the members cannot be")
    for member in population.members:
        kind.checked(member.genotype)
    # the shares of an infinite population are one member
    if len(numbers) < 2 and kind.rates(population.members[0].genotype) is None:
        raise ValueError("a population has at least two members")
    return population
