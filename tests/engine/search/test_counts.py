# SPDX-License-Identifier: GPL-3.0-or-later
"""The lecture's figures: what is counted as a visit, and how few are enough."""

import pytest

from engine.games import find
from engine.search import Limits, Searcher, Switch
from engine.search.switches import ALGORITHMS

GAME = find("checkers/lecture")


@pytest.mark.parametrize(("depth", "nodes"), [(4, 3_308), (6, 217_537), (8, 15_237_252)])
def test_minimax_visits_the_lectures_nodes(depth: int, nodes: int) -> None:
    result = Searcher(GAME, "minimax", "material").search(GAME.start(), Limits(depth=depth))
    assert result.nodes == nodes
    assert result.value == 0


@pytest.mark.parametrize(("depth", "nodes"), [(4, 2_237), (6, 50_688), (8, 859_184)])
def test_minimax_with_a_table_visits_the_lectures_nodes(depth: int, nodes: int) -> None:
    """The lecture's column "transposition", to the node, when no entry is overwritten."""
    searcher = Searcher(GAME, "transposition", "material", table_bits=22)
    assert searcher.search(GAME.start(), Limits(depth=depth)).nodes == nodes


def test_all_together_beats_the_lecture() -> None:
    """The lecture's 4,835 at depth 8 under conditions that leave no room; see docs/search.md."""
    searcher = Searcher(GAME, "advanced", "material")
    assert not searcher.switches & Switch.QUIESCENCE
    result = searcher.search(GAME.start(), Limits(depth=8))
    assert result.value == 0
    assert [iteration.depth for iteration in result.iterations] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert result.iterations[-1].nodes <= 4_446
    assert result.nodes == sum(iteration.nodes for iteration in result.iterations)


def test_each_column_is_at_most_the_lectures() -> None:
    lecture = {"alphabeta": 129_183, "ordering": 36_753, "quiescence": 649_760}
    for algorithm, nodes in lecture.items():
        assert Searcher(GAME, algorithm, "material").search(GAME.start(), Limits(depth=8)).nodes <= nodes


def test_every_switch_of_the_ordering_saves_nodes_at_the_opening() -> None:
    switches = ALGORITHMS["advanced"].switches

    def nodes(switches: Switch) -> int:
        searcher = Searcher(GAME, evaluation="material", switches=switches)
        return searcher.search(GAME.start(), Limits(depth=8)).iterations[-1].nodes

    complete = nodes(switches)
    for switch in (Switch.KILLERS, Switch.HISTORY, Switch.TABLE_MOVE, Switch.NULL_WINDOWS, Switch.TABLE):
        assert complete < nodes(switches & ~switch)
