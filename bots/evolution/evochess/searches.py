# SPDX-License-Identifier: GPL-3.0-or-later
"""The kind of genome that is a whole search: a program, and the numbers of search parameters and of weights.

Its players meet each other, or a frozen rival, from an opening of breeding, refereed by ``engine.match``.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial

from bots.evolution.evochess import drill, growth
from bots.evolution.evochess.contests import bred_openings
from bots.evolution.evochess.genome import SEARCH, Genome, checked, drawn, express, write
from bots.evolution.evochess.player import Player, SearchSettings
from bots.evolution.family import NODES
from bots.evolution.genome import Gene, Genotype, Kind, Program, Schema, Values
from bots.evolution.operators import Chance
from bots.evolution.refereed import AGREED, PLIES, PlayedGame, play
from bots.evolution.rivals import Rival
from engine.games import find

SEARCHES = "search"
COUNTED = 8
"""Games of a rival against itself in which its nodes are counted."""


@dataclass(frozen=True)
class Searches(Kind):
    """Genomes of searches of a game."""

    weights: Schema
    """The schema of the weights."""
    nodes: int = NODES
    share: float = 0.0
    """Allowed share of the rival's nodes, if that is more than ``nodes``."""
    plies: int = PLIES
    first: Values = ()
    """First weights of all members; none: random."""
    given: tuple[Genotype, ...] = ()
    pool: Executor | None = field(default=None, compare=False)
    """Workers of the drill."""
    numeric = False
    rivals = True

    def __post_init__(self) -> None:
        """Raises ValueError for invalid first weights and guests."""
        if self.first:
            self.weights.check(self.first)
        for guest in self.given:
            self.checked(guest)

    @functools.cached_property
    def game(self) -> str:  # type: ignore[override]  # nothing assigns it
        """The game's name."""
        return self.weights.game

    @functools.cached_property
    def name(self) -> str:  # type: ignore[override]  # nothing assigns it
        """The kind's name."""
        return f"{self.weights.game}/{SEARCHES}"

    @functools.cached_property
    def version(self) -> int:  # type: ignore[override]  # nothing assigns it
        """Grows with the version of either module."""
        return SEARCH.version + self.weights.version

    @functools.cached_property
    def genes(self) -> tuple[Gene, ...]:  # type: ignore[override]  # nothing assigns it
        """The genes of search parameters, then those of weights."""
        return (*SEARCH.genes, *self.weights.genes)

    @functools.cached_property
    def openings(self) -> int:  # type: ignore[override]  # nothing assigns it
        """Number of openings of breeding."""
        return len(bred_openings(find(self.game)))

    @property
    def tables(self) -> Callable[[], "SearchTable"]:
        """Factory of tables for games of searches."""
        return partial(SearchTable, replace(self, pool=None))

    @property
    def guests(self) -> tuple[Genotype, ...]:
        """Given genomes."""
        return self.given

    def genome(self, genotype: Genotype) -> Genome:
        """Return a genome by its modules."""
        count = len(SEARCH.genes)
        return Genome(genotype.program, genotype.values[:count], genotype.values[count:])

    def checked(self, genotype: Genotype) -> Genotype:
        """Return a validated genome. Raises ValueError."""
        return genotype_of(checked(self.weights, self.genome(genotype)))

    def drawn(self, chance: Chance) -> Genotype:
        """Return a genome with a random program, neutral search parameters, and random weights or given ones."""
        genome = drawn(self.weights, chance, self.first)
        return Genotype((*genome.search, *genome.weights), genome.program)

    def inherited(self, mother: Program, father: Program | None, chance: Chance) -> Program:
        """Return a crossover of two programs, or a mutant of one."""
        return growth.mutated(mother, chance) if father is None else growth.crossed(mother, father, chance)

    def player(self, genotype: Genotype) -> SearchSettings:
        """Return the search of a genome. Raises ValueError."""
        return express(self.weights, self.genome(genotype))

    def threaded(self, pool: Executor) -> "Searches":
        """Return this kind with workers for the drill."""
        return replace(self, pool=pool)

    def errors(self, genotypes: Sequence[Genotype], numbers: Sequence[int], level: int) -> Sequence[float]:
        """Return each genome's mean loss of expected score at the drill's positions."""

        error = partial(_error, replace(self, pool=None), tuple(numbers), level)
        return list((self.pool.map if self.pool else map)(error, genotypes))

    def file(self, genotype: Genotype, lineage: Mapping[str, object], level: int = 0) -> str:
        """Return a genome as a file; ``level``: the rival that it met last."""
        nodes = self.allowed(level)
        more: dict[str, object] = {"nodes": nodes}
        if self.first:
            more["weights"] = "the first members' were given"
        if self.given:
            more["guests"] = len(self.given)
        return write(self.weights, self.genome(genotype), nodes, {**lineage, **more})

    def allowed(self, level: int) -> int:
        """Return the allowed average number of nodes per move against the rival of a level; 0: other members."""
        return max(self.nodes, int(self.share * rival_nodes(self.game, level)) if self.share and level else 0)


def _error(kind: Searches, numbers: Sequence[int], level: int, genotype: Genotype) -> float:
    return drill.errors(Player(find(kind.game), kind.player(genotype), kind.allowed(level)), numbers)


def genotype_of(genome: Genome) -> Genotype:
    """Return a genome of three modules as members have it."""
    return Genotype((*genome.search, *genome.weights), genome.program)


@functools.cache
def rival_nodes(name: str, level: int) -> float:
    """Return the average nodes per move of a rival against itself."""
    game = find(name)
    both = Rival(game, level), Rival(game, level)
    games = [play(*both, opening, ends=AGREED) for opening in bred_openings(game)[:COUNTED]]
    return sum(sum(one.nodes) for one in games) / sum(sum(one.moves) for one in games)


class SearchTable:
    """Plays games of searches; the opening of a game is that of its seed. Each thread needs its own."""

    def __init__(self, kind: Searches) -> None:
        self._kind = kind
        self._game = find(kind.game)
        self._openings = bred_openings(self._game)

    def play(self, first: SearchSettings, second: SearchSettings | int, seed: int, seat: int = 0) -> PlayedGame:
        """Play a game; a number stands for the rival of this depth."""
        game, kind = self._game, self._kind
        level = second if isinstance(second, int) else 0
        other = Rival(game, level) if level else Player(game, second, kind.nodes)  # type: ignore[arg-type]  # no level: a search
        one = Player(game, first, kind.allowed(level))
        return play(one, other, self._openings[seed % len(self._openings)], seat, plies=kind.plies, ends=AGREED)
