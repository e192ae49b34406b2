# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of the states of a match: properties over all pairs of state and event, and walks beside a model."""

import ast
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, fields
from itertools import product
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from arena.matches import states
from arena.matches.states import (
    CLOCK_RUNS,
    CLOSED,
    FINAL,
    HANDLING,
    TRANSITIONS,
    NoTransition,
    RefereeEvent,
    RefereeState,
    step,
)

PAIRS = list(product(RefereeState, RefereeEvent))

ENDS = {
    RefereeEvent.LAST_MOVE,
    RefereeEvent.FLAG_FELL,
    RefereeEvent.RESIGNED,
    RefereeEvent.DRAW_AGREED,
    RefereeEvent.FORFEITED,
    RefereeEvent.VOIDED,
    RefereeEvent.DECIDED,
}
"""Ends of a match that the referee itself finds."""

HANDLED = ENDS | {RefereeEvent.TURN_GIVEN, RefereeEvent.MOVED, RefereeEvent.OFFER_CHANGED, RefereeEvent.SUSPENDED}
"""Events that a handler causes: a message, a timer or a connection."""


def leads(state: RefereeState, event: RefereeEvent) -> RefereeState | None:
    """Return where an event leads, None where it is an error."""
    try:
        return step(state, event)
    except NoTransition:
        return None


def came_by(event: RefereeEvent) -> set[RefereeState]:
    """Return the states in which an event may come."""
    return {state for state in RefereeState if leads(state, event) is not None}


def reached(
    start: RefereeState, without: Callable[[RefereeState, RefereeEvent], bool] = lambda state, event: False
) -> set[RefereeState]:
    """Return the states that a walk from a state comes to, by the pairs that are not left out."""
    seen, waiting = {start}, deque([start])
    while waiting:
        state = waiting.popleft()
        for event in RefereeEvent:
            after = leads(state, event)
            if after is not None and after not in seen and not without(state, event):
                seen.add(after)
                waiting.append(after)
    return seen


# -------------------------------------------------------------------- properties of the table


@pytest.mark.parametrize(("state", "event"), PAIRS, ids=lambda each: each.name)
def test_a_pair_leads_to_a_state_or_is_an_error_that_names_both(state: RefereeState, event: RefereeEvent) -> None:
    if event in TRANSITIONS[state]:
        assert step(state, event) in RefereeState
    else:
        with pytest.raises(NoTransition) as raised:
            step(state, event)
        assert repr(state.value) in str(raised.value)
        assert repr(event.value) in str(raised.value)


def test_every_state_is_reached_from_the_first_and_every_event_comes_somewhere() -> None:
    assert reached(RefereeState.STARTING) == set(RefereeState)
    assert all(came_by(event) for event in RefereeEvent)


@pytest.mark.parametrize("state", RefereeState, ids=lambda state: state.name)
def test_from_every_state_a_match_can_come_to_its_end(state: RefereeState) -> None:
    assert reached(state) & {RefereeState.OVER, RefereeState.SUSPENDED}


def test_only_over_and_suspended_are_final() -> None:
    assert {state for state in RefereeState if not any(leads(state, event) for event in RefereeEvent)} == FINAL
    assert {RefereeState.OVER, RefereeState.SUSPENDED} == FINAL


def test_play_does_not_go_on_after_an_end() -> None:
    play = set(RefereeState) - CLOSED
    assert all(not reached(state) & play for state in CLOSED)


def test_a_player_moves_or_loses_on_time_only_while_it_is_asked() -> None:
    for event in (RefereeEvent.MOVED, RefereeEvent.CHOSEN, RefereeEvent.LAST_MOVE, RefereeEvent.FLAG_FELL):
        assert came_by(event) == {RefereeState.TO_MOVE}
    # a second turn begins where both choose at the same time
    assert came_by(RefereeEvent.TURN_GIVEN) == {RefereeState.WAITING, RefereeState.TO_MOVE}


def test_one_of_two_choices_is_neither_stored_nor_sent() -> None:
    assert leads(RefereeState.TO_MOVE, RefereeEvent.CHOSEN) is RefereeState.TO_MOVE


def test_events_of_players_and_timers_come_only_where_all_is_committed() -> None:
    for event in HANDLED:
        assert came_by(event) <= HANDLING
    assert not HANDLING & {leads(state, RefereeEvent.MOVED) for state in RefereeState}


def test_a_move_is_sent_only_after_the_store_has_committed_it() -> None:
    after_move = leads(RefereeState.TO_MOVE, RefereeEvent.MOVED)
    assert after_move is not None
    no_commit = reached(after_move, without=lambda _, event: event is RefereeEvent.COMMITTED)
    assert not no_commit & HANDLING, "the referee tells a move as it enters such a state again"
    # meanwhile only the store or a failure ends the match, and that is stored before it is announced
    assert no_commit == {
        RefereeState.COMMITTING,
        RefereeState.RETRYING,
        RefereeState.ADOPTING_END,
        RefereeState.BROKEN,
        RefereeState.OVER,
        RefereeState.SUSPENDED,
    }


def test_an_end_is_stored_before_the_match_is_over() -> None:
    assert {leads(state, event) for state in RefereeState for event in ENDS} == {None, RefereeState.ENDING}
    into_over = {(state, event) for state, event in PAIRS if leads(state, event) is RefereeState.OVER}
    assert into_over == {
        (RefereeState.ENDING, RefereeEvent.END_ANNOUNCED),
        (RefereeState.ADOPTING_END, RefereeEvent.END_ANNOUNCED),
        (RefereeState.BROKEN, RefereeEvent.END_ANNOUNCED),
        (RefereeState.BROKEN, RefereeEvent.BROKE),  # the store takes nothing; the match stays live in it
    }


def test_a_store_that_fails_is_asked_again_and_the_clock_is_as_before() -> None:
    for state in came_by(RefereeEvent.STORE_FAILED):
        retrying = step(state, RefereeEvent.STORE_FAILED)
        assert (retrying in CLOCK_RUNS) == (state in CLOCK_RUNS)
        assert step(retrying, RefereeEvent.COMMITTED) is step(state, RefereeEvent.COMMITTED)
        assert leads(retrying, RefereeEvent.STORE_FAILED) is None, "asking again goes on inside"


def test_a_clock_starts_with_a_turn_and_stops_with_a_move_or_an_end() -> None:
    changes = [(state, event) for state, event in PAIRS if leads(state, event) is not None]
    starts = {event for state, event in changes if state not in CLOCK_RUNS and step(state, event) in CLOCK_RUNS}
    stops = {event for state, event in changes if state in CLOCK_RUNS and step(state, event) not in CLOCK_RUNS}
    assert starts == {RefereeEvent.TURN_GIVEN}
    assert stops == {
        RefereeEvent.MOVED,
        RefereeEvent.SUSPENDED,
        RefereeEvent.SUPERSEDED,
        RefereeEvent.ENDED_IN_STORE,
        RefereeEvent.BROKE,
    } | (ENDS - {RefereeEvent.DECIDED})
    assert not CLOCK_RUNS & CLOSED


def test_any_state_that_is_not_final_survives_a_failure() -> None:
    assert came_by(RefereeEvent.BROKE) == set(RefereeState) - FINAL


def test_the_module_is_pure() -> None:
    tree = ast.parse(Path(states.__file__).read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"collections.abc", "enum", "types"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]


# -------------------------------------------------------------------- walks beside a model


@dataclass
class Model:
    """A match as separate facts, each of which one could look up. It does not know the table."""

    begun: bool = False
    asked: bool = False
    """A player is asked for a move."""
    storing: bool = False
    """Events are with the store that are no end."""
    failing: bool = False
    """The store has failed to commit them."""
    ending: bool = False
    """The referee has found an end."""
    adopting: bool = False
    """The store had an end."""
    broken: bool = False
    over: bool = False
    suspended: bool = False

    @property
    def final(self) -> bool:
        return self.over or self.suspended

    @property
    def closed(self) -> bool:
        return self.ending or self.adopting or self.broken or self.final

    @property
    def free(self) -> bool:
        """Whether a message, a timer or a connection may be handled."""
        return self.begun and not self.storing and not self.closed

    def allows(self, event: RefereeEvent) -> bool:
        """Tell whether the event may come."""
        waits_for_store = not self.final and not self.broken and not self.free
        match event:
            case RefereeEvent.BEGUN:
                return not self.begun and not self.closed
            case RefereeEvent.TURN_GIVEN:
                return self.free
            case RefereeEvent.DECIDED:
                return self.free and not self.asked
            case RefereeEvent.CHOSEN | RefereeEvent.MOVED | RefereeEvent.LAST_MOVE | RefereeEvent.FLAG_FELL:
                return self.free and self.asked
            case RefereeEvent.OFFER_CHANGED | RefereeEvent.SUSPENDED:
                return self.free
            case RefereeEvent.RESIGNED | RefereeEvent.DRAW_AGREED | RefereeEvent.FORFEITED | RefereeEvent.VOIDED:
                return self.free
            case RefereeEvent.COMMITTED:
                return self.storing and not self.closed
            case RefereeEvent.STORE_FAILED:
                return self.storing and not self.failing and not self.closed
            case RefereeEvent.ENDED_IN_STORE:
                return waits_for_store and not self.adopting
            case RefereeEvent.SUPERSEDED:
                return waits_for_store
            case RefereeEvent.END_ANNOUNCED:
                return self.closed and not self.final
            case RefereeEvent.BROKE:
                return not self.final

    def take(self, event: RefereeEvent) -> None:
        """Let an event happen."""
        match event:
            case RefereeEvent.BEGUN:
                self.begun = True
            case RefereeEvent.TURN_GIVEN:
                self.asked = True
            case RefereeEvent.CHOSEN:
                pass  # the other player still has to choose
            case RefereeEvent.MOVED:
                self.asked, self.storing = False, True
            case RefereeEvent.OFFER_CHANGED:
                self.storing = True
            case RefereeEvent.COMMITTED:
                self.storing = self.failing = False
            case RefereeEvent.STORE_FAILED:
                self.failing = True
            case RefereeEvent.ENDED_IN_STORE:
                self.adopting, self.ending = True, False
            case RefereeEvent.SUSPENDED | RefereeEvent.SUPERSEDED:
                self.suspended = True
            case RefereeEvent.END_ANNOUNCED:
                self.over = True
            case RefereeEvent.BROKE if self.broken:
                self.over = True
            case RefereeEvent.BROKE:
                self.broken = True
            case _:
                self.ending = True

    def state(self) -> RefereeState:
        """Return the state that has these facts."""
        if self.suspended or self.over:
            return RefereeState.SUSPENDED if self.suspended else RefereeState.OVER
        if self.broken:
            return RefereeState.BROKEN
        if self.adopting or self.ending:
            return RefereeState.ADOPTING_END if self.adopting else RefereeState.ENDING
        if not self.begun:
            return RefereeState.STARTING
        if not self.storing:
            return RefereeState.TO_MOVE if self.asked else RefereeState.WAITING
        if self.asked:
            return RefereeState.RETRYING_OFFER if self.failing else RefereeState.COMMITTING_OFFER
        return RefereeState.RETRYING if self.failing else RefereeState.COMMITTING


class Walk(RuleBasedStateMachine):
    """The table beside the model, through any events."""

    def __init__(self) -> None:
        super().__init__()
        self.state = RefereeState.STARTING
        self.model = Model()

    @precondition(lambda self: not self.model.final)
    @rule(data=st.data())
    def something_that_may_happen(self, data: st.DataObject) -> None:
        allowed = [event for event in RefereeEvent if self.model.allows(event)]
        event = data.draw(st.sampled_from(allowed))
        self.model.take(event)
        self.state = step(self.state, event)

    @rule(event=st.sampled_from(RefereeEvent))
    def anything_else_is_an_error(self, event: RefereeEvent) -> None:
        if not self.model.allows(event):
            with pytest.raises(NoTransition) as raised:
                step(self.state, event)
            assert (raised.value.state, raised.value.event) == (self.state, event)

    @invariant()
    def the_state_says_what_the_facts_say(self) -> None:
        model = self.model
        assert self.state is model.state()
        assert (self.state in HANDLING) == model.free
        assert (self.state in CLOCK_RUNS) == (model.asked and not model.closed)
        assert (self.state in CLOSED) == model.closed
        assert (self.state in FINAL) == model.final


TestWalk = Walk.TestCase


def test_the_model_and_the_table_agree_in_every_situation() -> None:
    names = [each.name for each in fields(Model)]
    seen: set[tuple[bool, ...]] = set()
    waiting = [Model()]
    visited = set()
    while waiting:
        model = waiting.pop()
        facts = tuple(getattr(model, name) for name in names)
        if facts in seen:
            continue
        seen.add(facts)
        visited.add(model.state())
        for event in RefereeEvent:
            after = Model(*facts)
            if model.allows(event):
                after.take(event)
                assert leads(model.state(), event) is after.state(), (facts, event)
                waiting.append(after)
            else:
                assert leads(model.state(), event) is None, (facts, event)
    assert visited == set(RefereeState)
