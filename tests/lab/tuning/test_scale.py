# SPDX-License-Identifier: GPL-3.0-or-later
"""Fitting the scale of scores."""

import random

import pytest

from engine.games import find
from lab.tuning.scale import fitted, samples


@pytest.mark.parametrize("scale", [0.4, 15.0])
def test_the_scale_of_drawn_results_is_found(scale: float) -> None:
    chance = random.Random(1)
    scores = [chance.uniform(-3, 3) * scale for _ in range(4000)]
    found = [(score, float(chance.random() < 1 / (1 + 3 ** (-score / scale)))) for score in scores]
    assert fitted(found) == pytest.approx(scale, rel=0.1)


def test_scores_that_tell_nothing_have_no_scale() -> None:
    with pytest.raises(ValueError, match="do not tell who wins"):
        fitted([(1.0, 0.0), (-1.0, 1.0)])


def test_scores_of_games_agree_with_their_results() -> None:
    found = list(samples(find("checkers"), games=12, depth=2, seed=1))
    assert {result for _, result in found} <= {0.0, 0.5, 1.0}
    assert sum((result - 0.5) * score for score, result in found) > 0
