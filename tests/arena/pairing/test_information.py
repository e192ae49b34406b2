# SPDX-License-Identifier: GPL-3.0-or-later
from itertools import combinations
from math import erf, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from arena.pairing.information import informative_pairings, misordered_share, worth

Floats = NDArray[np.float64]


def beliefs(size: int, seed: int) -> tuple[Floats, Floats]:
    """Return ratings and a covariance that are as good as any."""
    chance = np.random.default_rng(seed)
    root = chance.normal(0, 40, (size, size))
    return 1500 + chance.normal(0, 100, size), root @ root.T


def slow_worth(ratings: Floats, covariance: Floats, games: int, draws: float) -> Floats:
    """Sum the formula of the module over all pairs, one after the other."""
    size = len(ratings)
    value = np.zeros((size, size))
    for a, b in combinations(range(size), 2):
        expected = 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400))
        told = games * (1 - draws) * expected * (1 - expected) * (log(10) / 400) ** 2
        known = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
        for i, j in combinations(range(size), 2):
            spread = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
            x = abs(ratings[i] - ratings[j]) / sqrt(spread)
            p = (1 + erf(x / sqrt(2))) / 2
            shared = covariance[i, a] - covariance[i, b] - covariance[j, a] + covariance[j, b]
            share = told * shared**2 / (spread * (1 + told * known))
            if x <= 8:
                value[a, b] += 0.5 * share * np.exp(-x * x) / (2 * np.pi) / max(p * (1 - p), 1e-300)
        value[b, a] = value[a, b]
    return value


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 7), st.integers(0, 2**31), st.integers(1, 4), st.floats(0, 0.9))
def test_it_is_the_sum_of_the_formula(size: int, seed: int, games: int, draws: float) -> None:
    ratings, covariance = beliefs(size, seed)
    fast = worth(ratings, covariance, games=games, draws=draws)
    np.testing.assert_allclose(fast, slow_worth(ratings, covariance, games, draws), rtol=1e-3, atol=1e-9)


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 12), st.integers(0, 2**31), st.integers(0, 8))
def test_no_player_plays_twice_in_a_round(size: int, seed: int, boards: int) -> None:
    found = informative_pairings(*beliefs(size, seed), boards=boards, absent=[0])
    seen = [player for pair in found for player in pair]
    assert len(seen) == len(set(seen))
    assert 0 not in seen
    assert len(found) == min(boards, (size - 1) // 2)


def test_two_players_of_open_order_meet_rather_than_two_far_apart() -> None:
    ratings = np.array([1500.0, 1510.0, 1900.0, 2300.0])
    assert set(informative_pairings(ratings, 60.0**2 * np.eye(4), boards=1)[0]) == {0, 1}


def test_the_least_certain_players_play() -> None:
    ratings = np.full(4, 1500.0)
    assert 3 in informative_pairings(ratings, np.diag([10.0, 10.0, 10.0, 150.0]) ** 2, boards=1)[0]


def test_the_expected_share_in_the_wrong_order() -> None:
    assert misordered_share(np.array([1500.0, 1500.0]), 100.0 * np.eye(2)) == pytest.approx(0.5)
    # one standard deviation apart: 1 - Φ(1)
    assert misordered_share(np.array([1500.0, 1600.0]), 5000.0 * np.eye(2)) == pytest.approx(0.158655, abs=1e-6)
    assert misordered_share(np.array([1500.0]), np.eye(1)) == 0
    assert misordered_share(np.array([1000.0, 2000.0]), np.eye(2)) < 1e-9
