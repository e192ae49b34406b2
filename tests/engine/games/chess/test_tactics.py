# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess kernels for searches against python-chess, and static exchange evaluation against a recursive one."""

from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import ended, outcome
from engine.games import find
from engine.hints.alphabeta import AIMS, aim, can_pass, exchange_reaches, passed, tactical_moves, threatened
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
def test_captures_checks_and_results_agree_with_python_chess(seed: int) -> None:
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
def test_a_null_move_changes_the_side_to_move(seed: int) -> None:
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
    """Return the gain of the side to move by captures on a square, at least 0.

    Of two equal pieces the one nearest to the mover's first rank captures first, then the one nearest to the a-file.
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
    """Return the gain of a move after all recaptures."""
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
def test_static_exchange_evaluation_agrees_with_recursion(seed: int) -> None:
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
    """The first two are examples that books on chess programming use, with the value of a knight of this evaluation."""
    assert exchange(chess.Board(fen), chess.Move.from_uci(move)) == value
    agree(chess.Board(fen))
