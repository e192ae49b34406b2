# SPDX-License-Identifier: GPL-3.0-or-later
"""Each key may do something so often, whatever others do, and remembering them takes bounded memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.connections.limits import RateLimits


@given(st.sampled_from((0.5, 2.0, 8.0)), st.integers(1, 5), st.lists(st.integers(0, 64), max_size=60))
def test_never_more_than_the_burst_and_the_rate(rate: float, burst: int, pauses: list[int]) -> None:
    allowance: RateLimits[str] = RateLimits(rate, burst)
    now, taken = 100.0, []
    for pause in pauses:
        now += pause / 16
        wait = allowance.wait("key", now)
        assert allowance.take("key", now) == (wait == 0)
        if wait == 0:
            taken.append(now)
        else:
            assert allowance.wait("key", now + wait) == pytest.approx(0, abs=1e-9)
            assert wait <= 1 / rate
    for first, began in enumerate(taken):
        for last in range(first, len(taken)):
            assert last - first + 1 <= burst + (taken[last] - began) * rate + 1e-6


@given(st.integers(1, 5), st.lists(st.tuples(st.integers(0, 64), st.booleans()), max_size=60))
def test_a_server_that_adopts_counts_on_where_another_one_stopped(burst: int, steps: list[tuple[int, bool]]) -> None:
    alone: RateLimits[str] = RateLimits(2.0, burst)
    counting: RateLimits[str] = RateLimits(2.0, burst)
    other: RateLimits[str] = RateLimits(2.0, burst)
    changed: list[str] = []
    counting.on_change = changed.append
    now = 100.0
    for pause, changes in steps:
        now += pause / 16
        took = alone.take("key", now)
        assert counting.take("key", now) == took
        assert changed == ["key"] * took
        changed.clear()
        if changes:  # another server, whose clock shows another time, counts from now on
            for key in counting:
                other.adopt(key, counting.left(key, now), now - 50)
            back: RateLimits[str] = RateLimits(2.0, burst)
            for key in other:
                back.adopt(key, other.left(key, now - 50), now)
            counting = back
            counting.on_change = changed.append
        assert counting.wait("key", now) == pytest.approx(alone.wait("key", now), abs=1e-9)


def test_returned_attempts_may_be_taken_again() -> None:
    allowance: RateLimits[str] = RateLimits(1.0, 2)
    assert [allowance.take("one", 0.0) for _ in range(3)] == [True, True, False]
    allowance.give_back("one")
    allowance.give_back("another")
    assert [allowance.take("one", 0.0) for _ in range(2)] == [True, False]
    assert allowance.take("another", 0.0)


def test_keys_that_are_made_up_take_no_memory() -> None:
    allowance: RateLimits[int] = RateLimits(1.0, 2, most=100)
    for key in range(10_000):
        assert allowance.take(key, key / 1000)
        assert len(allowance) <= 100
    assert allowance.take(9_999, 10.0)
    assert not allowance.take(9_999, 10.0)  # the newest are those remembered


def test_an_allowance_allows_something() -> None:
    with pytest.raises(ValueError, match="above 0"):
        RateLimits(0.0, 5)
    with pytest.raises(ValueError, match="1 or more"):
        RateLimits(1.0, 0)
