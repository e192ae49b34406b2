# SPDX-License-Identifier: GPL-3.0-or-later
"""Demes: populations live by themselves, one on each worker; genomes of elsewhere come to them as immigrants."""

from collections.abc import Sequence

import msgspec

from bots.evolution.genes import Values
from bots.evolution.operators import Chance
from bots.evolution.population import Member, Population


def immigrated(population: Population, newcomers: Sequence[tuple[str, Values]], chance: Chance) -> Population:
    """Return a population in which newcomers, with their names, have taken the places of members drawn by lot.

    Raises ValueError when there are more of them than places, or one is out of the schema's bounds.
    """
    if len(newcomers) > len(population.members):
        raise ValueError(f"{len(newcomers)} newcomers do not fit among {len(population.members)} members")
    members, number = list(population.members), population.next_number
    places = chance.sample(range(len(members)), len(newcomers))
    for place, (name, values) in zip(places, newcomers, strict=True):
        checked = population.genes.check(values)
        members[place] = Member(number, checked, population.generation, "immigrant", name=name)
        number += 1
    return msgspec.structs.replace(population, members=tuple(members), next_number=number)
