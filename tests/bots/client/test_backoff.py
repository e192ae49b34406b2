# SPDX-License-Identifier: GPL-3.0-or-later
"""Delays between tries to connect."""

from hypothesis import given
from hypothesis import strategies as st

from bots.client.link import Backoff


def test_delays_double_up_to_the_longest_with_jitter_below() -> None:
    backoff = Backoff(first=1.0, longest=8.0)
    for whole in [1.0, 2.0, 4.0, 8.0, 8.0, 8.0]:
        assert whole / 2 <= backoff.next() <= whole


@given(st.floats(0, 100), st.integers(0, 2000))
def test_delays_are_never_shorter_than_the_minimum(at_least: float, tries: int) -> None:
    backoff = Backoff()
    for _ in range(tries):
        backoff.next()
    assert at_least < backoff.next(at_least) <= at_least + 30


def test_a_connection_begins_anew() -> None:
    backoff = Backoff(first=1.0)
    for _ in range(5):
        backoff.next()
    backoff.reset()
    assert backoff.next() <= 1.0


def test_two_bots_do_not_come_back_together() -> None:
    one, other = Backoff(), Backoff()
    assert [one.next() for _ in range(5)] != [other.next() for _ in range(5)]
