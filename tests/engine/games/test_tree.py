# SPDX-License-Identifier: GPL-3.0-or-later
"""Game trees written as nested lists, in the searches for games."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import CHANCE
from engine.games import catalogue
from engine.games.tree import Dice, Nested, from_lists
from engine.search import ALGORITHMS, Limits, Searcher
from engine.walks.perft import perft
from tests.compiling import FRAME_OF_PLAY, marks

TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]

trees = st.recursive(st.integers(-9, 9), lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=25)


def minimax(nested: Nested, sign: int = 1) -> float:
    """The value for the seat to move, by its definition."""
    if isinstance(nested, Sequence):
        return max(-minimax(below, -sign) for below in nested)
    assert not isinstance(nested, Dice)
    return sign * nested


def test_moves_and_positions_are_paths_in_the_tree() -> None:
    game = from_lists(TEXTBOOK)
    root = game.look(game.start())
    assert list(game.move_texts(root)) == ["1", "2", "3"]
    leaf = game.play(game.play(root, 2), 0)
    assert game.format_position(leaf.state) == "3.1"
    assert leaf.over
    assert leaf.payoffs == (14.0, -14.0)
    assert game.look(game.parse_position("3.1")).key == leaf.key
    assert game.look(game.parse_position("root")).key == root.key
    assert [game.diagram(position.state) for position in (root, game.play(root, 0))] == ["^", "v"]
    assert perft(game, game.start(), 2) == 9


@pytest.mark.parametrize("text", ["", "4", "1.4", "1.1.1", "0", "x"])
def test_a_path_that_does_not_exist_is_refused(text: str) -> None:
    game = from_lists(TEXTBOOK)
    with pytest.raises(ValueError, match="not a path in this tree"):
        game.parse_position(text)


@pytest.mark.parametrize("nested", [[[1], []], [1, Dice(())]])
def test_a_node_without_children_is_refused(nested: Nested) -> None:
    with pytest.raises(ValueError, match="has children"):
        from_lists(nested)


def test_odds_below_1_are_refused() -> None:
    with pytest.raises(ValueError, match="odds of a child"):
        from_lists([Dice(((1, 5), (0, 7)))])


def test_a_chance_node_is_between_two_moves() -> None:
    game = from_lists([Dice(((3, [1, 2]), (1, 4))), 5])
    rolled = game.play(game.look(game.start()), 0)
    assert rolled.to_move == CHANCE
    assert game.odds(rolled) == (3, 1)
    assert game.diagram(rolled.state) == "o"
    assert game.play(rolled, 0).to_move == 1
    assert (game.chance, game.stakes) == (True, 5.0)
    assert not from_lists(TEXTBOOK).chance


@pytest.mark.parametrize("algorithm", [pytest.param(each, marks=marks("tree", each)) for each in ALGORITHMS])
def test_the_textbook_tree_is_worth_three(algorithm: str) -> None:
    game = from_lists(TEXTBOOK)
    found = Searcher(game, algorithm).search(game.start(), Limits(depth=2))
    assert (found.value, found.move) == (3, 0)


@pytest.mark.parametrize(
    "algorithms",
    [
        pytest.param(sorted({*ALGORITHMS} - {FRAME_OF_PLAY}), id="elsewhere"),
        pytest.param([FRAME_OF_PLAY], id="frame of play", marks=marks("tree")),
    ],
)
@settings(max_examples=40, deadline=None)
@given(nested=st.lists(trees, min_size=1, max_size=4), data=st.data())
def test_any_tree_is_worth_its_minimax_value(algorithms: list[str], nested: list[Nested], data: st.DataObject) -> None:
    game = from_lists(nested)
    found = Searcher(game, data.draw(st.sampled_from(algorithms))).search(game.start(), Limits(depth=30))
    assert found.value == minimax(nested)


def test_trees_are_not_in_the_list_of_games() -> None:
    assert not [name for name in catalogue() if name.startswith("tree")]
