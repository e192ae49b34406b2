# SPDX-License-Identifier: GPL-3.0-or-later
"""What a move may cost of a clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.built_in.course import LAG, pace

seconds = st.floats(0, 10_000)


@given(seconds, seconds, st.none() | st.integers(1, 100))
def test_no_move_costs_the_game(left: float, increment: float, moves_to_go: int | None) -> None:
    soft, hard = pace(left, increment, moves_to_go)
    assert 0 <= soft <= hard <= max(0.01, left - LAG)


def test_an_ordinary_move_gets_its_share_and_a_hard_one_more() -> None:
    assert pace(100) == pytest.approx((4, 12))
    assert pace(100, 2) == pytest.approx((5.6, 16.8))
    assert pace(100, 0, 5) == pytest.approx((20, 25))
    assert pace(100, 0, 1) == pytest.approx((100 - LAG, 100 - LAG))
    assert pace(1, 10) == pytest.approx((1 - LAG, 1 - LAG))
    assert pace(0) == pytest.approx((0, 0.01))
