# SPDX-License-Identifier: GPL-3.0-or-later
"""Worked examples of the lectures, and known values of small games."""

import math
from typing import Any

import pytest

from engine.evaluation import Evaluation
from engine.game import Game
from engine.games import find
from engine.games.tree import from_lists
from engine.search import ALGORITHMS, Limits, Searcher, Switch
from tests.engine.search.oracle import static

OUTCOME_ONLY = Evaluation("outcome", (0,), win=1, sooner=0)
EXACT = [name for name, algorithm in ALGORITHMS.items() if not algorithm.switches & Switch.QUIESCENCE]

exact = pytest.mark.parametrize("algorithm", EXACT)


def values(game: Game, position: str, depth: int, evaluation: str) -> dict[str, int]:
    """Return each root move's backed-up value, seen by the seat to move at the root."""
    root = game.look(game.parse_position(position))
    searcher = Searcher(game, "minimax", evaluation)
    backed_up = {}
    for text, move in game.move_texts(root).items():
        child = game.play(root, move)
        if depth == 1:
            # a search is at least one ply deep
            backed_up[text] = -static(game, game.evaluations[evaluation], child)
        else:
            backed_up[text] = -searcher.search(child.state, Limits(depth=depth - 1)).value
    return backed_up


def test_tictactoe_one_ply() -> None:
    found = values(find("tictactoe"), ".../.../...", 1, "open-lines")
    assert [found[square] for square in ("a1", "a3", "c1", "c3")] == [3] * 4
    assert [found[square] for square in ("a2", "b1", "b3", "c2")] == [2] * 4
    assert found["b2"] == 4


@exact
def test_tictactoe_two_plies(algorithm: str) -> None:
    game = find("tictactoe")
    found = values(game, ".../.../...", 2, "open-lines")
    assert [found[square] for square in ("a1", "a3", "c1", "c3")] == [-1] * 4
    assert [found[square] for square in ("a2", "b1", "b3", "c2")] == [-2] * 4
    assert found["b2"] == 1
    for depth in (1, 2):
        result = Searcher(game, algorithm).search(game.start(), Limits(depth=depth))
        assert result.move is not None
        assert game.format_move(game.start(), result.move) == "b2"


@exact
def test_tictactoe_is_a_draw(algorithm: str) -> None:
    game = find("tictactoe")
    assert Searcher(game, algorithm).search(game.start(), Limits(depth=9)).value == 0


@pytest.mark.parametrize("name", ["checkers", "checkers/lecture"])
def test_second_course_checkers(name: str) -> None:
    """The course's black moves toward square 1, as white does in the notation of the field."""
    game = find(name)
    position = "W:W20,21,K31:B23,K22"
    assert values(game, position, 3, "second-course") == {"20-16": 1, "21-17": 0, "31-26": -8, "31-27": -8}
    for algorithm in EXACT:
        result = Searcher(game, algorithm, "second-course").search(game.parse_position(position), Limits(depth=3))
        assert result.value == 1
        assert game.format_move(game.parse_position(position), result.pv[0]) == "20-16"


# ---------------------------------------------------------------- trees


@exact
def test_a_textbook_tree(algorithm: str) -> None:
    game = from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    result = Searcher(game, algorithm).search(game.start(), Limits(depth=2))
    assert result.value == 3
    assert result.pv == (0, 0)


def test_alpha_beta_cuts_the_expected_leaves_of_the_textbook_tree() -> None:
    """Two leaves of the second node are not looked at: the root, its three nodes and seven leaves are."""
    game = from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    assert Searcher(game, "alphabeta").search(game.start(), Limits(depth=2)).nodes == 11


def ordered(branching: int, depth: int, value: int, best: bool = True) -> Any:
    """Return a tree of which the first child is the best everywhere; ``value`` is the root's."""
    if depth == 0:
        return value
    worse = -1 if best else 1
    return [ordered(branching, depth - 1, value + worse * child, not best) for child in range(branching)]


def leaves_visited(branching: int, depth: int, algorithm: str) -> int:
    """Return how many leaves a search of the perfectly ordered tree visits."""
    game = from_lists(ordered(branching, depth, 0))
    nodes = Searcher(game, algorithm).search(game.start(), Limits(depth=depth)).nodes
    return nodes - inner_visited(branching, depth)


def inner_visited(branching: int, depth: int) -> int:
    """Return how many inner nodes alpha-beta visits in it: Knuth and Moore's sum, ply by ply."""
    return sum(branching ** math.ceil(ply / 2) + branching ** (ply // 2) - 1 for ply in range(depth))


def test_a_perfectly_ordered_tree_of_three_by_three_by_three() -> None:
    assert leaves_visited(3, 3, "alphabeta") == 11


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (2, 6), (2, 9), (3, 4), (3, 6), (4, 5), (6, 4)])
@pytest.mark.parametrize("algorithm", ["alphabeta", "ordering"])
def test_perfect_move_order_visits_the_minimum_of_leaves(algorithm: str, branching: int, depth: int) -> None:
    """Knuth and Moore 1975: b^ceil(d/2) + b^floor(d/2) - 1."""
    least = branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1
    assert leaves_visited(branching, depth, algorithm) == least


# ---------------------------------------------------------------- Grundy's Nim


LOST = [1, 2, 4, 7, 10, 20, 23, 26, 50, 53]
"""Piles up to 60 that are lost for who moves: Berlekamp, Conway and Guy, "Winning Ways"."""


@pytest.mark.parametrize(("first", "last"), [(1, 49), pytest.param(50, 60, marks=pytest.mark.long)])
def test_lost_piles(first: int, last: int) -> None:
    game = find("nim/60")
    searcher = Searcher(game, evaluation=OUTCOME_ONLY, switches=Switch.CUTS | Switch.TABLE, table_bits=21)
    piles = range(first, last + 1)
    values = [searcher.search(game.parse_position(str(pile)), Limits(depth=60)).value for pile in piles]
    assert set(values) <= {-1, 1}
    assert [pile for pile, value in zip(piles, values, strict=True) if value < 0] == [
        pile for pile in LOST if pile in piles
    ]


@exact
def test_a_pile_of_seven_is_lost(algorithm: str) -> None:
    game = find("nim/7")
    assert Searcher(game, algorithm).search(game.start(), Limits(depth=8)).value < 0
