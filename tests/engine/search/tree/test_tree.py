# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees: counts, memory, reuse, limits, threads."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from engine.game import Game, Position
from engine.games import find
from engine.native.atomics import atomic_add, atomic_swap, swapped_if
from engine.search import Limits, Stop, altered
from engine.search.tree import TREE_ALGORITHMS, TreeReport, TreeSearcher, TreeSwitch
from tests.engine.search.oracle import random_position
from tests.engine.search.tree.looks import check_counts, check_memory, tree_of

GAMES = [find(name) for name in ("tictactoe", "nim", "einstein")]
NIM = find("nim")

every_search = pytest.mark.parametrize(
    ("game", "algorithm"),
    [pytest.param(game, algorithm, id=f"{algorithm}-{game.name}") for game in GAMES for algorithm in TREE_ALGORITHMS],
)

UNSOLVED = "-solver"
"""Without the solver a search makes all its playouts."""


def found(report: TreeReport) -> tuple[object, ...]:
    """Return a report without its time."""
    return report.moves, report.pv, report.win_probability, report.nodes, report.depth, report.size


@every_search
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 999), playouts=st.integers(1, 3000), capacity=st.integers(200, 9000))
def test_visits_add_up_and_the_seed_determines_them(
    game: Game, algorithm: str, seed: int, playouts: int, capacity: int
) -> None:
    position = random_position(game, seed)
    searchers = [TreeSearcher(game, algorithm, switches=UNSOLVED, capacity=capacity) for _ in range(2)]
    one, other = (each.search(position.state, Limits(playouts=playouts), seed=seed) for each in searchers)
    assert found(one) == found(other)
    assert one.playouts == playouts == sum(each.visits for each in one.moves)
    assert one.size <= capacity
    assert sorted(each.move for each in one.moves) == sorted(position.moves)
    assert one.move == one.pv[0] == one.moves[0].move
    assert one.moves[0].visits == max(each.visits for each in one.moves)
    assert sum(each.prior for each in one.moves) == pytest.approx(1, abs=1e-4)
    check_counts(tree_of(searchers[0]))
    check_memory(tree_of(searchers[0]))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 999), capacity=st.integers(300, 20_000), data=st.data())
def test_the_tree_below_the_next_position_is_kept(game: Game, seed: int, capacity: int, data: st.DataObject) -> None:
    searcher = TreeSearcher(game, "uct", capacity=capacity)
    position = game.look(game.start())
    for number in range(8):
        before = tree_of(searcher)
        root = position
        searcher.search(root.state, Limits(playouts=500), seed=seed + number)
        position = game.play(root, data.draw(st.sampled_from(root.moves)))
        if position.over:
            break
        place = int(before.first[0]) + before.moves[int(before.first[0]) :].tolist().index(_last(root, position, game))
        visits, value = int(before.visits[place]), int(before.totals[place])
        if root.to_move == 1:
            value = (visits << 20) - value
        searcher._enter(position, ())
        kept = tree_of(searcher)
        check_memory(kept)
        check_counts(kept)
        if kept.first[0] >= 0:
            assert (int(kept.visits[0]), int(kept.totals[0])) == (visits, value)


def _last(root: Position, position: Position, game: Game) -> int:
    """Return the move from one position to the next."""
    return next(move for move in root.moves if game.play(root, move) == position)


def test_another_position_gets_a_new_tree() -> None:
    searcher = TreeSearcher(NIM, "uct", switches=UNSOLVED)
    searcher.search(NIM.start(), Limits(playouts=1000))
    assert searcher.search(NIM.start(), Limits(playouts=1000)).moves[0].visits > 300
    again = searcher.search(NIM.parse_position("17"), Limits(playouts=50))
    assert sum(each.visits for each in again.moves) == 50
    searcher.clear()
    assert sum(each.visits for each in searcher.search(NIM.start(), Limits(playouts=50)).moves) == 50


def test_positions_before_the_root_decide_whether_the_tree_is_kept() -> None:
    game = find("chess")
    searcher = TreeSearcher(game, "puct")
    root = game.look(game.start())
    searcher.search(root.state, Limits(playouts=500))
    knight = game.play(root, game.parse_move(root, "g1f3"))
    before = int(sum(tree_of(searcher).visits[1 : 1 + len(root.moves)]))
    assert before == 500
    kept = searcher.search(knight.state, Limits(playouts=1), history=[root.key])
    assert sum(each.visits for each in kept.moves) > 1
    other = searcher.search(knight.state, Limits(playouts=1), history=[7, root.key])
    assert sum(each.visits for each in other.moves) == 1


@every_search
def test_two_threads_count_every_playout(game: Game, algorithm: str) -> None:
    searcher = TreeSearcher(game, algorithm, switches=UNSOLVED, threads=2, capacity=5000)
    position = random_position(game, 4)
    for _ in range(3):
        searcher.clear()
        report = searcher.search(position.state, Limits(playouts=20_000), seed=1)
        assert report.playouts == 20_000 == sum(each.visits for each in report.moves)
        assert report.move in position.moves
        check_counts(tree_of(searcher))
        check_memory(tree_of(searcher))


def test_two_threads_solve_tictactoe() -> None:
    game = find("tictactoe")
    report = TreeSearcher(game, "uct", threads=2).search(game.start(), Limits(playouts=200_000))
    assert (report.proven, report.win_probability) == (True, 0.5)


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize("algorithm", TREE_ALGORITHMS)
def test_a_node_limit_ends_the_search_within_a_playout(algorithm: str) -> None:
    report = TreeSearcher(NIM, algorithm, switches=UNSOLVED).search(NIM.start(), Limits(nodes=5000), seed=1)
    assert 5000 <= report.nodes < 5200


def test_a_time_limit_and_a_stop_end_the_search() -> None:
    searcher = TreeSearcher(NIM, "uct", switches=UNSOLVED)
    searcher.warm_up()
    assert searcher.search(NIM.start(), Limits(seconds=0.05)).move in NIM.look(NIM.start()).moves
    stop = Stop()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    assert searcher.search(NIM.start(), Limits(playouts=2**40), stop=stop).playouts > 0
    timer.join()
    assert searcher.search(NIM.start(), Limits(playouts=10**9), stop=stop).playouts == 1


def test_the_state_is_reported_while_the_search_runs() -> None:
    told: list[TreeReport] = []
    searcher = TreeSearcher(NIM, "uct", switches=UNSOLVED)
    report = searcher.search(NIM.start(), Limits(playouts=100_000), on_report=told.append)
    assert len(told) > 1
    assert [each.playouts for each in told] == sorted({each.playouts for each in told})
    assert found(told[-1]) == found(report)


def test_the_end_of_the_game_has_a_value_and_no_move() -> None:
    report = TreeSearcher(NIM).search(NIM.parse_position("2+1"), Limits(playouts=5))
    assert (report.move, report.pv, report.moves, report.proven) == (None, (), (), True)
    assert report.win_probability == 0.0


def test_progressive_widening_tries_few_moves() -> None:
    game = find("tictactoe")
    report = TreeSearcher(game, "puct", switches="+widening,-solver").search(game.start(), Limits(playouts=5))
    assert sum(each.visits > 0 for each in report.moves) <= 5
    assert TreeSearcher(game, "puct", switches="+widening").search(game.start(), Limits(playouts=200_000)).proven


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(KeyError, match="no tree search is called 'best'; there are uct, rave, puct"):
        TreeSearcher(NIM, "best")
    with pytest.raises(ValueError, match="number of threads must be 1 or more"):
        TreeSearcher(NIM, threads=0)
    with pytest.raises(ValueError, match="must have room"):
        TreeSearcher(NIM, capacity=10)
    with pytest.raises(ValueError, match="no limit of depth"):
        TreeSearcher(NIM).search(NIM.start(), Limits(depth=3))
    with pytest.raises(ValueError, match="set a limit"):
        TreeSearcher(NIM).search(NIM.start(), Limits())
    with pytest.raises(ValueError, match="playouts must be 1 or more"):
        Limits(playouts=0)


def test_switches_are_read_as_those_of_the_other_searches() -> None:
    puct = TREE_ALGORITHMS["puct"].switches
    assert altered(puct, "+widening, -SOLVER") == (puct | TreeSwitch.WIDENING) & ~TreeSwitch.SOLVER
    assert altered(puct, "rave") == TreeSwitch.RAVE
    with pytest.raises(ValueError, match="no switch is called 'nothing'; there are solver, "):
        altered(puct, "+nothing")
    with pytest.raises(ValueError, match="before every switch"):
        altered(puct, "+rave,puct")


# ---------------------------------------------------------------- atomic operations


@njit(nogil=True)
def _count(cells, times):  # type: ignore[no-untyped-def]  # numba infers the types
    for _ in range(times):
        atomic_add(cells, 0, 1)
        while not swapped_if(cells, 1, 0, 1):
            pass
        cells[2] += 1
        atomic_swap(cells, 1, 0)


def test_atomic_operations_lose_nothing() -> None:
    cells = np.zeros(3, np.int64)
    threads = [threading.Thread(target=_count, args=(cells, 100_000)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cells.tolist() == [200_000, 0, 200_000]
