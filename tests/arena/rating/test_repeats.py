# SPDX-License-Identifier: GPL-3.0-or-later
"""Repeats between two bots count less, and beating ever new versions of one bot earns nothing."""

import numpy as np
import pytest

from arena.rating.assessment import assess
from arena.rating.bradley_terry import fit
from arena.rating.difference import POINTS
from arena.rating.results import CORRELATION, EFFECT, Indices, Results, effective, repeat_weights
from tests.arena.rating.worlds import World


def test_a_pair_counts_for_no_more_than_its_limit() -> None:
    counted = effective(np.array([0.0, 1, 2, 101, 1e9]))
    assert counted == pytest.approx([0, 1, 2 / 1.01, 50.5, 1 / CORRELATION], rel=1e-6)
    assert (np.diff(effective(np.arange(1000.0))) > 0).all(), "another game never counts for less than none"


def test_it_is_as_sure_as_an_effect_of_the_pair_leaves_it() -> None:
    games = np.array([1.0, 10, 100, 1000])
    # p·(1 - p) of even games is 1/4; the design effect holds the first game itself to be without the effect
    assert 4 / effective(games) == pytest.approx(4 / games + EFFECT**2 * (1 - 1 / games))


def test_all_versions_of_two_bots_in_either_order_are_one_pair() -> None:
    # bot 0 has the players 0 and 1, bot 1 has 2 and 3, bot 2 has 4
    rows = Results(np.array([0, 3, 1, 0]), np.array([2, 1, 2, 4]), *np.array([[9.0, 9, 9, 5], [0] * 4, [0] * 4]))
    found = repeat_weights(rows, np.array([0, 0, 1, 1, 2]))
    assert found[:3] == pytest.approx([effective(np.array([27.0]))[0] / 27] * 3)
    assert found[3] == pytest.approx(effective(np.array([5.0]))[0] / 5)
    assert (
        len(repeat_weights(Results(*np.zeros((2, 0), dtype=np.int64), *np.zeros((3, 0))), np.zeros(0, dtype=np.int64)))
        == 0
    )


def farmed(honest: World, fresh: int, lost: int) -> tuple[Results, Indices, Indices]:
    """Return the results of 12 honest bots and of 0, one of them, that also beat so many versions of a 13th so often;
    the bot of each player, and whose later version he is.
    """
    players = 12 + fresh
    farm = np.arange(12, players)
    rows = honest.results
    found = Results(
        np.concatenate([rows.first, np.zeros(fresh, dtype=np.int64)]),
        np.concatenate([rows.second, farm]),
        np.concatenate([rows.wins, np.full(fresh, float(lost))]),
        np.concatenate([rows.draws, np.zeros(fresh)]),
        np.concatenate([rows.losses, np.zeros(fresh)]),
    )
    return found, np.minimum(np.arange(players), 12), np.where(np.arange(players) > 12, np.arange(players) - 1, -1)


def test_beating_ever_new_versions_of_a_bot_moves_nobody() -> None:
    honest = World(12, 2_400, seed=3)
    alone = assess(np.zeros(len(honest.results.first), dtype=np.int64), honest.results, 12)
    results, bots, before = farmed(honest, fresh=200, lost=8)
    days = np.zeros(len(results.first), dtype=np.int64)
    found = assess(days, results, 212, bots=bots, before=before)
    moved = found.fit.ratings[:12] - alone.fit.ratings
    moved -= np.delete(moved, 0).mean()
    assert abs(moved[0]) < 1.96 * alone.fit.deviations[0], moved
    assert np.abs(moved[1:]).max() < 3
    assert found.bradley_terry.provisional[12:].all()
    plain = fit(results, 212)
    assert plain.ratings[0] - alone.fit.ratings[0] > 150, "as it was without repeats and versions being looked at"


def test_the_best_connected_are_not_made_provisional_by_a_crowd_of_versions() -> None:
    honest = World(12, 2_400, seed=3)
    results, bots, before = farmed(honest, fresh=200, lost=8)
    apart = Results(
        np.where(results.second >= 12, 212, results.first), results.second, results.wins, results.draws, results.losses
    )
    bots = np.concatenate([bots, [13]])
    before = np.concatenate([before, [-1]])
    found = assess(np.zeros(len(apart.first), dtype=np.int64), apart, 213, bots=bots, before=before)
    assert not found.bradley_terry.provisional[:12].any()
    assert found.bradley_terry.provisional[12:].all()
    ranks = found.bradley_terry.ranks
    assert ranks is not None
    assert ranks[:12].min() == 1
    assert ranks[:12].max() == 12
    assert (ranks[12:] == 0).all()


def test_a_later_version_is_taken_to_be_like_the_one_before_until_it_has_played() -> None:
    won = Results.of_games([0] * 50, [1] * 50, [1] * 50, 3)
    found = fit(won, 3, before=np.array([-1, -1, 0]))
    assert found.ratings[2] == pytest.approx(found.ratings[0])
    assert found.covariance[2, 2] - found.covariance[0, 0] == pytest.approx(4 * POINTS**2, rel=0.01)


def test_only_listed_and_settled_bots_have_ranks() -> None:
    world = World(5, 2_000, seed=1)
    listed = np.array([True, False, True, True, True])
    found = assess(np.zeros(len(world.results.first), dtype=np.int64), world.results, 5, listed=listed)
    ranks = found.bradley_terry.ranks
    assert ranks is not None
    assert ranks[1].tolist() == [0, 0]
    assert ranks[listed].max() <= 4
