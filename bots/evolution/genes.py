# SPDX-License-Identifier: GPL-3.0-or-later
"""What genomes are made of: for each game the registered schemas, and what a genome's numbers mean to its player."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

Values = tuple[float, ...]
"""The numbers of a genome, one for each gene of its schema."""


@dataclass(frozen=True, slots=True)
class Gene:
    """A number of a genome: its bounds, and where evolution begins. It is fixed where the bounds are equal."""

    name: str
    low: float
    high: float
    first: tuple[float, float]
    """The bounds between which the first generation is drawn."""
    standard: float
    """What people use."""
    whole: bool = False
    """Whether it is a whole number."""

    @property
    def fixed(self) -> bool:
        """Whether nothing can change it."""
        return self.low == self.high

    def fitted(self, value: float) -> float:
        """Return the nearest value that the gene can have."""
        within = min(max(value, self.low), self.high)
        return float(round(within)) if self.whole else within


@dataclass(frozen=True, slots=True)
class Schema:
    """A kind of genome: its genes, and the evaluation that they make of one that the game has."""

    name: str
    version: int
    game: str
    evaluation: str
    """The game's evaluation whose terms the genes weigh."""
    genes: tuple[Gene, ...]
    unit: int = 1
    """A gene of 1 weighs so much: weights are whole numbers."""
    sooner: str = ""
    """The gene that says what it is worth to win a ply earlier; "" where none does."""
    idle: int = 0
    """Terms of the evaluation after the genes' own that weigh nothing."""

    @property
    def standard(self) -> Values:
        """The values that people use."""
        return tuple(gene.standard for gene in self.genes)

    @property
    def free(self) -> tuple[int, ...]:
        """The places of the genes that are not fixed."""
        return tuple(place for place, gene in enumerate(self.genes) if not gene.fixed)

    def check(self, values: Sequence[float]) -> Values:
        """Return values as they are kept. Raises ValueError when they are out of bounds, or are not as many."""
        if len(values) != len(self.genes):
            raise ValueError(f"{self.name} has {len(self.genes)} genes, not {len(values)}")
        for gene, value in zip(self.genes, values, strict=True):
            if not gene.low <= value <= gene.high:
                raise ValueError(f"{gene.name} is {value:g}, not from {gene.low:g} to {gene.high:g}")
            if gene.whole and value != round(value):
                raise ValueError(f"{gene.name} is {value:g}, which is no whole number")
        return tuple(float(value) for value in values)

    def fitted(self, values: Sequence[float]) -> Values:
        """Return the nearest values that a genome can have."""
        return tuple(gene.fitted(value) for gene, value in zip(self.genes, values, strict=True))

    def express(self, values: Values) -> "Evaluation":
        """Return the evaluation that a genome's player plays by. Raises ValueError as ``check`` does."""
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
"""Where weights begin: Kendall and Whitwell's unevolved weights have their means near 6."""


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
"""The ranges and defaults of EvoChess, and a last term of ours; a test holds them against the evaluation's own, which
is not imported here because this module is read where nothing is compiled."""

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
"""The registered schemas by name; the first of a game is the one that is bred unless another is named."""


def schema_named(name: str) -> Schema:
    """Return the schema of a name. Raises KeyError, with a message that lists the names, when there is none."""
    if name not in SCHEMAS:
        raise KeyError(f"no schema of genomes is called {name[:60]!r}; there are {', '.join(SCHEMAS)}")
    return SCHEMAS[name]


def schema_written(name: str, version: int) -> Schema:
    """Return the schema that a file's genome says it is of. Raises ValueError when there is none of that version."""
    try:
        schema = schema_named(name)
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    if version != schema.version:
        raise ValueError(f"the genome is of version {version} of {schema.name}; this is {schema.version}")
    return schema


def schema_for(game: str) -> Schema:
    """Return what is bred in a game. Raises KeyError, with a message that lists the games, where nothing is."""
    for schema in SCHEMAS.values():
        if schema.game == game:
            return schema
    games = ", ".join(sorted({schema.game for schema in SCHEMAS.values()}))
    raise KeyError(f"nothing is bred in {game[:60]!r}; genomes are there for {games}")
