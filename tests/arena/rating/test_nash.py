# SPDX-License-Identifier: GPL-3.0-or-later
"""Nash averaging: the most even equilibrium, and that copies change nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.game_theory import nash_average
from arena.rating.results import Floats

ROCK_PAPER_SCISSORS = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])


def random_scores(count: int, seed: int, *, whole: bool) -> Floats:
    chance = np.random.default_rng(seed)
    drawn = chance.integers(0, 3, (count, count)) / 2 if whole else chance.uniform(0, 1, (count, count))
    return np.asarray((drawn + 1 - drawn.T) / 2)


def test_a_cycle_is_even() -> None:
    found = nash_average(ROCK_PAPER_SCISSORS)
    assert found.shares == pytest.approx([1 / 3] * 3, abs=1e-5)
    assert found.skill == pytest.approx([0] * 3, abs=1e-5)


def test_a_player_that_beats_all_is_the_whole_mixture() -> None:
    found = nash_average(np.array([[0.5, 0.6, 0.9], [0.4, 0.5, 0.7], [0.1, 0.3, 0.5]]))
    assert found.shares == pytest.approx([1, 0, 0], abs=1e-5)
    assert found.skill == pytest.approx([0, -0.1, -0.4], abs=1e-5)


def test_copies_share_and_change_nobodys_skill() -> None:
    copied = [0, 0, 1, 2]
    found = nash_average(ROCK_PAPER_SCISSORS[np.ix_(copied, copied)])
    assert found.shares == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-5)
    assert found.skill == pytest.approx([0] * 4, abs=1e-5)


def test_where_all_are_equal_all_count_alike() -> None:
    assert nash_average(np.full((5, 5), 0.5)).shares == pytest.approx([0.2] * 5)
    assert nash_average(np.array([[0.5]])).shares == pytest.approx([1])


def test_easy_prey_raises_nobody() -> None:
    weak = np.array([[0.5, 0.45, 1.0], [0.55, 0.5, 0.6], [0.0, 0.4, 0.5]])
    assert weak.mean(axis=1).argmax() == 0
    assert nash_average(weak).skill.argmax() == 1


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 12), st.integers(0, 2**32 - 1), st.booleans())
def test_it_is_an_equilibrium_and_no_other_is_more_even(count: int, seed: int, whole: bool) -> None:
    scores = random_scores(count, seed, whole=whole)
    found = nash_average(scores)
    assert found.shares.sum() == pytest.approx(1)
    assert found.skill.max() <= 1e-6
    # at the greatest entropy no small step towards another equilibrium raises it; mixtures of copies are ones
    order = np.random.default_rng(seed).permutation(count)
    again = nash_average(scores[np.ix_(order, order)])
    assert again.shares == pytest.approx(found.shares[order], abs=1e-4)


@pytest.mark.parametrize(
    ("scores", "why"),
    [(np.zeros((2, 3)), "square"), (np.zeros((0, 0)), "square"), (np.zeros((2, 2)), "add up to 1")],
)
def test_invalid_input_is_refused(scores: Floats, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        nash_average(scores)
