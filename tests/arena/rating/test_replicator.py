# SPDX-License-Identifier: GPL-3.0-or-later
"""Replicator dynamics: the closed form of two strategies, the orbit of a cycle, and a strategy that beats all."""

import numpy as np
import pytest

from arena.rating.game_theory import replicated
from arena.rating.results import Floats

ROCK_PAPER_SCISSORS = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])


def test_the_share_of_the_better_of_two_grows_by_the_logistic_curve() -> None:
    # ẋ = x(1-x)·d where the first scores d more than the second against either
    scores = np.array([[0.5, 0.8], [0.2, 0.5]])
    course = replicated(scores, 20, np.array([0.1, 0.9]))
    expected = 1 / (1 + 9 * np.exp(-0.3 * np.arange(21)))
    assert course[:, 0] == pytest.approx(expected, abs=1e-9)


def test_a_cycle_turns_for_ever() -> None:
    start = np.array([0.5, 0.25, 0.25])
    course = replicated(ROCK_PAPER_SCISSORS, 100, start)
    # of a zero-sum game the product of the shares is kept
    assert course.prod(axis=1) == pytest.approx(np.full(101, start.prod()), rel=1e-4)
    assert np.ptp(course[:, 0]) > 0.2
    assert course.sum(axis=1) == pytest.approx(np.ones(101))


def test_equals_stay_alike_and_the_strategy_that_beats_all_takes_over() -> None:
    assert replicated(ROCK_PAPER_SCISSORS, 5)[-1] == pytest.approx([1 / 3] * 3)
    scores = np.array([[0.5, 0.9, 0.9], [0.1, 0.5, 0.9], [0.1, 0.1, 0.5]])
    assert replicated(scores, 60)[-1] == pytest.approx([1, 0, 0], abs=1e-6)


@pytest.mark.parametrize("shares", [np.array([1.0]), np.array([0.0, 1.0, 0.0])])
def test_shares_and_scores_of_wrong_shape_are_refused(shares: Floats) -> None:
    with pytest.raises(ValueError, match="share"):
        replicated(ROCK_PAPER_SCISSORS, 1, shares)
    with pytest.raises(ValueError, match="square"):
        replicated(np.zeros((2, 3)), 1)
