# SPDX-License-Identifier: GPL-3.0-or-later
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from arena.protocol import messages as m
from arena.protocol.codec import MAX_MESSAGE, encode
from arena.protocol.errors import CloseCode, ErrorCode
from arena.protocol.session import GRANTED, TRANSITIONS, Close, ConnectionState, PeerLimits, Session
from tests.arena.protocol.strategies import moves, others

HELLO = m.Hello(protocol=1, token="secret", games=["tictactoe"])
WELCOME = m.Welcome(protocol=1, server="", bot="", version="1", games=[], matches=[])


def playing() -> Session:
    session = Session(0.0)
    session.receive(encode(HELLO), 0.0)
    session.send(WELCOME)
    return session


def test_hello_then_welcome_then_anything_else() -> None:
    session = Session(0.0)
    assert session.receive(encode(HELLO), 0.0) == HELLO
    assert session.state is ConnectionState.AUTHENTICATING
    session.send(WELCOME)
    move = m.Move(match=1, ply=0, move="a1")
    assert session.receive(encode(move), 0.0) == move


@pytest.mark.parametrize("kind", get_args(m.BotMessage))
def test_every_message_may_come_in_exactly_one_state(kind: type) -> None:
    assert sum(key[1] is kind for key in TRANSITIONS) == 1


def test_before_hello_nothing_else_may_come() -> None:
    session = Session(0.0)
    answer = session.receive(encode(m.Resign(match=1)), 0.0)
    assert isinstance(answer, m.Error)
    assert answer.code == ErrorCode.UNEXPECTED
    assert session.receive(encode(HELLO), 0.0) == HELLO


def test_a_second_hello_has_no_effect() -> None:
    session = playing()
    answer = session.receive(encode(HELLO), 0.0)
    assert isinstance(answer, m.Error)
    assert answer.code == ErrorCode.UNEXPECTED
    assert session.state is ConnectionState.PLAYING


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"{}", CloseCode.UNSUPPORTED_DATA),
        ("x" * (MAX_MESSAGE + 1), CloseCode.TOO_BIG),
        (encode(m.Hello(protocol=2, token="t", games=["g"])), CloseCode.UNSUPPORTED_PROTOCOL),
    ],
)
def test_frames_that_end_the_connection(frame: str | bytes, code: CloseCode) -> None:
    session = Session(0.0)
    end = session.receive(frame, 0.0)
    assert isinstance(end, Close)
    assert end.code == code
    assert end.error is not None
    assert end.error.fatal
    assert session.receive(encode(HELLO), 0.0) is None


def test_too_many_bad_messages_end_the_connection() -> None:
    session = Session(0.0, PeerLimits(bad_messages=3))
    answers = [session.receive("nonsense", 0.0) for _ in range(5)]
    assert [type(answer) for answer in answers] == [m.Error, m.Error, m.Error, Close, type(None)]
    assert isinstance(answers[3], Close)
    assert answers[3].code == CloseCode.BAD_MESSAGES


def test_a_flood_ends_the_connection_but_the_same_number_spread_out_does_not() -> None:
    limits = PeerLimits(rate=10, burst=5, bad_messages=1000)
    calm, flooding = Session(0.0, limits), Session(0.0, limits)
    for number in range(50):
        assert isinstance(calm.receive("x", number * 0.1), m.Error)
    ends = [flooding.receive("x", 0.0) for _ in range(6)]
    assert isinstance(ends[-1], Close)
    assert ends[-1].code == CloseCode.FLOODING


def test_surplus_search_info_is_dropped_and_leaves_room_for_moves() -> None:
    session = Session(0.0, PeerLimits(rate=10, burst=20, bad_messages=0))
    session.receive(encode(HELLO), 0.0)
    session.send(WELCOME)
    thinking = encode(m.Thinking(1, 0, m.Info(depth=3)))
    answers = [session.receive(frame, 0.0) for frame in [thinking, f" {thinking}"] * 500]
    assert {type(answer) for answer in answers} == {m.Thinking, type(None)}
    move = m.Move(1, 0, "a1", m.Info(pv=['"type":"thinking"']))
    assert [session.receive(encode(move), 0.0) for _ in range(9)] == [move] * 9
    assert session.receive(thinking, 0.0) is None
    assert isinstance(session.receive(thinking, 10.0), m.Thinking), "the allowance is there again"


def test_answers_to_requests_never_count_as_a_flood() -> None:
    session = Session(0.0, PeerLimits(rate=0.1, burst=5))
    session.receive(encode(HELLO), 0.0)
    session.send(WELCOME)
    for ply in range(100):
        session.send(m.Turn(match=1, game="g", ply=ply, position="p", seat=0))
        assert isinstance(session.receive(encode(m.Move(match=1, ply=ply, move="a")), 0.0), m.Move)


def test_many_requests_at_once_may_be_answered_at_once() -> None:
    session = Session(0.0, PeerLimits(rate=0.1, burst=5))
    session.receive(encode(HELLO), 0.0)
    session.send(WELCOME)
    for match in range(1, 301):
        session.send(m.Turn(match=match, game="g", ply=0, position="p", seat=0))
    for match in range(1, 301):
        assert isinstance(session.receive(encode(m.Move(match=match, ply=0, move="a")), 1.0), m.Move)


def test_no_end_of_questions_leaves_an_end_of_answers() -> None:
    session = Session(0.0, PeerLimits(rate=0.1, burst=5))
    session.receive(encode(HELLO), 0.0)
    session.send(WELCOME)
    for match in range(1, 10_001):
        session.send(m.Turn(match=match, game="g", ply=0, position="p", seat=0))
    sync = encode(m.Sync(match=1))
    taken = next(count for count in range(10_000) if isinstance(session.receive(sync, 0.0), Close))
    assert taken == 5 + GRANTED


@given(st.lists(st.text() | st.binary() | moves.map(encode) | st.just(encode(HELLO))))
def test_every_frame_is_answered(frames: list[str | bytes]) -> None:
    session = Session(0.0)
    for frame in frames:
        answer = session.receive(frame, 0.0)
        assert answer is None or isinstance(answer, (m.Error, Close, *get_args(m.BotMessage)))


class SessionMachine(RuleBasedStateMachine):
    """A peer that says anything at any time, to an arena that welcomes, dismisses, and loses it."""

    def __init__(self) -> None:
        super().__init__()
        self.session = Session(0.0, PeerLimits(bad_messages=5, burst=1000))
        self.ended = False
        self.greeted = self.welcomed = False

    @rule(message=moves | others | st.just(HELLO))
    def say(self, message: m.BotMessage) -> None:
        answer = self.session.receive(encode(message), 0.0)
        if answer == message and not isinstance(answer, m.Error):
            assert self.welcomed != isinstance(message, m.Hello)
            assert not self.ended
            self.greeted = True
        self.ended |= isinstance(answer, Close)

    @rule(noise=st.text(max_size=20))
    def babble(self, noise: str) -> None:
        answer = self.session.receive(noise, 0.0)
        assert (answer is None) == self.ended
        self.ended |= isinstance(answer, Close)

    @rule()
    def welcome(self) -> None:
        if self.session.state is ConnectionState.AUTHENTICATING:
            self.session.send(WELCOME)
            self.welcomed = True

    @rule()
    def end(self) -> None:
        self.session.end()
        self.ended = True

    @invariant()
    def closed_is_closed(self) -> None:
        assert (self.session.state is ConnectionState.CLOSED) == self.ended

    @invariant()
    def nobody_plays_unwelcome(self) -> None:
        assert self.session.state is not ConnectionState.PLAYING or self.welcomed


def test_any_conversation_keeps_the_rules() -> None:
    run_state_machine_as_test(SessionMachine)
