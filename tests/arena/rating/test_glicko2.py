# SPDX-License-Identifier: GPL-3.0-or-later
"""Glicko-2 against its author's worked example, and what must hold of any period."""

from math import exp, log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.glicko2 import DEVIATION, RATING, VOLATILITY, GlickoRatings, after_idleness, after_many, after_period

NOBODY = np.array([], dtype=np.int64)
NOTHING = np.array([])


def test_the_worked_example_of_the_paper() -> None:
    before = GlickoRatings(
        np.array([1500.0, 1400, 1550, 1700]), np.array([200.0, 30, 100, 300]), np.full(4, VOLATILITY)
    )
    first, second = np.zeros(3, dtype=np.int64), np.array([1, 2, 3])
    after = after_period(before, first, second, np.array([1.0, 0, 0]), np.ones(3), tau=0.5)
    assert after.rating[0] == pytest.approx(1464.06, abs=0.01)
    assert after.deviation[0] == pytest.approx(151.52, abs=0.01)
    assert after.volatility[0] == pytest.approx(0.05999, abs=0.00001)


def slow(rating: float, deviation: float, volatility: float, games: list[tuple[float, float, float]]) -> list[float]:
    """One player's period as the paper has it, the volatility found by halving; games: rating, deviation, score."""
    mu, phi = (rating - 1500) * log(10) / 400, deviation * log(10) / 400
    others = [((r - 1500) * log(10) / 400, d * log(10) / 400, score) for r, d, score in games]
    reach = [1 / sqrt(1 + 3 * d**2 / pi**2) for _, d, _ in others]
    expected = [1 / (1 + exp(-g * (mu - m))) for g, (m, _, _) in zip(reach, others, strict=True)]
    v = 1 / sum(g**2 * e * (1 - e) for g, e in zip(reach, expected, strict=True))
    total = sum(g * (score - e) for g, e, (_, _, score) in zip(reach, expected, others, strict=True))
    delta, start = v * total, log(volatility**2)

    def f(x: float) -> float:
        base = phi**2 + v + exp(x)
        return exp(x) * (delta**2 - base) / (2 * base**2) - (x - start) / 0.5**2

    excess = delta**2 - phi**2 - v
    low, high = sorted((start, log(excess))) if excess > 0 else (start - 20, start)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = exp(low / 2)
    after = 1 / sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return [1500 + 400 / log(10) * (mu + after**2 * total), min(350, 400 / log(10) * after), sigma]


STANDING = st.tuples(st.floats(1100, 1900), st.floats(30, 350), st.floats(0.03, 0.12))


@settings(deadline=None, max_examples=50)
@given(st.lists(STANDING, min_size=4, max_size=4), st.lists(st.tuples(st.integers(1, 3), st.sampled_from([0, 0.5, 1]))))
def test_it_is_the_papers_whatever_the_results(
    players: list[tuple[float, float, float]], played: list[tuple[int, float]]
) -> None:
    before = GlickoRatings(*(np.array(column) for column in zip(*players, strict=True)))
    others = np.array([other for other, _ in played], dtype=np.int64)
    scores = np.array([score for _, score in played], dtype=np.float64)
    after = after_period(before, np.zeros_like(others), others, scores, np.ones_like(scores))
    found = [after.rating[0], after.deviation[0], after.volatility[0]]
    if not played:
        idle = sqrt(players[0][1] ** 2 + (players[0][2] * 400 / log(10)) ** 2)
        assert found == pytest.approx([players[0][0], min(350, idle), players[0][2]])
    else:
        games = [(*players[other][:2], score) for other, score in played]
        assert found == pytest.approx(slow(*players[0], games), rel=1e-5)


def test_games_of_a_pair_may_come_in_one_row() -> None:
    before = GlickoRatings.unplayed(2)
    one = after_period(before, np.array([0]), np.array([1]), np.array([3.5]), np.array([4.0]))
    rows = np.array([0, 1, 0, 1])
    several = after_period(before, rows, 1 - rows, np.array([1, 0, 0.5, 0]), np.ones(4))
    assert one.rating == pytest.approx(several.rating)
    assert one.deviation == pytest.approx(several.deviation)


def test_the_deviation_of_an_idle_player_grows_to_a_bound() -> None:
    ratings = GlickoRatings(np.array([1700.0]), np.array([60.0]), np.array([VOLATILITY]))
    deviations = []
    for _ in range(1100):
        ratings = after_period(ratings, NOBODY, NOBODY, NOTHING, NOTHING)
        deviations.append(float(ratings.deviation[0]))
    assert deviations == sorted(deviations)
    assert deviations[-1] == DEVIATION
    assert ratings.rating[0] == 1700
    assert GlickoRatings.unplayed(1).rating[0] == RATING


def test_idle_periods_may_be_passed_at_once() -> None:
    once = step = GlickoRatings(np.array([1700.0, 1500]), np.array([60.0, 330]), np.array([VOLATILITY, 0.08]))
    for _ in range(20):
        step = after_period(step, NOBODY, NOBODY, NOTHING, NOTHING)
    once = after_idleness(once, 20)
    assert once.deviation == pytest.approx(step.deviation)
    assert once.rating == pytest.approx(step.rating)


def test_hundreds_of_games_in_a_period_do_not_run_away() -> None:
    row = np.array([0]), np.array([1]), np.array([900.0]), np.array([1000.0])
    ratings = GlickoRatings.unplayed(2)
    for _ in range(5):
        ratings = after_many(ratings, *row)
    # nine of ten points are worth 382 points of difference
    assert ratings.rating[0] - ratings.rating[1] == pytest.approx(382, abs=15)
    assert (ratings.deviation < 60).all()
    few = np.array([0]), np.array([1]), np.array([5.0]), np.array([8.0])
    once, parts = (after(GlickoRatings.unplayed(2), *few) for after in (after_period, after_many))
    assert once.rating.tolist() == parts.rating.tolist()


def test_impossible_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="points must be from 0"):
        after_period(GlickoRatings.unplayed(2), np.array([0]), np.array([1]), np.array([2.0]), np.ones(1))
