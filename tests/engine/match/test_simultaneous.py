# SPDX-License-Identifier: GPL-3.0-or-later
"""Simultaneous moves, hidden information and payoffs that are not zero-sum, in engine.match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import CHANCE
from engine.match.ending import Adjudication, Ending, Termination
from engine.match.events import Event, Info, Moved, decode_event, encode_event
from engine.match.machine import Match, OutOfTurn
from engine.secrets import HIDDEN
from engine.time_control import TimeControl
from engine.viewpoint import Viewpoint
from tests.engine.match.guessing import GAME, ROUNDS, WORDS, Guessing


def started(seed: int = 1) -> Match:
    return Match(GAME, seed=seed, time_control=TimeControl(1_000))


def moves(events: list[Event]) -> list[tuple[int, int, str]]:
    return [(event.ply, event.seat, event.move) for event in events if isinstance(event, Moved)]


def test_both_seats_are_asked_at_once() -> None:
    match = started()
    assert list(match.asked) == [0, 1]
    assert (match.to_move, match.ply_of(0), match.ply_of(1)) == (0, 1, 2)
    assert match.legal_of(0) == list(WORDS)
    assert match.legal_of(1) == ["0", "1", "2"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_both_moves_are_made_when_both_are_in(order: tuple[int, int]) -> None:
    match = started()
    texts = "high", "2"
    before = list(match.events), match.position
    assert match.play(order[0], texts[order[0]], elapsed=100) == []
    assert (match.events, match.position) == before
    assert list(match.asked) == [order[1]]
    assert match.to_move == order[1]
    with pytest.raises(OutOfTurn, match="has made its choice"):
        match.play(order[0], "low")
    made = match.play(order[1], texts[order[1]], elapsed=300)
    assert moves(made)[:2] == [(2, 0, "high"), (3, 1, "2")]
    assert moves(made)[2][:2] == (4, CHANCE)
    assert match.clocks == ((900, 700) if order == (0, 1) else (700, 900))
    assert list(match.asked) == [0, 1]


def test_a_ply_limit_does_not_come_between_two_choices() -> None:
    limited = Match(GAME, seed=1, adjudication=Adjudication(plies=2))
    limited.play(0, "high")
    limited.play(1, "2")
    ending = Ending("1/2-1/2", Termination.ADJUDICATION, "the limit of 2 plies", points=(0.0, 0.0))
    assert (limited.ply, limited.ending) == (3, ending)
    again = Match.replay(GAME, events=limited.events, adjudication=limited.adjudication)
    assert (again.events, again.ending) == (limited.events, ending)


def test_each_clock_runs_by_itself() -> None:
    match = started()
    match.play(1, "0", elapsed=10)
    with pytest.raises(OutOfTurn):
        match.flag(1)
    match.flag(0)
    assert match.ending == Ending("0-1", Termination.TIME, points=(0.0, 4.0))


def test_an_illegal_choice_loses_at_once() -> None:
    match = started()
    match.play(1, "high")
    assert match.ending is not None
    assert (match.ending.result, match.ending.termination) == ("1-0", Termination.ILLEGAL_MOVE)
    assert match.ending.payoffs == (4.0, 0.0)


def test_draw_offers_have_no_effect_in_a_game_that_is_not_zero_sum() -> None:
    match = started()
    assert match.offer_draw(0) == []
    assert match.draw_offer is None


@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2), st.booleans()), min_size=2))
def test_a_replay_of_the_events_is_the_same_match(seed: int, choices: list[tuple[int, int, bool]]) -> None:
    match = started(seed)
    for said, guess, second_first in choices[:ROUNDS]:
        plays = [(0, WORDS[said]), (1, str(guess))]
        for seat, text in reversed(plays) if second_first else plays:
            match.play(seat, text, 5, Info(score=1.0))
    assert match.ending is not None
    cards = [int(moved.move) for moved in match.moves if moved.seat == CHANCE]
    first = sum(card if said else 1 for card, (said, _, _) in zip(cards, choices, strict=False))
    second = sum(2 for card, (_, guess, _) in zip(cards, choices, strict=False) if card == guess)
    assert match.ending.payoffs == (float(first), float(second))
    assert match.ending.result == ("1-0" if first > second else "0-1" if second > first else "1/2-1/2")
    events = [decode_event(encode_event(event)) for event in match.events]
    again = Match.replay(GAME, events=events, time_control=TimeControl(1_000))
    assert (again.events, again.clocks, again.ending) == (match.events, match.clocks, match.ending)
    assert [again.seen_by(viewer) for viewer in (0, 1, None)] == [match.seen_by(viewer) for viewer in (0, 1, None)]


def test_each_viewer_sees_what_the_game_discloses() -> None:
    match = started()
    for seat, text in ((1, "2"), (0, "high"), (0, "low"), (1, "1")):
        match.play(seat, text)
    texts = [moved.move for moved in match.moves]
    assert match.seen_by(0) == texts
    assert match.seen_by(1) == match.seen_by(None) == [HIDDEN, "high", "2", HIDDEN, "low", "1"]


def test_a_viewpoint_shows_a_seat_its_observation_and_everything_after_the_end() -> None:
    state = Guessing(0, 2, -1, 0, 0)
    assert Viewpoint.of(GAME, 0).observe(state).position == "0 2 -1 0 0"
    assert Viewpoint.of(GAME, 1).observe(state).position == "0 ? -1 0 0"
    assert Viewpoint.of(GAME, None).diagram(state) == "."
    assert Viewpoint.full(GAME).diagram(state) == "2"
    deal = Guessing(0, -1, -1, 0, 0)
    assert [Viewpoint.of(GAME, viewer).move(deal, 2) for viewer in (0, 1, None)] == ["2", HIDDEN, HIDDEN]
    assert Viewpoint.full(GAME).move(deal, 2) == "2"


def test_points_must_be_finite() -> None:
    with pytest.raises(ValueError, match="finite"):
        Ending("1-0", Termination.DECIDED, points=(float("inf"), 0.0))
