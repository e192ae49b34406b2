# SPDX-License-Identifier: GPL-3.0-or-later
"""FairQueue: lanes take turns by their cost."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from web.intake.scheduling import REMEMBERED, FairQueue


def serve(lanes: FairQueue[str], costs: dict[str, float], rounds: int) -> Counter[str]:
    """Let lanes that always want more go on so often; returns what each cost."""
    spent = Counter[str]()
    for name in costs:
        lanes.add(name, name)
    for _ in range(rounds):
        name = lanes.take()
        lanes.charge(name, costs[name])
        spent[name] += costs[name]  # type: ignore[assignment]  # seconds
        lanes.add(name, name)
    return spent


@given(st.lists(st.floats(0.1, 10.0), min_size=2, max_size=8))
def test_busy_lanes_get_equal_shares(costs: list[float]) -> None:
    named = {f"lane {number}": cost for number, cost in enumerate(costs)}
    spent = serve(FairQueue(), named, 400)
    assert max(spent.values()) - min(spent.values()) <= 2 * max(costs)


def test_an_occasional_lane_does_not_wait_for_busy_lanes() -> None:
    lanes = FairQueue[str]()
    serve(lanes, {"flood 1": 1.0, "flood 2": 5.0}, 50)
    lanes.add("visitor", "visitor")
    assert "visitor" in (lanes.take(), lanes.take(), lanes.take())


def test_idle_lanes_gain_and_lose_nothing() -> None:
    lanes = FairQueue[str]()
    for _ in range(100):
        lanes.charge("alone", 1.0)
    for name in ("alone", "new"):
        lanes.add(name, name)
    taken = []
    for _ in range(4):
        name = lanes.take()
        lanes.charge(name, 1.0)
        lanes.add(name, name)
        taken.append(name)
    assert taken == ["alone", "new", "alone", "new"]


def test_items_of_one_lane_keep_their_order() -> None:
    lanes = FairQueue[int]()
    for number in range(5):
        lanes.add("here", number)
    assert [lanes.take() for _ in range(5)] == list(range(5))
    assert not lanes


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(("come", "leave", "take"))), max_size=60))
def test_removed_items_do_not_change_the_order(steps: list[tuple[str, str]]) -> None:
    lanes, here, number = FairQueue[tuple[str, int]](), dict[str, list[tuple[int, int]]](), 0
    for lane, what in steps:
        waiting = here.setdefault(lane, [])
        if what == "come":
            number += 1
            waiting.append((lanes.add(lane, (lane, number)), number))
        elif what == "leave" and waiting:
            ticket, _ = waiting.pop(len(waiting) // 2)
            lanes.leave(lane, ticket)
            lanes.leave(lane, ticket)
        elif what == "take" and lanes:
            taken, item = lanes.take()
            assert here[taken].pop(0)[1] == item
        assert bool(lanes) == any(here.values())
    rest = [lanes.take() for _ in range(sum(map(len, here.values())))]
    assert {lane: [item for name, item in rest if name == lane] for lane in here} == {
        lane: [item for _, item in waiting] for lane, waiting in here.items()
    }
    assert not lanes
    assert not lanes._waiting


def test_unused_lanes_are_removed() -> None:
    lanes = FairQueue[int]()
    lanes.add("waiting", 0)
    for number in range(20 * REMEMBERED):
        lanes.add(f"lane {number}", number)
        lanes.charge(f"lane {number}", 1e-6)
        lanes.take()
    assert len(lanes._due) <= 2 * REMEMBERED
