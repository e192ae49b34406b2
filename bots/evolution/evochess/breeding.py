# SPDX-License-Identifier: GPL-3.0-or-later
"""Demes of steered players: a hybrid of genetic programming and evolution strategies, fitness against frozen rivals.

Every member of a deme plays the same openings against ``f-negascout`` of the deme's level, both colours each; when the
best score enough, the level rises by a ply and all begin anew. The best stay, with what they scored so far; the other
places go to children of those who win contests drawn by lot. A child's program is crossed with another's, or mutated;
its numbers come from either parent, gene by gene, and move by normal deviates of a step that it inherits and that is
mutated first (H.-P. Schwefel). Every so many generations the best of each deme takes the worst one's place in the next.

Games are dear, so a course may spend them where they tell most: there may be many more members at the beginning than
later, a generation may be halved after each opening (K. Jamieson and A. Talwalkar, 2016), a place may go to the best
of a brood, children may differ from their parents in one module alone, and what a move may cost may grow with what it
costs the rival.

What comes of it follows from the course alone, whatever the number of threads.
"""

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import msgspec

from bots.evolution.evochess import drill
from bots.evolution.evochess.contests import AGREED, PLIES, bred_openings, pair, play
from bots.evolution.evochess.genome import HABITS, Genome, checked, drawn, express, schema_for
from bots.evolution.genes import Schema, Values
from bots.evolution.operators import Chance, adapted, chance_for, crossed, kicked
from bots.evolution.programs import growth
from bots.evolution.steered.player import Player
from bots.evolution.steered.steering import Steering, negascout
from engine.game import Game
from engine.games import find

VERSION = 6
FIRST_STEP, LEAST_STEP = 0.1, 1e-3
"""How far the first members' children go, in parts of the width that a gene begins with."""
HIGHEST = 7
"""The deepest rival (Gross and others)."""
COUNTED = 8
"""Games of a rival with itself by which its nodes are counted."""


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a run of breeding follows from."""

    version: int
    game: str
    seed: int
    size: int = 20
    """Members of a deme."""
    demes: int = 1
    founders: int = 0
    """Members that a deme begins with, of whom the best live on; 0: as many as later."""
    nodes: int = 1_000
    """Visited a move, on average."""
    share: float = 0.0
    """The part of the rival's nodes that may be visited, where that is more than ``nodes``."""
    openings: int = 4
    """That each member plays in a generation, both colours each."""
    halving: int = 0
    """Whether after each opening the worse half of those who played it, the elite excepted, plays no more (1)."""
    level: int = 1
    """How deep the first rival looks."""
    rise: float = 0.7
    """The score at which the level rises, of the best with all that they played."""
    elite: int = 4
    contest: int = 3
    """Members drawn by lot, of whom the best is a parent."""
    crossover: float = 0.7
    """The chance that a child's program is crossed; else it is mutated."""
    apart: float = 0.0
    """The chance that a child has either its mother's program or her numbers as they are."""
    brood: int = 1
    """Children that are born for a place; who errs least in a drill takes it."""
    drill: int = 100
    """Positions of that."""
    migrate: int = 5
    """Generations between migrations."""
    plies: int = PLIES
    weights: Values = ()
    """Those that all begin with, such as were fitted to games (a memetic step); none: drawn at random."""
    guests: tuple[Genome, ...] = ()
    """Made elsewhere, by hand perhaps; each deme begins with them in the place of as many at random."""

    @property
    def schema(self) -> Schema:
        """What the weights are. Raises KeyError."""
        return schema_for(self.game)


class Individual(msgspec.Struct, frozen=True):
    """A member of a deme. Its number is its own in all generations and demes."""

    number: int
    genome: Genome
    born: int
    origin: str
    """random, guest, crossed, mutant or immigrant."""
    parents: tuple[int, ...] = ()
    step: float = FIRST_STEP
    games: int = 0
    """Played at the deme's level."""
    points: float = 0.0
    moves: int = 0
    nodes: int = 0
    migration: int | None = None
    """The number of its way, of an immigrant whom an arena sent."""

    @property
    def fitness(self) -> float:
        """The mean score, drawn to 1/3 by as much as three games weigh: few games may be luck."""
        return (self.points + 1) / (self.games + 3)


class Deme(msgspec.Struct, frozen=True):
    """A population that plays by itself."""

    level: int
    members: tuple[Individual, ...]

    @property
    def ranked(self) -> list[Individual]:
        """The members, the best first; of equals the one with the shorter program, then the older one."""
        return sorted(self.members, key=_rank)


def _rank(member: Individual) -> tuple[float, int, int]:
    return (-member.fitness, len(member.genome.program), member.number)


class Guest(NamedTuple):
    """A genome that an arena sends, and the number of its way there."""

    migration: int
    genome: Genome


class Generation(msgspec.Struct, frozen=True):
    """All demes after they played."""

    number: int
    demes: tuple[Deme, ...]
    next_number: int
    games: int = 0
    """Played in all."""
    nodes: int = 0
    """Visited in all, those of the rivals included."""
    seconds: float = 0.0
    """That this generation took."""

    @property
    def best(self) -> tuple[Deme, Individual]:
        """The best member of the highest level, and its deme."""
        deme = max(self.demes, key=lambda one: (one.level, one.ranked[0].fitness))
        return deme, deme.ranked[0]


def checked_course(course: Course) -> Course:
    """Return a course that can be run. Raises ValueError and KeyError, with a message for people."""
    schema = course.schema  # raises for a game that has none
    if course.weights:
        schema.check(course.weights)
    for guest in course.guests:
        checked(schema, guest)
    if len(course.guests) > course.size:
        raise ValueError(f"there is room for {course.size} guests, not for {len(course.guests)}")
    if course.version != VERSION:
        raise ValueError(f"the run is of version {course.version}; this is version {VERSION}")
    for name, least, most in (
        ("size", 2, 10_000),
        ("demes", 1, 1_000),
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
        raise ValueError(f"founders must be 0, or no fewer than the {course.size} members of a deme")
    return course


def allowed(course: Course, level: int) -> int:
    """Return how many nodes a move may cost on average where the rival looks so deep."""
    return max(course.nodes, int(course.share * _cost(course.game, level)) if course.share else 0)


@functools.cache
def _cost(name: str, level: int) -> float:
    """Return the nodes a move of a game's rival, against itself."""
    game = find(name)
    both = Player(game, _rival(game, level)), Player(game, _rival(game, level))
    games = [play(*both, opening, ends=AGREED) for opening in bred_openings(game)[:COUNTED]]
    return sum(sum(one.nodes) for one in games) / sum(sum(one.moves) for one in games)


def founded(course: Course) -> Generation:
    """Return the first generation, which has not played yet: random gibberish."""
    demes, size = [], course.founders or course.size
    for place in range(course.demes):
        chance = chance_for(course.seed, "founding", place)
        every = [drawn(course.schema, chance, course.weights) for _ in range(size)]
        members = [Individual(place * size + number, genome, 0, "random") for number, genome in enumerate(every)]
        for number, guest in enumerate(course.guests):
            members[number] = msgspec.structs.replace(members[number], genome=guest, origin="guest")
        demes.append(Deme(course.level, tuple(members)))
    return Generation(0, tuple(demes), course.demes * size)


class Breeding:
    """Plays and breeds the generations of a course, games in threads; a context manager."""

    def __init__(self, course: Course, threads: int = 1) -> None:
        """Raises ValueError and KeyError for a course that cannot be run."""
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
        """Yield the generations after one that has played, each as soon as it has; from the first one for None.

        ``guests``: who comes in before each of them plays.
        """
        while True:
            due = founded(self.course) if generation is None else self.bred(generation)
            generation = self.played(welcomed(self.course, due, guests()))
            yield generation

    def played(self, generation: Generation) -> Generation:
        """Return a generation after its games."""
        began = time.monotonic()
        course, demes, games, nodes = self.course, [], 0, 0
        every = bred_openings(self._game)
        for place, deme in enumerate(generation.demes):
            chance = chance_for(course.seed, "openings", generation.number, place)
            openings = chance.sample(every, course.openings)
            members = list(deme.members)
            playing = list(range(len(members)))
            for round_ in [[one] for one in openings] if course.halving else [openings]:
                jobs = [self._pool.submit(self._tried, members[at], deme.level, round_) for at in playing]
                for at, job in zip(playing, jobs, strict=True):
                    members[at], spent = job.result()
                    nodes += spent
                games += 2 * len(round_) * len(playing)
                left = max(len(playing) // 2, course.elite)
                playing = sorted(sorted(playing, key=lambda at: _rank(members[at]))[:left])
            demes.append(Deme(deme.level, tuple(members)))
        return msgspec.structs.replace(
            generation,
            demes=tuple(demes),
            games=generation.games + games,
            nodes=generation.nodes + nodes,
            seconds=time.monotonic() - began,
        )

    def _tried(self, member: Individual, level: int, openings: Sequence[tuple[str, ...]]) -> tuple[Individual, int]:
        """Return a member after its games, and the nodes that both sides visited."""
        player = Player(self._game, express(self.course.schema, member.genome), allowed(self.course, level))
        rival = Player(self._game, _rival(self._game, level))
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
        """Return the next generation, which has not played yet."""
        course, number = self.course, generation.number + 1
        next_number = generation.next_number
        demes = []
        for place, deme in enumerate(generation.demes):
            chance = chance_for(course.seed, "breeding", generation.number, place)
            ranked = deme.ranked[: course.size]
            rises = ranked[0].games >= 4 * course.openings and ranked[0].fitness >= course.rise
            level = min(deme.level + rises, HIGHEST)
            members = ranked[: course.elite]
            broods = [
                [self._child(ranked, next_number + free, number, chance) for _ in range(course.brood)]
                for free in range(course.size - course.elite)
            ]
            next_number += len(broods)
            members += self._fledged(broods, level, drill.drawn(chance, course.drill))
            if level > deme.level:
                members = [_fresh(one) for one in members]
            demes.append(Deme(level, tuple(members)))
        if course.demes > 1 and number % course.migrate == 0:
            demes, next_number = _migrated(demes, generation, next_number, number)
        return msgspec.structs.replace(
            generation, number=number, demes=tuple(demes), next_number=next_number, seconds=0.0
        )

    def _fledged(self, broods: Sequence[Sequence[Individual]], level: int, numbers: Sequence[int]) -> list[Individual]:
        """Return who errs least of each brood, at the positions of these numbers."""
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
            habits, weights = crossed(one.habits, other.habits, chance), crossed(one.weights, other.weights, chance)
        else:
            program = growth.mutated(one.program, chance)
            habits, weights = one.habits, one.weights
        free = len(HABITS.free) + len(course.schema.free)
        step = max(LEAST_STEP, adapted(mother.step, free, chance))
        genome = Genome(program, kicked(HABITS, habits, step, chance), kicked(course.schema, weights, step, chance))
        if chance.random() < course.apart:
            if chance.random() < 0.5:
                genome = msgspec.structs.replace(genome, program=one.program)
            else:
                genome = msgspec.structs.replace(one, program=genome.program)
        parents = (mother.number, father.number) if both else (mother.number,)
        return Individual(number, checked(course.schema, genome), born, "crossed" if both else "mutant", parents, step)


def welcomed(course: Course, generation: Generation, guests: Sequence[Guest]) -> Generation:
    """Return a generation that has not played, in which guests have taken the places of the newest members.

    The best stay in any case; guests for whom there is no place are left out, the last of them first. Each goes to the
    deme that its number says. Raises ValueError for a genome that is none of the course's schema.
    """
    demes, next_number = list(generation.demes), generation.next_number
    room = [course.size - course.elite] * len(demes)
    for guest in guests:
        place = guest.migration % len(demes)
        if not room[place]:
            continue
        room[place] -= 1
        one = Individual(
            next_number, checked(course.schema, guest.genome), generation.number, "immigrant", migration=guest.migration
        )
        next_number += 1
        members = list(demes[place].members)
        members[course.elite + room[place]] = one
        demes[place] = Deme(demes[place].level, tuple(members))
    return msgspec.structs.replace(generation, demes=tuple(demes), next_number=next_number)


def _fresh(member: Individual) -> Individual:
    """Return a member that has not played at its deme's level."""
    return msgspec.structs.replace(member, games=0, points=0.0, moves=0, nodes=0)


def _rival(game: Game, level: int) -> Steering:
    return negascout(game, level)


def _migrated(demes: Sequence[Deme], generation: Generation, next_number: int, born: int) -> tuple[list[Deme], int]:
    """Return demes of which each has got the best of the one before it, in the place of its newest member."""
    found = []
    for place, deme in enumerate(demes):
        best = generation.demes[place - 1].ranked[0]
        guest = msgspec.structs.replace(
            _fresh(best), number=next_number, born=born, origin="immigrant", parents=(best.number,)
        )
        next_number += 1
        found.append(Deme(deme.level, (*deme.members[:-1], guest)))
    return found, next_number
