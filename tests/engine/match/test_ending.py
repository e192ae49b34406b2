# SPDX-License-Identifier: GPL-3.0-or-later
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games import find
from engine.match.ending import Adjudication, DrawRule, ResignRule, Termination, drawn, resigned
from engine.match.events import Info
from engine.match.machine import Match
from engine.time_control import TimeControl

scores = st.lists(st.none() | st.sampled_from([-9.0, -3.0, -0.1, 0.0, 0.1, 3.0, 9.0]), max_size=24)


def shuffle(match: Match, reported: Sequence[float | None]) -> None:
    """Let both sides move kings' knights to and fro, and report these scores."""
    moves = ("Nf3", "Nf6", "Ng1", "Ng8")
    for number, score in enumerate(reported):
        if match.to_move is not None:
            match.play(match.to_move, moves[number % 4], info=None if score is None else Info(score=score))


def test_the_draw_rule_needs_enough_reports_of_both_sides() -> None:
    rule = DrawRule(score=0.1, moves=3)
    assert drawn(rule, [0.1, -0.1, 0, 0, 0.05, 0], ply=6)
    assert not drawn(rule, [0.1, -0.1, 0, 0, 0.05], ply=5)
    assert not drawn(rule, [0.1, -0.1, 0, None, 0.05, 0], ply=6)
    assert not drawn(rule, [0.1, -0.1, 0.2, 0, 0.05, 0], ply=6)
    assert not drawn(DrawRule(score=0.1, moves=3, after=40), [0.0] * 78, ply=79)
    assert drawn(DrawRule(score=0.1, moves=3, after=40), [0.0] * 78, ply=80)


def test_the_resign_rule_needs_reports_of_the_loser_and_by_default_of_the_winner() -> None:
    both, one = ResignRule(score=5, moves=2), ResignRule(score=5, moves=2, both=False)
    assert resigned(both, [6, -6, 7, -7])
    assert not resigned(both, [1, -6, 7, -7])
    assert resigned(one, [1, -6, 7, -7])
    assert not resigned(one, [1, -6, 7, -7, 9])
    assert not resigned(one, [None, None, 7, -7])


@given(scores, st.integers(1, 4))
def test_rules_apply_only_if_the_newest_reports_satisfy_them(told: list[float | None], moves: int) -> None:
    if drawn(DrawRule(score=0.1, moves=moves), told, len(told)):
        assert all(score is not None and abs(score) <= 0.1 for score in told[-2 * moves :])
    if resigned(ResignRule(score=3, moves=moves), told):
        assert told[-1] is not None
        assert told[-1] <= -3
        assert not resigned(ResignRule(score=3, moves=moves), told[:-1]), "the other side does not lose as well"


def test_a_match_is_adjudicated_and_replayed() -> None:
    rules = Adjudication(draw=DrawRule(score=0.2, moves=2))
    match = Match(find("chess"), adjudication=rules)
    shuffle(match, [0.5, 0.1, 0.1, -0.1, 0.2, 0.0])
    assert match.ending is not None
    assert (match.ending.result, match.ending.termination) == ("1/2-1/2", Termination.ADJUDICATION)
    assert match.ply == 5
    again = Match.replay(find("chess"), events=match.events)
    assert again.ending == match.ending
    assert Match.replay(find("chess"), events=match.events[:-1], adjudication=rules).ending == match.ending


def test_the_side_that_reports_lost_scores_loses() -> None:
    match = Match(find("chess"), adjudication=Adjudication(resign=ResignRule(score=4, moves=2)))
    shuffle(match, [5, -5, 5, -5])
    assert match.ending is not None
    assert match.ending.result == "1-0"


def test_a_match_ends_at_the_ply_limit() -> None:
    match = Match(find("chess"), opening=("e4", "e5"), adjudication=Adjudication(plies=6))
    shuffle(match, [None] * 8)
    assert match.ending is not None
    assert (match.ply, match.ending.termination) == (6, Termination.ADJUDICATION)


@pytest.mark.parametrize(
    "make",
    [
        lambda: DrawRule(score=-1, moves=3),
        lambda: DrawRule(score=float("nan"), moves=3),
        lambda: DrawRule(score=1, moves=0),
        lambda: DrawRule(score=1, moves=1, after=-1),
        lambda: ResignRule(score=5, moves=0),
        lambda: Adjudication(plies=0),
    ],
)
def test_invalid_rules_are_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=r"must|needs"):
        make()


def test_each_seat_has_its_own_time_control() -> None:
    control = TimeControl.parse("60+1 v 30+0.5")
    assert str(control) == "60+1 v 30+0.5"
    assert TimeControl.parse("60+1 v 60+1") == TimeControl.parse("60+1")
    assert control.seconds == 100
    match = Match(find("tictactoe"), time_control=control)
    assert match.clocks == (60_000, 30_000)
    match.play(0, match.legal[0], 1000)
    match.play(1, match.legal[0], 1000)
    assert match.clocks == (60_000, 29_500)
    with pytest.raises(ValueError, match="two time controls"):
        TimeControl.parse("60+1 v 30+0.5 v 3+1")
