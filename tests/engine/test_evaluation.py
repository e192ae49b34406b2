# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations: weights × features, found by name."""

import pytest

from engine.evaluation import WIN, Evaluation, Terms, named
from engine.games import find

CHECKERS = find("checkers")


def test_a_score_is_weights_times_features() -> None:
    assert Evaluation("e", (100, -3, 0), win=10).score((2, 5, 9)) == 185
    assert Evaluation("e", ()).score(()) == 0


def test_there_are_as_many_weights_as_features() -> None:
    with pytest.raises(ValueError, match="zip"):
        Evaluation("e", (1, 2)).score((1,))


def test_scores_of_fractional_features_are_rounded() -> None:
    parts = Evaluation("e", (5,), terms=Terms(unit=4))
    assert [parts.score((feature,)) for feature in (-1, 0, 1, 2, 3)] == [-1, 0, 1, 3, 4]


def test_a_man_is_worth_the_first_weight_by_default() -> None:
    assert Evaluation("e", (-50, 9)).pawn_units(100) == 2.0
    assert Evaluation("e", (-50, 9), man=100).pawn_units(100) == 1.0
    assert Evaluation("e", (0,)).pawn_units(3) == 3.0


def test_a_win_is_worth_more_than_anything_else_by_default() -> None:
    assert Evaluation("e", (1,)).win == WIN


def test_evaluations_are_chosen_by_name() -> None:
    assert named(CHECKERS.evaluations, "lecture").name == "lecture"
    assert named(CHECKERS.evaluations, None) is next(iter(CHECKERS.evaluations.values()))
    own = Evaluation("own", (1, 2, 3, 4))
    assert named(CHECKERS.evaluations, own) is own


def test_an_unknown_name_is_refused_with_a_list_of_known_ones() -> None:
    with pytest.raises(KeyError, match="second-course"):
        named(CHECKERS.evaluations, "nonsense")
