# SPDX-License-Identifier: GPL-3.0-or-later
"""Searcher: root moves, table, reproducibility in another process, node counts of the lecture."""

import subprocess
import sys

import pytest

from engine.games import find
from engine.search import Limits, Searcher, Switch
from engine.search.switches import ALGORITHMS

CHESS = find("chess")
MATE = "6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1"
"""a1a8 mates."""


@pytest.mark.parametrize("algorithm", ["advanced", "play"])
def test_only_the_given_root_moves_are_searched(algorithm: str) -> None:
    searcher = Searcher(CHESS, algorithm, table_bits=12)
    position = CHESS.look(CHESS.parse_position(MATE))
    best, *others = (CHESS.parse_move(position, text) for text in ("a1a8", "h1h3", "a1a2"))
    free = searcher.search(position.state, Limits(depth=5))
    assert free.move == best
    searcher.confine(others)
    confined = searcher.search(position.state, Limits(depth=5))
    assert confined.move in others
    assert confined.value < free.value
    assert confined.nodes < free.nodes
    searcher.confine(())
    again = searcher.search(position.state, Limits(depth=5))
    assert (again.move, again.value, again.nodes) == (best, free.value, free.nodes), "the tables were cleared"


@pytest.mark.parametrize("algorithm", ["advanced", "play"])
def test_fullness_grows_with_the_search(algorithm: str) -> None:
    searcher = Searcher(CHESS, algorithm, table_bits=12)
    assert searcher.fullness == 0
    searcher.search(CHESS.start(), Limits(nodes=2_000))
    some = searcher.fullness
    searcher.search(CHESS.start(), Limits(nodes=200_000))
    assert 0 < some < searcher.fullness <= 1


SEARCH = """
import sys
from engine.games import find
from engine.search import Limits, Searcher
game = find(sys.argv[1])
found = Searcher(game, sys.argv[2]).search(game.start(), Limits(depth=4))
print(found.value, found.nodes, found.pv)
"""


@pytest.mark.parametrize("algorithm", ["minimax", "advanced", "play"])
def test_another_process_finds_the_same(algorithm: str) -> None:
    command = [sys.executable, "-c", SEARCH, "tictactoe", algorithm]
    told = {subprocess.run(command, capture_output=True, check=True, text=True).stdout for _ in range(2)}
    assert len(told) == 1


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


def test_all_techniques_together_visit_fewer_nodes_than_the_lecture() -> None:
    """The lecture has 4,835 nodes at depth 8; see docs/explanation/search.md."""
    searcher = Searcher(GAME, "advanced", "material")
    assert not searcher.switches & Switch.QUIESCENCE
    result = searcher.search(GAME.start(), Limits(depth=8))
    assert result.value == 0
    assert [iteration.depth for iteration in result.iterations] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert result.iterations[-1].nodes <= 4_446
    assert result.nodes == sum(iteration.nodes for iteration in result.iterations)


def test_each_algorithm_visits_at_most_the_lectures_nodes() -> None:
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
