# SPDX-License-Identifier: GPL-3.0-or-later
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournaments.machine.formats.round_robin import berger, round_robin

# FIDE Handbook C.05, annex 1
TABLES = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
}


@pytest.mark.parametrize("players", TABLES)
def test_the_tables_are_fides(players: int) -> None:
    printed = [
        {tuple(int(number) - 1 for number in couple.split("-")) for couple in line.split()} for line in TABLES[players]
    ]
    assert [set(pairs) for pairs in berger(players)] == printed


@settings(deadline=None)
@given(st.integers(2, 40), st.integers(1, 4))
def test_all_pairs_meet_equally_often_and_no_player_plays_twice_in_a_round(players: int, cycles: int) -> None:
    rounds = round_robin(players, cycles)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert met == Counter({frozenset(pair): cycles for pair in combinations(range(players), 2)})
    for pairs in rounds:
        seen = [player for pair in pairs for player in pair]
        assert len(seen) == len(set(seen)) == players - players % 2
    seats = Counter(pair for pairs in rounds for pair in pairs)
    if cycles % 2 == 0:
        assert set(seats.values()) == {cycles // 2}


@given(st.integers(2, 20))
def test_no_player_has_one_colour_three_times_in_a_row(half: int) -> None:
    players = 2 * half
    seats: dict[int, str] = dict.fromkeys(range(players), "")
    for pairs in round_robin(players, 2):
        for first, second in pairs:
            seats[first] += "w"
            seats[second] += "b"
    assert not any("www" in colours or "bbb" in colours for colours in seats.values())


@pytest.mark.parametrize("players", [0, 1])
def test_one_player_is_no_round_robin(players: int) -> None:
    with pytest.raises(ValueError, match="two players"):
        berger(players)


def test_none_is_no_number_of_cycles() -> None:
    with pytest.raises(ValueError, match="cycle"):
        round_robin(4, 0)
