# SPDX-License-Identifier: GPL-3.0-or-later
"""Bradley-Terry by maximum likelihood: against slow oracles, by hand, and in games drawn from known strengths."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.bradley_terry import DAVIDSON, RAO_KUPPER, DrawModel, Fit, fit, rank_intervals
from arena.rating.difference import POINTS
from arena.rating.results import Floats, Results
from tests.arena.rating.worlds import World

MODELS = pytest.mark.parametrize("model", [DAVIDSON, RAO_KUPPER], ids=["davidson", "rao-kupper"])


def test_two_players_by_hand() -> None:
    # 30 of 40 games: with the prior, half a game more on each side of the average between the two
    results = Results.of_games([0] * 40, [1] * 40, [1] * 30 + [0] * 10, 2)
    found = fit(results, 2, advantage=False, prior=1e-9)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(400 * np.log10(3), abs=1e-3)
    assert found.ratings.mean() == pytest.approx(1500)
    # the information of 40 games on the difference is 40·p·(1 - p); each rating is half the difference off the mean
    assert found.deviations == pytest.approx([POINTS / 2 / (40 * 3 / 16) ** 0.5] * 2, rel=1e-4)
    assert (found.advantage, found.advantage_deviation, found.draw_rate) == (0, 0, 0)


def test_the_advantage_of_the_first_move() -> None:
    # each wins three of four games in which it moves first
    rows = Results(*np.array([[0, 1], [1, 0]]), *np.array([[30.0, 30], [0, 0], [10, 10]]))
    found = fit(rows, 2, prior=1e-9)
    assert found.ratings == pytest.approx([1500, 1500], abs=1e-6)
    assert found.advantage == pytest.approx(400 * np.log10(3), abs=1e-3)
    assert found.advantage_deviation == pytest.approx(POINTS / (80 * 3 / 16) ** 0.5, rel=1e-4)


@MODELS
def test_draws_between_equals_come_as_often_as_they_came(model: DrawModel) -> None:
    rows = Results(*np.array([[0, 1], [1, 0]]), *np.array([[30.0, 30], [40, 40], [30, 30]]))
    found = fit(rows, 2, draw_model=model)
    assert found.draw_rate == pytest.approx(0.4, abs=0.002)
    assert found.ratings == pytest.approx([1500, 1500])


def by_hunter(results: Results, players: int, prior: float) -> Floats:
    """Ratings without draws by the slow and sure method of D. R. Hunter (2004), the prior being games with a dummy."""
    strength = np.ones(players)
    points, games = results.table(players)
    for _ in range(2_000):
        shares = games / (strength[:, None] + strength)
        strength = (points.sum(axis=1) + prior / 2) / (shares.sum(axis=1) + prior / (strength + 1))
    return POINTS * np.log(strength)


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_it_is_hunters_where_nobody_draws(players: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    games = int(chance.integers(1, 60))
    first = chance.integers(0, players, games)
    second = (first + chance.integers(1, players, games)) % players
    results = Results.of_games(first, second, chance.integers(0, 2, games), players)
    slow = by_hunter(results, players, 1.0)
    found = fit(results, players, advantage=False)
    assert found.ratings - found.ratings.mean() == pytest.approx(slow - slow.mean(), abs=0.05)


@MODELS
def test_nothing_near_it_is_likelier(model: DrawModel) -> None:
    world = World(5, 400, seed=3, model=model)
    found = fit(world.results, 5, draw_model=model)

    def likelihood(ratings: Floats, advantage: float) -> float:
        own = ratings - found.ratings.mean()
        x = (own[world.results.first] - own[world.results.second] + advantage) / POINTS
        c = {DAVIDSON: log(2 * found.draw_rate / (1 - found.draw_rate)), RAO_KUPPER: None}[model]
        if c is None:
            c = log((1 + found.draw_rate) / (1 - found.draw_rate))
        average = -sum(log(1 + exp(value / POINTS)) + log(1 + exp(-value / POINTS)) for value in [*own, advantage]) / 2
        return model.curve(world.results, x, c).value + average

    best = likelihood(found.ratings, found.advantage)
    for player in range(5):
        for change in (-3.0, 3.0):
            moved = found.ratings.copy()
            moved[player] += change
            assert likelihood(moved, found.advantage) < best
    assert likelihood(found.ratings, found.advantage + 3) < best
    assert likelihood(found.ratings, found.advantage - 3) < best


@MODELS
def test_derivatives_are_those_of_the_curve(model: DrawModel) -> None:
    rows = Results(np.array([0]), np.array([1]), np.array([5.0]), np.array([3.0]), np.array([2.0]))
    x, c, small = 0.7, 0.4, 1e-4

    def at(dx: float, dc: float) -> float:
        return model.curve(rows, np.array([x + dx]), c + dc).value

    curve = model.curve(rows, np.array([x]), c)
    assert curve.by_x[0] == pytest.approx((at(small, 0) - at(-small, 0)) / (2 * small), rel=1e-5)
    assert curve.by_c == pytest.approx((at(0, small) - at(0, -small)) / (2 * small), rel=1e-5)
    assert -curve.x_x[0] == pytest.approx((at(small, 0) - 2 * at(0, 0) + at(-small, 0)) / small**2, rel=1e-4)
    assert -curve.c_c == pytest.approx((at(0, small) - 2 * at(0, 0) + at(0, -small)) / small**2, rel=1e-4)
    crossed = at(small, small) - at(small, -small) - at(-small, small) + at(-small, -small)
    assert -curve.x_c[0] == pytest.approx(crossed / (4 * small**2), rel=1e-3, abs=1e-5)


@MODELS
def test_intervals_cover_the_truth(model: DrawModel) -> None:
    covered: list[bool] = []
    for seed in range(40):
        world = World(10, 600, seed=seed, model=model)
        low, high = fit(world.results, 10, draw_model=model).intervals.T
        covered += list((low <= 1500 + world.strengths) & (1500 + world.strengths <= high))
    assert 0.91 <= np.mean(covered) <= 0.98


def test_rank_intervals_cover_the_true_ranks() -> None:
    covered: list[bool] = []
    for seed in range(30):
        world = World(12, 500, seed=seed)
        found = fit(world.results, 12)
        low, high = rank_intervals(found.ratings, found.covariance).T
        covered += list((low <= world.ranks) & (world.ranks <= high))
        assert ((low >= 1) & (low <= high) & (high <= 12)).all()
    assert np.mean(covered) >= 0.93


def test_a_player_that_won_or_lost_every_game_has_an_uncertain_rating() -> None:
    found = fit(Results.of_games([0] * 9 + [1] * 9, [1] * 9 + [2] * 9, [1] * 18, 3), 3)
    assert np.isfinite(found.ratings).all()
    assert found.ratings[0] > found.ratings[1] + 150
    assert found.ratings[1] > found.ratings[2] + 150
    assert (found.deviations > 70).all()


def test_more_wins_make_the_rating_higher_and_never_infinite() -> None:
    leads = []
    for games in (1, 10, 100, 1000):
        ratings = fit(Results.of_games([0] * games, [1] * games, [1] * games, 2), 2, advantage=False).ratings
        leads.append(ratings[0] - ratings[1])
    assert leads == sorted(leads)
    assert leads[-1] < 2400


def test_groups_that_never_met_are_put_around_the_average() -> None:
    results = Results.of_games([0, 0, 2, 2], [1, 1, 3, 3], [1, 1, 1, 1], 5)
    found = fit(results, 5, advantage=False)
    assert found.groups.tolist() == [0, 0, 2, 2, 4]
    assert found.ratings[0] == pytest.approx(found.ratings[2])
    assert found.ratings[4] == pytest.approx(1500)
    assert found.ratings[0] + found.ratings[1] == pytest.approx(3000)


def test_a_newcomer_makes_nobody_else_uncertain() -> None:
    world = World(4, 2_000, seed=8)
    before = fit(world.results, 4)
    after = fit(world.results, 6)
    assert after.deviations[:4] == pytest.approx(before.deviations, rel=0.01)
    assert (after.deviations[4:] > 200).all()


def test_nobody_played_yet() -> None:
    none = np.array([], dtype=np.int64)
    found = fit(Results(none, none, *np.zeros((3, 0))), 3)
    assert found.ratings.tolist() == [1500, 1500, 1500]
    assert (found.deviations > 250).all()


@MODELS
def test_all_games_drawn(model: DrawModel) -> None:
    found = fit(Results.of_games([0, 1] * 50, [1, 0] * 50, [0.5] * 100, 2), 2, draw_model=model)
    assert found.ratings == pytest.approx([1500, 1500])
    assert 0.9 < found.draw_rate < 1


def test_anchors_hold_their_ratings() -> None:
    world = World(6, 900, seed=1)
    loose = fit(world.results, 6)
    fixed = fit(world.results, 6, anchors={2: 2000.0})
    assert fixed.ratings[2] == 2000
    assert fixed.deviations[2] == 0
    assert fixed.ratings - fixed.ratings[2] == pytest.approx(loose.ratings - loose.ratings[2], abs=4)
    both = fit(world.results, 6, anchors={0: 1500.0, 1: 1500.0})
    assert both.ratings[:2].tolist() == [1500, 1500]


def test_the_order_of_players_does_not_matter() -> None:
    world = World(6, 300, seed=5)
    order = np.random.default_rng(0).permutation(6)
    there, back = fit(world.results, 6), fit(renamed(world.results, order), 6)
    assert back.ratings[order] == pytest.approx(there.ratings, abs=1e-4)
    assert intervals_of(back)[order] == pytest.approx(intervals_of(there), abs=1e-3)


def renamed(results: Results, order: "np.typing.NDArray[np.int64]") -> Results:
    return Results(order[results.first], order[results.second], results.wins, results.draws, results.losses)


def intervals_of(found: Fit) -> Floats:
    return found.intervals


@pytest.mark.parametrize(
    ("players", "options", "why"),
    [
        (0, {}, "no player"),
        (2, {"anchors": {5: 1500.0}}, "anchor is not one of the 2"),
        (2, {"prior": 0.0}, "prior must be positive"),
    ],
)
def test_invalid_input_is_refused(players: int, options: dict[str, float], why: str) -> None:
    none = np.array([], dtype=np.int64)
    with pytest.raises(ValueError, match=why):
        fit(Results(none, none, *np.zeros((3, 0))), players, **options)  # type: ignore[arg-type]  # one of them each
