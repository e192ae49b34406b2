# SPDX-License-Identifier: GPL-3.0-or-later
"""The endgame solver of Othello against slow minimax, against itself a ply deeper, and on the FFO suite."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import obf
from engine.game import Position
from engine.games import find
from engine.games.othello.endgame import Solver
from tests.engine.games.othello_oracle import Oracle

GAME = find("othello")
SUITES = Path(__file__).parents[4] / "shared" / "data"
seeds = st.integers(0, 2**32)


def endgame(seed: int, empty: int) -> Position:
    """A position of a random game with at most this number of empty squares."""
    chance = random.Random(seed)
    position = GAME.look(GAME.start())
    while not position.over and GAME.diagram(position.state).count(".") > empty:
        position = GAME.play(position, chance.choice(position.moves))
    return position


def minimax(oracle: Oracle) -> int:
    """The difference of discs with best play, with the empty squares for the winner."""
    values = [-minimax(following) for following in oracle.moves().values()]
    if values:
        return max(values)
    lead = oracle.lead()
    lead += (oracle.size**2 - len(oracle.discs)) * ((lead > 0) - (lead < 0))
    return lead if oracle.mover == "X" else -lead


@settings(max_examples=25, deadline=None)
@given(seed=seeds, empty=st.integers(0, 6))
def test_values_agree_with_slow_minimax(seed: int, empty: int) -> None:
    position = endgame(seed, empty)
    oracle = Oracle.read(GAME.format_position(position.state))
    solution = Solver(12).solve(position.state)
    assert solution.value == minimax(oracle)
    if position.over:
        assert solution.move is None
    else:
        assert solution.move is not None
        text = GAME.format_move(position.state, solution.move)
        assert solution.value == -minimax(oracle.moves()[text])


@settings(max_examples=40, deadline=None)
@given(seed=seeds, empty=st.integers(7, 13))
def test_values_agree_with_those_of_the_next_positions(seed: int, empty: int) -> None:
    position = endgame(seed, empty)
    solution = Solver(12).solve(position.state)
    values = {move: Solver(14).solve(GAME.play(position, move).state).value for move in position.moves}
    known = {move: -value for move, value in values.items() if value is not None}
    if not position.over:
        assert solution.value == max(known.values())
        assert solution.move is not None
        assert known[solution.move] == solution.value


def test_one_side_may_lose_all_discs() -> None:
    state = GAME.parse_position("XO" + "-" * 62 + " X")
    solution = Solver(12).solve(state)
    assert (solution.value, solution.move) == (64, GAME.parse_move(GAME.look(state), "c1"))
    over = Solver(12).solve(GAME.parse_position("X" + "-" * 63 + " O"))
    assert (over.value, over.move) == (-64, None)
    empty = Solver(12).solve(GAME.parse_position("-" * 64 + " O"))
    assert (empty.value, empty.move) == (0, None)


def test_a_limit_of_nodes_ends_the_search() -> None:
    solver = Solver(12)
    state = endgame(1, 24).state
    solution = solver.solve(state, nodes=2_000)
    assert solution.value is None
    assert 2_000 <= solution.nodes < 50_000
    assert solver.solve(endgame(1, 8).state).value is not None


def test_a_stopped_solver_finds_nothing() -> None:
    solver = Solver(12)
    solver.stop()
    assert solver.solve(endgame(1, 24).state).value is None


no_suites = pytest.mark.skipif(not SUITES.exists(), reason="the FFO suite is no part of the project")


@no_suites
def test_the_small_ffo_positions_are_solved() -> None:
    with (SUITES / "othello-ffo-1-19.obf").open(encoding="utf-8") as file:
        problems = list(obf.read(file))
    assert len(problems) == 19
    for problem in problems:
        state = GAME.parse_position(problem.position)
        solution = Solver(18).solve(state)
        assert solution.value == problem.value
        assert solution.move is not None
        assert problem.scores[GAME.format_move(state, solution.move)] == problem.value


@no_suites
@pytest.mark.long
def test_the_first_large_ffo_positions_are_solved() -> None:
    with (SUITES / "othello-ffo-40-59.obf").open(encoding="utf-8") as file:
        problems = list(obf.read(file))[:5]
    assert [Solver().solve(GAME.parse_position(problem.position)).value for problem in problems] == [38, 0, 6, -12, -14]
