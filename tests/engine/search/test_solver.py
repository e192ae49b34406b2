# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver: values of small boards, and those of exact alpha-beta to the end of the game."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game, Position
from engine.games import find
from engine.search import Limits, Searcher, Stop
from tests.engine.search.oracle import follow, random_position

SIZES = {"4x4": 0, "5x4": 0, "4x5": 0, "5x5": 0, "6x4": -1}
"""Values of small boards in plies. The exact alpha-beta of "advanced" finds the same in seconds."""

FEW = 12
"""Plies to the end at which exact alpha-beta finds the value in a moment."""

seeds = st.integers(min_value=0, max_value=2**32)


@cache
def searcher(name: str, algorithm: str) -> Searcher:
    """One for the whole run: what it kept from other positions must not matter."""
    return Searcher(find(name), algorithm, table_bits=18)


def late_position(game: Game, seed: int) -> tuple[Position, int]:
    """Return a position of a random game with few empty squares, and their number."""
    chance = random.Random(seed)
    left = chance.randint(1, FEW)
    while True:
        position = game.look(game.start())
        for _ in range(game.board.columns * game.board.rows - left):
            position = game.play(position, chance.choice(position.moves))
            if position.over:
                break
        else:
            return position, left


@pytest.mark.parametrize("size", SIZES)
def test_small_boards_have_their_known_values(size: str) -> None:
    game = find(f"connect-four/{size}")
    found = searcher(game.name, "solve").search(game.start(), Limits(), stop=Stop())
    sign = SIZES[size]
    assert found.value == sign * searcher(game.name, "solve").evaluation.win
    assert found.depth == game.board.columns * game.board.rows
    assert found.move == found.pv[0]


@pytest.mark.parametrize("name", ["connect-four", "connect-four/4x4", "connect-four/5x4", "connect-four/6x5"])
@settings(max_examples=40, deadline=None)
@given(seed=seeds, more=st.integers(min_value=0, max_value=3))
def test_values_are_those_of_exact_alpha_beta(name: str, seed: int, more: int) -> None:
    game = find(name)
    position, left = late_position(game, seed)
    limits = Limits(depth=left + more)
    found, exact = (searcher(name, algorithm).search(position.state, limits) for algorithm in ("solve", "advanced"))
    assert (found.value, found.depth) == (exact.value, exact.depth)
    # the line leads to the end, which is worth the value
    end = follow(game, position, found.pv)
    assert end.over
    after = left + more - len(found.pv)
    evaluation = searcher(name, "solve").evaluation
    assert round(end.payoffs[position.to_move] * (evaluation.win + after)) == found.value


@settings(max_examples=20, deadline=None)
@given(seed=seeds)
def test_a_seed_chooses_among_best_moves_only(seed: int) -> None:
    name = "connect-four/5x4"
    game = find(name)
    position = random_position(game, seed, plies=12)
    best = searcher(name, "solve").search(position.state, Limits(depth=20))
    for choice in range(4):
        found = searcher(name, "solve").search(position.state, Limits(depth=20), seed=choice)
        assert found.value == best.value
        assert found.move is not None
        after = game.play(position, found.move)
        if not after.over:
            assert searcher(name, "solve").search(after.state, Limits(depth=19)).value == -best.value


def test_a_limit_leaves_a_move_of_a_smaller_depth() -> None:
    # with this first move the winning strategy of the game does not help
    state = find("connect-four").parse_position("1")
    found = searcher("connect-four", "solve").search(state, Limits(nodes=200_000))
    assert found.move is not None
    assert found.depth < 41


def test_chosen_root_moves_have_their_own_value() -> None:
    game = find("connect-four/4x4")
    position = game.look(game.parse_position("112233"))
    everything = Searcher(game, "solve")
    winning = everything.search(position.state, Limits(depth=10))
    assert game.format_move(position.state, winning.move or 0) == "4"
    others = Searcher(game, "solve")
    others.confine([move for move in position.moves if move != winning.move])
    assert others.search(position.state, Limits(depth=10)).value < winning.value


def test_a_game_without_a_solver_is_searched_like_advanced() -> None:
    game = find("tictactoe")
    found, like = (
        Searcher(game, algorithm).search(game.start(), Limits(depth=9)) for algorithm in ("solve", "advanced")
    )
    assert (found.value, found.nodes, found.pv) == (like.value, like.nodes, like.pv)
