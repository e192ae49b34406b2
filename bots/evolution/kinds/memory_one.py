# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes that are strategies of the iterated Prisoner's Dilemma: memory-one, or reactive.

No games are played: the fitness of a member is its expected payoff of a round against the other members, which follows
exactly from the probabilities. One choice in a hundred goes wrong, as in M. A. Nowak and K. Sigmund (1993): without
such noise the first round decides too much.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from bots.evolution.family import Family
from bots.evolution.genome import VERSION as FILE_VERSION
from bots.evolution.genome import Census, Gene, GenomeFile, Genotype, Kind, Values
from bots.evolution.kinds.matrix import Comparisons
from bots.strategies.catalogue import GAME, STRATEGIES, Strategy, memory_one
from bots.strategies.expected import expected_payoffs
from bots.strategies.kernels import MEMORY_ONE as MEMORY_ONE_KERNEL

if TYPE_CHECKING:
    from bots.evolution.breeding import Breed

MEMORY_ONE, REACTIVE = NAMES = (f"{GAME}/memory-one", f"{GAME}/reactive")
VERSION = 1
NOISE = 0.01
"""Probability that the opposite of a choice is played."""


def _named() -> dict[str, tuple[float, ...]]:
    """Return the probabilities of the named memory-one strategies after CC, CD, DC and DD, each set once."""
    found: dict[str, tuple[float, ...]] = {"grudger": (1.0, 0.0, 0.0, 0.0)}
    for strategy in STRATEGIES:
        if strategy.kernel == MEMORY_ONE_KERNEL and strategy.numbers[1:] not in found.values():
            found[strategy.name] = strategy.numbers[1:]
    return found


NAMED = _named()
"""The strategies by which a population is counted. Grudger remembers one round only: it cooperates after CC alone."""


def _gene(name: str, standard: float) -> Gene:
    return Gene(name, 0.0, 1.0, (0.0, 1.0), standard, unit=1.0)


@dataclass(frozen=True)
class Strategies(Kind):
    """Probabilities of cooperation. The standard values are those of tit for tat."""

    name: str
    genes: tuple[Gene, ...]
    version = VERSION
    game = GAME
    games_decide = False
    hosted = True

    @property
    def tables(self) -> Callable[[], Comparisons]:
        """Factory of tables that compare payoffs."""
        return Comparisons

    def numbers(self, values: Sequence[float]) -> Values:
        """Return the probabilities in the first round, and after CC, CD, DC and DD."""
        if self.name == MEMORY_ONE:
            return tuple(values)
        first, after_c, after_d = values
        return first, after_c, after_d, after_c, after_d

    def players(self, genotypes: Sequence[Genotype]) -> list[float]:
        """Return the mean payoffs against the other members, which are all that is compared."""
        return self.payoffs(genotypes)

    def payoffs(self, genotypes: Sequence[Genotype]) -> list[float]:
        """Return the expected payoff of a round of each member against the others."""
        found = expected_payoffs([self.numbers(genotype.values) for genotype in genotypes], noise=NOISE)
        others = max(1, len(genotypes) - 1)
        return [float(row.sum() - row[place]) / others for place, row in enumerate(found)]

    def census(self, genotypes: Sequence[Genotype]) -> Census:
        """Count each member for the named strategy with the nearest probabilities after CC, CD, DC and DD."""
        numbers = np.asarray([self.numbers(genotype.values) for genotype in genotypes], float)
        apart = ((numbers[:, None, 1:] - np.asarray(list(NAMED.values()))[None]) ** 2).sum(axis=-1)
        kinds = apart.argmin(axis=1)
        counts = np.bincount(kinds, minlength=len(NAMED))
        shown = sorted(np.flatnonzero(counts), key=lambda kind: -counts[kind])
        payoffs = expected_payoffs([numbers[kinds == kind].mean(axis=0) for kind in shown], noise=NOISE)
        return Census(
            tuple(list(NAMED)[kind] for kind in shown),
            tuple(float(counts[kind] / len(genotypes)) for kind in shown),
            tuple(tuple(map(float, row)) for row in payoffs),
        )

    def file(self, genotype: Genotype, lineage: Mapping[str, object], level: int = 0) -> str:
        """Return a genome as a file."""
        named = {gene.name: value for gene, value in zip(self.genes, genotype.values, strict=True)}
        file = GenomeFile(FILE_VERSION, self.name, VERSION, named, dict(lineage))
        return msgspec.json.format(msgspec.json.encode(file)).decode() + "\n"


KINDS = {
    MEMORY_ONE: Strategies(
        MEMORY_ONE,
        (_gene("first", 1.0), _gene("CC", 1.0), _gene("CD", 0.0), _gene("DC", 1.0), _gene("DD", 0.0)),
    ),
    REACTIVE: Strategies(REACTIVE, (_gene("first", 1.0), _gene("after C", 1.0), _gene("after D", 0.0))),
}
"""The kinds by name."""


def strategy_of(content: bytes, name: str) -> Strategy:
    """Return the strategy of a genome file. Raises ValueError, with a message for people."""
    try:
        file = msgspec.json.decode(content, type=GenomeFile)
    except msgspec.DecodeError as error:
        raise ValueError(f"no genome: {error}") from None
    kind = KINDS.get(file.schema)
    if kind is None or file.version != FILE_VERSION or file.schema_version != VERSION:
        raise ValueError(f"no strategy of version {VERSION} of {', '.join(NAMES)}")
    if file.values.keys() != {gene.name for gene in kind.genes}:
        raise ValueError(f"the genes of {kind.name} are {', '.join(gene.name for gene in kind.genes)}")
    first, *probabilities = kind.numbers(kind.check([file.values[gene.name] for gene in kind.genes]))
    return memory_one(name, probabilities, first)


def made(breed: "Breed") -> Strategies:
    """Return the kind of a run."""
    return KINDS[breed.schema]


FAMILY = Family(
    " or ".join(NAMES),
    "probabilities of cooperation; fitness is the expected payoff against the other members",
    lambda game: list(NAMES) if game == GAME else [],
    made,
)
