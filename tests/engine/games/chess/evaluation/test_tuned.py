# SPDX-License-Identifier: GPL-3.0-or-later
"""The tuned evaluation: its terms, their values, and interpolation by game phase."""

import random
from dataclasses import replace
from itertools import islice

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import find
from engine.games.chess.evaluation.tuned.tables import LEAST, MOST
from engine.games.chess.evaluation.tuned.terms import TERM_NAMES
from tests.engine.games.chess import positions

CHESS = find("chess")
HOUSE = CHESS.evaluations["tuned"]
seeds = st.integers(0, 2**32)


def score(fen: str) -> int:
    return CHESS.score(CHESS.parse_position(fen), HOUSE)


def shares(fen: str, name: str) -> tuple[int, int]:
    """How often a term counts, in parts of UNIT: in the middle game and in the end game."""
    vector = CHESS.vector(CHESS.parse_position(fen), HOUSE)
    place = 2 * TERM_NAMES.index(name)
    return vector[place], vector[place + 1]


def times(fen: str, name: str) -> float:
    """How often a term counts, as often as that the mover moves, which counts once."""
    return sum(shares(fen, name)) / sum(shares(fen, "to move"))


@settings(max_examples=200, deadline=None)
@given(seed=seeds, played=st.booleans())
def test_a_score_is_weights_times_features(seed: int, played: bool) -> None:
    chance = random.Random(seed)
    weights = tuple(chance.randint(LEAST, MOST) for _ in HOUSE.weights)
    evaluation = replace(HOUSE, weights=weights)
    board = next(islice(positions.game(seed), seed % 50, None), None) if played else positions.thrown(seed)
    if board is not None:
        state = CHESS.parse_position(board.fen())
        assert CHESS.score(state, evaluation) == evaluation.score(CHESS.vector(state, evaluation))


@settings(max_examples=100, deadline=None)
@given(seed=seeds)
def test_mirrored_positions_have_equal_scores(seed: int) -> None:
    board = positions.thrown(seed)
    assert score(board.fen()) == score(board.mirror().fen())


def test_the_start_is_worth_the_bonus_of_the_side_to_move() -> None:
    assert score(chess.STARTING_FEN) == HOUSE.weights[2 * TERM_NAMES.index("to move")]


@pytest.mark.parametrize(
    ("name", "fen", "expected"),
    [
        ("pawn", "4k3/p7/8/8/8/8/PPP5/4K3 w - - 0 1", 2),
        ("pawn", "4k3/p7/8/8/8/8/PPP5/4K3 b - - 0 1", -2),
        ("pair of bishops", "4k1n1/8/8/8/8/8/P7/2B1KB2 w - - 0 1", 1),
        ("pair of bishops", "4k1n1/8/8/8/8/8/P7/2B1K1B1 w - - 0 1", 0),
        ("square that a knight sees", "4k3/8/8/8/8/8/P7/N3K3 w - - 0 1", 2),
        ("square that a knight sees", "4k3/8/p7/8/8/8/P7/N3K3 w - - 0 1", 2),
        ("square that a bishop sees", "4k3/8/8/2p5/8/8/P7/B3K3 w - - 0 1", 6),
        ("square that a rook sees", "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", 3),
        ("square that a queen sees", "4k3/8/8/8/8/8/P7/Q3K3 w - - 0 1", 10),
        ("knight on an outpost", "4k3/8/8/3N4/2P5/8/8/4K3 w - - 0 1", 1),
        ("knight on an outpost", "4k3/4p3/8/3N4/2P5/8/8/4K3 w - - 0 1", 0),
        ("knight on an outpost", "4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", 0),
        ("outpost that a knight sees", "4k3/8/8/8/1NP5/8/8/4K3 w - - 0 1", 1),
        ("pawn on the colour of its bishop", "4k3/8/8/8/P7/1P6/2P5/1B2K3 w - - 0 1", 3),
        ("minor piece behind a pawn", "4k3/8/8/8/4P3/4N3/8/4K3 w - - 0 1", 1),
        ("rook on an open file", "4k3/1p6/8/8/8/8/1P6/R3K2R w - - 0 1", 2),
        ("rook on a half-open file", "4k3/p7/8/8/8/8/1P6/R3K2R w - - 0 1", 1),
        ("rook or queen on the seventh rank", "6k1/1R6/8/8/8/8/1P6/4K3 w - - 0 1", 1),
        ("rook or queen on the seventh rank", "8/1R6/6k1/8/8/8/1P6/4K3 w - - 0 1", 0),
        ("minor piece attacked by a pawn", "4k3/8/8/1n1b4/2P5/8/8/4K3 w - - 0 1", 2),
        ("rook or queen attacked by a pawn", "4k3/8/8/1q1r4/2P5/8/8/4K3 w - - 0 1", 2),
        ("rook attacked by a minor piece", "4k3/8/8/1r6/3N4/8/PPP5/4K3 w - - 0 1", 1),
        ("queen attacked by a rook", "4k3/8/8/3q4/3R4/8/8/4K3 w - - 0 1", 1),
        ("weak minor piece attacked by a minor piece", "4k3/8/8/3n4/8/1B6/P7/4K3 w - - 0 1", 1),
        ("weak minor piece attacked by a minor piece", "4k3/8/4p3/3n4/8/1B6/P7/4K3 w - - 0 1", 0),
        ("weak minor piece attacked by a rook", "4k3/8/8/3n4/3R4/8/P7/4K3 w - - 0 1", 1),
        ("weak pawn attacked by a minor piece", "4k3/8/8/3p4/8/1B6/P7/4K3 w - - 0 1", 1),
        ("weak pawn attacked by a rook", "4k3/8/8/3p4/3R4/8/P7/4K3 w - - 0 1", 1),
        ("man that a pawn's safe step attacks", "4k3/8/8/3n4/8/2P5/8/4K3 w - - 0 1", 1),
        ("man that a pawn's safe step attacks", "4k3/8/1p6/3n4/8/2P5/8/4K3 w - - 0 1", 1),
        ("man that a pawn's safe step attacks", "4k3/8/8/1p1n4/8/2P5/8/4K3 w - - 0 1", 0),
        ("square that the other sees and cannot hold", "4k3/4p3/8/8/8/8/P7/4KR2 w - - 0 1", 2 - 3),
        ("square from which a knight attacks the queen", "3qk3/8/8/8/3N4/8/P7/4K3 w - - 0 1", 2),
        ("square from which a slider attacks the queen", "4k3/8/8/3q4/8/2N5/P7/1B2K3 w - - 0 1", 1),
        ("square from which a slider attacks the queen", "4k3/8/8/3q4/8/8/P7/1B2K3 w - - 0 1", 0),
        ("space", "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", 21),
        ("pawn that hangs", "4k3/8/8/3p4/3R4/8/8/4K3 w - - 0 1", 1),
        ("pawn that hangs", "4k3/8/4p3/3p4/3R4/8/8/4K3 w - - 0 1", 0),
        ("piece that hangs", "4k3/8/8/3n4/3R4/8/P7/4K3 w - - 0 1", 1),
        ("piece attacked by the king", "4k3/8/8/8/8/8/3nPPP1/4K3 w - - 0 1", 1),
        ("doubled pawn", "4k3/8/8/8/P7/P7/P7/4K3 w - - 0 1", 2),
        ("isolated pawn", "4k3/8/8/8/8/8/P1PP4/4K3 w - - 0 1", 1),
        ("isolated pawn on a half-open file", "4k3/p7/8/8/8/8/P1P5/4K3 w - - 0 1", 1),
        ("backward pawn", "4k3/8/8/1p6/2P5/8/3P4/4K3 w - - 0 1", 0),
        ("backward pawn", "4k3/8/8/4p3/2P5/8/3P4/4K3 w - - 0 1", 0),
        ("backward pawn", "4k3/8/8/4p3/2P5/3P4/8/4K3 w - - 0 1", 1),
        ("supported pawn", "4k3/8/8/8/8/2P5/1P1P4/4K3 w - - 0 1", 1),
        ("pawn beside a pawn", "4k3/8/8/8/8/8/PP1P4/4K3 w - - 0 1", 2),
        ("supported pawn beyond the middle", "4k3/8/8/2P5/1P6/8/8/4K3 w - - 0 1", 1),
        ("passed pawn, 5", "4k3/8/8/P7/P7/8/8/4K3 w - - 0 1", 1),
        ("passed pawn, 4", "4k3/8/8/P7/P7/8/8/4K3 w - - 0 1", 0),
        ("passed pawn, 5", "4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1", 0),
        ("passed pawn, 5", "4k3/8/8/Pp6/8/8/8/4K3 w - - 0 1", 1),
        ("passed pawn that can step, 5", "4k3/8/n7/P7/8/8/8/4KN2 w - - 0 1", 0),
        ("passed pawn that can step, 5", "n3k3/8/8/P7/8/8/8/4KN2 w - - 0 1", 1),
        ("passed pawn with a free way, 5", "4k3/n7/8/P7/8/8/8/4KN2 w - - 0 1", 0),
        ("passed pawn with a free way, 5", "4k3/8/8/P7/8/8/8/4K3 w - - 0 1", 1),
        ("own king's distance from a passed pawn, 5", "4k3/8/8/P7/8/8/8/4K3 w - - 0 1", 5),
        ("other king's distance from a passed pawn, 5", "4k3/8/8/P7/8/8/8/4K3 w - - 0 1", 4),
        ("rook behind a passed pawn", "4k3/8/8/P7/8/8/8/R3K3 w - - 0 1", 1),
        ("pawn just before the king", "4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", 3),
        ("pawn two ranks before the king", "4k3/8/8/8/8/6P1/5P1P/6K1 w - - 0 1", 1),
        ("file at the king without an own pawn", "4k3/7p/8/8/8/8/5P2/6K1 w - - 0 1", 2 - 3),
        ("file at the king without a pawn", "4k3/7p/8/8/8/8/5P2/6K1 w - - 0 1", 1 - 2),
        ("enemy pawn two ranks from the king", "k7/8/8/8/8/6p1/8/6K1 w - - 0 1", 1),
        ("right to castle", "4k3/8/8/8/8/8/P7/R3K2R w KQ - 0 1", 2),
        ("wing of the other king without a pawn", "k7/p7/8/8/8/8/8/4K3 w - - 0 1", 0 - 1),
        ("square attacked on the other king's wing", "k7/8/8/8/8/8/8/2R1K3 w - - 0 1", 5),
        # unrest 37, a safe check of the rook 1080, ten squares more seen 40, five of the wing defended -20: step 17
        ("king in danger, no queen, 18", "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", 1),
        # unrest 37, a check that the knight takes 150, four squares more 16, eight defended -32, the guard -100
        ("king in danger, no queen, 2", "4k3/8/1n6/8/8/8/8/R3K3 w - - 0 1", 1),
        ("bare king's distance from the centre", "k7/8/8/8/8/8/8/1R2K3 w - - 0 1", 3),
        ("bare king's distance from the other", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 7),
        ("bare king's distance from the bishop's corner", "k7/8/8/8/8/8/8/1BN1K3 w - - 0 1", 0),
        ("bare king's distance from the bishop's corner", "8/8/8/8/8/8/2k5/K1BN4 w - - 0 1", 2),
        ("knight on b1 or g1", "4k3/8/8/8/8/8/P7/1N2K1N1 w - - 0 1", 2),
        ("king on e1", "4k3/8/8/8/8/8/P7/1N2K1N1 w - - 0 1", 0),
        ("pawn on a2", "4k3/8/8/8/8/8/P7/1N2K1N1 w - - 0 1", 1),
    ],
)
def test_values_of_terms(name: str, fen: str, expected: int) -> None:
    assert times(fen, name) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    ("fen", "middle", "end"),
    [
        (chess.STARTING_FEN, 64 * 64, 0),
        ("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 0, 64 * 64),
        ("4k3/3b4/8/8/8/8/PP1B4/4K3 w - - 0 1", 64 * 5, 59 * 36),
        ("4k3/3bn3/8/8/8/8/PP1BN3/4K3 w - - 0 1", 64 * 10, 54 * 52),
        ("4k3/3b4/8/8/8/8/PP2B3/4K3 w - - 0 1", 64 * 5, 59 * 46),
        ("4k3/3b4/8/8/8/8/8/R3K3 w - - 0 1", 64 * 8, 56 * 6),
        ("4k3/pp6/8/8/8/8/8/N3K3 w - - 0 1", 64 * 2, 62 * 20),
        ("4k3/ppp5/8/8/8/8/8/N3K3 w - - 0 1", 64 * 2, 62 * 32),
        ("4k3/pp6/8/8/8/8/8/R3K3 w - - 0 1", 64 * 5, 59 * 32),
    ],
)
def test_the_game_phase_interpolates_between_two_weights(fen: str, middle: int, end: int) -> None:
    assert shares(fen, "to move") == (middle, end)


def test_attacks_on_the_king_lower_the_score() -> None:
    peace = score("6k1/5ppp/8/8/8/8/q4PPP/3RR1K1 w - - 0 1")
    fire = score("6k1/5ppp/8/8/8/7q/5P1P/3RR1K1 w - - 0 1")
    assert fire < peace


def test_weights_out_of_range_or_of_the_wrong_number_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'king on h8' must be -128 to 127"):
        replace(HOUSE, weights=(*HOUSE.weights[:-1], 128)).words()
    with pytest.raises(ValueError, match="got 3"):
        replace(HOUSE, weights=(1, 2, 3)).words()
