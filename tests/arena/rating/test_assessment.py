# SPDX-License-Identifier: GPL-3.0-or-later
"""All rating systems on the same results: they agree on the order, and cycles show."""

import numpy as np
import pytest

from arena.rating.assessment import assess, second_opinion
from arena.rating.glicko2 import DEVIATION
from arena.rating.results import Results
from tests.arena.rating.worlds import World


def test_the_systems_agree_where_results_are_clear() -> None:
    world = World(6, 6_000, seed=4, spread=300)
    days = np.random.default_rng(1).integers(20_000, 20_060, len(world.results.first))
    found = assess(days, world.results, 6)
    order = np.argsort(world.strengths).tolist()
    assert np.argsort(found.fit.ratings).tolist() == order
    assert np.argsort(found.ratings["glicko-2"].rating).tolist() == order
    assert not found.bradley_terry.provisional.any()
    best = np.argsort(-found.fit.ratings)
    opinion = second_opinion(found, best)
    assert opinion.superiority[0, -1] > 0.99
    assert opinion.mass.argmax() == opinion.share.argmax() == 0


def test_a_circle_shares_what_a_best_has_alone() -> None:
    circle = Results.of_games([0, 1, 2] * 50, [1, 2, 0] * 50, [1.0] * 150, 4)
    weak = Results.of_games([0, 1, 2] * 20, [3] * 60, [1.0] * 60, 4)
    rows = [np.concatenate([getattr(each, name) for each in (circle, weak)]) for name in Results.__slots__]
    found = assess(np.full(len(rows[0]), 20_000), Results(*rows), 4)
    opinion = second_opinion(found, np.arange(4))
    assert opinion.mass == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=0.01)
    assert opinion.share == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=0.01)
    assert opinion.skill[3] < -0.3


def test_unconnected_players_and_players_with_few_games_are_provisional() -> None:
    many = World(3, 900, seed=1).results
    few = Results.of_games([3, 0] + [4, 5] * 150, [0, 3] + [5, 4] * 150, [1, 0] + [0.5, 0.5] * 150, 6)
    rows = [np.concatenate([getattr(each, name) for each in (many, few)]) for name in Results.__slots__]
    found = assess(np.arange(len(rows[0])), Results(*rows), 6)
    assert found.bradley_terry.provisional.tolist() == [False, False, False, True, True, True]


def test_days_without_games_make_glicko_less_sure() -> None:
    results = Results.of_games([0, 1] * 20, [1, 0] * 20, [1, 0.5] * 20, 2)
    spread = Results(*(np.repeat(getattr(results, name), 2) for name in Results.__slots__))
    near, far = (
        assess(np.array(days), spread, 2).ratings["glicko-2"].deviation for days in ([10, 11] * 2, [10, 4_000] * 2)
    )
    assert near is not None
    assert far is not None
    assert (near < far).all()
    assert (far < DEVIATION).all()


def test_a_later_version_begins_in_glicko_where_the_one_before_stands() -> None:
    # player 0 beats 1 for some days, then 3, a later version of 2, which is one of 1: both come on the same day
    results = Results.of_games([0] * 40 + [0, 0], [1] * 40 + [2, 3], [1] * 42, 4)
    rows = Results(*(np.repeat(getattr(results, name), 1) for name in Results.__slots__))
    days = np.where(rows.second == 1, 10, 11)
    alone = assess(days, rows, 4).ratings["glicko-2"].rating
    found = assess(days, rows, 4, before=np.array([-1, -1, 1, 2])).ratings["glicko-2"].rating
    assert (alone[2:] > 1300).all()
    assert found[1] - 200 < found[3] <= found[1] < 1300
    assert found[0] < alone[0], "it gains less by beating a player that is known to be weak"
