# SPDX-License-Identifier: GPL-3.0-or-later
"""Immigrants, and demes that exchange their bests."""

import itertools
from pathlib import Path

import msgspec
import pytest

from bots.evolution import genome
from bots.evolution.breeding import VERSION, Arenas, Breed
from bots.evolution.demes import Archipelago, demes_of, immigrated, migrated
from bots.evolution.genes import SCHEMAS
from bots.evolution.history import BEST, History, NotARun
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


def test_who_does_not_fit_is_refused() -> None:
    before = founded(LECTURE, 2, chance_for(1))
    with pytest.raises(ValueError, match="3 newcomers do not fit"):
        immigrated(before, [("stranger", LECTURE.standard)] * 3, chance_for(1))
    with pytest.raises(ValueError, match="king is -1"):
        immigrated(before, [("stranger", (100_000, -1, 0, 0, 0))], chance_for(1))


BREED = Breed(VERSION, "checkers/lecture", "kendall-whitwell", 4, 1, plies=40)
DEMES = demes_of(BREED, 3, 2)


def bred_in(folder: Path, generations: int, threads: int = 1) -> list[list[Population]]:
    """Breed demes to a generation in a folder; return all populations of each."""
    with Archipelago.open(folder, DEMES) as demes, Arenas("checkers", threads, plies=40) as arenas:
        for _ in itertools.islice(demes.bred(arenas), generations - demes.generation):
            pass
        return [[one.population for one in history.bred] for history in demes.histories]


def test_the_best_of_each_deme_goes_to_the_next() -> None:
    at_two = [msgspec.structs.replace(breed.begin(), generation=2) for breed in DEMES]
    assert len({population.members for population in at_two}) == 3
    after = migrated(DEMES, at_two)
    for deme, population in enumerate(after):
        (migrant,) = set(population.members) - set(at_two[deme].members)
        home = (deme - 1) % 3
        best = DEMES[home].dynamic.best(at_two[home])
        assert migrant.values == best.values
        assert migrant.name == f"member {best.number} of deme {home + 1}"
    at_three = [msgspec.structs.replace(population, generation=3) for population in at_two]
    assert migrated(DEMES, at_three) == at_three


def test_demes_follow_from_the_seed_whatever_the_threads_and_go_on_where_they_were_together(tmp_path: Path) -> None:
    whole = bred_in(tmp_path / "whole", 5)
    assert bred_in(tmp_path / "two", 5, threads=2) == whole
    names = {member.name for population in whole[1] for member in population.members if member.name}
    assert names
    assert all(name.endswith("of deme 1") for name in names)
    folder = tmp_path / "cut"
    bred_in(folder, 3)
    # a kill came when only the first deme was saved
    with History.open(folder / "deme-2", DEMES[1], at=2), History.open(folder / "deme-3", DEMES[2], at=2):
        pass
    assert bred_in(folder, 5) == whole


def test_the_best_of_all_demes_is_found_by_a_play_off(tmp_path: Path) -> None:
    bred_in(tmp_path, 2)
    with Archipelago.open(tmp_path, DEMES) as demes, Arenas("checkers", 1, plies=40) as arenas:
        winner = demes.best(arenas)
        assert demes.best(arenas) == winner
        best = DEMES[winner].dynamic.best(demes.histories[winner].bred[-1].population)
    assert genome.read((tmp_path / BEST).read_bytes()) == (LECTURE, best.values)


def test_demes_that_cannot_be_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least two demes"):
        demes_of(BREED, 1)
    with pytest.raises(ValueError, match="cma-es takes in no genomes"):
        demes_of(msgspec.structs.replace(BREED, dynamics="cma-es"), 2)
    History.open(tmp_path / "one", BREED).close()
    with pytest.raises(NotARun, match="has no demes"):
        Archipelago.open(tmp_path / "one", DEMES)
    Archipelago.open(tmp_path / "many", DEMES).close()
    with pytest.raises(NotARun, match="has demes"):
        History.open(tmp_path / "many", BREED)
    with pytest.raises(NotARun, match="demes differ"):
        Archipelago.open(tmp_path / "many", demes_of(BREED, 2, 2))
