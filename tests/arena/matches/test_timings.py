# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of network and server: stored with each move, ignored by the rules, and kept when search info is shortened."""

from arena.matches.search_info import MOVE_BYTES, shortened, without_info
from arena.matches.timings import TimedMove, Timing, decode_recorded, explain, timed
from engine.games import find
from engine.match.ending import Ending, Termination
from engine.match.events import Ended, Info, Moved, decode_event, encode_event
from engine.match.machine import Match
from engine.time_control import TimeControl

MOVE = Moved(1, 0, "b2", 120, 5_000, None, Info(score=0.5, pv=("b2", "a1")))
TIMING = Timing(network=40, waited=3)


def test_a_timed_move_is_a_move_for_the_rules() -> None:
    text = encode_event(timed(MOVE, TIMING))
    assert decode_event(text) == MOVE
    assert decode_recorded(text) == TimedMove(1, 0, "b2", 120, 5_000, None, MOVE.info, network=40, waited=3)


def test_a_move_of_an_older_record_has_no_timing() -> None:
    found = decode_recorded(encode_event(MOVE))
    assert isinstance(found, TimedMove)
    assert (found.network, found.waited, found.move) == (0, 0, "b2")


def test_shortened_search_info_leaves_the_timing() -> None:
    long = Moved(1, 0, "b2", 120, 5_000, None, Info(score=0.5, pv=("b2" * 40,) * 100))
    text = encode_event(timed(long, TIMING))
    assert len(text) > MOVE_BYTES
    cut = decode_recorded(shortened(text))
    assert isinstance(cut, TimedMove)
    assert (cut.network, cut.waited) == TIMING
    assert cut.info is not None
    assert len(cut.info.pv) < 100
    assert decode_event(without_info(text)) == Moved(1, 0, "b2", 120, 5_000)


def test_the_end_says_where_the_time_went() -> None:
    match = Match(find("tictactoe"), time_control=TimeControl.parse("5+0"))
    match.flag(0)
    explain(match, 5_120, 100, TIMING)
    assert match.ending == Ending(
        "0-1",
        Termination.TIME,
        "the last turn took 5.120 s, of which 0.100 s are not charged; round trip of the network 0.040 s; the turn "
        "came 0.003 s after the move before it",
    )
    assert match.events == [Ended(match.ending)]
