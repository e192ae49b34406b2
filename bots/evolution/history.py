# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of breeding on disk: JSON lines, first its settings, then every generation of all islands, once it is bred.

A last line that a kill has cut off is dropped, and its generation is bred again, to the same bit. Old generations may
be dropped. The best genome of the newest generation is saved beside the run.
"""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import msgspec

from bots.evolution.breeding import VERSION, Arenas, Breed, Generation, first
from bots.evolution.islands import Guest
from bots.evolution.operators import chance_for
from bots.evolution.population import validated

RUN, BEST = "run.jsonl", "best.json"
PLAY_OFF = 10
"""Pairs of games between the best members of two islands in the play-off."""


class NotARun(ValueError):
    """The folder holds no run, or another one; the message says why, for people."""


class _Head(msgspec.Struct, frozen=True):
    """The field that all versions have."""

    version: int


class History:
    """The generations of a run and their file."""

    def __init__(self, folder: Path, breed: Breed, generations: list[Generation], keep: int | None) -> None:
        self.folder = folder
        self.breed = breed
        self.generations = generations
        self._keep = keep

    @classmethod
    def open(
        cls,
        folder: Path,
        breed: Breed,
        *,
        at: int | None = None,
        keep: int | None = None,
        guests: Sequence[Guest] = (),
    ) -> Self:
        """Open the run of a folder, or begin it, with ``guests``; drop the generations after ``at``.

        ``keep``: number of generations that stay in the file, at times twice as many; None: all. Raises NotARun when
        the folder holds another run or one that cannot be read, ValueError and KeyError when it cannot begin or has no
        such generation, and OSError.
        """
        begun = first(breed, guests)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / RUN
        generations: list[Generation] = []
        ends: list[int] = []
        if path.exists() and path.stat().st_size:
            there, generations, ends = _read(path)
            if there != breed:
                names = [name for name in Breed.__struct_fields__ if getattr(there, name) != getattr(breed, name)]
                raise NotARun(f"{path} holds another run: {', '.join(names)} differ")
        if at is not None:
            numbers = [one[0].population.generation for one in generations]
            if at not in numbers:
                raise ValueError(f"{folder} has no generation {at} to go on from")
            generations, ends = generations[: numbers.index(at) + 1], ends[: numbers.index(at) + 1]
        history = cls(folder, breed, generations, keep)
        if generations:
            os.truncate(path, ends[-1])
        else:
            path.write_bytes(msgspec.json.encode(breed) + b"\n")
            history.add(begun)
        return history

    @property
    def newest(self) -> Generation:
        """The newest generation."""
        return self.generations[-1]

    @property
    def number(self) -> int:
        """The number of the newest generation."""
        return self.newest[0].population.generation

    def add(self, generation: Generation) -> None:
        """Save one more generation, and its best genome."""
        path = self.folder / RUN
        with path.open("ab") as file:
            file.write(_line(generation))
            file.flush()
            # volunteers report a generation, so it must survive a power cut
            os.fsync(file.fileno())
        self.generations.append(generation)
        if self._keep and len(self.generations) > 2 * self._keep:
            del self.generations[: -self._keep]
            lines = [msgspec.json.encode(self.breed) + b"\n", *map(_line, self.generations)]
            replace_file(path, b"".join(lines))
        self.save_best(self.leaders[0])

    @property
    def leaders(self) -> list[int]:
        """The islands that may have the best member, by what the dynamics compare."""
        merits = [self.breed.dynamic.merit(one.population) for one in self.newest]
        return [island for island, merit in enumerate(merits) if merit == max(merits)]

    def save_best(self, island: int) -> None:
        """Save the best genome of an island as that of the run."""
        breed, population = self.breed, self.newest[island].population
        best, last = breed.best(population), population.state.get("played")
        lineage: dict[str, object] = {
            "dynamics": breed.dynamics,
            "seed": breed.seed,
            **({"island": island + 1} if breed.islands > 1 else {}),
            "generation": population.generation,
            "member": best.number,
            "parents": list(best.parents),
        }
        if last is not None:
            games, points = last["best"]["games"], last["best"]["points"]
            lineage |= {"level": last["level"], "games": games, "score": points / games if games else None}
        text = breed.genes.file(best.genotype, lineage, 0 if last is None else last["level"])
        replace_file(self.folder / BEST, text.encode())

    def play_off(self, arenas: Arenas) -> int:
        """Play off the best members of the leading islands; return the winner's island and save its genome."""
        breed, islands = self.breed, self.leaders
        bests = breed.genes.players([breed.best(self.newest[island].population).genotype for island in islands])
        chance = chance_for(breed.seed, self.number, "play-off")
        points = [0.0] * len(bests)
        for (one, other), both in arenas.round_robin(bests, PLAY_OFF, chance):
            for game in both:
                points[one] += game.score
                points[other] += 1 - game.score
        island = islands[points.index(max(points))]
        self.save_best(island)
        return island


def read(folder: Path) -> tuple[Breed, list[Generation]]:
    """Return the run of a folder, all whole generations of it. Raises NotARun and OSError."""
    path = folder / RUN
    if not path.exists():
        raise NotARun(f"{folder} holds no run of breeding")
    breed, generations, _ = _read(path)
    if not generations:
        raise NotARun(f"{path} holds no generation")
    return breed, generations


def _line(generation: Generation) -> bytes:
    return msgspec.json.encode(generation) + b"\n"


def _read(path: Path) -> tuple[Breed, list[Generation], list[int]]:
    """Return a run's settings, its generations, and the offset of the end of each line."""
    generations: list[Generation] = []
    ends: list[int] = []
    with path.open("rb") as file:
        lines = [line for line in file if line.endswith(b"\n")]
    if not lines:
        raise NotARun(f"{path} holds no run of breeding, or one that was cut short")
    check_version(path, lines[0], VERSION)
    try:
        breed = msgspec.json.decode(lines[0], type=Breed)
        kind = breed.genes
        end = len(lines[0])
        for number, line in enumerate(lines[1:]):
            generation = msgspec.json.decode(line, type=Generation)
            expected = generations[-1][0].population.generation + 1 if generations else None
            numbers = {validated(one.population, kind).generation for one in generation}
            if len(generation) != breed.islands or len(numbers) > 1 or (expected and numbers != {expected}):
                raise NotARun(f"{path}: line {number + 2} is not generation {expected or number} of the run")
            generations.append(generation)
            end += len(line)
            ends.append(end)
    except (msgspec.DecodeError, KeyError, ValueError) as error:
        if isinstance(error, NotARun):
            raise
        raise NotARun(f"{path} holds no run of breeding that can be read: {error.args[0]}") from None
    return breed, generations, ends


def check_version(path: Path, line: bytes, version: int) -> None:
    """Check the version in the first line of a run. Raises NotARun, with both versions, when it is another one."""
    with contextlib.suppress(msgspec.DecodeError):
        own = msgspec.json.decode(line, type=_Head).version
        if own != version:
            raise NotARun(f"{path} is a run of version {own}; this program reads version {version}")


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file atomically: readers see either the old or the new contents."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(content)
    beside.replace(path)
