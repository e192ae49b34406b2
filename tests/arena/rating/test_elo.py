# SPDX-License-Identifier: GPL-3.0-or-later
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.difference import score_of
from arena.rating.elo import EloRating, k_factor, rate

ratings = st.floats(100, 3500)
players = st.builds(EloRating, ratings, st.integers(0, 200))
scores = st.sampled_from([0.0, 0.5, 1.0])


def test_equals_win_and_lose_half_of_k() -> None:
    assert rate(EloRating(), EloRating(), 1.0) == (1520.0, 1480.0)
    assert rate(EloRating(1500, 30), EloRating(1500, 30), 1.0) == (1510.0, 1490.0)
    assert rate(EloRating(), EloRating(), 0.5) == (1500.0, 1500.0)


def test_the_handbooks_table_of_expectations() -> None:
    """FIDE Rating Regulations, table 8.1.2. It rests on the normal distribution, so the logistic curve is only near."""
    for difference, score in ((0, 0.50), (50, 0.57), (100, 0.64), (200, 0.76), (300, 0.85), (400, 0.92)):
        assert score_of(difference) == pytest.approx(score, abs=0.015)


def test_four_hundred_points_are_ten_to_one() -> None:
    assert score_of(400.0) == pytest.approx(10 / 11)
    assert score_of(-800.0) == pytest.approx(1 / 101)


@pytest.mark.parametrize(
    ("player", "k"),
    [
        (EloRating(1500, 0), 40),
        (EloRating(2500, 29), 40),
        (EloRating(1500, 30), 20),
        (EloRating(2399.9, 30), 20),
        (EloRating(2400, 30), 10),
        (EloRating(2400, 29), 40),
    ],
)
def test_k_falls_with_experience(player: EloRating, k: int) -> None:
    assert k_factor(player) == k
    assert player.provisional == (k == 40)


@given(ratings, ratings)
def test_expectations_are_complementary_and_grow_with_the_difference(first: float, second: float) -> None:
    assert score_of(first - second) + score_of(second - first) == pytest.approx(1)
    assert score_of(first - second) >= 0.5 if first >= second else score_of(first - second) <= 0.5
    # nearer ratings may be too near for a number to tell
    assert (score_of(first - second) == 0.5) == (first == second) or abs(first - second) < 1e-9
    assert score_of(first + 10 - second) > score_of(first - second)


@given(players, players, scores)
def test_with_equal_k_one_player_gains_the_loss_of_the_other(first: EloRating, second: EloRating, score: float) -> None:
    gain, loss = (new - old.rating for new, old in zip(rate(first, second, score), (first, second), strict=True))
    assert gain / k_factor(first) == pytest.approx(-loss / k_factor(second), abs=1e-9)


@given(players, players, scores)
def test_a_game_moves_a_rating_by_less_than_k_and_in_the_right_direction(
    first: EloRating, second: EloRating, score: float
) -> None:
    new, _ = rate(first, second, score)
    assert abs(new - first.rating) <= k_factor(first)
    surplus = score - score_of(first.rating - second.rating)
    assert (new - first.rating) * surplus >= 0


@given(players, players, scores)
def test_seats_do_not_matter(first: EloRating, second: EloRating, score: float) -> None:
    assert rate(first, second, score) == rate(second, first, 1 - score)[::-1]
