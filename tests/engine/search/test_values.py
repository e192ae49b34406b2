# SPDX-License-Identifier: GPL-3.0-or-later
"""Every exact search returns minimax's value, in every game."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.evaluation import Evaluation
from engine.game import Game
from engine.games import find
from engine.games.tree import from_lists
from engine.search import ALGORITHMS, Limits, Searcher, SearchResult, Switch
from engine.search.switches import ORDERING
from tests.compiling import marks, searched_games
from tests.engine.search.oracle import affordable, follow, minimax, random_position
from tests.engine.search.twice import GAME as TWICE

DICE = ("expectiminimax", "star1", "star2")
"""Without dice these are minimax and alpha-beta; test_expectiminimax.py holds them in games with dice."""
EXACT = {
    name: algorithm.switches
    for name, algorithm in ALGORITHMS.items()
    if name not in DICE and not algorithm.switches & Switch.QUIESCENCE
}
FAMILY = [name for name, switches in EXACT.items() if switches & Switch.CUTS]
EXACT_PLAY = Switch.SEE | Switch.COUNTER_MOVES | Switch.CONTINUATION_HISTORY
"""The switches of the selective search that keep minimax's value."""
LADDER = {
    "table and cuts": Switch.CUTS | Switch.TABLE,
    "null windows": Switch.CUTS | Switch.NULL_WINDOWS,
    "gains": Switch.CUTS | Switch.GAINS,
    "killers": Switch.CUTS | Switch.KILLERS,
    "history": Switch.CUTS | Switch.HISTORY,
    "table move": Switch.CUTS | Switch.TABLE | Switch.TABLE_MOVE | Switch.DEEPENING,
    "aspiration": Switch.CUTS | Switch.DEEPENING | Switch.ASPIRATION,
    "null windows in a table": Switch.CUTS | ORDERING | Switch.TABLE | Switch.NULL_WINDOWS,
    "selective search": Switch.CUTS | Switch.SEE,
    "selective search, ordered": Switch.CUTS | ORDERING | EXACT_PLAY,
    "selective search, null windows": Switch.CUTS | EXACT_PLAY | Switch.NULL_WINDOWS,
    "selective search, all that is exact": ALGORITHMS["advanced"].switches | EXACT_PLAY | Switch.ASPIRATION,
}
"""Combinations that no algorithm's name stands for."""
IN_FRAME_OF_PLAY = [name for name in LADDER if name.startswith("selective search")]
ELSEWHERE = [name for name in (*EXACT, *LADDER) if name not in IN_FRAME_OF_PLAY]

every_game = pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.name, marks=marks(game.name, ""))
        for game in searched_games().values()
        if not game.chance
    ],
)
every_game_and_search = pytest.mark.parametrize(
    ("game", "algorithms"),
    [
        pytest.param(game, algorithms, id=f"{game.name}-{where}", marks=marks(game.name, "play" if long else ""))
        for game in searched_games().values()
        if not game.chance
        for where, algorithms, long in (("elsewhere", ELSEWHERE, False), ("selective search", IN_FRAME_OF_PLAY, True))
    ],
)
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


@every_game_and_search
@settings(max_examples=12, deadline=None)
@given(seed=seeds, depth=depths, data=st.data())
def test_exact_searches_return_minimax_value(
    game: Game, algorithms: list[str], seed: int, depth: int, data: st.DataObject
) -> None:
    evaluation = data.draw(st.sampled_from(list(game.evaluations.values())))
    position = random_position(game, seed)
    depth = affordable(position, depth, 3_000)
    value, nodes = minimax(game, evaluation, position, depth)
    for algorithm in algorithms:
        result = searcher(game.name, evaluation.name, algorithm).search(position.state, Limits(depth=depth))
        check(game, evaluation, result, seed, depth, value)
        if algorithm == "minimax":
            assert result.nodes == nodes


@every_game_and_search
@settings(max_examples=12, deadline=None)
@given(seed=seeds, depth=st.integers(min_value=1, max_value=6))
def test_exact_searches_agree_where_the_oracle_is_too_slow(
    game: Game, algorithms: list[str], seed: int, depth: int
) -> None:
    position = random_position(game, seed)
    depth = affordable(position, depth, 300_000)
    evaluation = next(iter(game.evaluations))
    plain = searcher(game.name, evaluation, "minimax").search(position.state, Limits(depth=depth))
    for algorithm in algorithms:
        assert (
            searcher(game.name, evaluation, algorithm).search(position.state, Limits(depth=depth)).value == plain.value
        )


@every_game
@settings(max_examples=20, deadline=None)
@given(seed=seeds, depth=st.integers(min_value=1, max_value=6))
def test_cuts_never_visit_more_positions_than_minimax(game: Game, seed: int, depth: int) -> None:
    position = random_position(game, seed)
    depth = affordable(position, depth, 300_000)
    plain = Searcher(game, "minimax").search(position.state, Limits(depth=depth)).nodes
    for algorithm, switches in EXACT.items():
        if not switches & Switch.CUTS or switches & Switch.NULL_WINDOWS:
            continue  # a null window that fails is searched again, which a narrow tree does not pay back
        fresh = Searcher(game, algorithm, table_bits=12)
        assert fresh.search(position.state, Limits(depth=depth)).iterations[-1].nodes <= plain


@every_game
@settings(max_examples=12, deadline=None)
@given(seed=seeds, depth=depths, algorithm=st.sampled_from(FAMILY), factor=st.integers(min_value=2, max_value=1000))
def test_an_evaluations_order_matters_not_its_values(
    game: Game, seed: int, depth: int, algorithm: str, factor: int
) -> None:
    evaluation = next(iter(game.evaluations.values()))
    unit = evaluation.terms.unit  # multiples of it are not rounded
    state = random_position(game, seed).state
    results = []
    for times in (unit, unit * factor):
        weights = tuple(weight * times for weight in evaluation.weights)
        stretched = Evaluation("stretched", weights, win=evaluation.win * times, sooner=evaluation.sooner * times)
        results.append(Searcher(game, algorithm, stretched, table_bits=12).search(state, Limits(depth=depth)))
    assert results[0].move == results[1].move
    assert results[0].pv == results[1].pv
    assert results[0].value * factor == results[1].value


trees = st.recursive(
    st.integers(min_value=-9, max_value=9), lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=60
).filter(lambda tree: isinstance(tree, list))


def stretched(tree: Any) -> Any:
    """Return the tree with its leaves put through a strictly increasing function that is no straight line.

    It keeps 0, the score of a node that a search does not look below.
    """
    return [stretched(below) for below in tree] if isinstance(tree, list) else tree**3 + 2 * tree


@settings(max_examples=60, deadline=None)
@given(tree=trees)
def test_only_the_order_of_a_trees_leaves_matters(tree: Any) -> None:
    games = from_lists(tree), from_lists(stretched(tree))
    evaluation = games[0].evaluations["payoff"]
    value = minimax(games[0], evaluation, games[0].look(games[0].start()), 30).value
    for algorithm in FAMILY:
        plain, other = (
            Searcher(game, algorithm, table_bits=8).search(game.start(), Limits(depth=30)) for game in games
        )
        assert plain.value == value
        assert other.value == stretched(value)
        assert other.move == plain.move


@pytest.mark.parametrize(
    "algorithms",
    [
        pytest.param(ELSEWHERE, id="elsewhere"),
        pytest.param(IN_FRAME_OF_PLAY, id="selective search", marks=marks(TWICE.name)),
    ],
)
@settings(max_examples=25, deadline=None)
@given(depth=st.integers(min_value=1, max_value=8), moves=st.lists(st.integers(min_value=0, max_value=2), max_size=6))
def test_a_seat_may_move_twice_in_a_row(algorithms: list[str], depth: int, moves: list[int]) -> None:
    position = follow(TWICE, TWICE.look(TWICE.start()), tuple(moves))
    evaluation = TWICE.evaluations["odd"]
    value, nodes = minimax(TWICE, evaluation, position, depth)
    for name in algorithms:
        known = {"algorithm": name} if name in EXACT else {"switches": LADDER[name]}
        result = Searcher(TWICE, table_bits=8, **known).search(position.state, Limits(depth=depth))
        assert result.value == value
        if name == "minimax":
            assert result.nodes == nodes
