# SPDX-License-Identifier: GPL-3.0-or-later
"""A crowd from one address takes places from itself alone."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.connections.limits import AddressSlots

STEPS = st.lists(st.tuples(st.booleans(), st.sampled_from("abcd"), st.integers(0, 12)), max_size=80)


@given(st.integers(0, 8), st.integers(0, 5), STEPS)
def test_places_are_shared_out_as_said(most: int, most_each: int, steps: list[tuple[bool, str, int]]) -> None:
    """Against a model that counts everything anew each time."""
    crowd: AddressSlots[tuple[str, int]] = AddressSlots(most, most_each)
    model: list[tuple[str, int]] = []
    for entering, address, number in steps:
        holder = address, number
        if not entering:
            crowd.leave(holder)
            model = [each for each in model if each != holder]
        elif holder not in crowd:
            loser = crowd.enter(address, holder)
            model.append(holder)
            counts = Counter(each for each, _ in model)
            if counts[address] > most_each:
                assert loser == next(each for each in model if each[0] == address)
            elif len(model) > most:
                assert loser is not None
                assert counts[loser[0]] == max(counts.values())
                assert loser == next(each for each in model if each[0] == loser[0])
            else:
                assert loser is None
            model = [each for each in model if each != loser]
        assert list(crowd) == model
        assert len(crowd) == len(model) <= most
        assert all(crowd.held(each) == sum(1 for other, _ in model if other == each) <= most_each for each in "abcd")


def test_sockets_from_other_addresses_find_room() -> None:
    crowd: AddressSlots[int] = AddressSlots(100, 100)
    assert not any(crowd.enter("attacker", number) for number in range(1, 101))
    assert [crowd.enter(f"honest {number}", number) for number in range(1000, 1050)] == list(range(1, 51))
    assert crowd.held("attacker") == 50
    assert crowd.enter("attacker", 200) == 51
