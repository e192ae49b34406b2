# SPDX-License-Identifier: GPL-3.0-or-later
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.pairing.swiss import Contender, Unpairable, pair
from tests.arena.pairing.swiss_events import tournament


def test_the_first_round_pairs_the_upper_half_with_the_lower() -> None:
    found = pair([Contender(number) for number in range(6)])
    assert found.pairs == [(0, 3), (4, 1), (2, 5)], "colours alternate down the list"
    assert found.bye is None


def test_with_an_odd_number_the_last_player_has_the_bye_unless_it_had_one() -> None:
    assert pair([Contender(number) for number in range(5)]).bye == 4
    assert pair([Contender(number, bye=number > 2) for number in range(5)]).bye == 2


def test_equal_points_meet() -> None:
    points = (2, 1, 2, 1, 0, 0)
    found = pair([Contender(number, float(had)) for number, had in enumerate(points)])
    assert [set(couple) for couple in found.pairs] == [{0, 2}, {1, 3}, {4, 5}]


def test_an_odd_player_moves_down_to_the_next_score_group() -> None:
    points = (3, 3, 3, 2, 2, 0)
    found = pair([Contender(number, float(had)) for number, had in enumerate(points)])
    assert [set(couple) for couple in found.pairs] == [{0, 1}, {2, 3}, {4, 5}]


def test_no_player_floats_down_twice_if_another_can() -> None:
    contenders = [Contender(number, 1.0) for number in range(3)] + [Contender(3)]
    contenders[2] = Contender(2, 1.0, floats=(-1,))
    assert {1, 3} in [set(couple) for couple in pair(contenders).pairs]


def test_a_required_colour_is_granted_and_two_players_that_require_the_same_do_not_meet() -> None:
    white = [Contender(number, 1.0, colours=(1, 1)) for number in range(2)]
    black = [Contender(number, 1.0, colours=(0, 0)) for number in range(2, 4)]
    for first, second in pair([*white, *black]).pairs:
        assert first < 2 <= second


def test_top_scorers_of_the_last_round_may_break_their_colour() -> None:
    leaders = [Contender(number, 4.0, colours=(1, 0, 1, 1)) for number in range(2)]
    with pytest.raises(Unpairable):
        pair(leaders)
    assert pair(leaders, last=2.0).pairs
    # both must; the higher ranked is granted its wish
    assert pair(leaders, last=2.0).pairs == [(0, 1)]


def test_equal_colour_preferences_alternate_from_the_last_difference() -> None:
    higher, lower = Contender(0, 1.0, colours=(0, 1, 0)), Contender(1, 1.0, colours=(1, 0, 0, 1, 0))
    assert pair([higher, lower]).pairs == [(1, 0)]


def test_a_group_that_cannot_be_paired_is_joined_by_the_one_above() -> None:
    # the last two have met, so the two above them must part
    contenders = [
        Contender(0, 2.0),
        Contender(1, 2.0),
        Contender(2, 0.0, opponents=frozenset({3})),
        Contender(3, 0.0, opponents=frozenset({2})),
    ]
    assert sorted(sorted(couple) for couple in pair(contenders).pairs) == [[0, 2], [1, 3]]


def test_when_everybody_met_everybody_there_is_no_round() -> None:
    met = [Contender(number, opponents=frozenset(range(4)) - {number}) for number in range(4)]
    with pytest.raises(Unpairable, match="no round is possible"):
        pair(met)
    with pytest.raises(Unpairable, match="no players"):
        pair([])
    with pytest.raises(Unpairable):
        pair([Contender(0, bye=True)])


@settings(max_examples=50, deadline=None)
@given(st.integers(8, 40), st.integers(0, 2**31))
def test_no_absolute_rule_is_broken(size: int, seed: int) -> None:
    assert tournament(size, min(7, size // 2), seed) == []


def test_sixty_four_players_over_nine_rounds() -> None:
    for seed in range(12):
        assert tournament(64, 9, seed) == []


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 12), st.integers(0, 2**31))
def test_a_round_is_found_whenever_there_is_one(size: int, seed: int) -> None:
    """Held against trying everything: rematches forbidden at random, no colours."""
    chance = Random(seed)
    met = {frozenset((one, other)) for one in range(size) for other in range(one) if chance.random() < 0.6}
    contenders = [
        Contender(
            number,
            chance.choice((0.0, 0.5, 1.0, 2.0)),
            frozenset(other for other in range(size) if frozenset((number, other)) in met),
            bye=chance.random() < 0.5,
        )
        for number in range(size)
    ]

    def possible(left: list[Contender], bye: bool) -> bool:
        if not left:
            return True
        one, *others = left
        if bye and not one.bye and possible(others, False):
            return True
        return any(
            one.number not in other.opponents and possible([each for each in others if each is not other], bye)
            for other in others
        )

    if possible(contenders, size % 2 == 1):
        found = pair(contenders)
        assert not any(frozenset(couple) in met for couple in found.pairs)
        assert len(found.pairs) == size // 2
        assert found.bye is None or not contenders[found.bye].bye
    else:
        with pytest.raises(Unpairable):
            pair(contenders)
