# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of EvoChess on disk: JSON lines, first its course, then every generation after its games.

Old generations may be dropped. A last line that a kill has cut off is dropped, and its generation is played again, to
the same bit. The best genome of the newest generation is saved beside the run.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from bots.evolution.evochess.breeding import VERSION, Breeding, Generation, Guest, RunSettings, allowed, checked_course
from bots.evolution.evochess.genome import checked, write
from bots.evolution.history import BEST, RUN, NotARun, check_version, replace_file


def read(folder: Path) -> tuple[RunSettings, list[Generation], int]:
    """Return the course of a folder, all whole generations, and their size in bytes.

    Raises NotARun, with a message for people, and OSError.
    """
    path = folder / RUN
    with path.open("rb") as file:
        lines = [line for line in file if line.endswith(b"\n")]
    if not lines:
        raise NotARun(f"{path} holds no run of breeding, or one that was cut short")
    check_version(path, lines[0], VERSION)
    generations: list[Generation] = []
    expected: int | None = None
    try:
        course = checked_course(msgspec.json.decode(lines[0], type=RunSettings))
        for number, line in enumerate(lines[1:]):
            generation = msgspec.json.decode(line, type=Generation)
            if generation.number != (expected or generation.number) or len(generation.islands) != course.islands:
                raise NotARun(f"{path}: line {number + 2} is not generation {expected} of the run")
            expected = generation.number + 1
            for island in generation.islands:
                for member in island.members:
                    checked(course.schema, member.genome)
            generations.append(generation)
    except NotARun:
        raise
    except (msgspec.DecodeError, KeyError, ValueError) as error:
        raise NotARun(f"{path} holds no run of evochess that can be read: {error.args[0]}") from None
    return course, generations, sum(map(len, lines))


def bred(
    folder: Path,
    course: RunSettings,
    until: int | None,
    threads: int = 1,
    *,
    guests: Callable[[], Sequence[Guest]] = tuple,
    keep: int | None = None,
    again: bool = True,
) -> Iterator[Generation]:
    """Yield the generations of a folder's run up to a number: the saved ones, then new ones as they are saved.

    ``until``: the last generation, None: without end. ``guests`` returns the immigrants before each generation.
    ``keep``: number of generations that stay in the file, at times twice as many; None: all. ``again``: whether all
    saved generations are yielded, or only the newest one.

    Raises NotARun when the folder holds another run, ValueError and KeyError for a course that cannot be run, and
    OSError.
    """
    checked_course(course)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / RUN
    there: list[Generation] = []
    if path.exists() and path.stat().st_size:
        begun, there, end = read(folder)
        if begun != course:
            names = [name for name in RunSettings.__struct_fields__ if getattr(begun, name) != getattr(course, name)]
            raise NotARun(f"{path} holds another run: {', '.join(names)} differ")
        with path.open("ab") as file:
            file.truncate(end)
    else:
        path.write_bytes(msgspec.json.encode(course) + b"\n")
    yield from there if again else there[-1:]
    newest = there[-1] if there else None
    if newest and until is not None and newest.number >= until:
        return
    lines = [msgspec.json.encode(generation) + b"\n" for generation in there] if keep else []
    with Breeding(course, threads) as breeding:
        for generation in breeding.follow(newest, guests):
            line = msgspec.json.encode(generation) + b"\n"
            with path.open("ab") as file:
                file.write(line)
                file.flush()
                # volunteers report a generation, so it must survive a power cut
                os.fsync(file.fileno())
            if keep:
                lines.append(line)
                if len(lines) > 2 * keep:
                    lines = lines[-keep:]
                    replace_file(path, b"".join([msgspec.json.encode(course) + b"\n", *lines]))
            replace_file(folder / BEST, best_file(course, generation).encode())
            yield generation
            if until is not None and generation.number >= until:
                return


def best_file(course: RunSettings, generation: Generation) -> str:
    """Return the best genome of a generation as a file, with its lineage."""
    island, best = generation.best
    lineage = {
        "dynamics": "evochess",
        "seed": course.seed,
        "nodes": allowed(course, island.level),
        "generation": generation.number,
        "member": best.number,
        "parents": list(best.parents),
        "level": island.level,
        "games": best.games,
        "score": best.points / best.games if best.games else None,
    }
    if course.weights:
        lineage["weights"] = "the first members' were given"
    if course.guests:
        lineage["guests"] = len(course.guests)
    return write(course.schema, best.genome, allowed(course, island.level), lineage)
