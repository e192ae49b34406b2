# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats are found by name, and by game."""

import pytest

from engine import formats


def test_formats_are_found_by_themselves() -> None:
    assert {"jsonl", "pdn", "pgn"} <= set(formats.catalogue())
    assert all(formats.find(name).name == name for name in formats.catalogue())
    with pytest.raises(KeyError, match="jsonl"):
        formats.find("doc")


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("chess", "pgn"),
        ("checkers", "pdn"),
        ("checkers/lecture", "pdn"),
        ("tictactoe", "jsonl"),
        ("unheard-of", "jsonl"),
    ],
)
def test_a_game_has_a_format_of_its_own_or_the_general_one(game: str, name: str) -> None:
    assert formats.native(game).name == name
