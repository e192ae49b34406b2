# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes that are strategies of a payoff matrix: pure ones by name, or mixed ones, a probability for each strategy.

No games are played. The fitness of a member is its mean payoff against the other members of its population. Dynamics
of pairs compare the fitness of both: the higher one wins both games of the pair.
"""

import functools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from bots.evolution import matrix as matrices
from bots.evolution.family import Family
from bots.evolution.genome import Gene, Genotype, Kind, Program, Values
from bots.evolution.matrix import Matrix
from bots.evolution.operators import Chance

if TYPE_CHECKING:
    from bots.evolution.breeding import Breed

GAME = "matrix"
PURE, MIXED = NAMES = (f"{GAME}/pure", f"{GAME}/mixed")
VERSION = 1
SUM_ERROR = 1e-9
"""Allowed difference of the sum of probabilities from 1, by rounding."""


class Comparison(NamedTuple):
    """The outcome of a game: score 1 for the member with the higher payoff in the population, 0 for the other one."""

    score: float
    counts: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    """Neither moves nor nodes."""


class Comparisons:
    """Compares payoffs where other kinds play games."""

    def play(self, first: float, second: float, seed: int, seat: int = 0) -> Comparison:
        """Compare the mean payoffs of two members."""
        return Comparison(1.0 if first > second else 0.0 if first < second else 0.5)


class StrategyFile(msgspec.Struct, frozen=True):
    """The best strategy of a run as a file."""

    version: int
    """Version of the format."""
    kind: str
    """Name of the kind of genome."""
    strategy: dict[str, float]
    """The probability of each strategy of the matrix."""
    lineage: dict[str, object]
    """The genome's origin."""


@dataclass(frozen=True)
class Strategies(Kind):
    """Strategies of a matrix."""

    matrix: Matrix
    games_decide = False
    version = VERSION
    game = GAME

    @property
    def tables(self) -> Callable[[], Comparisons]:
        """Factory of tables that compare payoffs."""
        return Comparisons

    def probabilities(self, genotype: Genotype) -> Sequence[float]:
        """Return the probability of each strategy."""
        raise NotImplementedError

    def players(self, genotypes: Sequence[Genotype]) -> list[Any]:
        """Return the mean payoffs against the other members, which are all that is compared."""
        return self.payoffs(genotypes)

    def payoffs(self, genotypes: Sequence[Genotype]) -> list[float]:
        """Return the mean payoff of each member against the others."""
        raise NotImplementedError

    def shares(self, genotypes: Sequence[Genotype]) -> dict[str, float]:
        """Return the mean probability of each strategy."""
        columns = zip(*map(self.probabilities, genotypes), strict=True)
        return {name: fsum(column) / len(genotypes) for name, column in zip(self.matrix.names, columns, strict=True)}

    def file(self, genotype: Genotype, lineage: Mapping[str, object], level: int = 0) -> str:
        """Return a strategy as a file."""
        strategy = dict(zip(self.matrix.names, self.probabilities(genotype), strict=True))
        file = StrategyFile(VERSION, self.name, strategy, dict(lineage))
        return msgspec.json.format(msgspec.json.encode(file)).decode() + "\n"


@dataclass(frozen=True)
class Pure(Strategies):
    """Pure strategies: the genome's only word is the name."""

    name = PURE
    genes = ()
    numeric = False
    beyond = f"are names of strategies; choose {MIXED}"

    @property
    def guests(self) -> tuple[Genotype, ...]:
        """The members of the first generation that are given."""
        return tuple(Genotype((), (name,)) for name, count in self.matrix.start.items() for _ in range(count))

    def checked(self, genotype: Genotype) -> Genotype:
        """Return a validated genome. Raises ValueError."""
        if len(genotype.program) != 1 or genotype.program[0] not in self.matrix.names:
            raise ValueError(f"{str(genotype.program)[:80]} is not a strategy of the matrix")
        return Genotype(self.check(genotype.values), genotype.program)

    def drawn(self, chance: Chance) -> Genotype:
        """Return a strategy at random."""
        return Genotype((), (chance.choice(self.matrix.names),))

    def inherited(self, mother: Program, father: Program | None, chance: Chance) -> Program:
        """Return the strategy of a parent, or, by mutation, one at random."""
        if chance.random() < self.matrix.mutation:
            return (chance.choice(self.matrix.names),)
        return mother if father is None else chance.choice((mother, father))

    def probabilities(self, genotype: Genotype) -> list[float]:
        """Return 1 for the strategy and 0 for the others."""
        return [float(name == genotype.program[0]) for name in self.matrix.names]

    def payoffs(self, genotypes: Sequence[Genotype]) -> list[float]:
        """Return the mean payoff of each member against the others."""
        counts, rows = Counter(genotype.program[0] for genotype in genotypes), self.matrix.payoffs
        there = [(place, counts[name]) for place, name in enumerate(self.matrix.names) if name in counts]
        others = max(1, len(genotypes) - 1)
        found = {
            self.matrix.names[own]: (fsum(count * rows[own][place] for place, count in there) - rows[own][own]) / others
            for own, _ in there
        }
        return [found[str(genotype.program[0])] for genotype in genotypes]


@dataclass(frozen=True)
class Mixed(Strategies):
    """Mixed strategies: a probability for each strategy."""

    name = MIXED

    @property
    def guests(self) -> tuple[Genotype, ...]:
        """The given first shares, for dynamics of an infinite population."""
        start = [float(self.matrix.start.get(name, 0)) for name in self.matrix.names]
        return (Genotype(self.fitted(start)),) if any(start) else ()

    @functools.cached_property
    def payoff_spread(self) -> float:  # type: ignore[override]  # nothing assigns it
        """Difference of the largest and the smallest payoff."""
        payoffs = [payoff for row in self.matrix.payoffs for payoff in row]
        return max(payoffs) - min(payoffs)

    @functools.cached_property
    def genes(self) -> tuple[Gene, ...]:  # type: ignore[override]  # nothing assigns it
        """A probability for each strategy."""
        names = self.matrix.names
        return tuple(Gene(name, 0.0, 1.0, (0.0, 1.0), 1 / len(names), unit=1.0) for name in names)

    def check(self, values: Sequence[float]) -> Values:
        """Return validated probabilities. Raises ValueError."""
        checked = Kind.check(self, values)
        if abs(fsum(checked) - 1) > SUM_ERROR:
            raise ValueError(f"the sum of probabilities is {fsum(checked):g}, not 1")
        return checked

    def fitted(self, values: Sequence[float]) -> Values:
        """Return probabilities in proportion to the positive values; equal ones without any."""
        positive = [max(0.0, value) for value in values]
        total = fsum(positive)
        return tuple(value / total if total else 1 / len(positive) for value in positive)

    def drawn(self, chance: Chance) -> Genotype:
        """Return probabilities drawn uniformly from the simplex."""
        return Genotype(self.fitted([-log(1 - chance.random()) for _ in self.matrix.names]))

    def probabilities(self, genotype: Genotype) -> Values:
        """Return the probability of each strategy."""
        return genotype.values

    def rates(self, genotype: Genotype) -> list[float]:
        """Return the mean payoff of each strategy against a population with these shares."""
        return self.matrix.against(genotype.values)

    def payoffs(self, genotypes: Sequence[Genotype]) -> list[float]:
        """Return the mean payoff of each member against the others."""
        members, payoffs = np.array([genotype.values for genotype in genotypes]), np.array(self.matrix.payoffs)
        # no products of BLAS, which differ between machines
        against = np.einsum("st,t->s", payoffs, members.sum(axis=0))
        alone = np.einsum("ms,st,mt->m", members, payoffs, members)
        if len(members) == 1:
            # the shares of an infinite population, which plays against itself
            return [float(alone[0])]
        found: list[float] = ((np.einsum("ms,s->m", members, against) - alone) / max(1, len(genotypes) - 1)).tolist()
        return found


def made(breed: "Breed") -> Strategies:
    """Return the kind of a run. Raises ValueError without a matrix, and for members given to mixed strategies."""
    if breed.matrix is None:
        raise ValueError(f"genomes of {breed.schema} need --matrix FILE")
    if breed.schema == PURE:
        return Pure(breed.matrix)
    if breed.matrix.mutation or (breed.matrix.start and not breed.dynamic.infinite):
        raise ValueError(f"--start and --mutation need --schema {PURE}; steps of {MIXED} follow from the dynamics")
    return Mixed(breed.matrix)


def given(name: str, path: Path) -> Matrix:
    """Return the matrix of a file. Raises ValueError, with a message for people, and OSError."""
    return matrices.read(path)


FAMILY = Family(
    " or ".join(NAMES),
    "strategies of --matrix; fitness is the mean payoff against the other members",
    lambda game: list(NAMES) if game == GAME else [],
    made,
    matrix=given,
    game=GAME,
)
