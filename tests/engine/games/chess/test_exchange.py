# SPDX-License-Identifier: GPL-3.0-or-later
"""Static exchange evaluation against its definition, played out on python-chess's board."""

from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import exchange_reaches
from engine.games import find
from engine.kernel import compiled
from tests.engine.games.chess import positions
from tests.engine.games.chess.agreement import look

CHESS = find("chess")
VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 330,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}
ORDER = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]


@compiled
def reaches(state: Any, move: int, least: int) -> bool:
    return exchange_reaches(state, move, least)


def answer(board: chess.Board, square: int, mover: chess.Color) -> int:
    """Return what the side to move wins by capturing on a square, at least 0.

    Which of two equal pieces captures first matters (another may stand behind one of them): it is the one that is
    nearest to the first rank of the player whose move is looked at, then to the a-file.
    """
    attackers = board.attackers(board.turn, square)
    if not attackers:
        return 0

    def order(place: int) -> tuple[int, int]:
        seen = place if mover == chess.WHITE else chess.square_mirror(place)
        return ORDER.index(board.piece_type_at(place) or 0), seen

    origin = min(attackers, key=order)
    kind = board.piece_type_at(origin) or 0
    if kind == chess.KING and board.attackers(not board.turn, square):
        return 0
    taken = board.piece_type_at(square) or 0
    after = board.copy(stack=False)
    piece = after.remove_piece_at(origin)
    after.set_piece_at(square, piece)
    after.turn = not board.turn
    return max(0, VALUES[taken] - answer(after, square, mover))


def exchange(board: chess.Board, move: chess.Move) -> int:
    """Return what a move wins."""
    if board.is_castling(move):
        return 0
    won = 100 if board.is_en_passant(move) else VALUES[board.piece_type_at(move.to_square) or chess.KING]
    if move.promotion:
        won += VALUES[move.promotion] - 100
    after = board.copy(stack=False)
    after.push(move)
    return won - answer(after, move.to_square, board.turn)


def agree(board: chess.Board) -> None:
    position = look(board.fen())
    for text, move in CHESS.move_texts(position).items():
        value = exchange(board, chess.Move.from_uci(text))
        state = CHESS.pack(position.state)
        for least in (value - 30, value):
            assert reaches(state, move, least), (board.fen(), text, value, least)
        for least in (value + 1, value + 200):
            assert not reaches(state, move, least), (board.fen(), text, value, least)


@settings(max_examples=1000, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_exchange_is_worth_what_playing_it_out_is(seed: int) -> None:
    board = positions.thrown(seed)
    if board.is_valid() and any(board.legal_moves):
        agree(board)


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -230),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 800),
    ],
)
def test_well_known_exchanges(fen: str, move: str, value: int) -> None:
    """The first two are examples that books on chess programming use, with a knight worth what it is here."""
    assert exchange(chess.Board(fen), chess.Move.from_uci(move)) == value
    agree(chess.Board(fen))
