# SPDX-License-Identifier: GPL-3.0-or-later
"""α-Rank: cycles share, the dominant takes all, and the values of another implementation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.game_theory import alpha_rank

ROCK_PAPER_SCISSORS = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
MIXED = np.array([[0.5, 0.9, 0.1, 0.8], [0.1, 0.5, 0.6, 0.7], [0.9, 0.4, 0.5, 0.6], [0.2, 0.3, 0.4, 0.5]])


def test_a_cycle_shares() -> None:
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)


def test_a_strategy_that_beats_all_gets_the_whole_share() -> None:
    strengths = np.array([0, 300, 100, 200])
    scores = 1 / (1 + 10 ** ((strengths - strengths[:, None]) / 400))
    assert alpha_rank(scores) == pytest.approx([0, 1, 0, 0])
    weak = alpha_rank(scores, alpha=0.05)
    assert np.argsort(weak).tolist() == [0, 2, 3, 1]


@pytest.mark.parametrize(
    ("alpha", "population", "masses"),
    [
        (100, 50, [0.33333333, 0.33333333, 0.33333333, 0]),
        (0.5, 10, [0.24987677, 0.20448163, 0.48072294, 0.06491866]),
        (3, 20, [2.49048229e-01, 2.49047056e-01, 5.01903438e-01, 1.27741771e-06]),
    ],
)
def test_the_values_of_openspiel(alpha: float, population: int, masses: list[float]) -> None:
    assert alpha_rank(MIXED, alpha=alpha, population=population) == pytest.approx(masses, abs=1e-8)


def test_a_copy_of_rock() -> None:
    copied = [0, 0, 2, 1]  # rock, rock, scissors, paper, as OpenSpiel has it
    found = alpha_rank(ROCK_PAPER_SCISSORS[np.ix_(copied, copied)], alpha=0.5, population=10)
    assert found == pytest.approx([0.20175384, 0.20175384, 0.19958589, 0.39690642], abs=1e-8)


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 6), st.integers(0, 2**32 - 1), st.floats(0.1, 200))
def test_masses_are_a_distribution_that_the_chain_keeps(count: int, seed: int, alpha: float) -> None:
    scores = np.random.default_rng(seed).uniform(0, 1, (count, count))
    mass = alpha_rank(scores, alpha=alpha)
    assert mass.sum() == pytest.approx(1)
    assert (mass >= 0).all()
    order = np.random.default_rng(seed).permutation(count)
    assert alpha_rank(scores[np.ix_(order, order)], alpha=alpha) == pytest.approx(mass[order], abs=1e-6)


@pytest.mark.parametrize(
    ("scores", "options", "why"),
    [
        (np.zeros((2, 3)), {}, "square matrix"),
        (np.zeros((0, 0)), {}, "square matrix"),
        (np.full((2, 2), np.nan), {}, "square matrix of finite numbers"),
        (np.zeros((2, 2)), {"alpha": 0}, "alpha must be positive"),
        (np.zeros((2, 2)), {"population": 1}, "2 or more"),
    ],
)
def test_invalid_input_is_refused(scores: "np.typing.NDArray[np.float64]", options: dict[str, int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        alpha_rank(scores, **options)
