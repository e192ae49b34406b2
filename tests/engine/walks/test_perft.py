# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaf counts: published ones, and agreement with a slow count."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game, Position
from engine.games import catalogue, find
from engine.walks.perft import divide, perft
from tests.perft.tables import TABLES, Table


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_leaf_counts_agree_with_published_ones(table: Table) -> None:
    game, state = table.root()
    assert tuple(perft(game, state, depth) for depth in range(len(table.leaves))) == table.leaves


def listed(game: Game, position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if position.over:
        return int(game.ended_leaves)
    return sum(listed(game, game.play(position, move), depth - 1) for move in position.moves)


@pytest.mark.parametrize("name", catalogue())
@settings(max_examples=10, deadline=None)
@given(plies=st.lists(st.integers(0, 100), max_size=60))
def test_leaf_counts_agree_with_a_slow_count(name: str, plies: list[int]) -> None:
    game = find(name)
    position = game.look(game.start())
    for choice in plies:
        if position.moves:
            position = game.play(position, position.moves[choice % len(position.moves)])
    for depth in range(3):
        assert perft(game, position.state, depth) == listed(game, position, depth)
    assert sum(divide(game, position.state, 2).values()) == listed(game, position, 2)


def test_divide_names_each_move() -> None:
    game = find("checkers")
    leaves = divide(game, game.start(), 9)
    assert sorted(leaves) == ["10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"]
    assert sum(leaves.values()) == perft(game, game.start(), 9)


@pytest.mark.parametrize(("count", "depth"), [(perft, -1), (divide, 0)])
def test_an_invalid_depth_is_refused(count: Any, depth: int) -> None:
    game = find("tictactoe")
    with pytest.raises(ValueError, match="depth"):
        count(game, game.start(), depth)
