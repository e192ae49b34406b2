# SPDX-License-Identifier: GPL-3.0-or-later
"""The clocks of GTP engines."""

import pytest

from bots.bridges.gtp.times import Times


def test_main_time_is_followed_by_overtime_for_so_many_stones() -> None:
    times = Times.parse(["10", "6", "2"])
    assert times is not None
    assert (times.clocks, times.increment(0), times.moves_to_go(0)) == ((10_000, 10_000), 3_000, None)
    times.spend(0, 4)
    assert times.clocks == (6_000, 10_000)
    times.spend(0, 7)
    assert (times.clocks, times.increment(0), times.moves_to_go(0)) == ((6_000, 10_000), 0, 2)
    times.spend(0, 1)
    assert (times.clocks[0], times.moves_to_go(0)) == (5_000, 1)
    times.spend(0, 1)
    assert (times.clocks[0], times.moves_to_go(0)) == (6_000, 2)


@pytest.mark.parametrize(
    ("words", "clock", "moves"),
    [(["0", "5", "1"], 5_000, 1), (["9", "0", "0"], 9_000, None), (["0", "5.5", "10"], 5_500, 10)],
)
def test_time_settings(words: list[str], clock: int, moves: int | None) -> None:
    times = Times.parse(words)
    assert times is not None
    assert (times.clocks, times.moves_to_go(1)) == ((clock, clock), moves)


@pytest.mark.parametrize("words", [["0", "0", "0"], ["60", "5", "0"]])
def test_no_limit(words: list[str]) -> None:
    assert Times.parse(words) is None
    assert Times.parse_kgs(["none"]) is None


def test_time_settings_of_kgs() -> None:
    absolute, byoyomi, canadian = (
        Times.parse_kgs(text.split()) for text in ("absolute 30", "byoyomi 20 5 3", "canadian 20 60 25")
    )
    assert absolute is not None
    assert byoyomi is not None
    assert canadian is not None
    assert (absolute.clocks[0], absolute.increment(0)) == (30_000, 0)
    assert (byoyomi.clocks[0], byoyomi.increment(0)) == (20_000, 5_000)
    # with byo-yomi time_left tells the periods that are left, not stones
    byoyomi.tell(0, 4.0, 3)
    assert (byoyomi.clocks[0], byoyomi.moves_to_go(0)) == (4_000, 1)
    canadian.tell(0, 50.0, 24)
    assert (canadian.clocks[0], canadian.moves_to_go(0)) == (50_000, 24)


@pytest.mark.parametrize(
    "words", [[], ["1"], ["a", "0", "0"], ["-1", "0", "0"], ["nan", "0", "0"], ["1", "1", "1.5"], ["inf", "1", "1"]]
)
def test_what_is_no_time_is_refused(words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"write|could not|is no"):
        Times.parse(words)
    with pytest.raises(ValueError, match="write"):
        Times.parse_kgs(["hourglass", *words])
