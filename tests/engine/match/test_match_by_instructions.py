# SPDX-License-Identifier: GPL-3.0-or-later
"""The referee of matches by instructions, where no clock runs."""

import pytest

from engine.match.ending import Termination
from engine.match.events import Event, Moved
from engine.match.machine import Match, MatchError, NoOffer
from engine.time_control import TimeControl
from tests.engine.match.test_match import snapshot
from tests.engine.pebbles import GAME


def test_instructions_are_counted_where_no_clock_runs() -> None:
    match = Match(GAME, time_control=TimeControl.parse("1k instructions/move v 2k instructions/move"))
    assert (match.clocks, match.limit_of(0), match.limit_of(1)) == (None, 1000, 2000)
    assert match.play(0, "pass", 10**9, instructions=1000) == [Moved(1, 0, "pass", 10**9, instructions=1000)]
    assert match.play(1, "pass", instructions=0) == [Moved(2, 1, "pass", instructions=0)]
    again = Match.replay(GAME, events=match.events, time_control=match.time_control)
    assert snapshot(again) == snapshot(match)
    # the order in which messages arrive decides nothing
    assert (match.offer_draw(0), match.offer_draw(1), match.draw_offer) == ([], [], None)
    with pytest.raises(NoOffer):
        match.accept_draw(1)
    assert Match(GAME).play(0, "pass", instructions=7) == [Moved(1, 0, "pass")]


@pytest.mark.parametrize(
    ("instructions", "detail"), [(1001, "it used 1,001; each move"), (None, "it reported no number of instructions")]
)
def test_a_move_beyond_its_instructions_loses(instructions: int | None, detail: str) -> None:
    match = Match(GAME, time_control=TimeControl.by_instructions(1000))
    match.play(0, "pass", instructions=instructions)
    assert match.ending is not None
    assert (match.ending.result, match.ending.termination) == ("0-1", Termination.BAD_MESSAGE)
    assert match.ending.detail.startswith(detail)


@pytest.mark.parametrize(
    ("control", "event"),
    [(TimeControl.by_instructions(9), Moved(1, 0, "pass")), (None, Moved(1, 0, "pass", instructions=3))],
)
def test_a_record_counts_instructions_where_the_match_does(control: TimeControl | None, event: Event) -> None:
    with pytest.raises(MatchError, match="instructions are counted"):
        Match(GAME, time_control=control).apply(event)
