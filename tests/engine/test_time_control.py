# SPDX-License-Identifier: GPL-3.0-or-later
"""Time controls: parsing, and their speed classes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.time_control import MOST_INSTRUCTIONS, TimeControl, parse_instructions, write_instructions


@pytest.mark.parametrize(
    ("text", "base", "increment"),
    [
        ("60+0.5", 60_000, 500),
        ("0+1", 0, 1_000),
        (" 0.25+0 ", 250, 0),
        ("5400+30", 5_400_000, 30_000),
        ("60", 60_000, 0),
        ("1:30+0.5", 90_000, 500),
    ],
)
def test_seconds_become_milliseconds(text: str, base: int, increment: int) -> None:
    assert TimeControl.parse(text) == TimeControl(base, increment)


def test_sessions_and_time_for_each_move() -> None:
    assert TimeControl.parse("40/60+0.5") == TimeControl(60_000, 500, moves=40)
    assert TimeControl.parse("40/1:30") == TimeControl(90_000, moves=40)
    assert TimeControl.parse("5/move") == TimeControl(5_000, per_move=True)
    odds = TimeControl.parse("40/60+0 v 5/move")
    assert (odds.of(0), odds.of(1)) == (TimeControl(60_000, moves=40), TimeControl(5_000, per_move=True))
    assert str(odds.swapped) == "5/move v 40/60+0"
    assert TimeControl(60_000).swapped == TimeControl(60_000)


def test_a_session_adds_its_time_after_its_last_move() -> None:
    control = TimeControl(60_000, 500, moves=2)
    assert [control.moves_to_go(made) for made in range(5)] == [2, 1, 2, 1, 2]
    assert [control.after(100, made) for made in (1, 2, 3, 4)] == [600, 60_600, 600, 60_600]
    assert TimeControl(60_000, 500).moves_to_go(7) is None
    assert TimeControl(60_000, 500).after(100, 7) == 600


def test_time_for_a_move_is_not_saved() -> None:
    control = TimeControl(5_000, per_move=True)
    assert [control.after(left, 1) for left in (0, 4_000)] == [5_000, 5_000]
    assert control.moves_to_go(3) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "60+",
        "+1",
        "0/60",
        "40/0+1",
        "40/",
        "/60",
        "1:60",
        "1:2:3",
        "move",
        "0/move",
        "5/move+1",
        "5/moves",
        "2/5/move",
        "-1+2",
        "1+-2",
        "nan+1",
        "1e3+1",
        "60+0.5s",
        "0+0",
        "0.0001+0",
        "٣+١",
        "9" * 400 + "+0",
        "10M instructions",
        "10m instructions/move",
        "1.5M instructions/move",
        "-1 instructions/move",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="time"):
        TimeControl.parse(text)


@pytest.mark.parametrize(("base", "increment"), [(0, 0), (-1, 5), (5, -1)])
def test_a_time_control_needs_time(base: int, increment: int) -> None:
    with pytest.raises(ValueError, match="needs time"):
        TimeControl(base, increment)


@given(st.integers(0, 10**10 - 1), st.integers(0, 10**10 - 1))
def test_time_controls_are_unchanged_after_write_and_read(base: int, increment: int) -> None:
    if base or increment:
        control = TimeControl(base, increment)
        assert TimeControl.parse(str(control)) == control
    if base:
        for other in (TimeControl(base, increment, moves=9999), TimeControl(base, per_move=True)):
            assert TimeControl.parse(str(other)) == other
            both = TimeControl.between(other, TimeControl(base))
            assert TimeControl.parse(str(both)) == both


@given(st.integers(1, MOST_INSTRUCTIONS), st.integers(1, 999), st.sampled_from([1, 10**3, 10**6, 10**9]))
def test_limits_of_instructions_are_unchanged_after_write_and_read(exact: int, round_number: int, unit: int) -> None:
    one, other = TimeControl.by_instructions(exact), TimeControl.by_instructions(round_number * unit)
    for control in (one, other, TimeControl.between(one, other)):
        assert TimeControl.parse(str(control)) == control
    assert parse_instructions(write_instructions(exact)) == exact


def test_numbers_of_instructions() -> None:
    assert [parse_instructions(text) for text in ("7", "500k", "10M", "2G")] == [7, 500_000, 10_000_000, 2 * 10**9]
    for wrong in ("0", "-1", "1.5M", "M", "10T", "9999G", ""):
        with pytest.raises(ValueError, match="number of instructions"):
            parse_instructions(wrong)


def test_instructions_take_the_place_of_clocks() -> None:
    control = TimeControl.parse("10M instructions/move")
    assert control == TimeControl(0, instructions=10_000_000)
    assert (control.timed, control.time_class, control.increment) == (False, "instructions", 0)
    assert control.moves_to_go(3) is None
    # a machine needs about 2 s for 40 such moves; a process that hangs ends much later
    assert (control.seconds, control.guard) == (2.0, 61.0)
    odds = TimeControl.parse("10M instructions/move v 2500000 instructions/move")
    assert str(odds) == "10M instructions/move v 2500k instructions/move"
    assert (odds.of(1).instructions, odds.swapped.seconds, odds.swapped.guard) == (2_500_000, 2.0, 61.0)


def test_a_clock_does_not_go_with_instructions() -> None:
    for text in ("10M instructions/move v 5/move", "60+0.5 v 10M instructions/move"):
        with pytest.raises(ValueError, match="both sides, or of none"):
            TimeControl.parse(text)
    with pytest.raises(ValueError, match="not both"):
        TimeControl(1000, instructions=5)
    with pytest.raises(ValueError, match="instructions"):
        TimeControl.by_instructions(MOST_INSTRUCTIONS + 1)


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
        ("40/179", "bullet"),
        ("20/90", "blitz"),
        ("39/90", "blitz"),
        ("4/move", "bullet"),
        ("5/move", "blitz"),
        ("60+0 v 40/300", "blitz"),
    ],
)
def test_the_speed_class_is_by_the_time_for_forty_moves(text: str, name: str) -> None:
    assert TimeControl.parse(text).time_class == name


def test_a_clock_starts_with_the_base_or_one_increment() -> None:
    assert TimeControl(60_000, 500).initial == 60_000
    assert TimeControl(0, 500).initial == 500
