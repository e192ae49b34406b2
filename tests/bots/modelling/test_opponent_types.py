# SPDX-License-Identifier: GPL-3.0-or-later
"""The moves of a player show its type."""

import random

import numpy as np
import pytest

from bots.modelling.opponent_types import AFFORDABLE, Choice, OpponentType, Reader, Types
from engine.game import Game, Position
from engine.games import find
from engine.search import Limits, Searcher
from tests.engine.search.oracle import final, minimax, random_position

CHECKERS = find("checkers")
EVALUATIONS = ["material", "lecture"]


def positions(count: int, seed: int = 0) -> list[Position]:
    """Return positions with a choice."""
    found = (random_position(CHECKERS, number) for number in range(seed, seed + 4 * count))
    return [one for one in found if len(one.moves) > 2][:count]


def best(game: Game, name: str, position: Position, depth: int) -> list[bool]:
    """Return which moves are best, without any cut."""
    evaluation = game.evaluations[name]
    values = []
    for move in position.moves:
        after = game.play(position, move)
        value = final(evaluation, after, depth - 1) if after.over else minimax(game, evaluation, after, depth - 1).value
        values.append(value if after.to_move == position.to_move else -value)
    return [value == max(values) for value in values]


def chosen_by(searcher: Searcher, depth: int, some: list[Position]) -> list[Choice]:
    """Return the choices of a player who searches so, and draws one of the best moves at random."""
    found = []
    for number, position in enumerate(some):
        move = searcher.search(position.state, Limits(depth=depth), seed=number).move
        assert move is not None
        probabilities = np.full(len(position.moves), 1 / len(position.moves))
        found.append(Choice(position, probabilities, position.moves.index(move)))
    return found


def loss(types: Types, choices: list[Choice]) -> float:
    """Return the logarithmic loss."""
    return float(
        np.mean([-np.log(types.probabilities(one.position, one.probabilities)[one.chosen]) for one in choices])
    )


@pytest.mark.parametrize("evaluation", EVALUATIONS)
def test_the_best_moves_of_each_depth_are_those_of_minimax(evaluation: str) -> None:
    reader = Reader(CHECKERS, evaluation, extends=False)
    for position in positions(8):
        for depth, found in enumerate(reader.best(position, 4), 1):
            assert found.tolist() == best(CHECKERS, evaluation, position, depth)


def test_types_beyond_the_node_limit_are_left_out() -> None:
    reader = Reader(CHECKERS, "material", extends=False)
    found = reader.best(CHECKERS.look(CHECKERS.start()), 60)
    assert 4 < len(found) < 60
    assert reader.visited == sorted(reader.visited)
    assert reader.visited[-1] <= 4 * AFFORDABLE


@pytest.mark.parametrize("depth", [2, 3])
def test_the_type_of_a_searching_player_is_selected(depth: int) -> None:
    player = Searcher(CHECKERS, "minimax")
    types = Types(CHECKERS, EVALUATIONS)
    types.learn(chosen_by(player, depth, positions(120)))
    assert types.selected[0] == OpponentType("material", False, depth)
    later = chosen_by(player, depth, positions(60, seed=5_000))
    everybody = float(np.mean([np.log(len(one.position.moves)) for one in later]))
    least = float(np.mean([np.log(sum(best(CHECKERS, "material", one.position, depth))) for one in later]))
    # who knew the type would lose no more than the lot among its best moves decides
    assert loss(types, later) < least + 0.15 < everybody - 0.15
    for one in later[:10]:
        found = types.probabilities(one.position, one.probabilities)
        assert found.sum() == pytest.approx(1)
        # what such a searcher would never do is not expected of it
        assert found[np.array(best(CHECKERS, "material", one.position, depth))].sum() > 0.8


@pytest.mark.parametrize("seed", [1, 2])
def test_no_type_is_selected_for_a_random_player(seed: int) -> None:
    chance = random.Random(seed)
    choices = [
        Choice(one, np.full(len(one.moves), 1 / len(one.moves)), chance.randrange(len(one.moves)))
        for one in positions(150)
    ]
    types = Types(CHECKERS, EVALUATIONS)
    types.learn(choices[:100])
    assert types.selected == ()
    later = choices[100:]
    assert loss(types, later) == pytest.approx(np.mean([np.log(len(one.position.moves)) for one in later]))


def test_no_choices_select_no_types() -> None:
    types = Types(CHECKERS, EVALUATIONS)
    types.learn([])
    (position,) = positions(1)
    probabilities = np.arange(1, len(position.moves) + 1) / sum(range(1, len(position.moves) + 1))
    assert types.selected == ()
    assert types.probabilities(position, probabilities) == pytest.approx(probabilities)


def test_types_are_named_in_words() -> None:
    assert str(OpponentType("lecture", True, 4)) == "4 plies by lecture and beyond"
