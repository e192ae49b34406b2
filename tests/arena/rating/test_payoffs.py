# SPDX-License-Identifier: GPL-3.0-or-later
"""Points a game, and their interval."""

import random
from math import sqrt
from statistics import mean, pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.difference import score_interval
from arena.rating.payoffs import Payoffs, reduced_interval, variance_fallen


@given(payoffs=st.lists(st.integers(-6, 6), min_size=2, max_size=50).filter(lambda found: len(set(found)) > 1))
def test_mean_and_interval_follow_from_the_payoffs_of_pairs(payoffs: list[int]) -> None:
    found = Payoffs.of(payoffs, games=2)
    assert found.mean == pytest.approx(mean(payoffs) / 2)
    reach = 1.96 * sqrt(pvariance(payoffs) / len(payoffs)) / 2
    low, high = found.interval(3)
    assert low == pytest.approx(max(-3, mean(payoffs) / 2 - reach))
    assert high == pytest.approx(min(3, mean(payoffs) / 2 + reach))


@given(counts=st.tuples(*(st.integers(0, 20) for _ in range(5))).filter(any))
def test_wins_of_one_point_have_the_interval_of_the_score(counts: tuple[int, ...]) -> None:
    payoffs = [place - 2 for place, count in enumerate(counts) for _ in range(count)]
    low, high = Payoffs.of(payoffs, games=2).interval(1)
    assert ((1 + low) / 2, (1 + high) / 2) == pytest.approx(score_interval(counts))


def test_without_games_everything_is_possible() -> None:
    assert Payoffs().mean is None
    assert Payoffs().interval(3) == (-3, 3)


def test_equal_payoffs_do_not_make_the_mean_certain() -> None:
    low, high = Payoffs.of([2, 2]).interval(3)
    assert low < 0 < 2 < high < 3
    assert Payoffs.of([3, 3, 3]).interval(3)[1] == 3


def test_the_interval_holds_the_true_mean_in_about_95_of_100_samples() -> None:
    """With a fixed seed: the test cannot fail by chance."""
    chance = random.Random(1)
    faces, weights = (-3, -2, -1, 1, 2, 3), (1, 6, 20, 24, 8, 1)
    true = sum(face * weight for face, weight in zip(faces, weights, strict=True)) / sum(weights)
    samples = [Payoffs.of(chance.choices(faces, weights, k=100)).interval(3) for _ in range(1000)]
    assert 930 <= sum(low <= true <= high for low, high in samples) <= 970


def test_the_variance_falls_by_what_luck_explains() -> None:
    plain, reduced = Payoffs.of([5, -3, 4, -2], games=2), Payoffs.of([1.5, 0.5, 1.5, 0.5], games=2)
    assert variance_fallen(plain, reduced) == pytest.approx(1 - 0.25 / 12.5)
    assert reduced_interval(plain, reduced, 3) == reduced.interval(3)
    assert variance_fallen(reduced, plain) == pytest.approx(1 - 12.5 / 0.25)
    assert variance_fallen(Payoffs.of([2, 2]), Payoffs.of([1, 2])) is None


def test_units_that_are_equal_without_luck_are_evidence_only_if_they_differ_with_it() -> None:
    alike = Payoffs.of([0.5, 0.5, 0.5])
    assert reduced_interval(Payoffs.of([1, -1, 1]), alike, 3) == (0.5, 0.5)
    low, high = reduced_interval(Payoffs.of([1, 1, 1]), alike, 3)
    assert low < 0 < 0.5 < high
    assert reduced_interval(Payoffs(), Payoffs(), 3) == (-3, 3)
