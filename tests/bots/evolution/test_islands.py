# SPDX-License-Identifier: GPL-3.0-or-later
"""Immigrants, and islands that exchange their bests."""

from pathlib import Path

import msgspec
import pytest

from bots.evolution import genome
from bots.evolution.breeding import VERSION, Breed, arenas_of
from bots.evolution.genome import SCHEMAS, Genotype
from bots.evolution.history import BEST, History, NotARun
from bots.evolution.islands import Guest, immigrated, migrated, settled
from bots.evolution.operators import chance_for
from bots.evolution.population import Population, founded
from tests.bots.evolution.test_breeding import run_in

LECTURE = SCHEMAS["checkers/lecture"]
STANDARD = Genotype(LECTURE.standard)


def test_a_newcomer_takes_somebody_s_place_and_has_children_of_its_own() -> None:
    before = founded(LECTURE, 6, chance_for(1))
    after = immigrated(LECTURE, before, [("stranger", STANDARD)], chance_for(2))
    (newcomer,) = set(after.members) - set(before.members)
    assert (newcomer.values, newcomer.origin, newcomer.name) == (LECTURE.standard, "immigrant", "stranger")
    assert (newcomer.number, after.next_number, len(after.members)) == (6, 7, 6)
    assert immigrated(LECTURE, before, [("stranger", STANDARD)], chance_for(2)) == after
    after = immigrated(LECTURE, before, [("stranger", STANDARD)], chance_for(2), newest=True)
    assert after.members[:-1] == before.members[:-1]


def test_unfit_immigrants_are_refused() -> None:
    before = founded(LECTURE, 2, chance_for(1))
    with pytest.raises(ValueError, match="3 newcomers do not fit"):
        immigrated(LECTURE, before, [("stranger", STANDARD)] * 3, chance_for(1))
    with pytest.raises(ValueError, match="king is -1"):
        immigrated(LECTURE, before, [("stranger", Genotype((100_000, -1, 0, 0, 0)))], chance_for(1))
    with pytest.raises(ValueError, match="has no program"):
        immigrated(LECTURE, before, [("stranger", STANDARD._replace(program=("horizon",)))], chance_for(1))


def test_guests_take_the_places_of_the_newest_and_the_elite_stays() -> None:
    before = [founded(LECTURE, 4, chance_for(number)) for number in range(2)]
    guests = [Guest(number, STANDARD) for number in (3, 5, 7, 9, 2)]
    after = settled(LECTURE, before, guests, 2)
    assert [one.members[:2] for one in after] == [one.members[:2] for one in before]
    assert [member.migration for member in after[1].members] == [0, 0, 5, 3]
    assert [member.migration for member in after[0].members] == [0, 0, 0, 2]
    assert all(one.members[-1].values == LECTURE.standard for one in after)


ISLANDS = Breed(VERSION, "checkers/lecture", "kendall-whitwell", 4, 1, plies=40, islands=3, migration=2)


def test_the_best_of_each_island_goes_to_the_next() -> None:
    before: list[Population] = ISLANDS.begin()
    assert len({population.members for population in before}) == 3
    bests = [ISLANDS.best(population) for population in before]
    after = migrated(LECTURE, before, bests, [ISLANDS.root(island) for island in range(3)], newest=False)
    for island, population in enumerate(after):
        (migrant,) = set(population.members) - set(before[island].members)
        home = (island - 1) % 3
        assert migrant.values == bests[home].values
        assert migrant.name == f"member {bests[home].number} of island {home + 1}"


def test_threads_and_interruptions_do_not_change_islands(tmp_path: Path) -> None:
    whole = run_in(tmp_path / "whole", ISLANDS, 5)
    assert run_in(tmp_path / "two", ISLANDS, 5, threads=2) == whole
    migrants = [
        [[member.name for member in island.members if member.origin == "immigrant"] for island in generation]
        for generation in whole
    ]
    assert not any(any(names) for names in migrants[:2])
    assert all(names for names in migrants[2])
    run_in(tmp_path / "cut", ISLANDS, 3)
    assert run_in(tmp_path / "cut", ISLANDS, 5) == whole


def test_the_best_of_all_islands_is_found_by_a_play_off(tmp_path: Path) -> None:
    run_in(tmp_path, ISLANDS, 2)
    history = History.open(tmp_path, ISLANDS)
    with arenas_of(ISLANDS, 1) as arenas:
        winner = history.play_off(arenas)
        assert history.play_off(arenas) == winner
    best = ISLANDS.best(history.newest[winner].population)
    assert genome.read((tmp_path / BEST).read_bytes()) == (LECTURE, best.values)


def test_islands_that_cannot_be_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least a generation between migrations"):
        msgspec.structs.replace(ISLANDS, migration=0).begin()
    with pytest.raises(ValueError, match="cma-es accept no immigrants"):
        msgspec.structs.replace(ISLANDS, dynamics="cma-es").begin()
    History.open(tmp_path, ISLANDS)
    with pytest.raises(NotARun, match="islands differ"):
        History.open(tmp_path, msgspec.structs.replace(ISLANDS, islands=2))
