# SPDX-License-Identifier: GPL-3.0-or-later
"""Games with dice: averages are exact, and pruning does not change them."""

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.evaluation import Evaluation
from engine.game import CHANCE, Game, Position
from engine.games import find
from engine.games.tree import Dice, Nested, from_lists
from engine.search import ALGORITHMS, Limits, Searcher, SearchResult, Stop, Switch
from tests.compiling import searched_games

NAMES = ("expectiminimax", "star1", "star2")
SETS = {
    "looks": Switch.CUTS | Switch.STATIC_ORDERING,
    "probes": Switch.CUTS | Switch.PROBES,
    "looks without cuts": Switch.STATIC_ORDERING,
    "deepening": Switch.CUTS | Switch.DEEPENING,
    "table": Switch.TABLE,
    "table and cuts": Switch.CUTS | Switch.TABLE | Switch.TABLE_MOVE | Switch.DEEPENING,
    "all": ALGORITHMS["advanced"].switches,
}
"""Switches that no algorithm's name stands for."""

LECTURE: Nested = [Dice(((1, -50), (9, 10))), [Dice(((1, 10), (1, -12))), -2]]
"""MAX over a chance node worth 4, and MIN over a chance node worth -1 and a leaf."""

GAMES = [game for game in searched_games().values() if game.chance]
WIDE = 100
"""In games with more moves than this the searches are shallow."""
over_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


class Found(NamedTuple):
    """What the oracle says: the value for seat 0, and the positions looked at."""

    value: Fraction
    nodes: int


def expected(game: Game, evaluation: Evaluation, position: Position, depth: int) -> Found:
    """Search every line to the full depth, as a textbook has it, in fractions."""
    if position.over:
        return Found(Fraction(round(position.payoffs[0] * (evaluation.win + evaluation.sooner * depth))), 1)
    if depth == 0:
        score = game.score(position.state, evaluation)
        return Found(Fraction(-score if position.to_move == 1 else score), 1)
    below = [expected(game, evaluation, game.play(position, move), depth - 1) for move in position.moves]
    nodes = 1 + sum(found.nodes for found in below)
    values = [found.value for found in below]
    if position.to_move == CHANCE:
        odds = game.odds(position)
        average = sum((often * value for often, value in zip(odds, values, strict=True)), Fraction(0)) / sum(odds)
        return Found(average, nodes)
    return Found(min(values) if position.to_move else max(values), nodes)


def search(game: Game, name: str, evaluation: Evaluation, position: Position, depth: int) -> SearchResult:
    """Search with empty memory."""
    searcher = Searcher(game, "star2" if name in SETS else name, evaluation, switches=SETS.get(name), table_bits=8)
    return searcher.search(position.state, Limits(depth=depth))


def check(game: Game, evaluation: Evaluation, position: Position, depth: int) -> None:
    """Hold every search against the oracle, and against each other to the bit."""
    value, nodes = expected(game, evaluation, position, depth)
    results = {name: search(game, name, evaluation, position, depth) for name in (*NAMES, *SETS)}
    plain = results["expectiminimax"]
    # rounded to a point, and down to a small part of one at each average
    assert abs(plain.value - (-value if position.to_move == 1 else value)) <= Fraction(1, 2) + Fraction(depth, 2**16)
    assert plain.nodes == nodes
    assert results["star1"].nodes <= nodes
    worth = {
        move: expected(game, evaluation, game.play(position, move), depth - 1).value
        for move in {result.move for result in results.values() if result.move is not None}
    }
    for name, result in results.items():
        assert result.value == plain.value, name
        assert result.iterations[-1].depth == depth
        if result.move is not None:
            assert abs(worth[result.move] - value) <= Fraction(2 * depth, 2**16), name


@cache
def random_position(name: str, seed: int) -> Position:
    """Return a position of a random game that is not over, after what is dealt or rolled before the first move."""
    game, chance = find(name), random.Random(seed)
    position = game.look(game.start())
    while position.to_move == CHANCE:
        position = game.play(position, chance.choice(position.moves))
    for _ in range(chance.randrange(60)):
        after = game.play(position, chance.choice(position.moves))
        if after.over:
            break
        position = after
    return position


# ---------------------------------------------------------------- trees


@pytest.mark.parametrize("algorithm", NAMES)
def test_the_lecture_example_is_worth_four(algorithm: str) -> None:
    game = from_lists(LECTURE)
    found = Searcher(game, algorithm).search(game.start(), Limits(depth=4))
    assert (found.value, found.move, found.pv) == (4, 0, (0,))
    other = game.play(game.look(game.start()), 1)
    # seen by MIN
    assert Searcher(game, algorithm).search(other.state, Limits(depth=4)).value == 2


def dice(below: st.SearchStrategy[Nested]) -> st.SearchStrategy[Nested]:
    """Nodes where dice decide."""
    faces = st.lists(st.tuples(st.integers(1, 20), below), min_size=1, max_size=5)
    return faces.map(lambda each: Dice(tuple(each)))


leaves: st.SearchStrategy[Nested] = st.integers(-50, 50)
trees: st.SearchStrategy[Nested] = st.recursive(
    leaves, lambda below: st.lists(below, min_size=1, max_size=4) | dice(below), max_leaves=60
)


@settings(max_examples=100, deadline=None)
@given(nested=trees)
def test_any_tree_is_worth_its_average(nested: Nested) -> None:
    game = from_lists([nested])
    check(game, Evaluation("fine", (0,), win=1000, sooner=0), game.look(game.start()), 12)


def test_a_chance_node_at_the_root_has_a_value_for_seat_0_and_no_move() -> None:
    game = from_lists(Dice(((1, 8), (3, [4, -4]))))
    for algorithm in NAMES:
        found = Searcher(game, algorithm).search(game.start(), Limits(depth=3))
        assert (found.value, found.move, found.pv) == (5, None, ())


@pytest.mark.parametrize("algorithm", NAMES)
def test_the_values_of_an_evaluation_matter_and_not_only_their_order(algorithm: str) -> None:
    def choice(stretch: Callable[[int], int]) -> int | None:
        tree: Nested = [stretch(5), Dice(((1, stretch(9)), (1, stretch(0))))]
        game = from_lists(tree)
        return Searcher(game, algorithm).search(game.start(), Limits(depth=2)).move

    assert choice(lambda value: value) == 0
    assert choice(lambda value: 3 * value + 7) == 0
    assert choice(lambda value: value**3) == 1


def test_a_lower_bound_skips_the_last_rolls() -> None:
    # after the first roll of the second chance node its average cannot exceed 9 any more
    tree: Nested = [9, Dice(((8, -10), (1, 10), (1, 10)))]
    game = from_lists(tree)
    nodes = {name: Searcher(game, name).search(game.start(), Limits(depth=3)).nodes for name in NAMES[:2]}
    assert nodes == {"expectiminimax": 6, "star1": 4}


def test_numbers_too_large_for_averages_are_refused() -> None:
    game = from_lists(LECTURE)
    with pytest.raises(ValueError, match="too large"):
        search(game, "star1", Evaluation("huge", (0,), win=10**12), game.look(game.start()), 2)


# ---------------------------------------------------------------- games


@over_games
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32), depth=st.integers(1, 4))
def test_games_are_worth_their_averages(game: Game, seed: int, depth: int) -> None:
    position = random_position(game.name, seed)
    for evaluation in game.evaluations.values():
        check(game, evaluation, position, min(depth, 2) if game.width > WIDE else depth)


def rolls_between_moves(game: Game) -> bool:
    """Return whether chance decides after a first move, and not only as a deal of cards before it."""
    position = random_position(game.name, 0)
    return any(game.play(position, move).to_move == CHANCE for move in position.moves)


PRUNED = [game for game in GAMES if game.width <= WIDE and rolls_between_moves(game)]


@pytest.mark.parametrize("game", PRUNED, ids=lambda game: game.name)
def test_each_kind_of_pruning_saves_visits(game: Game) -> None:
    names = [*NAMES, "advanced"]
    nodes = dict.fromkeys(names, 0)
    for seed in range(30):
        position = random_position(game.name, seed)
        results = [Searcher(game, name).search(position.state, Limits(depth=7)) for name in names]
        assert len({result.value for result in results}) == 1
        for name, result in zip(names, results, strict=True):
            nodes[name] += result.iterations[-1].nodes
    assert nodes["advanced"] < nodes["star2"] < nodes["star1"] < nodes["expectiminimax"]


@over_games
def test_a_winning_move_is_found(game: Game) -> None:
    for seed in range(200):
        position = random_position(game.name, seed)
        if position.to_move == CHANCE:
            continue
        after = {move: game.play(position, move) for move in position.moves}
        wins = [move for move, then in after.items() if then.over and then.payoffs[position.to_move] > 0]
        if not wins:
            continue
        found = Searcher(game, "star2").search(position.state, Limits(depth=3))
        assert found.move in wins
        assert found.value >= next(iter(game.evaluations.values())).win


@over_games
@pytest.mark.parametrize("algorithm", [*NAMES, "advanced"])
def test_limits_and_stops_end_a_search(game: Game, algorithm: str) -> None:
    position = random_position(game.name, 7)
    searcher = Searcher(game, algorithm)
    limited = searcher.search(position.state, Limits(nodes=5000))
    # what it looks at to order moves is counted when it has looked at all of them
    assert limited.nodes < 5000 + game.width
    again = Searcher(game, algorithm).search(position.state, Limits(nodes=5000))
    assert (again.pv, again.iterations) == (limited.pv, limited.iterations)
    stop = Stop()
    stop.set()
    assert searcher.search(position.state, Limits(), stop=stop).depth == 1
    assert searcher.search(position.state, Limits(seconds=0.05)).depth < 60


@over_games
def test_a_seed_chooses_among_equal_moves(game: Game) -> None:
    position = random_position(game.name, 7)
    results = {Searcher(game, "star1").search(position.state, Limits(depth=1), seed=seed).value for seed in range(20)}
    assert len(results) == 1


def test_the_switches_of_the_selective_search_change_no_search_with_dice() -> None:
    # the two kinds of search have tables of different shapes
    game = find("einstein")
    state = game.parse_position("..dfb/...ea/3...c/15.../264.. d 3")
    plain, selective = Searcher(game, "advanced", table_bits=8), Searcher(game, "play", table_bits=8)
    for depth in (2, 4, 5):
        first, second = plain.search(state, Limits(depth)), selective.search(state, Limits(depth))
        assert (first.value, first.nodes, first.pv) == (second.value, second.nodes, second.pv)
