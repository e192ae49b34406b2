# SPDX-License-Identifier: GPL-3.0-or-later
"""Breeding: one generation of all islands of a run after the other.

A run is a kind of genome (``kinds``), dynamics, games that select, islands with migration, and a file (``history``).
The games follow from the kind: compiled games of a fixed depth (``contests``), the kind's own, or none, where payoffs
of a matrix select. The result depends on the breed alone, not on the number of threads: every game has its own seed.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import combinations
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self, TypeAlias, cast

import msgspec

from bots.evolution.contests import DEPTH, PLIES, Table
from bots.evolution.dynamics import dynamic_named
from bots.evolution.dynamics.dynamic import Dynamic
from bots.evolution.family import NODES, PARAMETERS
from bots.evolution.genome import Genotype, Kind, Schema, Values
from bots.evolution.islands import Guest, migrated, settled
from bots.evolution.kinds import family_of
from bots.evolution.matrix import Matrix
from bots.evolution.operators import Chance, chance_for
from bots.evolution.population import RIVAL, Member, Population, Result, checked
from bots.pools.pool import Pool, Threads
from engine.games import find

VERSION = 8

AHEAD = 16
"""Games for each worker that may begin before an earlier one has ended."""

Job: TypeAlias = tuple[Any, Any, int, int]
"""A game: the first and the second player, the seed, and the seat of the first."""


class Breed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings that determine a run."""

    version: int
    """Version of the format."""
    schema: str
    """The kind of genome: a name that ``kinds`` knows, such as chess/search."""
    dynamics: str
    """Name of the dynamics."""
    size: int
    """Members of each island."""
    seed: int
    """Seed of the run."""
    options: dict[str, float] = {}
    """Options of the dynamics that differ from their defaults."""
    depth: int = DEPTH
    """Search depth of the players of weights, in plies."""
    plies: int = PLIES
    """Number of plies after which a game is drawn."""
    islands: int = 1
    """Number of islands."""
    migration: int = 0
    """Generations between two migrations; 0 for a single population."""
    nodes: int = NODES
    """Average number of nodes per move of searches."""
    share: float = 0.0
    """Share of a rival's nodes that a search may use, if that is more than ``nodes``."""
    weights: Values = ()
    """First weights of all searches, such as weights fitted to games (a memetic step); none: random."""
    guests: tuple[Genotype, ...] = ()
    """Given genomes of searches; on each island they replace members of the first generation."""
    numbers: str = PARAMETERS
    """What dynamics of numbers change in a given search: "search", "weights" or "both"."""
    matrix: Matrix | None = None
    """The payoffs of strategies that select, where no games are played."""

    def root(self, island: int = 0) -> int:
        """Return the seed of an island."""
        return self.seed if self.islands == 1 else chance_for(self.seed, "deme", island).getrandbits(63)

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.schema.partition("/")[0]

    @property
    def genes(self) -> Kind:
        """The kind of the genomes. Raises KeyError, and ValueError for invalid guests and weights."""
        return family_of(self.schema).make(self)

    @property
    def dynamic(self) -> Dynamic:
        """The dynamics. Raises KeyError."""
        return dynamic_named(self.dynamics)

    @property
    def all_options(self) -> dict[str, float]:
        """All options of the dynamics. Raises ValueError for an unknown one, or one out of range."""
        return self.dynamic.chosen(self.options)

    def begin(self) -> list[Population]:
        """Return the first generation of each island.

        Raises ValueError for settings that do not go together, and KeyError for an unknown kind.
        """
        kind, dynamic, options = self.genes, self.dynamic, self.all_options
        for name, least, most in (("nodes", 1, 10**9), ("share", 0, 100), ("islands", 1, 1_000), ("plies", 1, 10_000)):
            value = getattr(self, name)
            if not least <= value <= most:
                raise ValueError(f"{name} must be from {least} to {most} (got {value:g})")
        if dynamic.numeric and not kind.numeric:
            raise ValueError(f"{self.dynamics} changes numbers only, but genomes of {kind.name} {kind.beyond}")
        if dynamic.rounds is not None and not kind.rivals:
            raise ValueError(f"{self.dynamics} needs genomes of searches, which can meet rivals (got {kind.name})")
        if not kind.games_decide and not dynamic.follows:
            raise ValueError(f"{self.dynamics} needs games: its steps do not shrink where payoffs follow the members")
        if self.islands > 1 and not dynamic.hosts:
            raise ValueError(f"{self.dynamics} accept no immigrants, so they cannot run on islands")
        if self.islands > 1 and self.migration < 1:
            raise ValueError(f"there is at least a generation between migrations, not {self.migration}")
        return [dynamic.begin(kind, self.size, self.root(island), options) for island in range(self.islands)]

    def pairs(self, population: Population) -> list[tuple[int, int]]:
        """Return the pairs of a generation of a single population."""
        return self.dynamic.pairs(population, self.seed, self.all_options)

    def advance(
        self, population: Population, results: Sequence[Result], island: int = 0, kind: Kind | None = None
    ) -> Population:
        """Return the next generation; ``kind``: that of the genomes, if it has threads.

        Raises ValueError for results of other pairs.
        """
        dynamic, root, options = self.dynamic, self.root(island), self.all_options
        if dynamic.rounds is None:
            checked(population, results, dynamic.pairs(population, root, options))
        after = dynamic.advance(kind or self.genes, population, results, root, options)
        nodes = population.nodes + sum(sum(one.nodes) for one in results)
        # comparisons of payoffs are no games
        return msgspec.structs.replace(
            after, nodes=nodes, games=after.games if (kind or self.genes).games_decide else 0
        )

    def best(self, population: Population) -> Member:
        """Return the best member: by the dynamics; of genomes without a mean the one of most payoff, or the oldest."""
        kind, members = self.genes, population.members
        if kind.numeric or self.dynamic.rounds is not None:
            return self.dynamic.best(population)
        payoffs = kind.payoffs([member.genotype for member in members]) or [0.0] * len(members)
        ranked = sorted(zip(payoffs, members, strict=True), key=lambda one: (-one[0], one[1].number))
        return ranked[0][1]


class Bred(msgspec.Struct, frozen=True):
    """An island in a generation, as it is on disk, too."""

    population: Population
    """Its population."""
    results: tuple[Result, ...] = ()
    """The games that led to it."""
    seconds: float = 0.0
    """Duration of these games, in seconds."""

    @property
    def leaves(self) -> int:
        """Number of evaluated positions, or of the nodes of searches."""
        return sum(sum(result.nodes) for result in self.results)

    @property
    def plies(self) -> int:
        """Number of plies of all games."""
        return sum(sum(result.moves) for result in self.results)


class Outcome(Protocol):
    """A game: the first player's score, and the moves and nodes of both players."""

    @property
    def score(self) -> float: ...
    @property
    def counts(self) -> tuple[tuple[int, int], tuple[int, int]]: ...


class Scored(NamedTuple):
    """The outcome of a game, and nothing else."""

    score: float
    counts: tuple[tuple[int, int], tuple[int, int]]


def scored(game: Outcome, job: Job) -> Scored:
    """Keep the outcome of a game."""
    return Scored(game.score, game.counts)


class GameOfTables:
    """Plays games at a table of its own in each thread; workers of a pool keep it from game to game.

    ``make`` makes a table; ``keep`` returns what is kept of a game, where it was played. Both must be picklable for a
    pool of processes or machines.
    """

    def __init__(self, make: Callable[[], Any], keep: Callable[[Any, Job], Any] = scored) -> None:
        self._make = make
        self._keep = keep
        self._own = threading.local()

    def __reduce__(self) -> tuple[type[Self], tuple[Callable[[], Any], Callable[[Any, Job], Any]]]:
        return type(self), (self._make, self._keep)

    def __call__(self, *job: Any) -> Any:
        """Play a game of a first and a second player, a seed, and the seat of the first."""
        if not hasattr(self._own, "table"):
            self._own.table = self._make()
        return self._keep(self._own.table.play(*job), cast(Job, job))


def _table(game: str, depth: int, plies: int) -> Table:
    return Table(find(game), depth, plies)


class Arenas:
    """Plays the games of breeding in a pool, each worker with its own table; a context manager."""

    def __init__(
        self,
        game: str,
        threads: int = 1,
        *,
        depth: int = DEPTH,
        plies: int = PLIES,
        table: Callable[[], Any] | None = None,
        keep: Callable[[Any, Job], Any] = scored,
        pool: Pool | None = None,
    ) -> None:
        """Compiles or loads the code; ``table`` makes tables of other games than those of weights.

        Without a ``pool``, ``threads`` threads of this process play. Raises ValueError for a game without fixed-depth
        search.
        """
        self._work = GameOfTables(table or partial(_table, game, depth, plies), keep)
        self.pool: Pool = Threads(threads) if pool is None else pool
        self._owns = pool is None
        self._prepared = not self.pool.compiles
        if table is None:
            evaluation, own = next(iter(find(game).evaluations.values())), _table(game, depth, plies)
            if not self.pool.compiles:
                own.play(evaluation, evaluation, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the threads after their current games; another pool goes on."""
        if self._owns:
            self.pool.shutdown(cancel_futures=True)

    def play(self, pairs: Sequence[tuple[Any, Any]], seeds: Sequence[int]) -> list[tuple[Any, Any]]:
        """Play two games of each pair from one opening, with exchanged seats; return them in order."""
        seated = ((*pair, seed, seat) for pair, seed in zip(pairs, seeds, strict=True) for seat in (0, 1))
        games = list(self.games(seated))
        return list(zip(games[::2], games[1::2], strict=True))

    def games(self, jobs: Iterable[Job]) -> Iterator[Any]:
        """Play a game of each first and second player, seed and seat of the first; yield them in order."""
        waiting: deque[Future[Any]] = deque()
        try:
            for job in jobs:
                self._prepare(job)
                waiting.append(self.pool.submit(self._work, *job))
                if len(waiting) > max(AHEAD * self.pool.size, self.pool.ahead):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for each in waiting:
                each.cancel()

    def round_robin(
        self, players: Sequence[Any], pairs: int, chance: Chance
    ) -> Iterator[tuple[tuple[int, int], tuple[Any, Any]]]:
        """Yield the indices of two players and the outcomes of two games, ``pairs`` times for each two players."""
        pairings = [pair for pair in combinations(range(len(players)), 2) for _ in range(pairs)]
        jobs = [(players[one], players[other]) for one, other in pairings]
        yield from zip(pairings, self.play(jobs, [chance.getrandbits(63) for _ in pairings]), strict=True)

    def _prepare(self, job: Job) -> None:
        """Compile the code of a game on each machine, once."""
        if not self._prepared:
            self._prepared = True
            self.pool.prepare(self._work, *job)


def arenas_of(breed: Breed, threads: int = 1, pool: Pool | None = None) -> Arenas:
    """Return what plays the games of a breed, see ``Arenas``. Raises KeyError and ValueError."""
    kind = breed.genes
    return Arenas(kind.game, threads, depth=breed.depth, plies=breed.plies, table=kind.tables, pool=pool)


Generation = tuple[Bred, ...]
"""All islands of a run."""


def first(breed: Breed, guests: Sequence[Guest] = ()) -> Generation:
    """Return the first generation, before any game. Raises as ``Breed.begin``."""
    return tuple(Bred(one) for one in settled(breed.genes, breed.begin(), guests, _elite(breed)))


def played(breed: Breed, populations: Sequence[Population], arenas: Arenas, guests: Sequence[Guest] = ()) -> Generation:
    """Play a generation of all islands together; return the next one, after migration and with guests.

    Each island gets a share of the time that is its share of the games.
    """
    began, kind, options = time.monotonic(), breed.genes.threaded(arenas.pool), breed.all_options
    players = [_players(kind, one) for one in populations]
    results: list[list[Result]] = [[] for _ in populations]
    while True:
        due = [
            breed.dynamic.due(kind, population, results[island], breed.root(island), options)
            for island, population in enumerate(populations)
        ]
        if not any(due):
            break
        jobs = [(own[bout.first], own[bout.second]) for own, bouts in zip(players, due, strict=True) for bout in bouts]
        games = iter(arenas.play(jobs, [bout.seed for bouts in due for bout in bouts]))
        for found, bouts in zip(results, due, strict=True):
            found += [_result(bout.first, bout.second, next(games)) for bout in bouts]
    share = (time.monotonic() - began) / max(1, sum(map(len, results)))
    after = [breed.advance(*each, island, kind) for island, each in enumerate(zip(populations, results, strict=True))]
    if breed.islands > 1 and after[0].generation % breed.migration == 0:
        roots = [breed.root(island) for island in range(breed.islands)]
        after = migrated(kind, after, [breed.best(one) for one in after], roots, newest=breed.dynamic.newest)
    after = settled(kind, after, guests, _elite(breed))
    return tuple(
        Bred(population, tuple(found), share * len(found)) for population, found in zip(after, results, strict=True)
    )


def _players(kind: Kind, population: Population) -> dict[int, Any]:
    """Return the players of a population by their numbers, and the level of its rival."""
    players = kind.players([member.genotype for member in population.members])
    numbers = [member.number for member in population.members]
    return {**dict(zip(numbers, players, strict=True)), RIVAL: population.state.get("level")}


def _result(one: int, other: int, games: tuple[Outcome, Outcome]) -> Result:
    """Return the result of two games."""
    (moves, nodes), (more_moves, more_nodes) = (game.counts for game in games)
    return Result(
        one,
        other,
        (games[0].score, games[1].score),
        (moves[0] + more_moves[0], moves[1] + more_moves[1]),
        (nodes[0] + more_nodes[0], nodes[1] + more_nodes[1]),
    )


def _elite(breed: Breed) -> int:
    return int(breed.all_options.get("elite", 0))


def bred(
    breed: Breed, generation: Generation, arenas: Arenas, guests: Callable[[], Sequence[Guest]] = tuple
) -> Iterator[Generation]:
    """Yield the following generations without end; ``guests`` returns the immigrants before each of them."""
    while True:
        generation = played(breed, [one.population for one in generation], arenas, guests())
        yield generation


__all__ = ["Arenas", "Bred", "Breed", "Generation", "Schema", "arenas_of", "bred", "first", "played"]
