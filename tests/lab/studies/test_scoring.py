# SPDX-License-Identifier: GPL-3.0-or-later
"""Intervals, bins, calibration, and paired differences."""

import numpy as np
import pytest

from arena.rating.difference import wilson
from lab.studies.scoring import PUBLISHED, bins, calibration_error, paired


def test_wilson() -> None:
    # the published three of three say little
    low, high = wilson(3, 3)
    assert low == pytest.approx(0.4385, abs=1e-4)
    assert high == 1
    assert wilson(0, 0) == (0, 1)
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)


def test_the_published_table_adds_up() -> None:
    totals = {train: tuple(map(sum, zip(*row, strict=True))) for train, row in PUBLISHED.items()}
    assert totals == {12: (18, 55), 22: (18, 67), 80: (18, 51)}


def test_bins_hold_their_lower_ends() -> None:
    beliefs = np.array([0.0, 0.249, 0.25, 0.3, 0.4, 0.5, 1.0])
    counted = bins(beliefs, np.array([True] * 6 + [False]))
    assert [(one.predicted, one.hit) for one in counted] == [(2, 2), (1, 1), (1, 1), (1, 1), (2, 1)]


def test_calibration_error() -> None:
    beliefs = np.array([0.75] * 4 + [0.25] * 4)
    right = np.array([True, True, True, False, True, False, False, False])
    assert calibration_error(beliefs, right) == 0
    assert calibration_error(beliefs, ~right) == pytest.approx(0.5)
    assert calibration_error(np.array([]), np.array([], bool)) == 0


def test_paired_differences_hold_games_together() -> None:
    chance = np.random.default_rng(1)
    games = np.repeat(np.arange(200), 10)
    better = chance.normal(0.3, 1, 2000)
    found = paired(np.zeros(2000), better, games)
    assert found.low < 0.3 < found.high
    assert found.low > 0.2
    # games that agree in themselves say less than as many single positions
    alike = np.repeat(chance.normal(0.3, 1, 200), 10)
    wide, narrow = (paired(np.zeros(2000), alike, which) for which in (games, np.arange(2000)))
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_intervals_cover() -> None:
    chance = np.random.default_rng(2)
    games = np.repeat(np.arange(60), 5)
    inside = 0
    for _ in range(400):
        losses = chance.normal(0.1, 1, 300) + np.repeat(chance.normal(0, 1, 60), 5)
        low, high = paired(np.zeros(300), losses, games)[1:]
        inside += low < 0.1 < high
    assert 0.91 < inside / 400 < 0.985
