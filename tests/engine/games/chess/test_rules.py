# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of chess compared with python-chess, in random games and in random positions."""

import itertools
from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import find
from engine.games.chess import rules
from engine.hints.alphabeta import gain
from engine.kernel import compiled
from engine.match.ending import Termination
from engine.match.machine import Match
from engine.rules import Draws
from tests.engine.games.chess import agreement, positions
from tests.engine.games.chess.agreement import follow, look

CHESS = find("chess")
seeds = st.integers(0, 2**32)


@compiled
def points(state: Any, move: int) -> int:
    return gain(state, move)


def texts(fen: str) -> set[str]:
    return set(CHESS.move_texts(look(fen)))


def agree(board: chess.Board) -> None:
    """Hold a position against the oracle."""
    agreement.on_rules(board)
    agreement.on_position(board)


@settings(max_examples=4, deadline=None)
@given(seed=seeds)
def test_random_games_agree_with_python_chess(seed: int) -> None:
    for board in positions.game(seed):
        agree(board)


@settings(max_examples=250, deadline=None)
@given(seed=seeds)
def test_random_positions_agree_with_python_chess(seed: int) -> None:
    agree(positions.thrown(seed))


@settings(max_examples=150, deadline=None)
@given(seed=seeds, choice=st.integers(0, 300))
def test_a_move_leads_to_the_same_position(seed: int, choice: int) -> None:
    board = positions.thrown(seed)
    position = look(board.fen())
    if not position.over:
        move = position.moves[choice % len(position.moves)]
        follow(board, position, CHESS.format_move(position.state, move))
        agree(board)


# ---------------------------------------------------------------- by example


def test_en_passant_that_exposes_the_king_is_illegal() -> None:
    assert "b5c6" not in texts("8/8/8/K1Pp3r/8/8/8/7k w - d6 0 1")
    assert "e5d6" in texts("8/8/8/3pP3/8/k7/8/K7 w - d6 0 1")
    assert "c5d6" not in texts("8/8/8/K1Pp3r/8/8/8/7k w - d6 0 1")


def test_an_unusable_en_passant_square_does_not_change_the_position() -> None:
    plain = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert look(plain) == look(plain.replace("KQkq -", "KQkq e3"))
    pinned = "8/8/8/K1Pp3r/8/8/8/7k w - d6 0 1"
    assert look(pinned) == look(pinned.replace("d6", "-"))
    able = "8/8/8/2Pp4/8/8/8/K6k w - d6 0 1"
    assert look(able).key != look(able.replace("d6", "-")).key
    # and so by a move: the pawn that could capture is pinned on its rank
    board = chess.Board("8/3p4/8/K1P4r/8/8/8/7k b - - 0 1")
    after = follow(board, look(board.fen()), "d7d5")
    assert after.key == look("8/8/8/K1Pp3r/8/8/8/7k w - - 0 1").key


def test_castling_rights_distinguish_positions_and_are_never_regained() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w {} - 0 1"
    rights = ("KQkq", "KQ", "kq", "Kq", "K", "-")
    assert len({look(fen.format(right)).key for right in rights}) == len(rights)
    board = chess.Board(fen.format("KQkq"))
    position = look(board.fen())
    for uci in ("e1e2", "e8e7", "e2e1", "e7e8"):
        position = follow(board, position, uci)
    assert position.key == look(fen.format("-")).key
    board = chess.Board(fen.format("KQkq"))
    position = look(board.fen())
    for uci in ("h1h8", "e8e7", "h8h1", "e7e8"):
        position = follow(board, position, uci)
    assert CHESS.format_position(position.state).split()[2] == "Q"


def test_a_rook_may_move_to_the_square_whose_bit_stores_the_side_to_move() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/4K2R b q - 0 1")
    position = follow(board, look(board.fen()), "a8a4")
    assert (position.to_move, board.turn) == (0, chess.WHITE)


def test_a_king_does_not_castle_out_of_through_or_into_check() -> None:
    assert {"e1g1", "e1c1"} <= texts("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert not {"e1g1", "e1c1"} & texts("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1")
    assert "e1g1" not in texts("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1")
    assert "e1c1" not in texts("4k3/8/8/8/2r5/8/8/R3K2R w KQ - 0 1")
    assert "e1c1" in texts("4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1")
    assert "e1c1" not in texts("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1")


@pytest.mark.parametrize(
    ("fen", "payoffs"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", (-1.0, 1.0)),
        ("R6k/6pp/8/8/8/8/8/7K b - - 0 1", (1.0, -1.0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", (0.0, 0.0)),
        ("8/8/8/4k3/8/8/8/4K3 w - - 0 1", (0.0, 0.0)),
        ("8/8/8/4k3/8/8/5N2/4K3 w - - 0 1", (0.0, 0.0)),
        ("8/8/2b5/4k3/8/8/6B1/4K3 w - - 0 1", (0.0, 0.0)),
    ],
    ids=["fool's mate", "back rank", "stalemate", "kings", "a knight", "bishops of one colour"],
)
def test_games_end(fen: str, payoffs: tuple[float, float]) -> None:
    position = look(fen)
    assert position.over
    assert position.payoffs == payoffs


@pytest.mark.parametrize("men", ["N3n3", "NN6", "B2b4", "P7", "R7", "Q7"])
def test_material_that_could_still_mate(men: str) -> None:
    assert not look(f"8/8/8/4k3/8/8/{men}/4K3 w - - 0 1").over


def test_the_largest_known_number_of_moves_fits_the_buffer() -> None:
    record = look("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(record.moves) == 218 <= CHESS.width


# ---------------------------------------------------------------- draws by history


def test_fifty_moves_without_capture_or_pawn_move_are_a_draw() -> None:
    draws = Draws(no_progress_plies=CHESS.draws.no_progress_plies)
    match = Match(CHESS, start="4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", draws=draws)
    # castling, and losing the rights to it, are quiet: the count goes on
    match.play(0, "e1g1")
    for uci in itertools.cycle(["e8e7", "a1b1", "e7e8", "b1a1"]):
        if match.to_move is not None:
            match.play(match.to_move, uci)
        else:
            break
    assert match.ending is not None
    assert (match.ending.termination, match.ply) == (Termination.NO_PROGRESS, 100)


def test_threefold_repetition_is_a_draw() -> None:
    match = Match(CHESS)
    for ply, uci in enumerate(["g1f3", "g8f6", "f3g1", "f6g8"] * 2):
        match.play(ply % 2, uci)
    assert match.ending is not None
    assert match.ending.termination is Termination.REPETITION


# ---------------------------------------------------------------- what search asks


def test_immediate_gains_of_moves() -> None:
    position = look("1r2k3/P7/8/3pP3/2q5/1P6/8/4K3 w - d6 0 1")
    wins = {text: points(position.state, move) for text, move in CHESS.move_texts(position).items()}
    pawn, queen = rules.PAWN_VALUE, rules.QUEEN_VALUE
    assert wins["b3c4"] == queen - 1
    assert wins["e5d6"] == pawn - 1
    assert wins["a7a8q"] == queen - pawn
    assert wins["a7b8q"] == rules.ROOK_VALUE - 1 + queen - pawn
    assert wins["a7a8n"] == rules.KNIGHT_VALUE - pawn
    assert wins["e1d2"] == 0
