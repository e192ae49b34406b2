# SPDX-License-Identifier: GPL-3.0-or-later
"""Likelihoods of superiority and intervals of ranks from ratings and their covariance."""

from statistics import NormalDist

import numpy as np
import pytest

from arena.rating.bradley_terry import fit, rank_intervals, superiorities
from tests.arena.rating.worlds import World


def test_superiority_by_hand() -> None:
    ratings, covariance = np.array([1530.0, 1500.0]), np.array([[500.0, 100.0], [100.0, 300.0]])
    sure = superiorities(ratings, covariance)
    # variance of the difference: 500 + 300 - 2·100
    assert sure[0, 1] == pytest.approx(NormalDist().cdf(30 / 600**0.5))
    assert sure + sure.T == pytest.approx(np.ones((2, 2)))
    assert sure.diagonal() == pytest.approx([0.5, 0.5])


def test_a_shared_error_of_two_ratings_does_not_blur_their_order() -> None:
    ratings = np.array([1510.0, 1500.0])
    apart = superiorities(ratings, np.diag([900.0, 900.0]))[0, 1]
    together = superiorities(ratings, np.array([[900.0, 890.0], [890.0, 900.0]]))[0, 1]
    assert apart < 0.6 < 0.98 < together
    wide = rank_intervals(ratings, np.diag([900.0, 900.0]))
    narrow = rank_intervals(ratings, np.array([[900.0, 890.0], [890.0, 900.0]]))
    assert wide.tolist() == [[1, 2], [1, 2]]
    assert narrow.tolist() == [[1, 1], [2, 2]]


def test_far_apart_every_rank_is_sure() -> None:
    ratings = np.array([1000.0, 3000.0, 2000.0])
    assert rank_intervals(ratings, np.eye(3)).tolist() == [[3, 3], [1, 1], [2, 2]]
    assert rank_intervals(np.array([1500.0]), np.zeros((1, 1))).tolist() == [[1, 1]]


def test_ranks_agree_with_superiority() -> None:
    world = World(8, 2000, seed=2)
    found = fit(world.results, 8)
    sure = superiorities(found.ratings, found.covariance)
    for player, (best, worst) in enumerate(rank_intervals(found.ratings, found.covariance)):
        better = np.delete(sure[:, player], player)
        assert best >= 1 + (better > 0.999).sum()
        assert worst <= 8 - (better < 0.001).sum()
