# SPDX-License-Identifier: GPL-3.0-or-later
"""Breeding of search programs on islands: genetic programming and evolution strategies, fitness against frozen rivals.

Every member of an island plays the same openings against ``f-negascout`` of the island's level, with both colours. When
the best score is high enough, the level rises by a ply and all scores start again. The best members survive with their
scores. Children of tournament winners take the other places. A child's program is a crossover of two, or a mutation.
Its numbers come from either parent, gene by gene, and change by normal deviates whose step is inherited and mutated
first (H.-P. Schwefel). At regular intervals the best member of each island replaces the newest one of the next island.

Games are expensive, so options of a course spend them where they are most informative: a larger first generation,
successive halving after each opening (K. Jamieson and A. Talwalkar, 2016), brood selection, children that differ from
their parents in one module only, and a node limit that grows with the rival's nodes.

The result depends on the course alone, not on the number of threads.
"""

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import msgspec

from bots.evolution.evochess import drill, growth
from bots.evolution.evochess.contests import AGREED, PLIES, bred_openings, pair, play
from bots.evolution.evochess.genome import SEARCH, Genome, checked, drawn, express, schema_for
from bots.evolution.evochess.player import Player
from bots.evolution.genome import Schema, Values
from bots.evolution.operators import Chance, adapted, chance_for, crossed, kicked
from bots.evolution.rivals import Rival
from engine.game import Game
from engine.games import find

VERSION = 7
FIRST_STEP, LEAST_STEP = 0.1, 1e-3
"""The mutation steps of the first members and the least step, relative to the width of a gene's first range."""
HIGHEST = 7
"""The deepest rival (Gross and others)."""
COUNTED = 8
"""Games of a rival against itself in which its nodes are counted."""


class RunSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings that determine a run."""

    version: int
    """Version of the format."""
    game: str
    """Name of the game."""
    seed: int
    """Seed of the run."""
    size: int = 20
    """Members of an island."""
    islands: int = 1
    """Number of islands."""
    founders: int = 0
    """Members of the first generation, of which the best survive; 0: as many as later."""
    nodes: int = 1_000
    """Average number of nodes per move."""
    share: float = 0.0
    """Allowed share of the rival's nodes, if that is more than ``nodes``."""
    openings: int = 4
    """Openings of each member in a generation, with both colours."""
    halving: int = 0
    """1: after each opening the worse half, except the elite, stops (successive halving)."""
    level: int = 1
    """Depth of the first rival."""
    rise: float = 0.7
    """The best score at which the level rises."""
    elite: int = 4
    """Number of best members that stay in the next generation."""
    contest: int = 3
    """Random members, of which the best becomes a parent."""
    crossover: float = 0.7
    """Probability that a child's program is a crossover; otherwise it is a mutation."""
    apart: float = 0.0
    """Probability that a child copies either its mother's program or her numbers."""
    brood: int = 1
    """Children for each place; the one with the least error in a drill takes it."""
    drill: int = 100
    """Positions of the drill."""
    migrate: int = 5
    """Generations between migrations."""
    plies: int = PLIES
    """Number of plies after which a game is a draw."""
    weights: Values = ()
    """First weights of all members, such as weights fitted to games (a memetic step); none: random."""
    guests: tuple[Genome, ...] = ()
    """Given genomes, for example hand-made; on each island they replace random members of the first generation."""

    @property
    def schema(self) -> Schema:
        """The schema of the weights. Raises KeyError."""
        return schema_for(self.game)

    def root(self, island: int) -> int:
        """The seed of an island, as for other dynamics."""
        return self.seed if self.islands == 1 else chance_for(self.seed, "deme", island).getrandbits(63)


class Individual(msgspec.Struct, frozen=True):
    """A member of an island. Its number is unique in all generations and islands."""

    number: int
    """Number of the member."""
    genome: Genome
    """Its genome."""
    born: int
    """Its first generation."""
    origin: str
    """random, guest, crossed, mutant or immigrant."""
    parents: tuple[int, ...] = ()
    """Numbers of its parents."""
    step: float = FIRST_STEP
    """Mutation step of its numbers, which its children inherit."""
    games: int = 0
    """Number of games at the island's level."""
    points: float = 0.0
    """Points of these games: 1, 0.5 or 0 each."""
    moves: int = 0
    """Number of its moves in these games."""
    nodes: int = 0
    """Number of nodes of these moves."""
    migration: int | None = None
    """The number of the migration, for an immigrant from an arena."""

    @property
    def fitness(self) -> float:
        """The mean score, pulled to 1/3 with the weight of three games, because few games may be luck."""
        return (self.points + 1) / (self.games + 3)


class Island(msgspec.Struct, frozen=True):
    """A population with its rival's level."""

    level: int
    """Search depth of the rival, in plies."""
    members: tuple[Individual, ...]
    """The members."""

    @property
    def ranked(self) -> list[Individual]:
        """The members, best first; among equals the one with the shorter program, then the older one."""
        return sorted(self.members, key=_rank)


def _rank(member: Individual) -> tuple[float, int, int]:
    return (-member.fitness, len(member.genome.program), member.number)


class Guest(NamedTuple):
    """A genome from an arena, and the number of its migration."""

    migration: int
    genome: Genome


class Generation(msgspec.Struct, frozen=True):
    """All islands after their games."""

    number: int
    """Number of the generation."""
    islands: tuple[Island, ...]
    """The islands."""
    next_number: int
    """Number of the next new member."""
    games: int = 0
    """Number of games so far."""
    nodes: int = 0
    """Number of nodes so far, with those of the rivals."""
    seconds: float = 0.0
    """Duration of this generation."""

    @property
    def best(self) -> tuple[Island, Individual]:
        """The best member of the highest level, and its island."""
        island = max(self.islands, key=lambda one: (one.level, one.ranked[0].fitness))
        return island, island.ranked[0]


def checked_course(course: RunSettings) -> RunSettings:
    """Return a validated course. Raises ValueError and KeyError, with a message for people."""
    schema = course.schema  # raises for a game that has none
    if course.weights:
        schema.check(course.weights)
    for guest in course.guests:
        checked(schema, guest)
    if len(course.guests) > course.size:
        raise ValueError(f"there are places for {course.size} guests, not for {len(course.guests)}")
    if course.version != VERSION:
        raise ValueError(f"the run is of version {course.version}; this program reads version {VERSION}")
    for name, least, most in (
        ("size", 2, 10_000),
        ("islands", 1, 1_000),
        ("founders", 0, 100_000),
        ("nodes", 1, 10**9),
        ("share", 0, 100),
        ("openings", 1, len(bred_openings(find(course.game)))),
        ("halving", 0, 1),
        ("level", 1, HIGHEST),
        ("elite", 1, course.size - 1),
        ("contest", 1, course.size),
        ("migrate", 1, 10**9),
        ("plies", 10, 10_000),
        ("rise", 0, 1),
        ("crossover", 0, 1),
        ("apart", 0, 1),
        ("brood", 1, 1_000),
        ("drill", 1, drill.POSITIONS),
    ):
        value = getattr(course, name)
        if not least <= value <= most:
            raise ValueError(f"{name} must be from {least} to {most}, not {value}")
    if 0 < course.founders < course.size:
        raise ValueError(f"founders must be 0, or no fewer than the {course.size} members of an island")
    return course


def allowed(course: RunSettings, level: int) -> int:
    """Return the allowed average number of nodes per move against a rival of a depth."""
    return max(course.nodes, int(course.share * _cost(course.game, level)) if course.share else 0)


@functools.cache
def _cost(name: str, level: int) -> float:
    """Return the average nodes per move of a rival against itself."""
    game = find(name)
    both = Rival(game, level), Rival(game, level)
    games = [play(*both, opening, ends=AGREED) for opening in bred_openings(game)[:COUNTED]]
    return sum(sum(one.nodes) for one in games) / sum(sum(one.moves) for one in games)


def founded(course: RunSettings) -> Generation:
    """Return the first generation, with random genomes, before its games."""
    islands, size = [], course.founders or course.size
    for place in range(course.islands):
        chance = chance_for(course.root(place), "founding")
        every = [drawn(course.schema, chance, course.weights) for _ in range(size)]
        members = [Individual(place * size + number, genome, 0, "random") for number, genome in enumerate(every)]
        for number, guest in enumerate(course.guests):
            members[number] = msgspec.structs.replace(members[number], genome=guest, origin="guest")
        islands.append(Island(course.level, tuple(members)))
    return Generation(0, tuple(islands), course.islands * size)


class Breeding:
    """Plays and breeds the generations of a course, games in threads; a context manager."""

    def __init__(self, course: RunSettings, threads: int = 1) -> None:
        """Raises ValueError and KeyError for an invalid course."""
        self.course = checked_course(course)
        self._game: Game = find(course.game)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="breeding")

    def __enter__(self) -> "Breeding":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def follow(
        self, generation: Generation | None = None, guests: Callable[[], Sequence[Guest]] = tuple
    ) -> Iterator[Generation]:
        """Yield the generations after a given one, each after its games; None: from the first one.

        ``guests`` returns the immigrants before each generation plays.
        """
        while True:
            due = founded(self.course) if generation is None else self.bred(generation)
            generation = self.played(welcomed(self.course, due, guests()))
            yield generation

    def played(self, generation: Generation) -> Generation:
        """Return a generation after its games."""
        began = time.monotonic()
        course, islands, games, nodes = self.course, [], 0, 0
        every = bred_openings(self._game)
        for place, island in enumerate(generation.islands):
            chance = chance_for(course.root(place), generation.number, "openings")
            openings = chance.sample(every, course.openings)
            members = list(island.members)
            playing = list(range(len(members)))
            for round_ in [[one] for one in openings] if course.halving else [openings]:
                jobs = [self._pool.submit(self._tried, members[at], island.level, round_) for at in playing]
                for at, job in zip(playing, jobs, strict=True):
                    members[at], spent = job.result()
                    nodes += spent
                games += 2 * len(round_) * len(playing)
                left = max(len(playing) // 2, course.elite)
                playing = sorted(sorted(playing, key=lambda at: _rank(members[at]))[:left])
            islands.append(Island(island.level, tuple(members)))
        return msgspec.structs.replace(
            generation,
            islands=tuple(islands),
            games=generation.games + games,
            nodes=generation.nodes + nodes,
            seconds=time.monotonic() - began,
        )

    def _tried(self, member: Individual, level: int, openings: Sequence[tuple[str, ...]]) -> tuple[Individual, int]:
        """Return a member after its games, and the nodes of both sides."""
        player = Player(self._game, express(self.course.schema, member.genome), allowed(self.course, level))
        rival = Rival(self._game, level)
        every = [
            game for opening in openings for game in pair(player, rival, opening, plies=self.course.plies, ends=AGREED)
        ]
        after = msgspec.structs.replace(
            member,
            games=member.games + len(every),
            points=member.points + sum(game.score for game in every),
            moves=member.moves + sum(game.moves[0] for game in every),
            nodes=member.nodes + sum(game.nodes[0] for game in every),
        )
        return after, sum(sum(game.nodes) for game in every)

    def bred(self, generation: Generation) -> Generation:
        """Return the next generation before its games."""
        course, number = self.course, generation.number + 1
        next_number = generation.next_number
        islands = []
        for place, island in enumerate(generation.islands):
            chance = chance_for(course.root(place), generation.number, "selection")
            ranked = island.ranked[: course.size]
            rises = ranked[0].games >= 4 * course.openings and ranked[0].fitness >= course.rise
            level = min(island.level + rises, HIGHEST)
            members = ranked[: course.elite]
            broods = [
                [self._child(ranked, next_number + free, number, chance) for _ in range(course.brood)]
                for free in range(course.size - course.elite)
            ]
            next_number += len(broods)
            members += self._fledged(broods, level, drill.drawn(chance, course.drill))
            if level > island.level:
                members = [_fresh(one) for one in members]
            islands.append(Island(level, tuple(members)))
        if course.islands > 1 and number % course.migrate == 0:
            islands, next_number = _migrated(islands, generation, next_number, number)
        return msgspec.structs.replace(
            generation, number=number, islands=tuple(islands), next_number=next_number, seconds=0.0
        )

    def _fledged(self, broods: Sequence[Sequence[Individual]], level: int, numbers: Sequence[int]) -> list[Individual]:
        """Return the child of least error of each brood, at the drill positions of these numbers."""
        if self.course.brood == 1:
            return [brood[0] for brood in broods]

        def erring(child: Individual) -> float:
            steering = express(self.course.schema, child.genome)
            return drill.errors(Player(self._game, steering, allowed(self.course, level)), numbers)

        jobs = [[self._pool.submit(erring, child) for child in brood] for brood in broods]
        found = []
        for brood, tried in zip(broods, jobs, strict=True):
            erred = [job.result() for job in tried]
            found.append(brood[min(range(len(brood)), key=lambda at: (erred[at], len(brood[at].genome.program), at))])
        return found

    def _child(self, ranked: Sequence[Individual], number: int, born: int, chance: Chance) -> Individual:
        course = self.course
        mother, father = (ranked[min(chance.randrange(len(ranked)) for _ in range(course.contest))] for _ in range(2))
        one, other = mother.genome, father.genome
        both = mother is not father and chance.random() < course.crossover
        if both:
            program = growth.crossed(one.program, other.program, chance)
            search, weights = crossed(one.search, other.search, chance), crossed(one.weights, other.weights, chance)
        else:
            program = growth.mutated(one.program, chance)
            search, weights = one.search, one.weights
        free = len(SEARCH.free) + len(course.schema.free)
        step = max(LEAST_STEP, adapted(mother.step, free, chance))
        genome = Genome(program, kicked(SEARCH, search, step, chance), kicked(course.schema, weights, step, chance))
        if chance.random() < course.apart:
            if chance.random() < 0.5:
                genome = msgspec.structs.replace(genome, program=one.program)
            else:
                genome = msgspec.structs.replace(one, program=genome.program)
        parents = (mother.number, father.number) if both else (mother.number,)
        return Individual(number, checked(course.schema, genome), born, "crossed" if both else "mutant", parents, step)


def welcomed(course: RunSettings, generation: Generation, guests: Sequence[Guest]) -> Generation:
    """Return a generation before its games in which immigrants replace the newest members.

    The elite stays. Immigrants without a place are dropped, the last ones first. The number of a migration decides the
    island. Raises ValueError for a genome of another schema.
    """
    islands, next_number = list(generation.islands), generation.next_number
    room = [course.size - course.elite] * len(islands)
    for guest in guests:
        place = guest.migration % len(islands)
        if not room[place]:
            continue
        room[place] -= 1
        one = Individual(
            next_number, checked(course.schema, guest.genome), generation.number, "immigrant", migration=guest.migration
        )
        next_number += 1
        members = list(islands[place].members)
        members[course.elite + room[place]] = one
        islands[place] = Island(islands[place].level, tuple(members))
    return msgspec.structs.replace(generation, islands=tuple(islands), next_number=next_number)


def _fresh(member: Individual) -> Individual:
    """Return a member without scores."""
    return msgspec.structs.replace(member, games=0, points=0.0, moves=0, nodes=0)


def _migrated(
    islands: Sequence[Island], generation: Generation, next_number: int, born: int
) -> tuple[list[Island], int]:
    """Return the islands after migration: the best of each replaces the newest member of the next."""
    found = []
    for place, island in enumerate(islands):
        best = generation.islands[place - 1].ranked[0]
        guest = msgspec.structs.replace(
            _fresh(best), number=next_number, born=born, origin="immigrant", parents=(best.number,)
        )
        next_number += 1
        found.append(Island(island.level, (*island.members[:-1], guest)))
    return found, next_number
