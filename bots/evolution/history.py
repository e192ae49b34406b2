# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of breeding on disk: JSON lines, first its settings, then every generation as soon as it is bred.

A last line that a kill has cut off is dropped, and its generation is bred again, to the same bit. The best genome of
the newest generation is saved beside the run.
"""

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Self

import msgspec

from bots.evolution import genome
from bots.evolution.breeding import VERSION, Bred, Breed
from bots.evolution.population import Population, Result, validated

RUN, BEST = "run.jsonl", "best.json"
ISLAND = "island"
"""The names of the islands' folders begin with this word."""


class NotARun(ValueError):
    """The folder holds no run, or another one; the message says why, for people."""


class _Head(msgspec.Struct, frozen=True):
    """The field that all versions have."""

    version: int


class StoredGeneration(msgspec.Struct, frozen=True):
    """A generation on disk."""

    population: Population
    """The generation."""
    results: tuple[Result, ...]
    """The games that led to it."""
    leaves: int = 0
    """Number of evaluated positions in these games."""
    plies: int = 0
    """Number of plies of these games."""
    seconds: float = 0.0
    """Duration of these games, in seconds."""


class History:
    """The generations of a run and their file. Close it, or use it as a context manager."""

    def __init__(self, folder: Path, breed: Breed, bred: list[Bred], file: IO[bytes]) -> None:
        self.folder = folder
        self.breed = breed
        self.bred = bred
        self._file = file

    @classmethod
    def open(cls, folder: Path, breed: Breed, *, at: int | None = None) -> Self:
        """Open the run of a folder, or begin it; drop the generations after ``at``.

        Raises NotARun when the folder holds another run or one that cannot be read, ValueError when it cannot begin or
        never came so far, and OSError.
        """
        if _has_islands(folder):
            raise NotARun(f"{folder} holds another run, which has islands")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / RUN
        bred: list[Bred] = []
        ends: list[int] = []
        if path.exists() and path.stat().st_size:
            begun, bred, ends = _read(path)
            if begun != breed:
                names = [name for name in Breed.__struct_fields__ if getattr(begun, name) != getattr(breed, name)]
                raise NotARun(f"{path} holds another run: {', '.join(names)} differ")
        if at is not None:
            if not 0 <= at < len(bred):
                raise ValueError(f"{folder} has no generation {at} to go on from")
            bred, ends = bred[: at + 1], ends[: at + 1]
        file = path.open("ab")
        try:
            if not bred:
                first = Bred(breed.begin())
                file.truncate(0)
                file.write(msgspec.json.encode(breed) + b"\n")
                history = cls(folder, breed, [], file)
                history.add(first)
                return history
            file.truncate(ends[-1])
            return cls(folder, breed, bred, file)
        except BaseException:
            file.close()
            raise

    def add(self, bred: Bred) -> None:
        """Save one more generation, and its best genome."""
        line = StoredGeneration(bred.population, bred.results, bred.leaves, bred.plies, bred.seconds)
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()
        self.bred.append(bred)
        best = self.breed.dynamic.best(bred.population)
        lineage = {
            "dynamics": self.breed.dynamics,
            "seed": self.breed.seed,
            **({"island": self.breed.island + 1} if self.breed.islands > 1 else {}),
            "generation": bred.population.generation,
            "member": best.number,
            "parents": list(best.parents),
        }
        replace_file(self.folder / BEST, genome.write(bred.population.genes, best.values, lineage).encode())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read(folder: Path) -> tuple[Breed, Sequence[Bred]]:
    """Return the run of a folder, all whole generations of it. Raises NotARun and OSError."""
    path = folder / RUN
    if _has_islands(folder):
        raise NotARun(f"{folder} holds islands; show one of them, such as {folder / ISLAND}-1")
    if not path.exists():
        raise NotARun(f"{folder} holds no run of breeding")
    breed, bred, _ = _read(path)
    if not bred:
        raise NotARun(f"{path} holds no generation")
    return breed, bred


def _has_islands(folder: Path) -> bool:
    return not (folder / RUN).exists() and (folder / f"{ISLAND}-1" / RUN).exists()


def _read(path: Path) -> tuple[Breed, list[Bred], list[int]]:
    """Return a run's settings, its generations, and the offset of the end of each line."""
    bred: list[Bred] = []
    ends: list[int] = []
    with path.open("rb") as file:
        lines = [line for line in file if line.endswith(b"\n")]
    if not lines:
        raise NotARun(f"{path} holds no run of breeding, or one that was cut short")
    check_version(path, lines[0], VERSION)
    try:
        breed = msgspec.json.decode(lines[0], type=Breed)
        end = len(lines[0])
        for number, line in enumerate(lines[1:]):
            read = msgspec.json.decode(line, type=StoredGeneration)
            population = validated(read.population)
            if population.generation != number or population.schema != breed.schema:
                raise NotARun(f"{path}: line {number + 2} is not generation {number} of the run")
            bred.append(Bred(population, read.results, read.leaves, read.plies, read.seconds))
            end += len(line)
            ends.append(end)
    except (msgspec.DecodeError, KeyError, ValueError) as error:
        if isinstance(error, NotARun):
            raise
        raise NotARun(f"{path} holds no run of breeding that can be read: {error.args[0]}") from None
    return breed, bred, ends


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
