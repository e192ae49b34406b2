# SPDX-License-Identifier: GPL-3.0-or-later
"""The sequential test against published values, a slow oracle, and what must hold of any results."""

import time
from collections.abc import Sequence
from math import exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.difference import NORMALISED_UNIT
from arena.rating.sprt import Model, Sprt, log_likelihood_ratio

COUNTS = st.one_of(
    st.lists(st.integers(0, 5000), min_size=3, max_size=3), st.lists(st.integers(0, 5000), min_size=5, max_size=5)
).filter(any)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "ratio"),
    [
        # lost, drawn, won: the values that fastchess is tested with, which are those of fishtest
        ((36027, 68692, 36433), 0, 2, "normalized", 0.92),
        ((10650, 20431, 10871), -1.75, 0.25, "normalized", 2.30),
        ((0, 0, 4250), 0, 10, "normalized", 120.56),
        ((21184, 40708, 21404), 0.5, 2.5, "logistic", -1.57),
        ((57030, 106593, 57433), 0, 2, "logistic", -2.59),
        # pairs, the worst first
        ((365, 16618, 36229, 16974, 390), 0, 2, "normalized", 2.25),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, "normalized", 3.01),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, "logistic", -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, "logistic", -4.98),
    ],
)
def test_published_values(counts: Sequence[int], elo0: float, elo1: float, model: Model, ratio: float) -> None:
    assert Sprt(elo0, elo1, model=model).ratio(counts) == pytest.approx(ratio, abs=0.0051, rel=2e-4)


def test_results_of_one_kind_by_hand() -> None:
    # a lead of t deviations when only draws came: (1 - d) / 2 = t·√(d·(1 - d)) / 2, hence d = 1 / (1 + t²)
    t = 5 / NORMALISED_UNIT
    assert Sprt(0, 5).ratio((0, 16700, 0)) == pytest.approx(-16700 * log(1 + t**2), abs=0.01)
    # only pairs that were won: w - 1/2 = t·√(w·(1 - w)), hence 2·w = 1 + t / √(1 + t²), of 1 where t is 0
    t *= 2**0.5
    assert Sprt(0, 5).ratio((0, 0, 0, 0, 104)) == pytest.approx(104 * log(1 + t / (1 + t**2) ** 0.5), abs=0.001)


def test_bounds_are_those_of_wald() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 5, 0.05, 0.1).bounds == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))
    sprt = Sprt(0, 5)
    assert [sprt.verdict(ratio) for ratio in (-2.95, -2.94, 0, 2.94, 2.95)] == ["H0", None, None, None, "H1"]


def likeliest(counts: Sequence[int], mean: float) -> float:
    """The greatest log-likelihood of results under a mean: pᵢ ∝ countᵢ / (1 + x·(aᵢ - mean)), x found by halving."""
    best = len(counts) - 1
    regular = [count or 1e-3 for count in counts]
    total = sum(regular)
    values = [place / best - mean for place in range(best + 1)]
    low, high = -1 / values[-1] + 1e-12, -1 / values[0] - 1e-12
    x = 0.0
    for _ in range(200):
        x = (low + high) / 2
        gap = sum(count * value / (1 + x * value) for count, value in zip(regular, values, strict=True))
        low, high = (x, high) if gap > 0 else (low, x)
    chances = [count / total / (1 + x * value) for count, value in zip(regular, values, strict=True)]
    assert sum(chances) == pytest.approx(1)
    assert sum(chance * place for place, chance in enumerate(chances)) / best == pytest.approx(mean)
    return sum(count * log(chance) for count, chance in zip(regular, chances, strict=True))


@settings(deadline=None, max_examples=50)
@given(COUNTS, st.floats(-200, 199), st.floats(1, 200))
def test_the_logistic_ratio_is_that_of_the_likeliest_distributions(
    counts: list[int], elo0: float, width: float
) -> None:
    scores = [1 / (1 + exp(-elo * log(10) / 400)) for elo in (elo0, elo0 + width)]
    expected = likeliest(counts, scores[1]) - likeliest(counts, scores[0])
    assert Sprt(elo0, elo0 + width, model="logistic").ratio(counts) == pytest.approx(expected, rel=1e-6, abs=1e-4)


@settings(deadline=None, max_examples=50)
@given(COUNTS, st.floats(-50, 50), st.floats(0.5, 50), st.sampled_from(["normalized", "logistic"]))
def test_seen_from_the_other_side_it_is_the_opposite(
    counts: list[int], elo0: float, width: float, model: Model
) -> None:
    own = Sprt(elo0, elo0 + width, model=model).ratio(counts)
    other = Sprt(-elo0 - width, -elo0, model=model).ratio(counts[::-1])
    assert other == pytest.approx(-own, rel=1e-6, abs=1e-5)


@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_many_results_at_once_are_each_what_it_is_alone(model: Model) -> None:
    chance = np.random.default_rng(1)
    counts = chance.integers(0, 300, size=(4, 6, 5))
    together = log_likelihood_ratio(counts, -3, 4, model)
    assert together.shape == (4, 6)
    for place in np.ndindex(4, 6):
        assert together[place] == pytest.approx(Sprt(-3, 4, model=model).ratio(counts[place].tolist()), abs=1e-7)


def test_nothing_played_says_nothing() -> None:
    assert Sprt(0, 5).ratio((0, 0, 0, 0, 0)) == 0
    assert Sprt(0, 5, model="logistic").ratio((0, 0, 0)) == 0


def test_it_is_fast_enough_to_ask_after_every_pair() -> None:
    sprt = Sprt(0, 5)
    sprt.ratio((223, 9863, 21279, 10037, 246))
    began = time.process_time()
    for more in range(50):
        sprt.ratio((223, 9863 + more, 21279, 10037, 246))
    assert time.process_time() - began < 2


def test_all_ratios_of_a_walk_equal_those_of_its_counts() -> None:
    draw = np.random.default_rng(3)
    for sprt, most in ((Sprt(0, 5), 300), (Sprt(-2, 60, model="logistic"), 300)):
        scores = draw.choice(5, most, p=(0.05, 0.15, 0.4, 0.25, 0.15)).tolist()
        ratios = sprt.ratios(scores)
        counts = [0] * 5
        for score, ratio in zip(scores, ratios, strict=False):
            counts[score] += 1
            assert ratio == pytest.approx(sprt.ratio(counts), abs=1e-8)
        assert all(sprt.verdict(ratio) is None for ratio in ratios[:-1]), "it stops where the test is decided"
        assert (len(ratios) < most) == (sprt.verdict(ratios[-1]) is not None)
        state = sprt.run(scores)
        assert (state.ratio, state.accepted) == (ratios[-1], sprt.verdict(ratios[-1]))
        assert list(state.counts) == counts
    assert len(Sprt(0, 5).ratios([])) == 0


def test_words_make_a_test() -> None:
    assert Sprt.parse(["elo0=0", "elo1=5"]) == Sprt(0, 5)
    told = ["elo1=0.25", "elo0=-1.75", "beta=.1", "alpha=.02", "model=logistic"]
    assert Sprt.parse(told) == Sprt(-1.75, 0.25, 0.02, 0.1, "logistic")
    assert str(Sprt(0, 2)) == "[0, 2] normalised Elo"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["elo0=5", "elo1=0"], "elo0 must be less than elo1"),
        (["elo0=5", "elo1=5"], "elo0 must be less than elo1"),
        (["elo0=0", "elo1=nan"], "elo0 must be less than elo1"),
        (["elo0=0", "elo1=5", "alpha=0.6", "beta=0.5"], "alpha [+] beta must be less than 1"),
        (["elo0=0", "elo1=5", "alpha=0"], "between 0 and 1"),
        (["elo0=0", "elo1=5", "model=bayesian"], "models are normalized, logistic"),
        (["elo0=0"], "needs elo1"),
        ([], "needs elo0 and elo1"),
        (["elo0=0", "elo1=five"], "must be numbers"),
        (["elo0=0", "elo1=5", "elo=5"], "not understood"),
        (["elo0=0", "elo0=1", "elo1=5"], "not understood"),
        (["0", "5"], "not understood"),
    ],
)
def test_invalid_tests_are_refused(words: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Sprt.parse(words)
