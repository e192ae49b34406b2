# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that is done every second is done together."""

import asyncio
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import seconds


@given(st.floats(0, 1e9), st.floats(0, 1))
def test_sleeps_end_at_the_same_moments(now: float, later: float) -> None:
    """Whenever a sleep begins, it ends at the beginning of a second, and no second is slept through."""
    with pytest.MonkeyPatch.context() as patch:
        ends = []
        for moment in (now, now + later):
            patch.setattr(asyncio, "get_running_loop", lambda moment=moment: _Loop(moment))
            left = seconds.until_next_second()
            assert 0 < left <= 1 + seconds._EARLY
            ends.append(Fraction(moment) + Fraction(left) + Fraction(seconds._PHASE))
        first, second = (abs(end - round(end)) for end in ends)
        assert max(first, second) < 1e-6
        assert round(ends[1] - ends[0]) in (0, 1)


class _Loop:
    def __init__(self, now: float) -> None:
        self._now = now

    def time(self) -> float:
        return self._now
