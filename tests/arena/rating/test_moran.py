# SPDX-License-Identifier: GPL-3.0-or-later
"""The Moran process: the chances that are known in closed form, and the same seed, the same chances."""

import numpy as np
import pytest

from arena.rating.game_theory import fixation


def test_without_selection_everybody_has_the_same_chance() -> None:
    scores = np.random.default_rng(1).random((6, 6))
    found = fixation(scores, selection=0.0, runs=6_000, seed=1)
    assert found.sum() == pytest.approx(1)
    assert found == pytest.approx(np.full(6, 1 / 6), abs=4 * np.sqrt(1 / 6 * 5 / 6 / 6_000))


def test_a_better_one_among_equals_has_the_chance_of_the_formula() -> None:
    # fitness r = e^(selection · 0.2) for every resident: ρ = (1 - 1/r)/(1 - 1/r^N)
    size, selection, runs = 8, 3.0, 6_000
    scores = np.full((size, size), 0.4)
    scores[0] = 0.6
    ratio = np.exp(-selection * 0.2)
    expected = (1 - ratio) / (1 - ratio**size)
    found = fixation(scores, selection=selection, runs=runs, seed=2)
    assert found[0] == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / runs))


def test_alone_is_certain_and_a_seed_repeats() -> None:
    assert fixation(np.array([[0.5]]), selection=4.0).tolist() == [1.0]
    scores = np.random.default_rng(3).random((5, 5))
    one, same = (fixation(scores, selection=4.0, seed=7).tolist() for _ in range(2))
    assert one == same
    for wrong in (np.zeros((2, 3)), np.full((2, 2), np.nan)):
        with pytest.raises(ValueError, match="square"):
            fixation(wrong, selection=1.0)
    with pytest.raises(ValueError, match="selection"):
        fixation(scores, selection=-1.0)
