# SPDX-License-Identifier: GPL-3.0-or-later
"""The kind of genome that is the numbers of a search whose program stays: search parameters, weights, or both.

Dynamics of numbers start near the numbers of a given genome: first values differ from them by up to NEAR of each
gene's range. Games between such close relatives tune numbers better than games against rivals.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from bots.evolution.evochess.genome import SEARCH, Genome
from bots.evolution.evochess.searches import Searches
from bots.evolution.family import CHANGING, PARAMETERS, WEIGHTS
from bots.evolution.genome import Gene, Genotype, Program
from bots.evolution.operators import Chance

NEAR: Final = 0.1


@dataclass(frozen=True)
class Numbers(Searches):
    """Genomes with the program of a base genome."""

    base: Genotype = field(kw_only=True)
    changing: str = PARAMETERS
    numeric = True
    rivals = False

    def __post_init__(self) -> None:
        """Raises ValueError for an invalid base genome, and for unknown numbers."""
        if self.changing not in CHANGING:
            raise ValueError(f"the numbers that change are {', '.join(CHANGING)} (got {self.changing[:40]!r})")
        Searches.checked(self, self.base)

    @functools.cached_property
    def genes(self) -> tuple[Gene, ...]:  # type: ignore[override]  # nothing assigns it
        """The genes; numbers that do not change are fixed."""
        free = [self.changing != WEIGHTS] * len(SEARCH.genes) + [self.changing != PARAMETERS] * len(self.weights.genes)
        every = zip((*SEARCH.genes, *self.weights.genes), self.base.values, free, strict=True)
        return tuple(
            _near(gene, value) if changes and not gene.fixed else gene.fixed_at(value) for gene, value, changes in every
        )

    def genome(self, genotype: Genotype) -> Genome:
        """Return a genome with the base genome's program."""
        return super().genome(Genotype(genotype.values, self.base.program))

    def program(self, genotype: Genotype) -> Program:
        """Return the base genome's program."""
        return self.base.program

    def checked(self, genotype: Genotype) -> Genotype:
        """Return validated numbers. Raises ValueError."""
        return Genotype(self.check(genotype.values))

    def drawn(self, chance: Chance) -> Genotype:
        """Return numbers near those of the base genome."""
        return Genotype(self.fitted([chance.uniform(*gene.first) for gene in self.genes]))

    def file(self, genotype: Genotype, lineage: Mapping[str, object], level: int = 0) -> str:
        """Return a genome as a file."""
        return super().file(genotype, {**lineage, "numbers": self.changing}, level)


def _near(gene: Gene, value: float) -> Gene:
    width = gene.high - gene.low
    return replace(gene, first=(value - NEAR * width, value + NEAR * width), standard=value, unit=width)
