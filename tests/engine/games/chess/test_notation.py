# SPDX-License-Identifier: GPL-3.0-or-later
"""FEN and SAN compared with python-chess; invalid texts and their error messages."""

from contextlib import suppress

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import find
from engine.games.chess import fen
from tests.engine.games.chess import agreement, positions
from tests.engine.games.chess.agreement import look, written

CHESS = find("chess")
seeds = st.integers(0, 2**32)


# ---------------------------------------------------------------- moves


@settings(max_examples=80, deadline=None)
@given(seed=seeds)
def test_moves_are_written_as_python_chess_writes_them(seed: int) -> None:
    agreement.on_moves(positions.thrown(seed))


def test_suffixes_of_check_and_mate() -> None:
    assert written(look("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"))["a1a8"] == "Ra8#"
    assert written(look("6k1/5pp1/7p/8/8/8/8/R3K3 w Q - 0 1"))["a1a8"] == "Ra8+"
    assert written(look("k7/8/2p5/8/8/8/6B1/4K3 w - - 0 1"))["g2c6"] == "Bxc6+"  # a draw: nobody can mate


@pytest.mark.parametrize(
    ("position", "texts", "uci"),
    [
        (fen.START, ["Nf3", "Ng1f3", "N1f3", "Ngf3", "Nf3!?", " Nf3 ", "Nf3+", "Ng1-f3", "g1f3"], "g1f3"),
        (fen.START, ["e4", "e2-e4", "e2e4", "e4!"], "e2e4"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["O-O", "0-0", "o-o", "OO", "0-0+", "Kg1", "e1g1"], "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["O-O-O", "0-0-0", "e1c1"], "e1c1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", ["exd6", "exd6e.p.", "exd6 ep", "e5d6", "e5xd6", "ed6"], "e5d6"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", ["a8=Q", "a8Q", "a8(Q)", "a8/Q", "a7a8q", "a7a8=Q", "a8q"], "a7a8q"),
        ("8/8/8/8/8/2n5/3P1N2/k3K3 w - - 0 1", ["dxc3", "d2xc3", "d2:c3", "dc3"], "d2c3"),
    ],
)
def test_several_spellings_of_a_move_are_read(position: str, texts: list[str], uci: str) -> None:
    at = look(position)
    for text in texts:
        assert CHESS.format_move(at.state, CHESS.parse_move(at, text)) == uci


@pytest.mark.parametrize(
    ("position", "text", "why"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O", "'O-O' is not a legal move here"),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "O-O-O", "not a legal move"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "not a legal move"),
        ("4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "Rd1", "Rd1 may come from a1, h1: write the square"),
        (fen.START, "e2e5", "not a legal move"),
        (fen.START, "Nf3 Nf6", "not a legal move"),
        (fen.START, "", "not a legal move"),
        (fen.START, "--", "not a legal move"),
        (fen.START, "e" * 100_000, "not a legal move"),
    ],
)
def test_invalid_moves_are_refused(position: str, text: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"legal|may come") as refused:
        CHESS.parse_move(look(position), text)
    assert why in str(refused.value)
    assert len(str(refused.value)) < 200


# ---------------------------------------------------------------- positions


@settings(max_examples=150, deadline=None)
@given(seed=seeds)
def test_positions_are_written_as_python_chess_writes_them(seed: int) -> None:
    agreement.on_position(positions.thrown(seed))


def test_move_counters_are_optional_and_not_stored() -> None:
    short = fen.START.removesuffix(" 0 1")
    for counters in ("", " 17", " 17 40", " 0 0"):
        assert CHESS.format_position(CHESS.parse_position(short + counters)) == fen.START


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is not a position; write FEN such as rnbq"),
        ("x" * 5_000_000, "is not a position"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "is not a position"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "a board has 8 ranks with / between them, not 7"),
        ("rnbqkbnr/pppppppp/8/8/7/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 4 has 7 squares, not 8"),
        ("rnbqkbnr/pppppppp/8/8/81/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 4 has 9 squares, not 8"),
        ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'x' in rank 7 is neither a piece nor a number"),
        ("rnbqkbnr/pppp０ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'０' in rank 7"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "black has no king"),
        ("8/8/8/8/8/8/8/k7 w - - 0 1", "white has no king"),
        ("KK6/8/8/8/8/8/8/k7 w - - 0 1", "white has 2 kings"),
        ("k7/8/8/8/P7/8/PPPPPPPP/K7 w - - 0 1", "white has 9 pawns; there are 8"),
        ("kqqqqqqq/qqqqqqqq/q7/8/8/8/8/7K w - - 0 1", "black has 17 men; there are 16"),
        ("kP6/8/8/8/8/8/8/K7 w - - 0 1", "a pawn cannot stand on b8"),
        ("k7/8/8/8/8/8/8/Kp6 w - - 0 1", "a pawn cannot stand on b1"),
        ("k7/8/8/8/8/8/8/K7 white - - 0 1", "'white' is not a side to move; write w or b"),
        ("k7/8/8/8/8/8/8/K7 w XY - 0 1", "'XY' are not castling rights"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "'KK' are not castling rights"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "white cannot have the right K to castle without a rook on h1"),
        ("r7/4k3/8/8/8/8/8/4K3 w q - 0 1", "black cannot have the right q to castle without a king on e8"),
        ("k7/8/8/8/8/8/8/K7 w - e3 0 1", "'e3' is not an en passant square; write one of rank 6, or -"),
        ("k7/8/8/8/8/8/8/K7 w - x6 0 1", "'x6' is not an en passant square"),
        ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "no pawn can have passed e6 with the last move"),
        ("k7/4p3/8/4p3/8/8/8/K7 w - e6 0 1", "no pawn can have passed e6 with the last move"),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "white is to move and could capture the king"),
        ("k6R/8/8/8/8/8/8/K7 w - - x 1", "'x' is not a number of plies without capture"),
        ("7k/8/8/8/8/8/8/K7 w - - 0 -1", "'-1' is not a number of moves"),
    ],
)
def test_invalid_positions_are_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        CHESS.parse_position(text)
    assert why in str(refused.value)
    assert len(str(refused.value)) < 250


@given(text=st.text("rnbqkpRNBQKP12345678/ wb-KQkqe36", max_size=90))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert chess.Board(CHESS.format_position(CHESS.parse_position(text))).kings
