# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of breeding: a function of the seed whatever the threads, gone on with wherever they stopped."""

import itertools
from pathlib import Path

import pytest

from bots.evolution import genome
from bots.evolution.breeding import VERSION, Arenas, Bred, Breed, arenas_of, bred, first
from bots.evolution.history import BEST, RUN, History, NotARun, read
from bots.evolution.population import Population, Result

CHECKERS = Breed(VERSION, "checkers/lecture", "kendall-whitwell", 10, 1)


def run(breed: Breed, generations: int, threads: int) -> list[Bred]:
    """Return the generations that a breed leads to."""
    with Arenas("checkers", threads) as arenas:
        return [island for (island,) in itertools.islice(bred(breed, first(breed), arenas), generations)]


def deeds(run: list[Bred]) -> list[object]:
    """Return all but the time that it took."""
    return [(one.population, one.results, one.leaves, one.plies) for one in run]


def test_a_seed_breeds_the_same_on_one_thread_and_on_two() -> None:
    first = run(CHECKERS, 5, 1)
    assert deeds(run(CHECKERS, 5, 2)) == deeds(first)
    assert first[-1].population.games == 5 * 10
    assert all(one.leaves > 0 and one.plies > 0 for one in first)


@pytest.mark.parametrize("dynamics", ["kendall-whitwell", "cma-es", "spsa", "generational", "moran"])
def test_a_run_goes_on_where_it_was_cut_off(dynamics: str, tmp_path: Path) -> None:
    breed = Breed(VERSION, "checkers/second-course", dynamics, 6, 2, plies=60)
    whole = run_in(tmp_path / "whole", breed, 6)
    folder = tmp_path / "cut"
    run_in(folder, breed, 3)
    with (folder / RUN).open("ab") as file:
        file.write(b'{"population": {"version": 1, "sche')
    assert run_in(folder, breed, 6) == whole
    assert len(History.open(folder, breed, at=2).generations) == 3
    assert run_in(folder, breed, 6) == whole
    assert [island.population for island in read(folder)[1][-1]] == whole[-1]
    schema, values = genome.read((folder / BEST).read_bytes())
    assert (schema, values) == (breed.genes, breed.best(read(folder)[1][-1][0].population).values)


def run_in(folder: Path, breed: Breed, generations: int, threads: int = 1) -> list[list[Population]]:
    """Breed to a generation in a folder; return all populations of each generation."""
    history = History.open(folder, breed)
    with arenas_of(breed, threads) as arenas:
        for one in itertools.islice(bred(breed, history.newest, arenas), generations - history.number):
            history.add(one)
    return [[island.population for island in generation] for generation in history.generations]


def test_another_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    run_in(tmp_path, CHECKERS, 1)
    with pytest.raises(NotARun, match="holds another run: seed differ"):
        History.open(tmp_path, Breed(VERSION, "checkers/lecture", "kendall-whitwell", 10, 2))
    with pytest.raises(ValueError, match="no generation 5"):
        History.open(tmp_path, CHECKERS, at=5)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no run"),
        (b"{", "cut short"),
        (b"{}\n", "can be read"),
        (
            b'{"version":1,"schema":"checkers/lecture","dynamics":"moran","size":4,"seed":1}\n',
            "version 1; this program reads version 8",
        ),
        (
            b'{"version":8,"schema":"checkers/lecture","dynamics":"moran","size":4,"seed":1}\n{"popul\n',
            "can be read",
        ),
        (b'{"version":8,"schema":"checkers/lecture","dynamics":"moran","size":4,"seed":1}\n', "no generation"),
    ],
)
def test_invalid_runs_are_refused(content: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / RUN).write_bytes(content)
    with pytest.raises(NotARun, match=why):
        read(tmp_path)


def test_generations_that_are_missing_are_noticed(tmp_path: Path) -> None:
    run_in(tmp_path, CHECKERS, 3)
    lines = (tmp_path / RUN).read_bytes().splitlines(keepends=True)
    (tmp_path / RUN).write_bytes(b"".join([*lines[:2], *lines[3:]]))
    with pytest.raises(NotARun, match="line 3 is not generation 1"):
        read(tmp_path)


def test_results_of_others_change_nothing() -> None:
    (population,) = CHECKERS.begin()
    with pytest.raises(ValueError, match="names member 99"):
        CHECKERS.advance(population, [Result(0, 99, (1, 1))])
    with pytest.raises(ValueError, match="not those of the pairs"):
        CHECKERS.advance(population, [])
    assert [population] == CHECKERS.begin()


def test_options_that_there_are_not_are_refused() -> None:
    breed = Breed(VERSION, "checkers/lecture", "moran", 4, 1, {"speed": 1.0})
    with pytest.raises(ValueError, match="moran has no option 'speed'; there are selection, factor"):
        _ = breed.all_options
