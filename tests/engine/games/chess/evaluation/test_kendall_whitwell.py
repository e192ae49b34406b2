# SPDX-License-Identifier: GPL-3.0-or-later
"""Piece counts and mobility compared with python-chess."""

import chess
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import find
from tests.engine.games.chess import positions

CHESS = find("chess")
STANDARD = CHESS.evaluations["kendall-whitwell"]


def seen(fen: str) -> tuple[int, ...]:
    return CHESS.vector(CHESS.parse_position(fen), STANDARD)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_features_are_men_and_mobility_of_a_side_minus_the_opponents(seed: int) -> None:
    board = positions.thrown(seed)
    own = [len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)) for kind in chess.PIECE_TYPES]
    found = seen(board.fen())
    assert list(found[:6]) == own
    if not board.is_check():
        moves = board.legal_moves.count()
        board.push(chess.Move.null())
        assert found[6] == moves - board.legal_moves.count()


def test_features_are_from_the_view_of_the_side_to_move() -> None:
    fen = "4k3/8/8/8/8/8/PP6/R3K3 {} - - 0 1"
    white, black = (seen(fen.format(turn)) for turn in "wb")
    assert white[:6] == (2, 0, 0, 1, 0, 0)
    assert [-value for value in white] == list(black)
