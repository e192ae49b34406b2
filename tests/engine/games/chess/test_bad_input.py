# SPDX-License-Identifier: GPL-3.0-or-later
"""Truncated, damaged, non-UTF-8 or huge positions and moves are refused, or are valid."""

from contextlib import suppress

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.chess import fen
from tests.engine.games.chess import agreement, positions
from tests.engine.games.chess.agreement import CHESS, look

seeds = st.integers(0, 2**32)
pieces = st.sampled_from([*"rnbqkpRNBQKP12345678/ wb-KQkqe36", "\0", "\n", "\ud800", "９", "kk", "/8", "9" * 50])
MEGABYTES = 3_000_000


def taken(text: str) -> bool:
    """Tell whether a position is taken; one that is must be sound, one that is not must be refused in few words."""
    state, why = None, ""
    try:
        state = CHESS.parse_position(text)
    except ValueError as error:
        why = str(error)
    if state is None:
        assert 0 < len(why) < 500
        return False
    board = chess.Board(CHESS.format_position(state))
    assert not board.status() & ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK)
    agreement.on_rules(board)
    return True


@settings(deadline=None)
@given(seed=seeds, data=st.data())
def test_a_damaged_position_is_refused_or_valid(seed: int, data: st.DataObject) -> None:
    text = positions.thrown(seed).fen()
    for _ in range(data.draw(st.integers(1, 3))):
        at, gone = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 3))
        text = text[:at] + data.draw(pieces) + text[at + gone :]
    taken(text)


def test_a_truncated_position_is_refused_unless_all_required_fields_are_there() -> None:
    sound = [end for end in range(len(fen.START) + 1) if taken(fen.START[:end])]
    assert sound == list(range(len(fen.START.removesuffix(" 0 1")), len(fen.START) + 1))


@given(st.binary(max_size=100))
def test_invalid_utf8_is_refused(dirt: bytes) -> None:
    for reading in (("utf-8", "surrogateescape"), ("utf-8", "replace"), ("latin-1", "strict")):
        assert not taken(dirt.decode(*reading))


@pytest.mark.parametrize("field", range(6))
@pytest.mark.parametrize("filling", ["8", "/", "K", "-", "0", "\0"])
def test_megabytes_are_refused(field: int, filling: str) -> None:
    fields = fen.START.split()
    assert not taken(" ".join([*fields[:field], filling * MEGABYTES, *fields[field + 1 :]]))


@settings(deadline=None)
@given(seed=seeds, text=st.text("abcdefgh12345678NBRQKOnbrq=x+#-0 \0", max_size=8) | st.text(max_size=8))
def test_any_text_is_a_legal_move_or_refused(seed: int, text: str) -> None:
    position = look(positions.thrown(seed).fen())
    with suppress(ValueError):
        assert CHESS.parse_move(position, text) in position.moves


@pytest.mark.parametrize("text", ["e2e4" * MEGABYTES, "N" * MEGABYTES, "O-" * MEGABYTES, " " * MEGABYTES])
def test_megabytes_are_not_a_move(text: str) -> None:
    with pytest.raises(ValueError, match="not a legal move"):
        CHESS.parse_move(look(fen.START), text)


@pytest.mark.parametrize("uci", ["e2e4q", "e7e8q", "e2e2", "e1g1", "0000", "e2-e9", "E2E4", "ｅ2e4", "@@@@", "P@e4"])
def test_uci_that_names_no_legal_move_is_refused(uci: str) -> None:
    with pytest.raises(ValueError, match="not a legal move"):
        CHESS.parse_move(look(fen.START), uci)
