# SPDX-License-Identifier: GPL-3.0-or-later
"""A search with the repetition switch uses the positions before its root."""

from engine.games import find
from engine.search import Limits, Searcher

GAME = find("checkers")
START = "B:BK1:WK32,K31"
"""Black is two kings to one behind, and would like to repeat."""


def test_a_third_occurrence_is_a_draw() -> None:
    position = GAME.look(GAME.parse_position(START))
    first = GAME.play(position, position.moves[0])
    searcher = Searcher(GAME, "alphabeta", repetition=True)
    assert searcher.search(position.state, Limits(depth=1)).value < 0
    # the position after the first move stood twice already
    result = searcher.search(position.state, Limits(depth=1), history=[first.key, position.key, first.key])
    assert result.value == 0
    assert result.move == position.moves[0]


def test_without_the_switch_history_has_no_effect() -> None:
    position = GAME.look(GAME.parse_position(START))
    first = GAME.play(position, position.moves[0])
    result = Searcher(GAME, "alphabeta").search(position.state, Limits(depth=1), history=[first.key] * 2)
    assert result.value < 0


def test_repetition_within_the_search_is_detected() -> None:
    """Two kings that step to and fro: after four plies the position stands again, after eight for the third time."""
    state = GAME.parse_position("B:BK1:WK32")
    plain = Searcher(GAME, "minimax").search(state, Limits(depth=9))
    heeding = Searcher(GAME, "minimax", repetition=True).search(state, Limits(depth=9))
    assert heeding.value == plain.value == 0
    assert heeding.nodes < plain.nodes


def test_only_the_end_of_a_long_history_is_stored() -> None:
    position = GAME.look(GAME.parse_position(START))
    first = GAME.play(position, position.moves[0])
    searcher = Searcher(GAME, "advanced", repetition=True)
    history = [*range(5000), first.key, first.key]
    assert searcher.search(position.state, Limits(depth=1), history=history).value == 0
