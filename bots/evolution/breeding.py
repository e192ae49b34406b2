# SPDX-License-Identifier: GPL-3.0-or-later
"""Breeding: generation after generation, the pairs of each played in threads.

What comes of it follows from the breed alone, whatever the number of threads: every game has a seed of its own.
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
from bots.evolution.genes import Schema, schema_named
from bots.evolution.operators import chance_for
from bots.evolution.population import Population, Result, checked
from engine.evaluation import Evaluation
from engine.games import find

VERSION = 1


class Breed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a run of breeding follows from."""

    version: int
    schema: str
    dynamics: str
    size: int
    seed: int
    options: dict[str, float] = {}
    """Those of the dynamics that were chosen; the others are the dynamics' own."""
    depth: int = DEPTH
    """Plies that the players look ahead."""
    plies: int = PLIES
    """After so many a game is drawn."""
    demes: int = 1
    """Populations that are bred beside each other, of which this is one."""
    deme: int = 0
    """Which one it is, from 0."""
    migration: int = 0
    """Generations from one migration between demes to the next; 0 where there is one population only."""

    @property
    def root(self) -> int:
        """The seed that all draws of this population follow from."""
        return self.seed if self.demes == 1 else chance_for(self.seed, "deme", self.deme).getrandbits(63)

    @property
    def genes(self) -> Schema:
        """The schema that is bred. Raises KeyError."""
        return schema_named(self.schema)

    @property
    def dynamic(self) -> Dynamic:
        """The dynamics. Raises KeyError."""
        return dynamic_named(self.dynamics)

    @property
    def all_options(self) -> dict[str, float]:
        """All options of the dynamics. Raises ValueError for one that they do not have."""
        known = self.dynamic.options
        if strange := sorted(set(self.options) - set(known)):
            there = ", ".join(known) or "none"
            raise ValueError(f"{self.dynamics} has no option {strange[0][:40]!r}; there are {there}")
        return {**known, **self.options}

    def begin(self) -> Population:
        """Return the first generation. Raises ValueError when it cannot be as large as it shall."""
        return self.dynamic.begin(self.genes, self.size, self.root, self.all_options)

    def advance(self, population: Population, results: Sequence[Result]) -> Population:
        """Return the next generation. Raises ValueError for results that are not those of the pairs that were due."""
        options = self.all_options
        checked(population, results, self.dynamic.pairs(population, self.root, options))
        return self.dynamic.advance(population, results, self.root, options)


@dataclass(frozen=True, slots=True)
class Bred:
    """A generation that was bred: the population, by which results it came about, and what they took."""

    population: Population
    results: tuple[Result, ...] = ()
    leaves: int = 0
    """Positions that were scored."""
    plies: int = 0
    seconds: float = 0.0


class Arenas:
    """Threads that play games of one game, each at a table of its own; a context manager."""

    def __init__(self, game: str, threads: int, *, depth: int = DEPTH, plies: int = PLIES) -> None:
        """Compiles, or loads, what the games need. Raises ValueError for a game that cannot be bred."""
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
        """Let the threads end, once the games that they play have."""
        self._pool.shutdown(cancel_futures=True)

    def play(
        self, pairs: Sequence[tuple[Evaluation, Evaluation]], seeds: Sequence[int]
    ) -> list[tuple[Contest, Contest]]:
        """Play two games of each pair from one opening, with exchanged seats; return them in the pairs' order."""
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
    """Play a generation of each of some populations of one game, all their games at once; return the next ones.

    The time that they took is counted for each by its part of the games.
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
    """Yield the generations that follow a population, without end."""
    while True:
        following = played(breed, population, arenas)
        population = following.population
        yield following
