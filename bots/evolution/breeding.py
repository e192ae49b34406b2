# SPDX-License-Identifier: GPL-3.0-or-later
"""One generation of a population: its games, in threads, and the next population.

The result depends on the breed alone, not on the number of threads: every game has its own seed. ``islands`` runs
several populations with migration; ``hosted_population`` runs a population that an arena stores.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import msgspec

from bots.evolution.contests import DEPTH, PLIES, Contest, Table
from bots.evolution.dynamics import dynamic_named
from bots.evolution.dynamics.dynamic import Dynamic
from bots.evolution.genome import Schema, schema_named
from bots.evolution.operators import chance_for
from bots.evolution.population import Population, Result, checked
from engine.evaluation import Evaluation
from engine.games import find

VERSION = 2


class Breed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings that determine a run."""

    version: int
    """Version of the format."""
    schema: str
    """Name of the schema of the genomes."""
    dynamics: str
    """Name of the dynamics."""
    size: int
    """Number of members."""
    seed: int
    """Seed of the run."""
    options: dict[str, float] = {}
    """Options of the dynamics that differ from their defaults."""
    depth: int = DEPTH
    """Search depth of the players, in plies."""
    plies: int = PLIES
    """Number of plies after which a game is drawn."""
    islands: int = 1
    """Number of islands of the run."""
    island: int = 0
    """The number of this island, from 0."""
    migration: int = 0
    """Generations between two migrations; 0 for a single population."""

    @property
    def root(self) -> int:
        """The seed of this population."""
        return self.seed if self.islands == 1 else chance_for(self.seed, "deme", self.island).getrandbits(63)

    @property
    def genes(self) -> Schema:
        """The schema of the genomes. Raises KeyError."""
        return schema_named(self.schema)

    @property
    def dynamic(self) -> Dynamic:
        """The dynamics. Raises KeyError."""
        return dynamic_named(self.dynamics)

    @property
    def all_options(self) -> dict[str, float]:
        """All options of the dynamics. Raises ValueError for an unknown one."""
        known = self.dynamic.options
        if strange := sorted(set(self.options) - set(known)):
            there = ", ".join(known) or "none"
            raise ValueError(f"{self.dynamics} has no option {strange[0][:40]!r}; there are {there}")
        return {**known, **self.options}

    def begin(self) -> Population:
        """Return the first generation. Raises ValueError for a size that the dynamics cannot have."""
        return self.dynamic.begin(self.genes, self.size, self.root, self.all_options)

    def advance(self, population: Population, results: Sequence[Result]) -> Population:
        """Return the next generation. Raises ValueError for results of other pairs."""
        options = self.all_options
        checked(population, results, self.dynamic.pairs(population, self.root, options))
        return self.dynamic.advance(population, results, self.root, options)


@dataclass(frozen=True, slots=True)
class Bred:
    """A population, with the results that it follows from and their cost."""

    population: Population
    results: tuple[Result, ...] = ()
    leaves: int = 0
    """Number of evaluated positions."""
    plies: int = 0
    seconds: float = 0.0


class Arenas:
    """Threads that play games, each with its own table; a context manager."""

    def __init__(self, game: str, threads: int, *, depth: int = DEPTH, plies: int = PLIES) -> None:
        """Compiles or loads the code. Raises ValueError for a game without fixed-depth search."""
        self._make: Callable[[], Table] = lambda: Table(find(game), depth, plies)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="breeding")
        self._own = threading.local()
        table = self._make()
        evaluation = next(iter(find(game).evaluations.values()))
        table.play(evaluation, evaluation, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the threads after their current games."""
        self._pool.shutdown(cancel_futures=True)

    def play(
        self, pairs: Sequence[tuple[Evaluation, Evaluation]], seeds: Sequence[int]
    ) -> list[tuple[Contest, Contest]]:
        """Play two games of each pair from one opening, with exchanged seats; return them in order."""
        jobs = [
            self._pool.submit(self._one, first, second, seed, seat)
            for (first, second), seed in zip(pairs, seeds, strict=True)
            for seat in (0, 1)
        ]
        try:
            games = [job.result() for job in jobs]
        finally:
            for job in jobs:
                job.cancel()
        return list(zip(games[::2], games[1::2], strict=True))

    def _one(self, first: Evaluation, second: Evaluation, seed: int, seat: int) -> Contest:
        if not hasattr(self._own, "table"):
            self._own.table = self._make()
        contest: Contest = self._own.table.play(first, second, seed, seat)
        return contest


def played(breed: Breed, population: Population, arenas: Arenas) -> Bred:
    """Play a generation and return the next one."""
    return played_together([breed], [population], arenas)[0]


def played_together(breeds: Sequence[Breed], populations: Sequence[Population], arenas: Arenas) -> list[Bred]:
    """Play a generation of several populations of one game together; return the next ones.

    Each gets a share of the time that is its share of the games.
    """
    began = time.monotonic()
    due = [
        breed.dynamic.pairs(population, breed.root, breed.all_options)
        for breed, population in zip(breeds, populations, strict=True)
    ]
    jobs: list[tuple[Evaluation, Evaluation]] = []
    seeds: list[int] = []
    for breed, population, pairs in zip(breeds, populations, due, strict=True):
        chance = chance_for(breed.root, population.generation, "games")
        players = {member.number: breed.genes.express(member.values) for member in population.members}
        jobs += [(players[first], players[second]) for first, second in pairs]
        seeds += [chance.getrandbits(63) for _ in pairs]
    games = iter(arenas.play(jobs, seeds))
    seconds = time.monotonic() - began
    return [
        _taken(breed, population, [(pair, next(games)) for pair in pairs], seconds * len(pairs) / max(1, len(jobs)))
        for breed, population, pairs in zip(breeds, populations, due, strict=True)
    ]


def _taken(
    breed: Breed,
    population: Population,
    games: Sequence[tuple[tuple[int, int], tuple[Contest, Contest]]],
    seconds: float,
) -> Bred:
    """Return the generation that follows from the games of pairs."""
    results = tuple(Result(first, second, (one.score, other.score)) for (first, second), (one, other) in games)
    every = [game for _, both in games for game in both]
    return Bred(
        breed.advance(population, results),
        results,
        sum(game.leaves for game in every),
        sum(len(game.moves) for game in every),
        seconds,
    )


def bred(breed: Breed, population: Population, arenas: Arenas) -> Iterator[Bred]:
    """Yield the following generations without end."""
    while True:
        following = played(breed, population, arenas)
        population = following.population
        yield following
