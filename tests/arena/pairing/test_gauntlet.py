# SPDX-License-Identifier: GPL-3.0-or-later
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournaments.machine.formats.gauntlet import gauntlet


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 20), st.integers(1, 19), st.integers(1, 4))
def test_each_head_meets_each_of_the_others_and_nobody_else(players: int, heads: int, cycles: int) -> None:
    if heads >= players:
        with pytest.raises(ValueError, match="heads"):
            gauntlet(players, heads, cycles)
        return
    rounds = gauntlet(players, heads, cycles)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    wanted = {frozenset((head, other)): cycles for head in range(heads) for other in range(heads, players)}
    assert met == Counter(wanted)
    for pairs in rounds:
        seen = [player for pair in pairs for player in pair]
        assert len(seen) == len(set(seen))


def test_colours_alternate_and_are_reversed_in_the_second_cycle() -> None:
    first, second = gauntlet(5, 1, 2)[:4], gauntlet(5, 1, 2)[4:]
    assert [pairs[0].index(0) for pairs in first] == [0, 1, 0, 1]
    assert [[pair[::-1] for pair in pairs] for pairs in first] == second


def test_none_is_no_number_of_cycles() -> None:
    with pytest.raises(ValueError, match="cycle"):
        gauntlet(4, 1, 0)
