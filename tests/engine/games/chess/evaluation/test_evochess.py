# SPDX-License-Identifier: GPL-3.0-or-later
"""The terms of EvoChess's evaluation, and the ranges of their weights."""

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import find
from engine.games.chess.evaluation.evochess import TERM_LIST, UNIT
from tests.engine.games.chess import positions

CHESS = find("chess")
EVOCHESS = CHESS.evaluations["evochess"]
NAMES = EVOCHESS.terms.names


def times(fen: str, name: str) -> float:
    return CHESS.vector(CHESS.parse_position(fen), EVOCHESS)[NAMES.index(name)] / UNIT


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_score_is_weights_times_features_for_both_colours(seed: int) -> None:
    board = positions.thrown(seed)
    state = CHESS.parse_position(board.fen())
    score = CHESS.score(state, EVOCHESS)
    assert score == EVOCHESS.score(CHESS.vector(state, EVOCHESS))
    assert score == CHESS.score(CHESS.parse_position(board.mirror().fen()), EVOCHESS)
    men = [len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)) for kind in range(1, 6)]
    assert [times(board.fen(), name) for name in NAMES[:5]] == men


def test_the_start_is_even() -> None:
    assert CHESS.score(CHESS.start(), EVOCHESS) == 0


def test_defaults_lie_in_their_ranges() -> None:
    assert len(TERM_LIST) == 21
    assert EVOCHESS.weights[-1] == 0, "what is ours weighs nothing unless somebody wants it to"
    for term, weight, (low, high) in zip(TERM_LIST, EVOCHESS.weights, EVOCHESS.terms.ranges, strict=True):
        assert low <= weight == term.default <= high


@pytest.mark.parametrize(
    ("name", "fen", "expected"),
    [
        ("bishop on its first square", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", -2),
        ("pawn in the centre", "4k3/8/8/4p3/3PP3/8/8/4K3 w - - 0 1", 1),
        ("doubled pawn", "4k3/8/8/8/P7/P7/P7/4K3 w - - 0 1", -2),
        ("passed pawn", "4k3/p7/8/8/8/8/P1P5/4K3 w - - 0 1", 1),
        ("passed pawn", "4k3/p7/8/8/8/8/1P6/4K3 w - - 0 1", 0),
        ("backward pawn", "4k3/8/5p2/4p3/2P5/3P4/8/4K3 w - - 0 1", -1),
        ("pair of bishops", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", 1),
        ("pair of bishops", "4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", 0),
        ("knight that reaches more than six squares", "4k3/8/8/8/3N4/8/8/N3K3 w - - 0 1", 1),
        ("knight that reaches more than six squares", "4k3/8/2P1P3/8/3N4/8/8/4K3 w - - 0 1", 0),
        ("knight in a closed position", "4k3/8/2pp4/2PPpp2/5P2/8/8/N3K3 w - - 0 1", 1),
        ("knight in a closed position", "4k3/8/2pp4/2PPp3/5P2/8/8/N3K3 w - - 0 1", 0),
        ("knight in the end game against pawns on both wings", "4k3/p6p/8/8/8/8/8/N3K3 w - - 0 1", -1),
        ("knight in the end game against pawns on both wings", "4k3/p7/8/8/8/8/8/N3K3 w - - 0 1", 0),
        ("knight in the end game against pawns on both wings", "qq2k3/p6p/8/8/8/8/8/NQQQK3 w - - 0 1", 0),
        ("rook on a half-open file", "4k3/p7/8/8/8/8/1P6/R3K2R w - - 0 1", 2),
        ("rook with another advantage", "4k3/p7/8/8/8/8/1P6/R3K2R w - - 0 1", 1),
        ("rook with another advantage", "4k3/pR6/8/8/8/8/1P6/4K3 w - - 0 1", 1),
        ("rook on the file of a passed pawn", "4k3/8/8/8/P7/8/8/R3K2R w - - 0 1", 1),
        ("king off its first rank before the end game", "qqq1k3/8/8/8/8/8/4K3/QQQ5 w - - 0 1", -1),
        ("king off its first rank before the end game", "4k3/8/8/8/8/8/4K3/Q7 w - - 0 1", 0),
        ("castled king", "rqq1kqnr/8/8/8/8/8/5PPP/QQ3RK1 w - - 0 1", 1),
        ("castled king", "rqq1kqnr/8/8/8/8/8/5PPP/QQ4KR w - - 0 1", 0),
        ("castled king", "rqq1kqnr/8/8/8/8/8/5PPP/2KR2QQ w - - 0 1", 1),
        ("castled king", "2kr1qnr/8/8/8/8/8/5PPP/3KR1QQ w - - 0 1", -1),
        ("pawn near promotion in the end game", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 1),
        ("pawn near promotion in the end game", "4k3/8/8/P7/8/8/8/4K3 w - - 0 1", 0.25),
        ("pawn near promotion in the end game", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 0),
        ("pawn near promotion in the end game", "qqq1k3/8/8/P7/8/8/8/QQQ1K3 w - - 0 1", 0),
        ("hunted king", "7k/8/8/8/8/8/8/KQ6 w - - 0 1", 9 / UNIT),
        ("hunted king", "7k/8/6K1/8/8/8/8/2Q5 w - - 0 1", 14 / UNIT),
        ("hunted king", "7K/8/6k1/8/8/8/8/q7 w - - 0 1", -14 / UNIT),
        ("hunted king", "8/p4r2/8/4k3/8/2K5/8/Q7 w - - 0 1", 5 / UNIT),
        ("hunted king", "8/p7/8/4k3/8/2K5/P7/8 w - - 0 1", 0),
        ("hunted king", "8/5b2/8/4k3/8/2K5/8/R7 w - - 0 1", 0),
        ("hunted king", "8/2b2r2/8/4k3/8/2K5/8/Q6R w - - 0 1", 0),
    ],
)
def test_values_of_terms(name: str, fen: str, expected: float) -> None:
    assert chess.Board(fen).is_valid()
    assert times(fen, name) == expected
