# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards: coordinates stand at the edges unless a game says otherwise."""

import pytest

from engine.drawing import Board, edge_labels
from engine.games import catalogue


def test_coordinates_stand_at_the_edges() -> None:
    assert edge_labels(3, 4) == ("3", "", "", "", "2", "", "", "", "a1", "b", "c", "d")
    assert edge_labels(1, 28)[-3:] == ("z", "aa", "ab")
    assert Board(2, 2, "grid", {}).texts == ("2", "", "a1", "b")
    assert Board(2, 2, "heaps", {}).texts == ()
    assert Board(2, 2, "grid", {}, ()).texts == ()
    assert Board(1, 2, "grid", {}, ("x", "")).texts == ("x", "")


@pytest.mark.parametrize("name", [name for name, game in catalogue().items() if game.playable])
def test_every_listed_game_has_rules_for_people(name: str) -> None:
    game = catalogue()[name]
    assert len(game.rules) > 200
    assert game.link.startswith("https://")
