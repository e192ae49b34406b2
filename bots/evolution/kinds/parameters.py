# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes that are the search parameters of the selective search, with one of a game's evaluations.

Members play each other with a node limit, from random openings. Depths stay as they are; the other numbers begin near
the defaults, or near those of a given data bot (``bots.data.format``), the form in which genomes are saved.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bots.data import format as data_bots
from bots.evolution.evochess.genome import SEARCH, margins_of
from bots.evolution.family import Family
from bots.evolution.genome import Gene, Genotype, Kind
from bots.evolution.refereed import Search, SearchGames
from engine.games import find
from engine.search.margins import PARAMETERS

if TYPE_CHECKING:
    from bots.evolution.breeding import Breed

WORD = "parameters"
UNIT = 10
"""A gene's unit, in steps of its parameter's tuning."""


@dataclass(frozen=True, slots=True)
class Parameters(Kind):
    """Search parameters for an evaluation of a game."""

    name: str
    version: int
    game: str
    genes: tuple[Gene, ...]
    evaluation: str
    """Name of the evaluation."""
    nodes: int
    """Nodes per move."""
    plies: int
    """Number of plies after which a game is drawn."""

    @property
    def tables(self) -> Callable[[], SearchGames]:
        """Factory of tables for games of searches."""
        return partial(_table, self.game, self.plies)

    def player(self, genotype: Genotype) -> Search:
        """Return the search of a genome. Raises ValueError for values out of bounds."""
        evaluation = find(self.game).evaluations[self.evaluation]
        return Search(evaluation, nodes=self.nodes, margins=margins_of(self.check(genotype.values)))

    def file(self, genotype: Genotype, lineage: Mapping[str, object], level: int = 0) -> str:
        """Return a genome as a data bot."""
        margins = margins_of(self.check(genotype.values))
        origin = ", ".join(f"{name} {lineage[name]}" for name in ("seed", "generation"))
        configuration = data_bots.Configuration(
            data_bots.KIND,
            data_bots.VERSION,
            {self.game: data_bots.OfGame(self.evaluation)},
            parameters={gene.name: getattr(margins, gene.name) for gene in self.genes},
            nodes=self.nodes,
            description=f"Search parameters of a run of {lineage['dynamics']}, {origin}.",
        )
        return data_bots.write(configuration)


def _table(game: str, plies: int) -> SearchGames:
    return SearchGames(find(game), plies)


def names(game: str) -> list[str]:
    """Return the names of the kinds of a game. Raises KeyError for an unknown game."""
    found = find(game)
    if found.chance:
        return []
    return [f"{game}/{WORD}", *(f"{game}/{WORD}/{evaluation}" for evaluation in found.evaluations)]


def evaluation_of(name: str) -> str:
    """Return the evaluation of a kind: the named one, or that of the strongest built-in bot."""
    game, _, evaluation = name.replace(f"/{WORD}", "", 1).partition("/")
    return evaluation or data_bots.best(find(game))


def guest(name: str, path: Path) -> Genotype:
    """Return the search parameters of a data bot. Raises ValueError, with a message for people, and OSError."""
    game, evaluation = find(name.partition("/")[0]), evaluation_of(name)
    try:
        configuration = data_bots.read(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if game.name not in configuration.games or configuration.evaluation(game) != game.evaluations[evaluation]:
        raise ValueError(f"{path}: the data bot does not play {game.name} by the evaluation {evaluation}")
    if configuration.algorithm != "play" or configuration.switches:
        raise ValueError(f"{path}: only the search play is tuned, with all of its switches")
    return Genotype(tuple(float(getattr(configuration.margins, gene.name)) for gene in SEARCH.genes))


def made(breed: "Breed") -> Parameters:
    """Return the kind of a run. Raises ValueError for several guests."""
    if len(breed.guests) > 1:
        raise ValueError(f"genomes of {breed.schema} begin near one guest, not {len(breed.guests)}")
    defaults = tuple(float(PARAMETERS[gene.name].default) for gene in SEARCH.genes)
    values = SEARCH.check(breed.guests[0].values if breed.guests else defaults)
    genes = tuple(_gene(gene, value) for gene, value in zip(SEARCH.genes, values, strict=True))
    evaluation = evaluation_of(breed.schema)
    return Parameters(breed.schema, SEARCH.version, breed.game, genes, evaluation, breed.nodes, breed.plies)


def _gene(gene: Gene, value: float) -> Gene:
    step = PARAMETERS[gene.name].step
    if not step:
        return gene.fixed_at(value)
    return replace(gene, first=(value - step, value + step), standard=value, unit=UNIT * step)


FAMILY = Family(
    f"GAME/{WORD} or GAME/{WORD}/EVALUATION",
    "the search parameters of the selective search, which plays with --nodes per move",
    names,
    made,
    guest=guest,
)
