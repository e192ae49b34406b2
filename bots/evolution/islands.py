# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands: populations that evolve separately and exchange genomes.

The authors of EvoChess (R. Gross and others, GECCO 2002) call an island a deme. The islands of one run form a ring. At
regular intervals a copy of the best member of each moves to the next, so good genes spread slowly and islands stay
different. Everything follows from one seed: each island's own seed is drawn from it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import msgspec

from bots.evolution import genome
from bots.evolution.breeding import Arenas, Bred, Breed, played_together
from bots.evolution.genome import Values
from bots.evolution.history import BEST, ISLAND, RUN, History, NotARun, replace_file
from bots.evolution.operators import Chance, chance_for
from bots.evolution.population import Member, Population


def immigrated(population: Population, newcomers: Sequence[tuple[str, Values]], chance: Chance) -> Population:
    """Return a population in which named newcomers replace members chosen at random.

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
"""Default number of generations between two migrations."""
PLAY_OFF = 10
"""Pairs of games between the best members of two islands in the play-off."""


def islands_of(breed: Breed, count: int, migration: int = MIGRATION) -> list[Breed]:
    """Return the settings of each island of a run.

    Raises ValueError for fewer than two islands, an interval of migrations below 1, and dynamics that accept no
    immigrants.
    """
    if count < 2 or migration < 1:
        raise ValueError(
            f"there are at least two islands, and a generation between migrations, not {count}, {migration}"
        )
    if not breed.dynamic.hosts:
        raise ValueError(f"{breed.dynamics} accept no immigrants, so they cannot run on islands")
    return [
        msgspec.structs.replace(breed, islands=count, island=island, migration=migration) for island in range(count)
    ]


def migrated(breeds: Sequence[Breed], populations: Sequence[Population]) -> list[Population]:
    """Return the populations after migration, if it is due: a copy of the best of each goes to the next."""
    generation, every = populations[0].generation, breeds[0].migration
    if generation % every:
        return list(populations)
    bests = [breed.dynamic.best(population) for breed, population in zip(breeds, populations, strict=True)]
    return [
        immigrated(
            population,
            [
                (
                    f"member {bests[place - 1].number} of island {(place - 1) % len(breeds) + 1}",
                    bests[place - 1].values,
                )
            ],
            chance_for(breed.root, generation, "migration"),
        )
        for place, (breed, population) in enumerate(zip(breeds, populations, strict=True))
    ]


class Archipelago:
    """The islands of a run on disk: a folder each. Close it, or use it as a context manager."""

    def __init__(self, histories: Sequence[History]) -> None:
        self.histories = histories

    @classmethod
    def open(cls, folder: Path, breeds: Sequence[Breed], *, at: int | None = None) -> "Archipelago":
        """Open all islands of a run at their last common generation, or begin them; drop generations after ``at``.

        Raises as ``History.open``.
        """
        if (folder / RUN).exists():
            raise NotARun(f"{folder} holds another run, which has no islands")
        folders = [folder / name_of(island) for island in range(len(breeds))]
        histories: list[History] = []
        try:
            for place, breed in zip(folders, breeds, strict=True):
                histories.append(History.open(place, breed, at=at))
            together = min(len(history.bred) for history in histories) - 1
            for island, history in enumerate(histories):
                if len(history.bred) - 1 > together:
                    history.close()
                    histories[island] = History.open(folders[island], breeds[island], at=together)
        except BaseException:
            for history in histories:
                history.close()
            raise
        return cls(histories)

    @property
    def generation(self) -> int:
        """The last common generation."""
        return len(self.histories[0].bred) - 1

    def bred(self, arenas: Arenas) -> Iterator[list[Bred]]:
        """Breed, save and yield the following generations of all islands, without end."""
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
        """Play off the best members of all islands; return the winner's island and save its genome."""
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
        island = points.index(max(points))
        lineage = {
            "dynamics": breeds[island].dynamics,
            "seed": breeds[island].seed,
            "island": island + 1,
            "generation": self.generation,
            "member": bests[island].number,
            "parents": list(bests[island].parents),
        }
        replace_file(self.folder / BEST, genome.write(breeds[island].genes, bests[island].values, lineage).encode())
        return island

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return self.histories[0].folder.parent

    def close(self) -> None:
        """Close the files."""
        for history in self.histories:
            history.close()

    def __enter__(self) -> "Archipelago":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def name_of(island: int) -> str:
    """Return the name of the folder of an island, from 0."""
    return f"{ISLAND}-{island + 1}"
