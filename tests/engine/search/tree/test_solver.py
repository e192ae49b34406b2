# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver proves the values that exact searches find."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Position
from engine.games import find
from engine.games.tree import Dice, Nested, from_lists
from engine.search import Limits
from engine.search.tree import TREE_ALGORITHMS, TreeSearcher
from tests.engine.search.oracle import follow

TICTACTOE = find("tictactoe")

ENOUGH = Limits(playouts=200_000)
"""More playouts than any proof here needs."""

every_algorithm = pytest.mark.parametrize("algorithm", TREE_ALGORITHMS)


@cache
def tictactoe() -> dict[int, tuple[Position, float]]:
    """Return every position of tic-tac-toe that is not over, with its payoff for the seat to move, by key."""
    found: dict[int, tuple[Position, float]] = {}

    def value(position: Position) -> float:
        if position.over:
            return position.payoffs[position.to_move]
        if position.key not in found:
            found[position.key] = position, max(-value(TICTACTOE.play(position, move)) for move in position.moves)
        return found[position.key][1]

    value(TICTACTOE.look(TICTACTOE.start()))
    return found


def test_every_position_of_tictactoe_is_solved() -> None:
    searcher = TreeSearcher(TICTACTOE, "uct", capacity=2**17)
    positions = tictactoe()
    assert len(positions) == 4520
    for position, value in positions.values():
        report = searcher.search(position.state, ENOUGH, seed=position.key)
        assert (report.proven, report.value) == (True, value)
        assert report.move is not None
        after = TICTACTOE.play(position, report.move)
        assert value == (after.payoffs[position.to_move] if after.over else -positions[after.key][1])


@every_algorithm
def test_tictactoe_is_a_draw(algorithm: str) -> None:
    report = TreeSearcher(TICTACTOE, algorithm).search(TICTACTOE.start(), ENOUGH, seed=3)
    assert (report.proven, report.win_probability) == (True, 0.5)
    assert len(report.pv) == 9


def grundy(heap: int) -> int:
    """Return the Sprague-Grundy value of a heap of Grundy's game (OEIS A002188)."""
    return (0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3)[heap]


@every_algorithm
@settings(max_examples=15, deadline=None)
@given(heaps=st.lists(st.integers(1, 9), min_size=1, max_size=3), seed=st.integers(0, 99))
def test_nim_is_solved_as_by_sprague_and_grundy(algorithm: str, heaps: list[int], seed: int) -> None:
    game = find("nim")
    position = game.look(game.parse_position("+".join(map(str, heaps))))
    nimber = 0
    for heap in heaps:
        nimber ^= grundy(heap)
    report = TreeSearcher(game, algorithm, capacity=2**17).search(position.state, ENOUGH, seed=seed)
    assert (report.proven, report.win_probability) == (True, float(nimber != 0))


leaves = st.sampled_from([-3.0, -2.0, -1.0, 0.0, 0.5, 1.0, 3.0])


def inner(children: st.SearchStrategy[Nested]) -> st.SearchStrategy[Nested]:
    """Return inner nodes: choices, and dice with unequal faces."""
    rolls = st.lists(st.tuples(st.integers(1, 3), children), min_size=1, max_size=3)
    return st.lists(children, min_size=1, max_size=3) | rolls.map(lambda faces: Dice(tuple(faces)))


def expectiminimax(node: Nested, seat: int = 0) -> float:
    """Return the payoff of seat 0."""
    if isinstance(node, Dice):
        total = sum(often for often, _ in node.faces)
        return sum(often * expectiminimax(child, seat) for often, child in node.faces) / total
    if isinstance(node, int | float):
        return float(node)
    return (min if seat else max)(expectiminimax(child, 1 - seat) for child in node)


@settings(max_examples=150, deadline=None)
@given(nested=st.recursive(leaves, inner, max_leaves=20).filter(lambda nested: not isinstance(nested, float)))
def test_trees_with_dice_and_points_are_solved_as_by_expectiminimax(nested: Nested) -> None:
    game = from_lists(nested)
    if game.stakes == 0:
        return
    report = TreeSearcher(game, "uct", capacity=2**12).search(game.start(), Limits(playouts=20_000), seed=1)
    assert report.proven
    assert report.value * game.stakes == pytest.approx(expectiminimax(nested), abs=1e-4)


# ---------------------------------------------------------------- chess


@pytest.mark.parametrize(
    ("position", "move", "playouts"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1_000),
        ("6rk/6pp/8/6N1/8/8/8/4K3 w - - 0 1", "g5f7", 1_000),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 50_000),  # P. Morphy
    ],
)
@pytest.mark.parametrize("algorithm", ["uct", "puct"])
def test_mates_in_one_and_two_are_proved(algorithm: str, position: str, move: str, playouts: int) -> None:
    game = find("chess")
    state = game.parse_position(position)
    report = TreeSearcher(game, algorithm, "tuned", capacity=2**19).search(state, Limits(playouts=playouts), seed=1)
    assert (report.proven, report.win_probability) == (True, 1.0)
    assert report.move is not None
    assert game.format_move(state, report.move) == move
    assert follow(game, game.look(state), report.pv).over


def test_a_third_occurrence_is_a_draw() -> None:
    game = find("chess")
    position = game.look(game.parse_position("7k/8/8/8/8/8/q7/7K w - - 0 1"))
    after = game.play(position, position.moves[0])
    searcher = TreeSearcher(game, "uct")
    report = searcher.search(
        position.state, Limits(playouts=200), history=[position.key, after.key, position.key, after.key], seed=1
    )
    drawn = next(each for each in report.moves if each.move == position.moves[0])
    assert (drawn.proven, drawn.win_probability) == (True, 0.5)


def test_the_no_progress_rule_ends_the_game() -> None:
    game = find("chess")
    position = game.look(game.parse_position("7k/8/8/8/8/8/q7/7K w - - 0 1"))
    assert game.draws.no_progress_plies is not None
    # other positions, each once
    history = list(range(1, game.draws.no_progress_plies))
    report = TreeSearcher(game, "uct").search(position.state, Limits(playouts=200), history=history, seed=1)
    assert (report.proven, report.win_probability) == (True, 0.5)
