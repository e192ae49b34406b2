# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits, stops and time management of searches; timers."""

import random
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game
from engine.games import find
from engine.search import ALGORITHMS, SOLVE, Iteration, Limits, Searcher, SearchResult, Stop, solvable
from engine.search.limits import DROP_FACTOR, STABILITY, Alarms, TimeManager
from tests.compiling import marks, searched_games
from tests.engine.search.oracle import random_position

CHECKERS = find("checkers")
every_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)
every_search = pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        pytest.param(game, algorithm, id=f"{algorithm}-{game.name}", marks=marks(game.name, algorithm))
        for game in searched_games().values()
        for algorithm in ALGORITHMS
    ],
)


def found(result: SearchResult) -> tuple[object, ...]:
    """Return a result without its time."""
    return result.value, result.move, result.pv, result.nodes, result.depth, result.iterations


@every_search
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(min_value=0, max_value=999), nodes=st.integers(min_value=1, max_value=5000))
def test_a_node_limit_is_kept_and_reproducible(game: Game, algorithm: str, seed: int, nodes: int) -> None:
    position = random_position(game, seed)
    results = [
        Searcher(game, algorithm, table_bits=10).search(position.state, Limits(nodes=nodes), seed=seed)
        for _ in range(2)
    ]
    assert found(results[0]) == found(results[1])
    result = results[0]
    assert result.move in position.moves
    # without a finished iteration, depth 1 is searched again
    assert result.nodes <= nodes + result.iterations[0].nodes
    assert sum(iteration.nodes for iteration in result.iterations) <= result.nodes
    depths = [iteration.depth for iteration in result.iterations]
    # the solver's iteration, after those of small depths, goes to the end of the game
    assert depths[:-1] == list(range(1, len(depths)))
    assert depths[-1] == len(depths) or (algorithm == SOLVE and solvable(game))


@every_algorithm
def test_a_depth_limit_is_reproducible(algorithm: str) -> None:
    results = [Searcher(CHECKERS, algorithm).search(CHECKERS.start(), Limits(depth=6), seed=3) for _ in range(2)]
    assert found(results[0]) == found(results[1])


@every_algorithm
def test_a_time_limit_ends_the_search(algorithm: str) -> None:
    searcher = Searcher(CHECKERS, algorithm)
    searcher.warm_up()
    began, spent = time.monotonic(), time.thread_time()
    result = searcher.search(CHECKERS.start(), Limits(seconds=0.2))
    assert time.monotonic() - began > 0.15
    assert time.thread_time() - spent < 1.0
    assert result.move is not None
    assert result.depth < 60


def test_a_time_limit_of_0_still_gives_a_move() -> None:
    result = Searcher(CHECKERS).search(CHECKERS.start(), Limits(seconds=0))
    # the alarm that ends it may ring some depths late
    assert 1 <= result.depth < 60
    assert result.move is not None


@every_algorithm
def test_a_stop_ends_the_search_at_once(algorithm: str) -> None:
    searcher = Searcher(CHECKERS, algorithm)
    searcher.warm_up()
    stop = Stop()
    # the processor's time of this thread: what others do meanwhile does not count
    clock = time.pthread_getcpuclockid(threading.get_ident())
    given_at = []

    def give() -> None:
        stop.set()
        given_at.append(time.clock_gettime(clock))

    timer = threading.Timer(0.1, give)
    timer.start()
    result = searcher.search(CHECKERS.start(), Limits(depth=60), stop=stop)
    ended_at = time.clock_gettime(clock)
    timer.join()
    assert ended_at - given_at[0] < 0.5
    assert result.move in CHECKERS.look(CHECKERS.start()).moves
    assert result.depth < 60


@every_algorithm
def test_a_stop_before_the_search_leaves_depth_1(algorithm: str) -> None:
    stop = Stop()
    stop.set()
    result = Searcher(CHECKERS, algorithm).search(CHECKERS.start(), Limits(depth=20), stop=stop)
    assert stop.is_set()
    assert result.depth == 1
    assert result.pv == (result.move,)


def test_a_stop_ends_one_search_and_not_the_next() -> None:
    searcher = Searcher(CHECKERS)
    stop = Stop()
    searcher.search(CHECKERS.start(), Limits(depth=3), stop=stop)
    stop.set()
    assert searcher.search(CHECKERS.start(), Limits(depth=5)).depth == 5


def test_a_search_ends_when_the_game_is_solved() -> None:
    game = find("tictactoe")
    result = Searcher(game).search(game.start(), Limits(seconds=3600))
    assert result.value == 0
    assert result.depth == 9


def test_a_forced_move_ends_the_search_at_depth_1() -> None:
    state = CHECKERS.parse_position("B:B9,1:W14,30")
    assert len(CHECKERS.look(state).moves) == 1
    result = Searcher(CHECKERS).search(state, Limits(seconds=3600))
    assert result.depth == 1


@every_search
def test_a_finished_game_has_a_value_and_no_move(game: Game, algorithm: str) -> None:
    chance = random.Random(1)
    position = game.look(game.start())
    while not position.over:
        position = game.play(position, chance.choice(position.moves))
    evaluation = next(iter(game.evaluations.values()))
    result = Searcher(game, algorithm).search(position.state, Limits(depth=3))
    assert result.move is None
    assert result.pv == ()
    assert result.value == position.payoffs[max(position.to_move, 0)] * (evaluation.win + 3 * evaluation.sooner)


def test_each_iteration_is_reported() -> None:
    told: list[tuple[Iteration, tuple[int, ...]]] = []
    searcher = Searcher(CHECKERS)
    result = searcher.search(CHECKERS.start(), Limits(depth=6), on_iteration=lambda *report: told.append(report))
    assert tuple(iteration for iteration, _ in told) == result.iterations
    assert told[-1][1] == result.pv
    assert sum(iteration.nodes for iteration in result.iterations) == result.nodes


def test_the_seed_selects_among_equal_moves() -> None:
    game = find("tictactoe")
    state = game.parse_position(".../.x./...")
    results = [Searcher(game, "minimax").search(state, Limits(depth=8), seed=seed) for seed in range(40)]
    assert {result.value for result in results} == {0}
    assert {game.format_move(state, result.move) for result in results if result.move is not None} == {
        "a1",
        "a3",
        "c1",
        "c3",
    }


@pytest.mark.parametrize(
    "bad", [{"depth": 0}, {"depth": 101}, {"nodes": 0}, {"seconds": -1.0}, {"seconds": float("nan")}]
)
def test_invalid_limits_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        Limits(**bad)  # type: ignore[arg-type]  # depth and nodes are integers here too


def test_a_search_without_a_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="limit"):
        Searcher(CHECKERS).search(CHECKERS.start(), Limits())


def test_unknown_names_are_refused() -> None:
    with pytest.raises(KeyError, match="alphabeta"):
        Searcher(CHECKERS, "alfabeta")
    with pytest.raises(KeyError, match="material"):
        Searcher(CHECKERS, evaluation="matter")


@pytest.mark.long  # compiles the selective search for this game
def test_an_aspiration_window_is_at_least_a_point_wide() -> None:
    """The unit of nim is small; a window must still be a point wide."""
    nim = find("nim")
    found = Searcher(nim, "play").search(nim.parse_position("9"), Limits(depth=12))
    assert found.value == Searcher(nim, "minimax").search(nim.parse_position("9"), Limits(depth=12)).value


@pytest.mark.parametrize("algorithm", ["star1", "star2"])
def test_static_ordering_respects_the_node_limit(algorithm: str) -> None:
    """Each static evaluation for ordering counts as a node, and many are computed at once."""
    einstein = find("einstein")
    searcher = Searcher(einstein, algorithm)
    state = einstein.parse_position("..dfb/...ea/3...c/15.../264.. d 3")
    for nodes in range(50, 500):
        searcher.clear()
        assert searcher.search(state, Limits(nodes=nodes)).nodes <= nodes


def least(manager: TimeManager) -> float:
    """Return the milliseconds after which the search should end."""
    return next(elapsed for elapsed in range(10_000) if manager.over(elapsed / 1000))


def test_a_stable_best_move_shortens_the_search() -> None:
    manager = TimeManager(1.0)
    times = []
    for _ in range(8):
        manager.note(5, 0.1)
        times.append(least(manager))
    assert times == [*sorted(times, reverse=True)]
    assert times[0] == 1000 * STABILITY[0]
    assert times[-1] == 1000 * STABILITY[-1]


def test_a_new_best_move_resets_the_stability() -> None:
    manager = TimeManager(1.0)
    for move in (5, 5, 5, 6):
        manager.note(move, 0.0)
    assert least(manager) == 1000 * STABILITY[0]


def test_a_falling_value_prolongs_the_search() -> None:
    manager = TimeManager(1.0)
    manager.note(5, 0.5)
    manager.note(5, -0.5)
    assert least(manager) == round(1000 * STABILITY[1] * DROP_FACTOR)
    manager.note(5, -0.5)
    assert least(manager) == 1000 * STABILITY[2]


def test_a_soft_limit_ends_a_search_early() -> None:
    game = find("checkers")
    searcher = Searcher(game)
    searcher.warm_up()
    result = searcher.search(game.start(), Limits(seconds=3600, soft_seconds=0.1))
    # one that has to wait for a processor ends after depth 1
    assert 1 <= result.depth < 60


PATIENCE = 300.0


def test_due_alarms_ring_and_cancelled_ones_do_not() -> None:
    alarms = Alarms()
    rung: list[str] = []
    last = threading.Event()
    with alarms.after(3600.0, lambda: rung.append("late")):
        with alarms.after(0.0, lambda: rung.append("at once")), alarms.after(0.05, last.set):
            assert last.wait(PATIENCE)
        with alarms.after(3600.0, lambda: rung.append("cancelled")):
            pass
    assert rung == ["at once"]


def test_an_earlier_alarm_does_not_wait_for_a_later_one() -> None:
    alarms = Alarms()
    rung = [threading.Event() for _ in range(20)]
    with alarms.after(3600.0, lambda: None):
        for event in rung:
            with alarms.after(0.001, event.set):
                assert event.wait(PATIENCE)


def test_many_threads_share_one_alarm_thread() -> None:
    alarms = Alarms()
    rung: list[bool] = []

    def work() -> None:
        for _ in range(50):
            event = threading.Event()
            with alarms.after(0.001, event.set):
                rung.append(event.wait(PATIENCE))

    before = set(threading.enumerate())
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rung == [True] * 400
    # threads of others may have ended meanwhile
    assert len(set(threading.enumerate()) - before) == 1
