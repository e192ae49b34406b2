# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands: populations that evolve separately and exchange genomes.

The authors of EvoChess (R. Gross and others, GECCO 2002) call an island a deme. The islands of one run form a ring. At
regular intervals a copy of the best member of each moves to the next, so good genes spread slowly and islands stay
different. Everything follows from one seed: each island's own seed is drawn from it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from bots.evolution.genome import Genotype, Kind
from bots.evolution.operators import Chance, chance_for
from bots.evolution.population import Member, Population

MIGRATION = 10
"""Default number of generations between two migrations."""


class Guest(NamedTuple):
    """A genome from an arena, and the number of its migration."""

    migration: int
    genotype: Genotype


def immigrated(
    kind: Kind,
    population: Population,
    newcomers: Sequence[tuple[str, Genotype]],
    chance: Chance,
    *,
    newest: bool = False,
    step: float | None = None,
) -> Population:
    """Return a population in which named newcomers replace the newest members, or members chosen at random.

    ``step``: the mutation step of their children, where steps are inherited.
    Raises ValueError when there are more of them than places, or one is out of the schema's bounds.
    """
    count = len(population.members)
    if len(newcomers) > count:
        raise ValueError(f"{len(newcomers)} newcomers do not fit among {count} members")
    members, number = list(population.members), population.next_number
    places = range(count - 1, -1, -1) if newest else chance.sample(range(count), len(newcomers))
    for place, (name, genotype) in zip(places, newcomers, strict=False):
        one = kind.checked(genotype)
        members[place] = Member(number, one.values, population.generation, "immigrant", (), step, name, one.program)
        number += 1
    return msgspec.structs.replace(population, members=tuple(members), next_number=number)


def migrated(
    kind: Kind, populations: Sequence[Population], bests: Sequence[Member], roots: Sequence[int], *, newest: bool
) -> list[Population]:
    """Return the populations after migration: a copy of the best member of each goes to the next."""
    after = []
    for place, population in enumerate(populations):
        best, home = bests[place - 1], (place - 1) % len(populations) + 1
        newcomer = (f"member {best.number} of island {home}", best.genotype)
        chance = chance_for(roots[place], population.generation, "migration")
        after.append(immigrated(kind, population, [newcomer], chance, newest=newest, step=best.step))
    return after


def settled(kind: Kind, populations: Sequence[Population], guests: Sequence[Guest], elite: int) -> list[Population]:
    """Return the populations after guests from an arena have replaced the newest members.

    The elite stays. Guests without a place are dropped, the last ones first. The number of a migration decides the
    island. Raises ValueError for a genome of another kind.
    """
    found = list(populations)
    room = [len(one.members) - elite for one in found]
    for guest in guests:
        place = guest.migration % len(found)
        if not room[place]:
            continue
        room[place] -= 1
        one, own = kind.checked(guest.genotype), found[place]
        members = list(own.members)
        members[elite + room[place]] = Member(
            own.next_number,
            one.values,
            own.generation,
            "immigrant",
            program=one.program,
            migration=guest.migration,
        )
        found[place] = msgspec.structs.replace(own, members=tuple(members), next_number=own.next_number + 1)
    return found
