# SPDX-License-Identifier: GPL-3.0-or-later
"""Time controls as people write them, and the class of play they belong to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.time_control import TimeControl


@pytest.mark.parametrize(
    ("text", "base", "increment"),
    [("60+0.5", 60_000, 500), ("0+1", 0, 1_000), (" 0.25+0 ", 250, 0), ("5400+30", 5_400_000, 30_000)],
)
def test_seconds_become_milliseconds(text: str, base: int, increment: int) -> None:
    assert TimeControl.parse(text) == TimeControl(base, increment)


@pytest.mark.parametrize(
    "text",
    ["", "60", "60+", "+1", "-1+2", "1+-2", "nan+1", "1e3+1", "60+0.5s", "0+0", "0.0001+0", "٣+١", "9" * 400 + "+0"],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="time"):
        TimeControl.parse(text)


@pytest.mark.parametrize(("base", "increment"), [(0, 0), (-1, 5), (5, -1)])
def test_a_time_control_needs_time(base: int, increment: int) -> None:
    with pytest.raises(ValueError, match="needs time"):
        TimeControl(base, increment)


@given(st.integers(0, 10**10 - 1), st.integers(0, 10**10 - 1))
def test_what_is_written_reads_back(base: int, increment: int) -> None:
    if base or increment:
        control = TimeControl(base, increment)
        assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("60+0", "bullet"),
        ("179+0", "bullet"),
        ("180+0", "blitz"),
        ("60+3", "blitz"),
        ("479+0", "blitz"),
        ("480+0", "rapid"),
        ("1499+0", "rapid"),
        ("1500+0", "classical"),
        ("900+15", "classical"),
    ],
)
def test_the_class_goes_by_forty_moves(text: str, name: str) -> None:
    assert TimeControl.parse(text).time_class == name


def test_a_clock_starts_with_the_base_or_one_increment() -> None:
    assert TimeControl(60_000, 500).initial == 60_000
    assert TimeControl(0, 500).initial == 500
