# SPDX-License-Identifier: GPL-3.0-or-later
"""Elo differences from scores, and how sure they are."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.difference import difference, interval, pentanomial, score_interval, superiority
from arena.rating.elo import expected


@given(st.floats(-800, 800))
def test_the_difference_is_what_explains_the_score(points: float) -> None:
    assert difference(expected(1500 + points, 1500)) == pytest.approx(points, abs=1e-6)


def test_a_perfect_score_is_unbounded() -> None:
    assert difference(1) is None
    assert difference(0) is None
    assert difference(0.75) == pytest.approx(190.8485)


def test_an_interval_by_hand() -> None:
    # scores 1/2, 3/4, 3/4, 1 of four pairs: mean 3/4, variance 1/32
    low, high = interval([0.5, 0.75, 0.75, 1])
    reach = 1.96 * (1 / 32 / 4) ** 0.5
    assert low == pytest.approx(difference(0.75 - reach))
    assert high == pytest.approx(difference(0.75 + reach))


def test_equal_pairs_are_no_certainty() -> None:
    low, high = interval([1.0] * 10)
    # Wilson: 10 of 10 successes are at least 10 / (10 + 1.96²)
    assert low == pytest.approx(difference(10 / (10 + 1.96**2)))
    assert high is None
    # Wilson: of half successes in n trials ± 1.96 / (2·√(n + 1.96²))
    reach = 1.96 / (2 * (10 + 1.96**2) ** 0.5)
    assert interval([0.5] * 10) == pytest.approx((difference(0.5 - reach), difference(0.5 + reach)))
    assert interval([]) == (None, None)


def test_the_interval_holds_the_true_strength_as_often_as_it_says() -> None:
    chance = random.Random(1)
    inside = 0
    for _ in range(1000):
        pairs = [(chance.choice([0, 0.5, 1, 1]) + chance.choice([0, 0.5, 0.5, 1])) / 2 for _ in range(100)]
        low, high = interval(pairs)
        assert low is not None
        assert high is not None
        true = difference((2.5 / 4 + 0.5) / 2)
        assert true is not None
        inside += low <= true <= high
    assert 920 <= inside <= 975


def test_the_interval_of_the_score_lies_within_what_can_be_scored() -> None:
    assert score_interval([]) == (0, 1)
    assert score_interval([0, 1]) == (0, 1)
    assert score_interval([0.5, 0.75, 0.75, 1]) == pytest.approx((0.75 - 0.1732412, 0.75 + 0.1732412))


def test_how_sure_it_is_that_one_is_stronger() -> None:
    # the score is one standard error above a half: Φ(1)
    pairs = [0.5 + 1 / 8 - 1 / 4, 0.5 + 1 / 8 + 1 / 4] * 2
    assert superiority(pairs) == pytest.approx(0.8413447)
    assert superiority([1 - pair for pair in pairs]) == pytest.approx(1 - 0.8413447)
    assert [superiority(pairs) for pairs in ([], [0.5], [0.75, 0.75], [0.0])] == [0.5, 0.5, 1, 0]


def test_pairs_are_counted_by_their_score() -> None:
    assert pentanomial([0, 0.25, 0.25, 0.5, 1, 1, 1]) == (1, 2, 1, 0, 3)
    assert pentanomial([]) == (0, 0, 0, 0, 0)
