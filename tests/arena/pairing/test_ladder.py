# SPDX-License-Identifier: GPL-3.0-or-later
from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.pairing.ladder import Seeker, draw, hungriest

seekers = st.lists(
    st.builds(Seeker, st.integers(1, 10_000), st.floats(0, 3000), st.floats(0, 1e6)),
    unique_by=lambda seeker: seeker.bot,
    max_size=60,
)


@given(seekers, st.integers())
def test_everybody_meets_somebody_else_once(present: list[Seeker], seed: int) -> None:
    pairs = draw(present, Random(seed), 100)
    drawn = [bot for pair in pairs for bot in pair]
    assert len(set(drawn)) == len(drawn) == len(present) // 2 * 2
    assert set(drawn) <= {seeker.bot for seeker in present}


@given(seekers, st.integers())
def test_the_same_chance_draws_the_same_pairs(present: list[Seeker], seed: int) -> None:
    assert draw(present, Random(seed), 100) == draw(present, Random(seed), 100)


def test_without_spread_neighbours_by_rating_meet() -> None:
    present = [Seeker(bot, rating) for bot, rating in ((1, 2000.0), (2, 1000.0), (3, 1990.0), (4, 1010.0))]
    assert {frozenset(pair) for pair in draw(present, Random(1), 0)} == {frozenset({1, 3}), frozenset({2, 4})}


def test_with_spread_everybody_meets_everybody_and_neighbours_most() -> None:
    present = [Seeker(bot, 1500 + 50.0 * bot) for bot in range(6)]
    random = Random(7)
    met = Counter(frozenset(pair) for _ in range(2000) for pair in draw(present, random, 200))
    assert len(met) == 15
    assert met[frozenset({2, 3})] > met[frozenset({0, 5})]


def test_both_move_first_equally_often() -> None:
    random = Random(3)
    firsts = Counter(draw([Seeker(1, 1500), Seeker(2, 1800)], random, 0)[0][0] for _ in range(1000))
    assert 400 < firsts[1] < 600


def test_of_an_odd_number_the_least_patient_stays_out() -> None:
    present = [Seeker(1, 1500, 10), Seeker(2, 1500, 1), Seeker(3, 1500, 10)]
    for seed in range(20):
        assert {bot for pair in draw(present, Random(seed), 100) for bot in pair} == {1, 3}


def test_games_that_two_have_waited_for_longest_come_first() -> None:
    assert hungriest({"often": [1, 2, 3], "seldom": [9, 8], "alone": [99], "half": [100, 0.5]}) == [
        "seldom",
        "often",
        "half",
    ]
