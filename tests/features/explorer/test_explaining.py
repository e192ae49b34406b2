# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded searches visit the positions of the compiled searches, and say what happens there."""

import random

import pytest

from arena.features.explorer.counting import count
from arena.features.explorer.explaining import explain
from arena.features.explorer.tree import ExplainedNode, Explanation
from engine.game import Game, Position
from engine.games import find
from engine.games.tree import Dice, from_lists
from engine.search import ALGORITHMS, INEXACT, Limits, Searcher, altered
from tests.compiling import FRAME_OF_PLAY, marks, searched_games

EXACT = [name for name in ALGORITHMS if name != FRAME_OF_PLAY]
MOST = 5_000
DEPTH = 4
SMALL = 400
"""Visits of a small tree."""
PLIES = (0, 7, 16)
"""Random plies before the positions that are searched."""

OVER = "xxx/oo./..."


def after(game: Game, plies: int) -> Position:
    """Return a position after random moves, or an earlier one if the game would be over."""
    draw = random.Random(f"{game.name} {plies}")
    position = game.look(game.start())
    for _ in range(plies):
        following = game.play(position, draw.choice(position.moves))
        if following.over:
            break
        position = following
    return position


def check(game: Game, position: Position, algorithm: str, depth: int, switches: str | None = None) -> Explanation:
    """Compare a recorded search with the compiled one; return it."""
    own = ALGORITHMS[algorithm].switches
    searcher = Searcher(game, algorithm, switches=own if switches is None else altered(own, switches))
    expected = searcher.search(position.state, Limits(depth))
    found = explain(game, position.state, algorithm, depth, switches=switches, most=MOST)
    assert found.complete
    assert (found.nodes, found.value) == (expected.nodes, expected.value)
    iterations = [(each.depth, each.nodes, each.value) for each in found.iterations]
    assert iterations == [(each.depth, each.nodes, each.value) for each in expected.iterations]
    assert found.nodes == len(found.tree) + sum(node.scored for node in found.tree)
    assert game.chance or not any(node.scored for node in found.tree)
    check_tree(found)
    return found


def check_tree(found: Explanation) -> None:
    """Check that the nodes of a tree agree with each other."""
    for number, node in enumerate(found.tree):
        assert node.words
        assert node.event != "unfinished"
        if node.parent is None:
            assert node.ply == 0
            continue
        assert node.parent < number
        parent = found.tree[node.parent]
        assert parent.event not in ("leaf", "over", "table", "quiet")
        assert node.iteration == parent.iteration
        assert node.ply == parent.ply + len(node.via) + (node.reason not in ("verification", "singular", "razoring"))
        if node.cut == "beta":
            assert node.value is not None
            assert node.beta is not None
            assert node.value >= node.beta
        if node.cut == "alpha":
            assert node.value is not None
            assert node.alpha is not None
            assert node.value <= node.alpha


def deep(game: Game, position: Position, algorithm: str) -> int:
    """Return the depth of the deepest small tree."""
    depth = 1
    while depth < DEPTH and Searcher(game, algorithm).search(position.state, Limits(depth + 1)).nodes <= SMALL:
        depth += 1
    return depth


@pytest.mark.parametrize(
    ("name", "algorithms"),
    [
        pytest.param(name, algorithms, id=f"{name}-{where}", marks=marks(name))
        for name in sorted(searched_games())
        for where, algorithms in {"exact": EXACT, FRAME_OF_PLAY: [FRAME_OF_PLAY]}.items()
    ],
)
def test_recorded_searches_have_the_nodes_and_values_of_the_compiled_ones(name: str, algorithms: list[str]) -> None:
    game = find(name)
    for plies in PLIES:
        position = after(game, plies)
        for algorithm in algorithms:
            check(game, position, algorithm, deep(game, position, algorithm))


@pytest.mark.parametrize("switches", ["+quiescence", "+aspiration,+repetition", "-cuts", "+static-ordering,+probes"])
def test_switches_change_recorded_searches_as_they_change_compiled_ones(switches: str) -> None:
    for name in ("checkers", "einstein"):
        game = find(name)
        check(game, after(game, 16), "advanced", DEPTH, switches)


def test_the_textbook_tree_has_one_cut() -> None:
    game = from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    found = check(game, game.look(game.start()), "alphabeta", 2)
    assert sum(node.event == "over" for node in found.tree) == 7
    # the last node reaches alpha with its last move, which saves nothing
    (cut,) = (node for node in found.tree if node.event == "cut")
    assert (cut.move, cut.cut, cut.unsearched) == ("2", "alpha", {"cut": 2})


def test_the_lectures_first_ply_of_tic_tac_toe() -> None:
    game = find("tictactoe")
    found = explain(game, game.start(), "minimax", 2, most=MOST)
    values = {node.said: node.value for node in found.tree if node.ply == 1}
    assert [values[square] for square in ("a1", "b1", "b2")] == [-1, -2, 1]
    assert {node.kind for node in found.tree if node.ply == 1} == {"min"}
    assert found.line[0] == "b2"


def test_a_cut_says_which_bound_it_reached() -> None:
    game = find("tictactoe")
    found = explain(game, game.start(), "alphabeta", 2, most=MOST)
    cut = next(node for node in found.tree if node.event == "cut")
    assert (cut.kind, cut.cut, cut.alpha) == ("min", "alpha", -1)
    assert "It cuts here: −1 ≤ alpha −1." in cut.words
    assert "moves are not searched, because of the cut" in cut.words


def test_chance_nodes_average_and_cut() -> None:
    game = from_lists([Dice(((1, 1), (1, 1))), Dice(((9, -1), (1, 1)))])
    found = check(game, game.look(game.start()), "star1", 2)
    first, second = (node for node in found.tree if node.kind == "chance")
    assert first.event == "searched"
    assert second.cut == "alpha"
    assert second.unsearched == {"cut": 2}  # before any roll


def events(name: str, algorithm: str, depth: int, plies: int) -> set[str]:
    """Return what happens in a search, and why it visits positions."""
    game = find(name)
    found: list[ExplainedNode] = check(game, after(game, plies), algorithm, depth).tree
    return {each for node in found for each in (node.event, node.reason)}


def test_techniques_are_distinguished() -> None:
    assert {"table", "cut", "leaf"} <= events("nim", "advanced", 4, 0)
    assert {"null-move", "quiescence", "stand-pat", "static-cut", "table"} <= events("chess", "play", 4, 16)
    assert {"probe"} <= events("einstein", "star2", 3, 0)


def test_a_tree_that_is_too_large_is_cut_off() -> None:
    game = find("checkers")
    found = explain(game, game.start(), "minimax", 6, most=40)
    assert not found.complete
    assert (len(found.tree), found.value, found.line, found.iterations) == (40, None, [], [])
    assert found.tree[0].event == "unfinished"
    assert found.tree[-1].words


def test_a_finished_game_is_one_node() -> None:
    game = find("tictactoe")
    state = game.parse_position(OVER)
    found = explain(game, state, "advanced", 2, most=MOST)
    assert {node.event for node in found.tree} == {"over"}
    assert found.value is not None
    assert abs(found.value) >= found.win


def test_counts_are_those_of_the_searches() -> None:
    for name in ("checkers", "einstein"):
        game = find(name)
        found = count(game, game.start(), 3, most=10_000)
        for each in found.counts:
            result = Searcher(game, each.algorithm).search(game.start(), Limits(each.depth))
            assert (each.nodes, each.last, each.value) == (
                result.nodes,
                result.iterations[-1].nodes,
                result.value,
            )
            assert each.exact is (game.chance or not ALGORITHMS[each.algorithm].switches & INEXACT)


def test_counts_end_at_the_limit_of_nodes() -> None:
    game = find("checkers/lecture")
    found = count(game, game.start(), 4, most=1_000)
    nodes = {(each.algorithm, each.depth): each.nodes for each in found.counts}
    assert nodes["minimax", 3] == 436
    assert nodes["minimax", 4] is None
    assert nodes["alphabeta", 4] is not None
