# SPDX-License-Identifier: GPL-3.0-or-later
"""Random openings by seed."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game, Position
from engine.games import catalogue, find
from engine.opening import random_opening
from engine.rules import OpeningRule
from engine.search import Limits, Searcher

CHECKERS = find("checkers")
seeds = st.integers(min_value=0, max_value=2**63)


def after(game: Game, texts: tuple[str, ...]) -> Position:
    position = game.look(game.start())
    for text in texts:
        position = game.play(position, game.parse_move(position, text))
    return position


@pytest.mark.parametrize("game", catalogue().values(), ids=lambda game: game.name)
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_openings_follow_the_rule(game: Game, seed: int) -> None:
    texts = random_opening(game, seed)
    assert texts == random_opening(game, seed)
    assert len(texts) == game.opening.plies
    position = after(game, texts)
    assert not position.over
    if game.opening.margin is not None:
        result = Searcher(game, "alphabeta").search(position.state, Limits(depth=game.opening.depth))
        assert abs(result.value) <= game.opening.margin


def test_seeds_draw_different_openings() -> None:
    assert len({random_opening(CHECKERS, seed) for seed in range(30)}) > 20


def test_without_plies_there_is_no_opening() -> None:
    assert random_opening(replace(CHECKERS, opening=OpeningRule(0)), 1) == ()


def test_the_most_balanced_opening_is_used_if_none_is_balanced() -> None:
    game = replace(CHECKERS, opening=OpeningRule(plies=6, depth=2, margin=-1))
    texts = random_opening(game, 1)
    assert len(texts) == 6
    assert Searcher(game).search(after(game, texts).state, Limits(depth=2)).value == 0


def test_there_is_no_opening_if_every_attempt_ends_the_game() -> None:
    game = find("nim/3")
    assert random_opening(replace(game, opening=OpeningRule(plies=5)), 1) == ()
