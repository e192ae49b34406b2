# SPDX-License-Identifier: GPL-3.0-or-later
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol import messages as m
from arena.protocol.codec import (
    MAX_MESSAGE,
    Refusal,
    encode,
    from_arena,
    from_bot,
    from_spectator,
    to_spectator,
    too_big,
)
from arena.protocol.errors import ErrorCode
from arena.protocol.watching import Follow, MatchOver
from tests.arena.protocol.strategies import from_bots


@given(from_bots)
def test_encoded_messages_are_decoded(message: m.BotMessage) -> None:
    assert from_bot(encode(message)) == message


def test_the_type_is_the_name_of_the_class_in_kebab_case() -> None:
    assert json.loads(encode(m.OfferDraw(match=3))) == {"type": "offer-draw", "match": 3}


def test_a_bot_may_not_say_what_is_unknown() -> None:
    with pytest.raises(Refusal) as refused:
        from_bot('{"type": "resign", "match": 1, "why": "tired"}')
    assert refused.value.code == ErrorCode.MALFORMED


def test_the_arena_may_say_more_later() -> None:
    assert from_arena('{"type": "draw-offered", "match": 1, "mood": "good"}') == m.DrawOffered(match=1)
    with pytest.raises(Refusal) as refused:
        from_arena('{"type": "confetti"}')
    assert refused.value.code == ErrorCode.UNKNOWN_TYPE


def test_spectators_have_their_own_messages() -> None:
    assert from_spectator('{"type": "follow", "match": 1}') == Follow(match=1)
    assert isinstance(
        to_spectator('{"type":"match-over","match":1,"ending":{"result":"*","termination":"void"}}'), MatchOver
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", ErrorCode.MALFORMED),
        ("null", ErrorCode.MALFORMED),
        ("[]", ErrorCode.MALFORMED),
        ("{}", ErrorCode.MALFORMED),
        ('{"type": 3}', ErrorCode.UNKNOWN_TYPE),
        ('{"type": "welcome"}', ErrorCode.UNKNOWN_TYPE),
        ('{"type": "move", "match": "1", "ply": 0, "move": "a"}', ErrorCode.MALFORMED),
        ('{"type": "move", "match": 1, "ply": 0, "move": ""}', ErrorCode.MALFORMED),
        ('{"type": "move", "match": 1, "ply": 0, "move": "a", "info": {"score": NaN}}', ErrorCode.MALFORMED),
        ('{"type": "move", "match": 1, "ply": 0, "move": "a", "info": {"score": 1e999}}', ErrorCode.MALFORMED),
        ('{"type": "resign", "match": 99999999999999999999}', ErrorCode.MALFORMED),
        ('{"type": "hello", "protocol": 1, "token": "\\ud800", "games": ["a"]}', ErrorCode.MALFORMED),
        ('{"type": "resign", "match": 1}\ud800', ErrorCode.MALFORMED),
        ("[" * 60_000, ErrorCode.MALFORMED),
        ('{"a":' * 10_000, ErrorCode.MALFORMED),
    ],
)
def test_invalid_messages_are_refused_with_a_code(text: str, code: ErrorCode) -> None:
    with pytest.raises(Refusal) as refused:
        from_bot(text)
    assert refused.value.code == code
    assert 0 < len(refused.value.message) <= 200


@given(
    st.text()
    | st.recursive(st.none() | st.floats() | st.text(), lambda inner: st.dictionaries(st.text(), inner)).map(json.dumps)
)
def test_no_text_breaks_the_decoder(text: str) -> None:
    with pytest.raises(Refusal):
        from_bot(text)


def test_size_counts_bytes() -> None:
    assert not too_big("a" * MAX_MESSAGE)
    assert too_big("a" * (MAX_MESSAGE + 1))
    assert too_big("ä" * (MAX_MESSAGE // 2 + 1))
    assert too_big(b"a" * (MAX_MESSAGE + 1))
    assert too_big("\ud800" * (MAX_MESSAGE + 1))


THREADS = """
import sys
import threading

import msgspec

from arena.protocol.codec import examine_classes

sys.setswitchinterval(1e-6)
for number in range(200):
    inner = msgspec.defstruct("Inner", [(f"field_{place}", int, 0) for place in range(20)])
    outer = msgspec.defstruct("Outer", [(f"field_{place}", inner | None, None) for place in range(20)])
    examine_classes()
    together = threading.Barrier(3)

    def decode():
        together.wait()
        assert msgspec.json.decode(b'{"field_1": {"field_2": 3}}', type=outer).field_1.field_2 == 3

    threads = [threading.Thread(target=decode) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""
"""Decode new classes, each at the same time in three threads."""


def test_classes_that_were_examined_are_decoded_by_several_threads() -> None:
    done = subprocess.run([sys.executable, "-c", THREADS], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
