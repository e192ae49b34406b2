# SPDX-License-Identifier: GPL-3.0-or-later
"""Elo differences from scores, and how sure they are."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.difference import (
    difference_of,
    interval,
    moments,
    normalised,
    score_interval,
    score_of,
    superiority,
    wilson,
)

QUARTERS = st.lists(st.integers(0, 40), min_size=5, max_size=5)


@given(st.floats(-800, 800))
def test_the_difference_is_what_explains_the_score(points: float) -> None:
    assert difference_of(score_of(points)) == pytest.approx(points, abs=1e-6)


def test_a_perfect_score_is_unbounded() -> None:
    assert difference_of(1) is None
    assert difference_of(0) is None
    assert difference_of(0.75) == pytest.approx(190.8485)


@pytest.mark.parametrize("kinds", [3, 5])
def test_a_perfect_score_bounds_the_interval_on_one_side_only(kinds: int) -> None:
    for number in range(1, 300):
        lost = [number, *[0] * (kinds - 1)]
        assert score_interval(lost)[0] == 0
        assert interval(lost)[0] is None
        assert interval(lost[::-1])[1] is None
        assert wilson(0, number)[0] == 0
        assert wilson(number, number)[1] == 1
        assert None not in (interval(lost)[1], interval(lost[::-1])[0])


def test_moments_by_hand() -> None:
    assert moments((0, 0, 1, 2, 1)) == pytest.approx((4, 3 / 4, 1 / 32))
    assert moments((1, 1, 2)) == pytest.approx((4, 5 / 8, 11 / 64))
    with pytest.raises(ValueError, match="there are no games to compute a difference from"):
        moments((0, 0, 0))


def test_an_interval_by_hand() -> None:
    # scores 1/2, 3/4, 3/4, 1 of four pairs: mean 3/4, variance 1/32
    low, high = interval((0, 0, 1, 2, 1))
    reach = 1.96 * (1 / 32 / 4) ** 0.5
    assert low == pytest.approx(difference_of(0.75 - reach))
    assert high == pytest.approx(difference_of(0.75 + reach))


@pytest.mark.parametrize(
    ("counts", "elo", "reach", "normalised_elo", "normalised_reach", "sure"),
    [
        # the values that fastchess is tested with, to two places
        ((89, 123, 76), None, None, -20.76, 40.13, 0.1553),
        ((96, 111, 136), 40.70, 30.43, 49.77, 36.77, 0.9960),
        ((356, 0, 34), None, None, -508.44, 34.48, 0.0),
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 1.0),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 0.0505),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, None),
    ],
)
def test_published_values(
    counts: tuple[int, ...],
    elo: float | None,
    reach: float | None,
    normalised_elo: float,
    normalised_reach: float,
    sure: float | None,
) -> None:
    low, high = interval(counts)
    assert low is not None
    assert high is not None
    if elo is not None:
        assert difference_of(moments(counts)[1]) == pytest.approx(elo, abs=0.0051)
        assert (high - low) / 2 == pytest.approx(reach, abs=0.0051)
    assert normalised(counts) == pytest.approx((normalised_elo, normalised_reach), abs=0.0051)
    if sure is not None:
        assert superiority(counts) == pytest.approx(sure, abs=0.000051)


def test_equal_pairs_are_no_certainty() -> None:
    low, high = interval((0, 0, 0, 0, 10))
    # Wilson: 10 of 10 successes are at least 10 / (10 + 1.96²)
    assert low == pytest.approx(difference_of(10 / (10 + 1.96**2)))
    assert high is None
    # Wilson: of half successes in n trials ± 1.96 / (2·√(n + 1.96²))
    reach = 1.96 / (2 * (10 + 1.96**2) ** 0.5)
    assert interval((0, 0, 10, 0, 0)) == pytest.approx((difference_of(0.5 - reach), difference_of(0.5 + reach)))
    assert interval((0, 0, 0, 0, 0)) == (None, None)
    assert normalised((0, 0, 0, 0, 10)) is None
    assert normalised((0, 0, 0)) is None


def test_the_interval_holds_the_true_strength_as_often_as_it_says() -> None:
    chance = random.Random(1)
    inside = 0
    for _ in range(1000):
        counts = [0] * 5
        for _ in range(100):
            counts[chance.choice([0, 1, 2, 2]) + chance.choice([0, 1, 1, 2])] += 1
        low, high = interval(counts)
        assert low is not None
        assert high is not None
        true = difference_of((2.5 / 4 + 0.5) / 2)
        assert true is not None
        inside += low <= true <= high
    assert 920 <= inside <= 975


def test_the_interval_of_the_score_lies_within_what_can_be_scored() -> None:
    assert score_interval((0, 0, 0, 0, 0)) == (0, 1)
    assert score_interval((1, 0, 0, 0, 1)) == (0, 1)
    assert score_interval((0, 0, 1, 2, 1)) == pytest.approx((0.75 - 0.1732412, 0.75 + 0.1732412))


def test_how_sure_it_is_that_one_is_stronger() -> None:
    # scores 1/4, 1/4, 1, 1: an eighth above a half, which is 2/3 of the standard error; then 2/√3 of it
    assert superiority((0, 2, 0, 0, 2)) == pytest.approx(0.7475075)
    assert superiority((0, 0, 3, 0, 1)) == pytest.approx(0.8758935)
    assert [superiority(counts) for counts in ((0, 0, 0), (0, 1, 0))] == [0.5, 0.5]
    # Φ(√2) and 1 - Φ(√3)
    assert [superiority(counts) for counts in ((0, 0, 2), (3, 0, 0))] == pytest.approx([0.9213504, 0.0416323], abs=1e-6)


@settings(deadline=None, max_examples=50)
@given(QUARTERS.filter(any))
def test_the_other_side_sees_the_opposite(counts: list[int]) -> None:
    low, high = score_interval(counts)
    assert score_interval(counts[::-1]) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    assert superiority(counts[::-1]) == pytest.approx(1 - superiority(counts), abs=1e-9)
