# SPDX-License-Identifier: GPL-3.0-or-later
"""Every exact search returns minimax's value, in every game there is."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.evaluation import Evaluation
from engine.game import Game
from engine.games import catalogue, find
from engine.search import ALGORITHMS, Limits, Searcher, SearchResult, Switch
from engine.search.switches import ORDERING
from tests.engine.search.oracle import follow, minimax, random_position

EXACT = {
    name: algorithm.switches for name, algorithm in ALGORITHMS.items() if not algorithm.switches & Switch.QUIESCENCE
}
FAMILY = [name for name, switches in EXACT.items() if switches & Switch.CUTS]
LADDER = {
    "table and cuts": Switch.CUTS | Switch.TABLE,
    "null windows": Switch.CUTS | Switch.NULL_WINDOWS,
    "gains": Switch.CUTS | Switch.GAINS,
    "killers": Switch.CUTS | Switch.KILLERS,
    "history": Switch.CUTS | Switch.HISTORY,
    "table move": Switch.CUTS | Switch.TABLE | Switch.TABLE_MOVE | Switch.DEEPENING,
    "aspiration": Switch.CUTS | Switch.DEEPENING | Switch.ASPIRATION,
    "null windows in a table": Switch.CUTS | ORDERING | Switch.TABLE | Switch.NULL_WINDOWS,
}
"""Combinations that no algorithm's name stands for."""

every_game = pytest.mark.parametrize("game", catalogue().values(), ids=lambda game: game.name)
seeds = st.integers(min_value=0, max_value=2**32)
depths = st.integers(min_value=1, max_value=4)


@cache
def searcher(name: str, evaluation: str, algorithm: str) -> Searcher:
    """One for the whole run: what it kept from other positions must not matter."""
    switches = LADDER.get(algorithm)
    return Searcher(find(name), "advanced" if switches else algorithm, evaluation, switches=switches, table_bits=12)


def check(game: Game, evaluation: Evaluation, result: SearchResult, seed: int, depth: int, value: int) -> None:
    """Hold a result against minimax's value: the line is legal, and ends at a position that is worth it."""
    assert result.value == value
    assert result.depth == depth
    position = random_position(game, seed)
    assert result.move == result.pv[0]
    end = follow(game, position, result.pv)
    left = minimax(game, evaluation, end, depth - len(result.pv)).value
    assert (left if end.to_move == position.to_move else -left) == value


@every_game
@settings(max_examples=12, deadline=None)
@given(seed=seeds, depth=depths, data=st.data())
def test_exact_searches_return_minimax_value(game: Game, seed: int, depth: int, data: st.DataObject) -> None:
    evaluation = data.draw(st.sampled_from(list(game.evaluations.values())))
    position = random_position(game, seed)
    value, nodes = minimax(game, evaluation, position, depth)
    for algorithm in [*EXACT, *LADDER]:
        result = searcher(game.name, evaluation.name, algorithm).search(position.state, Limits(depth=depth))
        check(game, evaluation, result, seed, depth, value)
        if algorithm == "minimax":
            assert result.nodes == nodes


@every_game
@settings(max_examples=12, deadline=None)
@given(seed=seeds, depth=st.integers(min_value=1, max_value=6))
def test_exact_searches_agree_where_the_oracle_is_too_slow(game: Game, seed: int, depth: int) -> None:
    position = random_position(game, seed)
    evaluation = next(iter(game.evaluations))
    plain = searcher(game.name, evaluation, "minimax").search(position.state, Limits(depth=depth))
    for algorithm in [*EXACT, *LADDER]:
        assert (
            searcher(game.name, evaluation, algorithm).search(position.state, Limits(depth=depth)).value == plain.value
        )


@every_game
@settings(max_examples=20, deadline=None)
@given(seed=seeds, depth=st.integers(min_value=1, max_value=6))
def test_cuts_never_visit_more_positions_than_minimax(game: Game, seed: int, depth: int) -> None:
    position = random_position(game, seed)
    plain = Searcher(game, "minimax").search(position.state, Limits(depth=depth)).nodes
    for algorithm in FAMILY:
        fresh = Searcher(game, algorithm, table_bits=12)
        assert fresh.search(position.state, Limits(depth=depth)).iterations[-1].nodes <= plain


@every_game
@settings(max_examples=12, deadline=None)
@given(seed=seeds, depth=depths, algorithm=st.sampled_from(FAMILY), factor=st.integers(min_value=2, max_value=1000))
def test_an_evaluations_order_matters_not_its_values(
    game: Game, seed: int, depth: int, algorithm: str, factor: int
) -> None:
    evaluation = next(iter(game.evaluations.values()))
    stretched = Evaluation(
        "stretched",
        tuple(weight * factor for weight in evaluation.weights),
        win=evaluation.win * factor,
        sooner=evaluation.sooner * factor,
    )
    state = random_position(game, seed).state
    results = [
        Searcher(game, algorithm, weighing, table_bits=12).search(state, Limits(depth=depth))
        for weighing in (evaluation, stretched)
    ]
    assert results[0].move == results[1].move
    assert results[0].pv == results[1].pv
    assert results[0].value * factor == results[1].value
