# SPDX-License-Identifier: GPL-3.0-or-later
"""Percentiles from buckets are those of the latencies themselves, nearly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.load.jobs import Latencies, LoadCounts


def recorded(latencies: list[float]) -> Latencies:
    made = Latencies()
    for seconds in latencies:
        made.record(seconds)
    return made


SECONDS = st.lists(st.floats(1e-6, 100), min_size=1, max_size=300)


@given(latencies=SECONDS, percent=st.floats(0.1, 100))
def test_percentiles_are_right_to_a_bucket(latencies: list[float], percent: float) -> None:
    rank = max(1, -(-len(latencies) * percent // 100))
    exact = sorted(latencies)[int(rank) - 1]
    found = recorded(latencies).percentile(percent)
    assert found is not None
    below = sorted(latencies)[max(0, int(rank) - 2)]
    above = sorted(latencies)[min(len(latencies) - 1, int(rank))]
    assert below * 0.979 <= found <= max(exact, above) * 1.021


@given(one=SECONDS, other=SECONDS)
def test_counts_of_two_processes_add_up(one: list[float], other: list[float]) -> None:
    together = recorded(one)
    together.add(recorded(other))
    assert together == recorded(one + other)
    assert together.count == len(one) + len(other)


def test_nothing_has_no_percentile() -> None:
    assert Latencies().percentile(50) is None


def test_reports_add_up() -> None:
    one, other = (
        LoadCounts(moves=3, endings={"decided": 2}, stalls=1),
        LoadCounts(moves=4, endings={"decided": 1, "time": 1}),
    )
    one.error("gone")
    other.error("gone")
    other.relay.record(0.25)
    one.add(other)
    assert (one.moves, one.endings, one.errors, one.stalls) == (7, {"decided": 3, "time": 1}, {"gone": 2}, 1)
    assert one.relay.percentile(50) == pytest.approx(0.25, rel=0.021)
