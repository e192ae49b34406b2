# SPDX-License-Identifier: GPL-3.0-or-later
"""Genes, the registered schemas of genomes for each game, and genomes as files.

A genome file is versioned JSON that names its schema; every value has the name of its gene.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from random import Random

    from engine.evaluation import Evaluation

Values = tuple[float, ...]
"""The numbers of a genome, one for each gene of its schema."""


@dataclass(frozen=True, slots=True)
class Gene:
    """A number of a genome, with its bounds and the range of first values. A gene with equal bounds is fixed."""

    name: str
    low: float
    high: float
    first: tuple[float, float]
    """The range of values of the first generation."""
    standard: float
    """A value that people use."""
    whole: bool = False
    """Whether it is a whole number."""
    unit: float = 0.0
    """The unit of steps of SPSA; 0: it follows from the value."""

    @property
    def fixed(self) -> bool:
        """Whether its bounds are equal."""
        return self.low == self.high

    def fitted(self, value: float) -> float:
        """Return the nearest value that the gene can have."""
        within = min(max(value, self.low), self.high)
        return float(round(within)) if self.whole else within

    def fixed_at(self, value: float) -> "Gene":
        """Return the gene with one value only."""
        return replace(self, low=value, high=value, first=(value, value), standard=value)


Program = tuple[str | float, ...]
"""The part of a genome that is not numbers: a program of a search, as in ``engine.search.programs``, or the name of a
strategy.

Empty for genomes that are numbers alone.
"""


class Genotype(NamedTuple):
    """The genome that a member inherits: numbers, and a program if its kind has programs."""

    values: Values
    program: Program = ()


class Census(NamedTuple):
    """The strategies that members of a population play, the most frequent first."""

    names: tuple[str, ...]
    shares: tuple[float, ...]
    """Share of the members, in sum 1."""
    payoffs: tuple[tuple[float, ...], ...]
    """Payoff of the mean member of the row's strategy against that of the column's."""


class Kind:
    """A kind of genome: its genes, and how genomes are drawn and inherited. This one has numbers alone."""

    name: str
    version: int
    game: str
    genes: tuple[Gene, ...]
    numeric = True
    """Whether genomes are numbers alone."""
    games_decide = True
    """Whether games decide; else payoffs do, which change with the population: see ``payoffs``."""
    hosted = False
    """Whether an arena can store a population of it."""
    payoff_spread: float = 0.0
    """Difference of the largest and the smallest payoff of a matrix."""
    rivals = False
    """Whether its players can meet the frozen rivals of a level."""
    openings: int = 0
    """Number of openings of its games, where they come from a suite."""
    beyond = "have programs; give one genome with --guest, whose program stays"
    """End of an error message: it says what these genomes contain besides numbers, and how dynamics of numbers can use
    them.
    """

    @property
    def guests(self) -> tuple[Genotype, ...]:
        """Given genomes, which replace the first members of a first generation."""
        return ()

    @property
    def tables(self) -> Callable[[], Any] | None:
        """Factory of the tables of the kind's own games, one for each thread; None: compiled games of evaluations."""
        return None

    @property
    def standard(self) -> Values:
        """The standard values of all genes."""
        return tuple(gene.standard for gene in self.genes)

    @property
    def free(self) -> tuple[int, ...]:
        """The places of the genes that are not fixed."""
        return tuple(place for place, gene in enumerate(self.genes) if not gene.fixed)

    def check(self, values: Sequence[float]) -> Values:
        """Return validated values. Raises ValueError for a wrong number of values or a value out of bounds."""
        if len(values) != len(self.genes):
            raise ValueError(f"{self.name} has {len(self.genes)} genes, not {len(values)}")
        for gene, value in zip(self.genes, values, strict=True):
            if not gene.low <= value <= gene.high:
                raise ValueError(f"{gene.name} is {value:g}, not from {gene.low:g} to {gene.high:g}")
            if gene.whole and value != round(value):
                raise ValueError(f"{gene.name} is {value:g}, which is not a whole number")
        return tuple(float(value) for value in values)

    def fitted(self, values: Sequence[float]) -> Values:
        """Return the nearest values that a genome can have."""
        return tuple(gene.fitted(value) for gene, value in zip(self.genes, values, strict=True))

    def checked(self, genotype: Genotype) -> Genotype:
        """Return a validated genome. Raises ValueError as ``check`` does."""
        if genotype.program:
            raise ValueError(f"a genome of {self.name} has no program")
        return Genotype(self.check(genotype.values))

    def drawn(self, chance: "Random") -> Genotype:
        """Return a random genome, within the first ranges."""
        return Genotype(self.fitted([chance.uniform(*gene.first) for gene in self.genes]))

    def inherited(self, mother: Program, father: Program | None, chance: "Random") -> Program:
        """Return the program of a child: a crossover, or a mutation of the mother's where there is no father."""
        return ()

    def program(self, genotype: Genotype) -> Program:
        """Return the program of a genome's player; empty without one."""
        return genotype.program

    def threaded(self, pool: "Executor") -> "Kind":
        """Return this kind with threads for what takes long."""
        return self

    def errors(self, genotypes: Sequence[Genotype], numbers: Sequence[int], level: int) -> Sequence[float]:
        """Return the error of each genome at the drill's positions. Raises TypeError where the kind has no drill."""
        raise TypeError(f"there is no drill for {self.name}")

    def payoffs(self, genotypes: Sequence[Genotype]) -> list[float] | None:
        """Return the mean payoff of each genome of a population against the others; None where games decide."""
        return None

    def rates(self, genotype: Genotype) -> list[float] | None:
        """Return the mean payoff of each strategy against a population with a genome's shares; None: it has none."""
        return None

    def shares(self, genotypes: Sequence[Genotype]) -> dict[str, float]:
        """Return the share of each strategy in a population; empty where genomes are no strategies of a matrix."""
        return {}

    def census(self, genotypes: Sequence[Genotype]) -> "Census | None":
        """Return the share of each named strategy in a population; None where genomes are no such strategies."""
        return None

    def players(self, genotypes: Sequence[Genotype]) -> list[Any]:
        """Return the players of a population's genomes. Raises ValueError for an invalid genome."""
        return [self.player(genotype) for genotype in genotypes]

    def player(self, genotype: Genotype) -> Any:
        """Return a genome's player, as the kind's games take it. Raises ValueError for an invalid genome."""
        raise NotImplementedError

    def file(self, genotype: Genotype, lineage: Mapping[str, object], level: int = 0) -> str:
        """Return a genome as a file; ``level``: the rival that it met last."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Schema(Kind):
    """Genomes that are weights: the genes, and the evaluation of the game that their values change."""

    name: str
    version: int
    game: str
    evaluation: str
    """The game's evaluation whose weights are genes."""
    genes: tuple[Gene, ...]
    unit: int = 1
    """The weight, a whole number, of a gene of 1."""
    sooner: str = ""
    """The gene of the bonus for a win that is a ply earlier; "" for none."""
    idle: int = 0
    """Number of last terms of the evaluation without a gene, whose weights are 0."""

    hosted = True

    def player(self, genotype: Genotype) -> "Evaluation":
        """Return the evaluation of a genome's player."""
        return self.express(genotype.values)

    def file(self, genotype: Genotype, lineage: Mapping[str, object], level: int = 0) -> str:
        """Return a genome as a file."""
        return write(self, genotype.values, lineage)

    def express(self, values: Values) -> "Evaluation":
        """Return the evaluation of a genome's player. Raises ValueError as ``check`` does."""
        from engine.games import find

        values = self.check(values)
        base = find(self.game).evaluations[self.evaluation]
        weights = [
            round(self.unit * value) for gene, value in zip(self.genes, values, strict=True) if gene.name != self.sooner
        ]
        sooner = base.sooner
        for gene, value in zip(self.genes, values, strict=True):
            if gene.name == self.sooner:
                sooner = round(self.unit * value)
        return replace(
            base, name="genome", weights=(*weights, *(0,) * self.idle), sooner=sooner, man=self.unit * round(values[0])
        )


_REAL, _WHOLE = (0.0, 12.0), (0.0, 500_000.0)
"""The ranges of first weights: Kendall and Whitwell's first weights have means near 6."""


def _weight(name: str, standard: float) -> Gene:
    return Gene(name, -10.0, 30.0, _REAL, standard)


def _fixed(name: str, value: float, *, whole: bool = False) -> Gene:
    return Gene(name, value, value, (value, value), value, whole)


def _whole(name: str, high: int, standard: int) -> Gene:
    return Gene(name, 0, high, (0, high), standard, whole=True)


def _ranged(name: str, low: int, high: int, standard: int) -> Gene:
    return Gene(name, low, high, (low, high), standard, whole=True)


EVOCHESS = (
    ("pawn", 85, 115, 100),
    ("knight", 290, 360, 340),
    ("bishop", 300, 370, 340),
    ("rook", 440, 540, 500),
    ("queen", 800, 1000, 900),
    ("bishop on its first square", 0, 30, 15),
    ("pawn in the centre", 0, 30, 15),
    ("doubled pawn", 0, 30, 15),
    ("passed pawn", 0, 40, 20),
    ("backward pawn", 0, 30, 15),
    ("pair of bishops", 0, 40, 20),
    ("knight that reaches more than six squares", 0, 30, 15),
    ("knight in a closed position", 0, 40, 20),
    ("knight in the end game against pawns on both wings", 0, 50, 25),
    ("rook on a half-open file", 0, 30, 15),
    ("rook with another advantage", 0, 20, 10),
    ("rook on the file of a passed pawn", 0, 30, 15),
    ("king off its first rank before the end game", 0, 20, 10),
    ("castled king", 0, 40, 20),
    ("pawn near promotion in the end game", 100, 500, 300),
    ("hunted king", 0, 100, 0),
)
"""The ranges and defaults of EvoChess, and a last term of our own; a test compares them with the evaluation's, which
is not imported here because this module must not load compiled code."""

SCHEMAS = {
    schema.name: schema
    for schema in (
        Schema(
            "chess/men-and-mobility",
            1,
            "chess",
            "kendall-whitwell",
            (
                _fixed("pawn", 1),
                _weight("knight", 3),
                _weight("bishop", 3),
                _weight("rook", 5),
                _weight("queen", 9),
                _fixed("king", 100),
                _weight("legal move", 0.1),
            ),
            unit=1_000,
        ),
        Schema(
            "chess/evochess",
            2,
            "chess",
            "evochess",
            tuple(_ranged(name, low, high, standard) for name, low, high, standard in EVOCHESS),
        ),
        Schema(
            "checkers/lecture",
            1,
            "checkers",
            "lecture",
            (
                _fixed("man", 100_000, whole=True),
                _whole("king", 1_000_000, 300_000),
                _whole("king in the centre", 100_000, 5_000),
                _whole("advance", 100_000, 1_000),
                _whole("order", 10_000, 50),
            ),
            sooner="order",
        ),
        Schema(
            "checkers/second-course",
            1,
            "checkers",
            "second-course",
            (_whole("man", 100, 1), _whole("king", 100, 5)),
            idle=2,
        ),
    )
}
"""The registered schemas by name; the first one of a game is its default."""


def schema_named(name: str) -> Schema:
    """Return the schema of a name. Raises KeyError, with a message that lists the names, for an unknown one."""
    if name not in SCHEMAS:
        raise KeyError(f"no schema of genomes is called {name[:60]!r}; there are {', '.join(SCHEMAS)}")
    return SCHEMAS[name]


def schema_written(name: str, version: int) -> Schema:
    """Return the schema that a genome file names. Raises ValueError for an unknown name or version."""
    try:
        schema = schema_named(name)
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    if version != schema.version:
        raise ValueError(f"the genome is of version {version} of {schema.name}; this is {schema.version}")
    return schema


def schema_for(game: str) -> Schema:
    """Return the default schema of a game. Raises KeyError, with a message that lists the games, without one."""
    for schema in SCHEMAS.values():
        if schema.game == game:
            return schema
    games = ", ".join(sorted({schema.game for schema in SCHEMAS.values()}))
    raise KeyError(f"there are no genomes for {game[:60]!r}; there are genomes for {games}")


VERSION = 1


class GenomeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The contents of a genome file."""

    version: int
    """Version of the format."""
    schema: str
    """Name of the schema."""
    schema_version: int
    """Version of the schema."""
    values: dict[str, float]
    """The value of each gene, by its name."""
    lineage: dict[str, object] = {}
    """The genome's origin, for people and programs; no code depends on it."""


def write(schema: Schema, values: Values, lineage: Mapping[str, object] | None = None) -> str:
    """Write a genome as JSON."""
    named = {gene.name: value for gene, value in zip(schema.genes, values, strict=True)}
    file = GenomeFile(VERSION, schema.name, schema.version, named, dict(lineage or {}))
    return msgspec.json.format(msgspec.json.encode(file)).decode() + "\n"


def read(text: str | bytes) -> tuple[Schema, Values]:
    """Return the schema and the values of a genome.

    Raises ValueError, with a readable message, if the file is not a genome, has another version, names an unknown
    schema, or has missing, unknown or invalid genes.
    """
    try:
        file = msgspec.json.decode(text, type=GenomeFile)
    except msgspec.DecodeError as error:
        raise ValueError(f"no genome: {error}") from None
    if file.version != VERSION:
        raise ValueError(f"the genome is of version {file.version}; this is version {VERSION}")
    schema = schema_written(file.schema, file.schema_version)
    names = [gene.name for gene in schema.genes]
    if strange := sorted(set(file.values) ^ set(names)):
        raise ValueError(f"{strange[0][:60]!r} is in the genome or in {schema.name}, but not in both")
    values = [file.values[name] for name in names]
    if not all(map(isfinite, values)):
        raise ValueError("a genome is made of finite numbers")
    return schema, schema.check(values)
