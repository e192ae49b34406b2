# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights × features, by name."""

import pytest

from engine.evaluation import WIN, Evaluation, named
from engine.games import find

CHECKERS = find("checkers")


def test_a_score_is_weights_times_features() -> None:
    assert Evaluation("e", (100, -3, 0), win=10).score((2, 5, 9)) == 185
    assert Evaluation("e", ()).score(()) == 0


def test_there_are_as_many_weights_as_features() -> None:
    with pytest.raises(ValueError, match="zip"):
        Evaluation("e", (1, 2)).score((1,))


def test_a_win_is_worth_more_than_anything_else_by_default() -> None:
    assert Evaluation("e", (1,)).win == WIN


def test_evaluations_are_chosen_by_name() -> None:
    assert named(CHECKERS.evaluations, "lecture").name == "lecture"
    assert named(CHECKERS.evaluations, None) is next(iter(CHECKERS.evaluations.values()))
    own = Evaluation("own", (1, 2, 3, 4))
    assert named(CHECKERS.evaluations, own) is own


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(KeyError, match="second-course"):
        named(CHECKERS.evaluations, "nonsense")
