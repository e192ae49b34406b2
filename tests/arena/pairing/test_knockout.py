# SPDX-License-Identifier: GPL-3.0-or-later
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournaments.machine.formats.knockout import first_round, next_round, rounds


def test_the_bracket_of_eight() -> None:
    assert first_round(8) == [(0, 7), (3, 4), (1, 6), (2, 5)]


def test_the_best_rest_where_places_are_left_over() -> None:
    assert first_round(6) == [(0, None), (3, 4), (1, None), (2, 5)]


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 200))
def test_where_the_better_always_wins_seeds_meet_as_late_as_they_can(players: int) -> None:
    pairs = first_round(players)
    number = rounds(players)
    left = players
    while True:
        seen = [player for pair in pairs for player in pair if player is not None]
        assert sorted(seen) == list(range(left))
        winners = [min(player for player in pair if player is not None) for pair in pairs]
        number -= 1
        left = 2**number
        assert sorted(winners) == list(range(left)), "the best are left"
        if len(winners) == 1:
            break
        pairs = next_round(winners)
    assert number == 0


@pytest.mark.parametrize("players", [0, 1])
def test_one_player_is_no_knockout(players: int) -> None:
    with pytest.raises(ValueError, match="two players"):
        first_round(players)
