# SPDX-License-Identifier: GPL-3.0-or-later
"""Immigrants, and islands that exchange their bests."""

import itertools
from pathlib import Path

import msgspec
import pytest

from bots.evolution import genome
from bots.evolution.breeding import VERSION, Arenas, Breed
from bots.evolution.genome import SCHEMAS
from bots.evolution.history import BEST, History, NotARun
from bots.evolution.islands import Archipelago, immigrated, islands_of, migrated
from bots.evolution.operators import chance_for
from bots.evolution.population import Population, founded

LECTURE = SCHEMAS["checkers/lecture"]


def test_a_newcomer_takes_somebody_s_place_and_has_children_of_its_own() -> None:
    before = founded(LECTURE, 6, chance_for(1))
    after = immigrated(before, [("stranger", LECTURE.standard)], chance_for(2))
    (newcomer,) = set(after.members) - set(before.members)
    assert (newcomer.values, newcomer.origin, newcomer.name) == (LECTURE.standard, "immigrant", "stranger")
    assert (newcomer.number, after.next_number, len(after.members)) == (6, 7, 6)
    assert immigrated(before, [("stranger", LECTURE.standard)], chance_for(2)) == after


def test_unfit_immigrants_are_refused() -> None:
    before = founded(LECTURE, 2, chance_for(1))
    with pytest.raises(ValueError, match="3 newcomers do not fit"):
        immigrated(before, [("stranger", LECTURE.standard)] * 3, chance_for(1))
    with pytest.raises(ValueError, match="king is -1"):
        immigrated(before, [("stranger", (100_000, -1, 0, 0, 0))], chance_for(1))


BREED = Breed(VERSION, "checkers/lecture", "kendall-whitwell", 4, 1, plies=40)
ISLANDS = islands_of(BREED, 3, 2)


def bred_in(folder: Path, generations: int, threads: int = 1) -> list[list[Population]]:
    """Breed islands to a generation in a folder; return all populations of each."""
    with Archipelago.open(folder, ISLANDS) as islands, Arenas("checkers", threads, plies=40) as arenas:
        for _ in itertools.islice(islands.bred(arenas), generations - islands.generation):
            pass
        return [[one.population for one in history.bred] for history in islands.histories]


def test_the_best_of_each_island_goes_to_the_next() -> None:
    at_two = [msgspec.structs.replace(breed.begin(), generation=2) for breed in ISLANDS]
    assert len({population.members for population in at_two}) == 3
    after = migrated(ISLANDS, at_two)
    for island, population in enumerate(after):
        (migrant,) = set(population.members) - set(at_two[island].members)
        home = (island - 1) % 3
        best = ISLANDS[home].dynamic.best(at_two[home])
        assert migrant.values == best.values
        assert migrant.name == f"member {best.number} of island {home + 1}"
    at_three = [msgspec.structs.replace(population, generation=3) for population in at_two]
    assert migrated(ISLANDS, at_three) == at_three


def test_threads_and_interruptions_do_not_change_islands(tmp_path: Path) -> None:
    whole = bred_in(tmp_path / "whole", 5)
    assert bred_in(tmp_path / "two", 5, threads=2) == whole
    names = {member.name for population in whole[1] for member in population.members if member.name}
    assert names
    assert all(name.endswith("of island 1") for name in names)
    folder = tmp_path / "cut"
    bred_in(folder, 3)
    # a kill came when only the first island was saved
    with History.open(folder / "island-2", ISLANDS[1], at=2), History.open(folder / "island-3", ISLANDS[2], at=2):
        pass
    assert bred_in(folder, 5) == whole


def test_the_best_of_all_islands_is_found_by_a_play_off(tmp_path: Path) -> None:
    bred_in(tmp_path, 2)
    with Archipelago.open(tmp_path, ISLANDS) as islands, Arenas("checkers", 1, plies=40) as arenas:
        winner = islands.best(arenas)
        assert islands.best(arenas) == winner
        best = ISLANDS[winner].dynamic.best(islands.histories[winner].bred[-1].population)
    assert genome.read((tmp_path / BEST).read_bytes()) == (LECTURE, best.values)


def test_islands_that_cannot_be_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least two islands"):
        islands_of(BREED, 1)
    with pytest.raises(ValueError, match="cma-es accept no immigrants"):
        islands_of(msgspec.structs.replace(BREED, dynamics="cma-es"), 2)
    History.open(tmp_path / "one", BREED).close()
    with pytest.raises(NotARun, match="has no islands"):
        Archipelago.open(tmp_path / "one", ISLANDS)
    Archipelago.open(tmp_path / "many", ISLANDS).close()
    with pytest.raises(NotARun, match="has islands"):
        History.open(tmp_path / "many", BREED)
    with pytest.raises(NotARun, match="islands differ"):
        Archipelago.open(tmp_path / "many", islands_of(BREED, 2, 2))
