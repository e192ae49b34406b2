# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search asks of chess besides the rules, against python-chess."""

from typing import Any

import chess
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import AIMS, aim, can_pass, ended, outcome, passed, tactical_moves, threatened
from engine.games import find
from engine.kernel import compiled
from tests.engine.games.chess import positions
from tests.engine.games.chess.agreement import look

CHESS = find("chess")
seeds = st.integers(0, 2**32)


@compiled
def ask(state: Any, out: Any) -> Any:
    return tactical_moves(state, out), threatened(state), ended(state), outcome(state)[0], can_pass(state)


@compiled
def _passed(state: Any) -> Any:
    return passed(state)


@compiled
def _aim(state: Any, move: int) -> Any:
    return aim(state, move)


@settings(max_examples=150, deadline=None)
@given(seed=seeds)
def test_captures_checks_and_ends_are_those_of_the_oracle(seed: int) -> None:
    board = positions.thrown(seed)
    position = look(board.fen())
    out = np.zeros(CHESS.width, np.int64)
    count, check, dead, over, may_pass = ask(CHESS.pack(position.state), out)
    assert check == board.is_check()
    assert dead == board.is_insufficient_material()
    assert over == (dead or not any(board.legal_moves))
    pieces = board.occupied_co[board.turn] & ~(board.pawns | board.kings)
    assert may_pass == bool(pieces)
    expected = {
        move.uci()
        for move in board.legal_moves
        if move.promotion in (None, chess.QUEEN) and (move.promotion or board.is_capture(move))
    }
    found = [CHESS.format_move(position.state, int(move)) for move in out[:count]]
    assert len(found) == len(set(found))
    assert set(found) == expected


@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_passing_gives_the_move_to_the_other(seed: int) -> None:
    board = positions.thrown(seed)
    after = CHESS.pack(_passed(CHESS.pack(look(board.fen()).state)))
    board.push(chess.Move.null())
    assert CHESS.format_position(after).split()[:4] == board.fen().split()[:4]


@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_a_moves_aim_is_its_piece_and_target(seed: int) -> None:
    board = positions.thrown(seed)
    position = look(board.fen())
    aims: dict[int, tuple[int | None, int]] = {}
    for text, move in CHESS.move_texts(position).items():
        made = chess.Move.from_uci(text)
        place = _aim(CHESS.pack(position.state), move)
        assert 0 < place < AIMS
        aimed = (board.piece_type_at(made.from_square), made.to_square)
        assert aims.setdefault(place, aimed) == aimed
    assert len(set(aims.values())) == len(aims)
