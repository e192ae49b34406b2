# SPDX-License-Identifier: GPL-3.0-or-later
"""The conditional logit finds the weights that choices were drawn by."""

from itertools import pairwise

import numpy as np
import pytest

from bots.modelling.logit import PULL, Choices, calibrate, softmax
from lab.studies.scoring import calibration_error


def drawn(weights: np.ndarray, count: int, seed: int = 1) -> Choices:
    chance = np.random.default_rng(seed)
    matrices, chosen = [], []
    for _ in range(count):
        rows = chance.normal(size=(chance.integers(2, 12), len(weights)))
        matrices.append(rows)
        chosen.append(int(chance.choice(len(rows), p=softmax(rows @ weights))))
    return Choices.of(matrices, chosen)


def test_weights_are_found_again() -> None:
    weights = np.array([1.5, -0.7, 0.0, 0.3])
    found = drawn(weights, 4000).fit(np.ones(4, bool))
    assert found == pytest.approx(weights, abs=0.12)


def test_columns_that_are_left_out_weigh_nothing() -> None:
    found = drawn(np.array([1.5, -0.7]), 500).fit(np.array([True, False]))
    assert found[1] == 0
    assert found[0] > 1


def test_a_constant_column_weighs_nothing() -> None:
    choices = drawn(np.array([1.0, 0.0]), 300)
    choices.rows[:, 1] = 3.0
    assert choices.fit(np.ones(2, bool))[1] == 0


def test_beliefs_are_probabilities() -> None:
    choices = drawn(np.array([2.0]), 50)
    probabilities = choices.probabilities(np.array([2.0]))
    assert np.add.reduceat(probabilities, choices.starts[:-1]) == pytest.approx(np.ones(50))
    first = slice(choices.starts[0], choices.starts[1])
    assert probabilities[first] == pytest.approx(softmax(choices.rows[first, 0].astype(np.float64) * 2.0), rel=1e-5)


def test_the_gradient_vanishes_at_the_maximum() -> None:
    choices = drawn(np.array([1.0, -2.0]), 400)
    weights = choices.fit(np.ones(2, bool))
    scale = choices.rows.std(axis=0, dtype=np.float64)
    expected = np.add.reduceat(choices.rows * choices.probabilities(weights)[:, None], choices.starts[:-1], axis=0)
    gradient = (expected - choices.rows[choices.played]).sum(axis=0) + PULL * weights * scale**2
    assert gradient == pytest.approx(np.zeros(2), abs=0.05)


def test_bent_beliefs_are_calibrated() -> None:
    weights = np.array([2.0, -1.0, 0.5, *[0.0] * 12])
    few, many = drawn(weights, 600), drawn(weights, 4000, seed=2)
    columns = np.ones(len(weights), bool)
    straight = few.fit(columns)
    curved = calibrate(few.first(400), columns, drawn(weights, 400, seed=3), np.repeat([200, 400], 200))
    starts = many.starts
    losses, errors = [], []
    for probabilities in (
        many.probabilities(straight),
        np.concatenate(
            [curved.probabilities(many.rows[low:high].astype(np.float64)) for low, high in pairwise(starts)]
        ),
    ):
        losses.append(-np.log(probabilities[many.played]).mean())
        best = np.array([low + probabilities[low:high].argmax() for low, high in pairwise(starts)])
        errors.append(calibration_error(probabilities[best], best == many.played))
    assert losses[1] < losses[0] + 0.03
    assert errors[1] < 0.05


def test_weights_are_pulled_towards_given_ones() -> None:
    told = np.array([0.8, -0.4])
    few, many = drawn(np.array([1.5, 0.7]), 5), drawn(np.array([1.5, 0.7]), 4000)
    columns = np.ones(2, bool)
    assert few.fit(columns, told) == pytest.approx(told, abs=0.4)
    assert abs(few.fit(columns)).max() < abs(few.fit(columns, told)).max()
    assert many.fit(columns, told) == pytest.approx([1.5, 0.7], abs=0.12)


def test_a_few_games_bend_little() -> None:
    weights = np.array([2.0, -1.0])
    choices = drawn(weights, 2000)
    calibration = calibrate(choices, np.ones(2, bool), drawn(weights, 6, seed=2), np.repeat([1000], 6))
    rows = choices.rows[: choices.starts[1]].astype(np.float64)
    assert calibration.probabilities(rows) == pytest.approx(softmax(rows @ calibration.weights), abs=0.1)


def test_the_first_positions() -> None:
    choices = drawn(np.array([1.0]), 6)
    some = choices.first(2)
    assert len(some) == 2
    assert some.rows.tolist() == choices.rows[: choices.starts[2]].tolist()


def test_nothing_cannot_be_learned_from() -> None:
    with pytest.raises(ValueError, match="no position"):
        Choices.of([], [])
