# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of chess openings by position, and the opening of a match by its moves."""

import chess

from arena.watching.opening_names import LONGEST, OpeningName, name_of, named_opening
from engine.games import find

NAJDORF = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6", "b1c3", "a7a6"]
NAME = OpeningName("B90", "Sicilian Defense: Najdorf Variation")


def test_the_last_named_position_counts() -> None:
    further = [*NAJDORF, "a2a3", "h7h6", "h2h3", "h6h5", "h3h4", "a6a5", "a3a4"]
    found = named_opening(find("chess"), None, further)
    assert (found.name, found.plies, found.said[:3]) == (NAME, 10, ("e4", "c5", "Nf3"))
    assert len(found.said) == len(further)


def test_another_order_of_moves_leads_to_the_same_name() -> None:
    swapped = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "g8f6", "b1c3", "c5d4", "f3d4", "a7a6"]
    assert named_opening(find("chess"), None, swapped).name == NAME


def test_a_match_may_begin_in_a_named_position() -> None:
    board = chess.Board()
    for move in NAJDORF:
        board.push_uci(move)
    found = named_opening(find("chess"), board.fen(), ["h2h4"])
    assert (found.name, found.plies, found.said) == (NAME, 0, ("h4",))


def test_en_passant_squares_do_not_matter() -> None:
    position = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq"
    assert name_of(f"{position} c6 0 2") == name_of(f"{position} - 0 2") == ("B20", "Sicilian Defense")


def test_the_start_and_other_games_have_no_name() -> None:
    assert name_of(chess.STARTING_FEN) is None
    assert named_opening(find("chess"), None, []).name is None
    found = named_opening(find("tictactoe"), None, ["b2", "a1"])
    assert (found.name, found.plies, found.said) == (None, 0, ("b2", "a1"))


def test_a_long_match_is_read_in_part() -> None:
    knights = ["g1f3", "g8f6", "f3g1", "f6g8"] * 20
    assert len(named_opening(find("chess"), None, knights).said) == LONGEST
