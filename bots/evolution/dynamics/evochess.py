# SPDX-License-Identifier: GPL-3.0-or-later
"""The evolution of searches by games against frozen rivals, after R. Gross and others (GECCO 2002).

Every member plays the same openings against ``f-negascout`` of the population's level, with both colours. When the best
score is high enough, the level rises by a ply and all scores start again. The best members survive with their scores.
Children of tournament winners take the other places, as in ``generational``.

Games are expensive, so options spend them where they are most informative: a larger first generation, successive
halving after each opening (K. Jamieson and A. Talwalkar, 2016), brood selection (W. Tackett and A. Carmi, 1994), and
children that differ from their parents in their program or their numbers only.
"""

from collections.abc import Sequence

import msgspec

from bots.evolution.dynamics import generational
from bots.evolution.dynamics.dynamic import Bout, Dynamic, Options, Pair
from bots.evolution.genome import Kind
from bots.evolution.operators import Chance, chance_for
from bots.evolution.population import RIVAL, Member, Population, Record, Result, founded

LEAST_STEP = 1e-3
HIGHEST = 7
"""The deepest rival (Gross and others)."""
POSITIONS = 150
"""Number of drill positions to choose from."""


def begin(kind: Kind, size: int, seed: int, options: Options) -> Population:
    """Return a random first generation, of more members than later if there are ``founders``. Raises ValueError."""
    founders, guests = int(options["founders"]), len(kind.guests)
    for name, most in (("elite", size - 1), ("contest", size)):
        if options[name] > most:
            raise ValueError(f"{name} must be from 1 to {most} with {size} members (got {options[name]:g})")
    if options["openings"] > kind.openings:
        raise ValueError(f"openings must be from 1 to {kind.openings} (got {options['openings']:g})")
    if 0 < founders < size:
        raise ValueError(f"founders must be 0, or no fewer than the {size} members of a population")
    if guests > size:
        raise ValueError(f"there are places for {size} guests, not for {guests}")
    population = founded(kind, founders or size, chance_for(seed, "founding"))
    members = tuple(msgspec.structs.replace(one, step=generational.FIRST_STEP) for one in population.members)
    return msgspec.structs.replace(population, members=members, state={"size": size, "level": int(options["level"])})


def pairs(population: Population, seed: int, options: Options) -> list[Pair]:
    """Return every member with the rival."""
    return [(member.number, RIVAL) for member in population.members]


def rounds(kind: Kind, population: Population, results: Sequence[Result], seed: int, options: Options) -> list[Bout]:
    """Return the games of a generation at once, or opening by opening with successive halving."""
    members, count = list(population.members), int(options["openings"])
    openings = chance_for(seed, population.generation, "openings").sample(range(kind.openings), count)
    if not options["halving"]:
        return [] if results else [Bout(one.number, RIVAL, opening) for one in members for opening in openings]
    told = iter(results)
    for opening in openings:
        played = dict(zip((one.number for one in members), told, strict=False))
        if not played:
            return [Bout(one.number, RIVAL, opening) for one in members]
        members = [msgspec.structs.replace(one, record=one.record.after(played[one.number])) for one in members]
        left = max(len(members) // 2, int(options["elite"]))
        staying = {one.number for one in sorted(members, key=_rank)[:left]}
        members = [one for one in members if one.number in staying]
    return []


def advance(kind: Kind, population: Population, results: Sequence[Result], seed: int, options: Options) -> Population:
    """Return the next generation: the elite with their scores, and children."""
    members = {one.number: one for one in population.members}
    for result in results:
        one = members[result.first]
        members[one.number] = msgspec.structs.replace(one, record=one.record.after(result))
    size, elite, level = population.state["size"], int(options["elite"]), population.state["level"]
    ranked = sorted(members.values(), key=_rank)[:size]
    best = ranked[0].record
    mean = sum(one.record.points for one in members.values()) / sum(one.record.games for one in members.values())
    rises = best.games >= 4 * options["openings"] and best.fitness >= options["rise"] and level < HIGHEST
    chance = chance_for(seed, population.generation, "selection")
    number, following = population.next_number, ranked[:elite]
    broods = []
    for free in range(size - elite):
        born = population.generation + 1
        broods.append(
            [_child(kind, ranked, number + free, born, options, chance) for _ in range(int(options["brood"]))]
        )
    numbers = chance.sample(range(POSITIONS), int(options["drill"]))
    following += _fledged(kind, broods, numbers, level + rises)
    if rises:
        following = [msgspec.structs.replace(one, record=Record()) for one in following]
    played = {"level": level, "mean": mean, "best": msgspec.to_builtins(best)}
    state = {"size": size, "level": level + rises, "played": played}
    return population.next(following, number + len(broods), 2 * len(results), state)


def _fledged(kind: Kind, broods: Sequence[Sequence[Member]], numbers: Sequence[int], level: int) -> list[Member]:
    """Return the child with the least error of each brood in the drill; among equals one with the shortest program."""
    if len(broods[0]) == 1:
        return [brood[0] for brood in broods]
    errors = iter(kind.errors([child.genotype for brood in broods for child in brood], numbers, level))
    return [min(brood, key=lambda child: (next(errors), len(child.program))) for brood in broods]


def _rank(member: Member) -> tuple[float, int, int]:
    """Order members, best first; among equals the one with the shorter program, then the older one."""
    return (-member.record.fitness, len(member.program), member.number)


def _child(kind: Kind, ranked: Sequence[Member], number: int, born: int, options: Options, chance: Chance) -> Member:
    """Return a child, which sometimes has either its mother's program or her numbers."""
    child = generational.child(kind, ranked, number, born, options, chance, LEAST_STEP)
    if chance.random() < options["apart"]:
        (mother,) = (one for one in ranked if one.number == child.parents[0])
        if chance.random() < 0.5:
            return msgspec.structs.replace(child, program=mother.program)
        return msgspec.structs.replace(child, values=mother.values)
    return child


def merit(population: Population) -> float:
    """Return the level of the last games, and the best member's fitness against it."""
    played = population.state.get("played")
    return 0.0 if played is None else played["level"] + msgspec.convert(played["best"], Record).fitness


DYNAMIC = Dynamic(
    "evochess",
    "games against frozen rivals, whose depth grows; the best survive, children take the other places",
    pairs,
    advance,
    begin,
    best=lambda population: population.members[0],
    rounds=rounds,
    newest=True,
    merit=merit,
    options={
        "founders": 0.0,
        "openings": 4.0,
        "halving": 0.0,
        "level": 1.0,
        "rise": 0.7,
        "elite": 4.0,
        "contest": 3.0,
        "crossover": 0.7,
        "apart": 0.0,
        "brood": 1.0,
        "drill": 100.0,
    },
    meanings={
        "founders": "initial number of members, of which the best survive; 0: the population size",
        "openings": "number of openings per member and generation, with both colours",
        "halving": "if 1, after each opening only the better half continues",
        "level": "search depth in plies of the first rival, the fixed opponent of all members",
        "rise": "score at which the rival's depth grows",
        "elite": "number of best members that survive",
        "contest": "number of random members, of which the best becomes a parent",
        "crossover": "probability of crossover of the program, otherwise mutation",
        "apart": "probability that a child differs only in its program or only in its numbers",
        "brood": "number of children for each free place in the population; the one with the fewest errors in the "
        "drill (a set of test positions) survives",
        "drill": "number of test positions of the drill",
    },
    ranges={
        "founders": (0, 100_000),
        "openings": (1, 10_000),
        "halving": (0, 1),
        "level": (1, HIGHEST),
        "rise": (0.0, 1.0),
        "elite": (1, 10_000),
        "contest": (1, 10_000),
        "crossover": (0.0, 1.0),
        "apart": (0.0, 1.0),
        "brood": (1, 1_000),
        "drill": (1, POSITIONS),
    },
)
