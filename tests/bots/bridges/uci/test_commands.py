# SPDX-License-Identifier: GPL-3.0-or-later
"""What chess programs say, as it is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.bridges.uci.commands import Go, Place, go, option, position


def read(text: str) -> tuple[Go, list[str]]:
    return go(text.split())


def test_go_with_clocks() -> None:
    asked, complaints = read("wtime 60000 btime -20 winc 1000 binc 500 movestogo 12")
    assert asked == Go(60_000, 0, 1000, 500, 12)
    assert (asked.clock(0), asked.clock(1), Go().clock(0), complaints) == ((60_000, 1000), (0, 500), None, [])


def test_go_with_limits_and_moves() -> None:
    asked, complaints = read("depth 7 searchmoves e2e4 d2d4 nodes 99 mate 3 movetime 250 ponder infinite")
    assert asked == Go(depth=7, nodes=99, mate=3, move_time=250, infinite=True, ponder=True, moves=("e2e4", "d2d4"))
    assert complaints == []


def test_invalid_words_are_ignored_and_reported() -> None:
    asked, complaints = read("depth zero nodes 0 wtime ٣ faster movetime")
    assert asked == Go()
    assert complaints == [
        "depth needs a number, not 'zero'",
        "nodes needs a number, not '0'",
        "wtime needs a number, not '٣'",
        "go 'faster' is not known",
        "movetime needs a number, not ''",
    ]


@given(st.lists(st.text(min_size=1, max_size=25) | st.sampled_from(["depth", "infinite", "searchmoves", "9" * 30])))
def test_no_words_are_too_strange(words: list[str]) -> None:
    asked, _ = go(words)
    assert asked.depth is None or asked.depth >= 1


def test_positions() -> None:
    assert position(["startpos"]) == Place()
    assert position(["startpos", "moves", "e2e4", "e7e5"]) == Place(None, ("e2e4", "e7e5"))
    fen = "8/8/8/8/8/8/8/K6k w - - 0 1"
    assert position(f"fen {fen} moves a1a2".split()) == Place(fen, ("a1a2",))
    for wrong in ([], ["fen"], ["start"], ["startpos", "e2e4"], ["moves", "e2e4"]):
        with pytest.raises(ValueError, match="a position is"):
            position(wrong)


def test_options() -> None:
    assert option("name Clear Hash") == ("Clear Hash", "")
    assert option("name  Some Name value two words") == ("Some Name", "two words")
    with pytest.raises(ValueError, match="setoption name"):
        option("Hash 3")
