# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats are found by name and by game."""

import pytest

from engine import formats
from engine.formats import find, suite
from engine.formats.suite import Opening


def test_formats_are_discovered() -> None:
    assert {"jsonl", "pdn", "pgn"} <= set(formats.catalogue())
    assert all(formats.find(name).name == name for name in formats.catalogue())
    with pytest.raises(KeyError, match="jsonl"):
        formats.find("doc")


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("chess", "pgn"),
        ("checkers", "pdn"),
        ("othello/6x6", "ggf"),
        ("checkers/lecture", "pdn"),
        ("tictactoe", "jsonl"),
        ("unheard-of", "jsonl"),
    ],
)
def test_a_game_has_its_own_format_or_json_lines(game: str, name: str) -> None:
    assert formats.native(game).name == name


GAMES = '1. e4 e5 2. Nf3 Nc6 *\n\n[Event "2"]\n1. e4 e5 2. Nc3 *\n\n[Event "3"]\n1. d4 *\n\n[Event "4"]\n1. d4 f5 *\n'


def test_positions_are_openings() -> None:
    text = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n"
    assert list(suite.from_positions([text])) == [Opening("4k3/8/8/8/8/8/8/4K2R w K - 0 1")]


def test_the_first_moves_of_games_are_openings_once_each() -> None:
    lines = GAMES.splitlines()
    found = [list(suite.from_records(find("pgn"), lines, plies)) for plies in (2, 3)]
    assert [[opening.moves for opening in openings] for openings in found] == [
        [("e2e4", "e7e5"), ("d2d4", "f7f5")],
        [("e2e4", "e7e5", "g1f3"), ("e2e4", "e7e5", "b1c3")],
    ]


def test_plies_are_not_negative() -> None:
    with pytest.raises(ValueError, match="got -1"):
        list(suite.from_records(find("pgn"), [], -1))
