# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose genome an island gets."""

from collections import Counter
from random import Random

from arena.features.volunteers.exchange import MATE_CANDIDATES, choose_mate
from arena.features.volunteers.island import Proven, Trial


def proven(island: int, level: int, points: float, digest: str = "") -> Proven:
    """Return a genome that scored so much in 96 games."""
    trial = Trial(
        level=level,
        members=20,
        claimed_games=40,
        claimed_points=20,
        games=96,
        points=points,
        likelihood=1.0,
        moves=1,
        nodes=1,
        rival_moves=1,
        rival_nodes=1,
        formula="horizon",
        genome={},
    )
    return Proven(island, island, digest or f"genome of {island}", trial)


def ranked(*every: Proven) -> list[Proven]:
    """Return the strongest first."""
    return sorted(every, key=lambda one: one.trial.strength, reverse=True)


POOL = ranked(proven(1, 3, 60), proven(2, 3, 40), proven(3, 2, 90), proven(4, 1, 96))


def takers(island: int, level: int, score: float, had: tuple[str, ...] = ()) -> Counter[int | None]:
    """Return who gives to an island how often."""
    found = (choose_mate(POOL, island, (level, score), had, Random(seed)) for seed in range(2_000))
    return Counter(None if one is None else one.island for one in found)


def test_only_the_stronger_give_the_stronger_the_more() -> None:
    found = takers(9, 2, 0.5)
    assert set(found) == {1, 2, 3}
    assert found[1] > found[2] > found[3]
    assert 0.5 < found[1] / 2_000 < 0.65


def test_a_deeper_rival_counts_for_more_than_any_score() -> None:
    assert set(takers(9, 2, 0.99)) == {1, 2}
    assert set(takers(9, 4, 0.0)) == {None}


def test_the_best_gets_nothing_and_nobody_gets_its_own() -> None:
    assert set(takers(1, 3, POOL[0].trial.strength[1])) == {None}
    assert set(takers(1, 3, 0.1)) == {2}


def test_what_a_island_had_it_does_not_get_again() -> None:
    assert set(takers(9, 2, 0.5, ("genome of 1", "genome of 2"))) == {3}
    assert set(takers(9, 2, 0.5, tuple(one.digest for one in POOL))) == {None}


def test_the_same_genome_of_two_islands_is_one() -> None:
    pool = ranked(proven(1, 3, 60, "same"), proven(2, 3, 59, "same"), proven(3, 3, 58, "other"))
    found = Counter(one.island for seed in range(999) if (one := choose_mate(pool, 9, (1, 0.1), (), Random(seed))))
    assert set(found) == {1, 3}


def test_the_choice_is_among_a_few() -> None:
    pool = ranked(*(proven(island, 2, 90 - island) for island in range(1, 30)))
    found = {one.island for seed in range(9_999) if (one := choose_mate(pool, 99, (1, 0.1), (), Random(seed)))}
    assert found == set(range(1, MATE_CANDIDATES + 1))
