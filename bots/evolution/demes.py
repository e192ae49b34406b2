# SPDX-License-Identifier: GPL-3.0-or-later
"""Demes: populations that live by themselves; genomes of elsewhere come to them as immigrants.

Those of one run stand in a ring. Every so many generations a copy of the best of each goes to the next one, so that
what is found in one spreads, but slowly, and the others find something else meanwhile. All follows from one seed: a
deme's own seed is drawn from it, and migrants from what the demes have come to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import msgspec

from bots.evolution import genome
from bots.evolution.breeding import Arenas, Bred, Breed, played_together
from bots.evolution.genes import Values
from bots.evolution.history import BEST, DEME, RUN, History, NotARun, replace_file
from bots.evolution.operators import Chance, chance_for
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


MIGRATION = 10
"""Generations between two migrations, where nothing else is said."""
PLAY_OFF = 10
"""Pairs of games that the bests of two demes play to find the best of all."""


def demes_of(breed: Breed, count: int, migration: int = MIGRATION) -> list[Breed]:
    """Return what the demes of a run are bred by.

    Raises ValueError when there are fewer than two, migrations are no whole number of generations apart, or the
    dynamics take in no genomes of elsewhere.
    """
    if count < 2 or migration < 1:
        raise ValueError(f"there are at least two demes, and a generation between migrations, not {count}, {migration}")
    if not breed.dynamic.hosts:
        raise ValueError(f"{breed.dynamics} takes in no genomes of elsewhere; it has no demes")
    return [msgspec.structs.replace(breed, demes=count, deme=deme, migration=migration) for deme in range(count)]


def migrated(breeds: Sequence[Breed], populations: Sequence[Population]) -> list[Population]:
    """Return the demes after a copy of the best of each has gone to the next, where it is time for that."""
    generation, every = populations[0].generation, breeds[0].migration
    if generation % every:
        return list(populations)
    bests = [breed.dynamic.best(population) for breed, population in zip(breeds, populations, strict=True)]
    return [
        immigrated(
            population,
            [(f"member {bests[deme - 1].number} of deme {(deme - 1) % len(breeds) + 1}", bests[deme - 1].values)],
            chance_for(breed.root, generation, "migration"),
        )
        for deme, (breed, population) in enumerate(zip(breeds, populations, strict=True))
    ]


class Archipelago:
    """The demes of a run on disk: a folder each. Close it, or use it as a context manager."""

    def __init__(self, histories: Sequence[History]) -> None:
        self.histories = histories

    @classmethod
    def open(cls, folder: Path, breeds: Sequence[Breed], *, at: int | None = None) -> "Archipelago":
        """Open all demes of a run where they last were together, or begin them; what comes after ``at`` is forgotten.

        Raises as ``History.open``.
        """
        if (folder / RUN).exists():
            raise NotARun(f"{folder} holds another run, which has no demes")
        folders = [folder / name_of(deme) for deme in range(len(breeds))]
        histories: list[History] = []
        try:
            for place, breed in zip(folders, breeds, strict=True):
                histories.append(History.open(place, breed, at=at))
            together = min(len(history.bred) for history in histories) - 1
            for deme, history in enumerate(histories):
                if len(history.bred) - 1 > together:
                    history.close()
                    histories[deme] = History.open(folders[deme], breeds[deme], at=together)
        except BaseException:
            for history in histories:
                history.close()
            raise
        return cls(histories)

    @property
    def generation(self) -> int:
        """How far all demes have come."""
        return len(self.histories[0].bred) - 1

    def bred(self, arenas: Arenas) -> Iterator[list[Bred]]:
        """Breed, save and yield generation after generation of all demes, without end."""
        breeds = [history.breed for history in self.histories]
        while True:
            populations = [history.bred[-1].population for history in self.histories]
            every = played_together(breeds, populations, arenas)
            after = migrated(breeds, [one.population for one in every])
            every = [replace(one, population=population) for one, population in zip(every, after, strict=True)]
            for history, one in zip(self.histories, every, strict=True):
                history.add(one)
            yield every

    def best(self, arenas: Arenas) -> int:
        """Return the deme whose best does best against the bests of the others; its genome stands in the folder."""
        breeds = [history.breed for history in self.histories]
        bests = [history.breed.dynamic.best(history.bred[-1].population) for history in self.histories]
        players = [breed.genes.express(best.values) for breed, best in zip(breeds, bests, strict=True)]
        meetings = [pair for pair in combinations(range(len(players)), 2) for _ in range(PLAY_OFF)]
        chance = chance_for(breeds[0].seed, self.generation, "play-off")
        games = arenas.play(
            [(players[one], players[other]) for one, other in meetings], [chance.getrandbits(63) for _ in meetings]
        )
        points = [0.0] * len(players)
        for (one, other), both in zip(meetings, games, strict=True):
            for game in both:
                points[one] += game.score
                points[other] += 1 - game.score
        deme = points.index(max(points))
        lineage = {
            "dynamics": breeds[deme].dynamics,
            "seed": breeds[deme].seed,
            "deme": deme + 1,
            "generation": self.generation,
            "member": bests[deme].number,
            "parents": list(bests[deme].parents),
        }
        replace_file(self.folder / BEST, genome.write(breeds[deme].genes, bests[deme].values, lineage).encode())
        return deme

    @property
    def folder(self) -> Path:
        """Where the run is."""
        return self.histories[0].folder.parent

    def close(self) -> None:
        """Close the files."""
        for history in self.histories:
            history.close()

    def __enter__(self) -> "Archipelago":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def name_of(deme: int) -> str:
    """Return the name of the folder of a deme, from 0."""
    return f"{DEME}-{deme + 1}"
