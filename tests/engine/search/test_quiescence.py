# SPDX-License-Identifier: GPL-3.0-or-later
"""Quiescence search: leaves are quiet positions, and exchanges are completed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.evaluation import Evaluation
from engine.game import Game, Position
from engine.games import find
from engine.hints.alphabeta import gain
from engine.kernel import compiled
from engine.search import Limits, Searcher, Switch
from tests.engine.search.oracle import final, random_position, static


@compiled
def _gain(state: object, move: int) -> int:
    return gain(state, move)


def quiet_value(game: Game, evaluation: Evaluation, position: Position) -> int:
    """Search on while moves win something at once; who is not forced to make one may stand."""
    if position.over:
        return final(evaluation, position, 0)
    tactical = [move for move in position.moves if _gain(game.pack(position.state), move) > 0]
    values = [] if len(tactical) == len(position.moves) else [static(game, evaluation, position)]
    for move in tactical:
        child = game.play(position, move)
        value = quiet_value(game, evaluation, child)
        values.append(value if child.to_move == position.to_move else -value)
    return max(values)


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(["checkers", "checkers/lecture"]),
    seed=st.integers(min_value=0, max_value=2**32),
    weighing=st.sampled_from(["material", "lecture"]),
)
def test_leaves_are_quiet(name: str, seed: int, weighing: str) -> None:
    game = find(name)
    evaluation = game.evaluations[weighing]
    position = random_position(game, seed)
    children = [game.play(position, move) for move in position.moves]
    best = max(
        final(evaluation, child, 0) * -1 if child.over else -quiet_value(game, evaluation, child) for child in children
    )
    for algorithm in ("minimax", "alphabeta", "advanced"):
        searcher = Searcher(game, algorithm, weighing, quiescence=True, table_bits=10)
        assert searcher.switches & Switch.QUIESCENCE
        assert searcher.search(position.state, Limits(depth=1)).value == best


def test_quiescence_search_completes_an_exchange() -> None:
    """Black can take a man and loses one for it: one ply deep that looks like a gain."""
    game = find("checkers/lecture")
    state = game.parse_position("B:B9,2:W14,23,27")
    assert Searcher(game, "alphabeta", "material").search(state, Limits(depth=1)).value == 0
    assert Searcher(game, "quiescence", "material").search(state, Limits(depth=1)).value < 0
