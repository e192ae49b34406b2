# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored populations: their evolution settings, and the reports of their generations.

The arena does not run the evolution. It validates a report against the genes of the registered population and against
the generation before: every member has the genes, within their bounds, and existing parents.
"""

from collections.abc import Collection, Mapping
from math import fsum, isfinite
from typing import Annotated

from msgspec import Meta, Raw, Struct, field

Name = Annotated[str, Meta(min_length=1, max_length=80)]
ROUNDING = 1e-6
"""Largest deviation of a sum of shares from 1."""

Number = Annotated[int, Meta(ge=0, le=2**53)]


class GeneSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A gene: its bounds, and the standard value."""

    name: Name
    """Name of the gene in its schema."""
    low: float
    """Lowest value that the gene may have."""
    high: float
    """Highest value that the gene may have."""
    standard: float
    """Value that players have without evolution, for comparison."""


class PopulationSpec(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The evolution settings of a population."""

    name: Name
    """Name of the population, not used by another one."""
    game: Name
    schema: Name
    """Name of the schema of the genomes, which says what each gene controls."""
    dynamics: Name
    """Name of the rule that makes a generation from the one before, such as moran or cma_es."""
    seed: Number
    """Seed of the run: with the same seed and settings it repeats."""
    size: Annotated[int, Meta(ge=2, le=1_000)]
    """Number of members of a generation."""
    genes: Annotated[list[GeneSpec], Meta(min_length=1, max_length=100)]
    """The genes, in the order of the values of each member."""
    options: dict[str, float] = {}
    """Options of the dynamics that differ from their defaults."""
    decided: bool = False
    """Whether all games of the population are rated matches in the arena."""


class MemberReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A member: a genome and its origin. A member never changes: a genome with other values is another member."""

    number: Number
    """Number of the member, unique in all generations of the population."""
    values: list[float]
    """The value of each gene, in the order of `genes` of the settings."""
    born: Number
    """The first generation that contains the member."""
    origin: Name
    """How the member arose: random, mutant, drift, crossing, sample or immigrant."""
    parents: Annotated[list[Number], Meta(max_length=10)] = []
    """Numbers of its parents; empty without any, as in the first generation."""
    name: Annotated[str, Meta(max_length=80)] = ""
    """The bot that the genome came from, if it came from the arena."""
    bot: Annotated[str, Meta(max_length=80)] = ""
    """The bot that plays by this genome, if the member plays in the arena."""
    version: Annotated[str, Meta(max_length=80)] = ""
    """The version of that bot."""


class ReadingPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player in the games: a member, or a reference player."""

    name: Name
    """Name of the player, for people."""
    member: Number | None = None
    """Number of the member; null for a reference player."""


class Reading(Struct, frozen=True, forbid_unknown_fields=True):
    """Games of members with each other and with reference players, to measure the population."""

    players: Annotated[list[ReadingPlayer], Meta(min_length=2, max_length=100)]
    """The players, in the order of the rows and columns of `wins`."""
    games: Annotated[int, Meta(ge=1, le=10_000)]
    """Number of games between every two players."""
    wins: list[list[int]]
    """One row per player: its number of wins against each player. Games without a winner were draws."""


class Census(Struct, frozen=True, forbid_unknown_fields=True):
    """The strategies that the members of a generation play."""

    names: Annotated[list[Name], Meta(min_length=1, max_length=64)]
    """Names of the strategies that at least one member plays."""
    shares: list[float]
    """Share of the members that play each of them, in sum 1."""
    payoffs: list[list[float]]
    """Payoff of the mean member of the row's strategy against that of the column's."""


class GenerationReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A generation of a population."""

    number: Number
    """Number of the generation; each is one more than the generation before."""
    games: Number
    """Number of games of the population so far."""
    mean: list[float]
    """Mean value of each gene over the members, in the order of `genes` of the settings."""
    sigma: list[float]
    """Standard deviation of each gene over the members, in the same order."""
    members: Annotated[list[MemberReport], Meta(min_length=1, max_length=1_001)]
    """All members of the generation."""
    best: Number
    """Number of the best member."""
    champion: Annotated[str, Meta(max_length=80)] | None = None
    """The version of the bot that plays for the population."""
    trial: Number | None = None
    """The tournament in which a challenger meets the champion."""
    tournament: Number | None = None
    """The tournament of rated matches that selected this generation's parents (option `decided`)."""
    reading: Reading | None = None
    """The members' games with each other, if they were played."""
    census: Census | None = None
    """The strategies of the members; null where genomes are no strategies with names."""
    kept: Raw = field(default_factory=lambda: Raw(b"{}"))
    """State that the breeder (the process that evolves the population) needs to resume: JSON that the arena does not
    interpret.
    """


class BadReport(ValueError):
    """An impossible report of a population; the message gives the reason, for people."""


def check_spec(spec: PopulationSpec) -> None:
    """Raises BadReport if these settings are invalid."""
    names = [gene.name for gene in spec.genes]
    if len(set(names)) != len(names):
        raise BadReport("two genes have the same name")
    for gene in spec.genes:
        if not (isfinite(gene.low) and isfinite(gene.high) and gene.low <= gene.standard <= gene.high):
            raise BadReport(f"{gene.name}: its default must be a number between its bounds")


def check_generation(spec: PopulationSpec, report: GenerationReport, before: GenerationReport | None) -> None:
    """Check a generation against the genes and the previous generation. Raises BadReport if it is impossible."""
    for member in report.members:
        _check_values(spec, member.values, f"member {member.number}")
        if member.born > report.number:
            raise BadReport(f"member {member.number} was born in generation {member.born}, after the reported one")
    members = {member.number: member for member in report.members}
    if len(members) != len(report.members):
        raise BadReport("two members have the same number")
    if report.best not in members:
        raise BadReport(f"the best member, {report.best}, is not among the members")
    if not len(report.mean) == len(report.sigma) == len(spec.genes) or not all(
        map(isfinite, report.mean + report.sigma)
    ):
        raise BadReport(f"mean and sigma must have {len(spec.genes)} finite numbers each, one for each gene")
    if report.census is not None:
        _check_census(report.census)
    if report.reading is not None:
        _check_reading(report.reading, members)
    known = {} if before is None else {member.number: member for member in before.members}
    for member in report.members:
        _check_descent(member, members, known, report.number)
    if before is not None and report.games < before.games:
        raise BadReport(f"games must not fall: {before.games} in the generation before, {report.games} in this one")


def _check_census(census: Census) -> None:
    count = len(census.names)
    if len(set(census.names)) != count:
        raise BadReport("two strategies of the census have the same name")
    if len(census.shares) != count or min(census.shares) <= 0 or abs(fsum(census.shares) - 1) > ROUNDING:
        raise BadReport(f"the census must have {count} shares above 0, in sum 1, one for each strategy")
    if len(census.payoffs) != count or any(len(row) != count or not all(map(isfinite, row)) for row in census.payoffs):
        raise BadReport(f"the payoffs of the census must have {count} rows and columns of finite numbers")


def _check_reading(reading: Reading, members: Collection[int]) -> None:
    count = len(reading.players)
    if len(reading.wins) != count or any(len(row) != count for row in reading.wins):
        raise BadReport(f"the table of wins must have {count} rows and columns, one for each player")
    for player in reading.players:
        if player.member is not None and player.member not in members:
            raise BadReport(f"player {player.member} of the games is not among the members")
    for one in range(count):
        for other in range(one + 1):
            won, lost = reading.wins[one][other], reading.wins[other][one]
            if won < 0 or lost < 0 or won + lost > (reading.games if one != other else 0):
                raise BadReport(
                    f"players {one} and {other} played {reading.games} games; {won} and {lost} wins are not possible"
                )


def _check_values(spec: PopulationSpec, values: Collection[float], who: str) -> None:
    if len(values) != len(spec.genes):
        raise BadReport(f"{who} has {len(values)} values for {len(spec.genes)} genes")
    for gene, value in zip(spec.genes, values, strict=True):
        if not gene.low <= value <= gene.high:
            raise BadReport(f"{gene.name} of {who} must be from {gene.low:g} to {gene.high:g} (got {value:g})")


def _check_descent(
    member: MemberReport, members: Mapping[int, MemberReport], known: Mapping[int, MemberReport], number: int
) -> None:
    """Check a member against the earlier member with its number, or against its parents."""
    earlier = known.get(member.number)
    if earlier is not None:
        if earlier != member:
            raise BadReport(f"member {member.number} differs from its earlier report")
        return
    if member.born != number:
        raise BadReport(
            f"member {member.number} was born in generation {member.born}, but is missing in the generation before"
        )
    for parent in member.parents:
        if parent >= member.number:
            raise BadReport(f"member {member.number} cannot be a child of member {parent}, which came later")
    # members that are born and die within one generation are in no report; their numbers follow the earlier ones
    since = max(known, default=-1)
    if known and any(parent not in known and parent not in members and parent <= since for parent in member.parents):
        raise BadReport(f"member {member.number} has a parent that was not in generation {number - 1}")
