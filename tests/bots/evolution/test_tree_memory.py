# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree memory of the evolved search: better move ordering, fewer nodes, and the same values."""

from random import Random

import numpy as np
import pytest

from bots.evolution.steered import desk, player
from bots.evolution.steered.desk import (
    BEST,
    FIRST_BRANCH,
    GROWN,
    LEAST,
    LEAST_DEPTH,
    MADE,
    MOST,
    MOST_DEPTH,
    NEXT_BRANCH,
    NO_MOVE,
    NOWHERE,
    PLIES,
)
from bots.evolution.steered.memory import PARTS, taken_up
from bots.evolution.steered.player import Player
from bots.evolution.steered.steering import Steering
from engine.game import Game, Position
from engine.games import find
from tests.bots.evolution.test_pruning import plain, positions
from tests.engine.search.oracle import random_position

CHESS = find("chess")
PRUNING = {
    "reverse_futility_margin": 0.7,
    "futility_base": 0.5,
    "futility_margin": 0.5,
    "late_move_count": 4.0,
    "lmr_slope": 0.6,
    "lmr_move_count": 2.0,
}
CONTINUATION = {
    "continuation_history_weight": 30.0,
    "second_continuation_history_weight": 30.0,
    "safe_capture_weight": 10.0,
}


def deepened(game: Game, position: Position, **changes: float) -> Player:
    """Return a player that has searched a position by one depth after the other."""
    one = Player(game, plain(game, None, **changes), 10**7)
    one.choose(position)
    return one


def nodes(depth: int, monkeypatch: pytest.MonkeyPatch, **changes: float) -> int:
    """Return what some positions take."""
    monkeypatch.setattr(player, "DEEPEST", depth)
    return sum(deepened(CHESS, position, **changes).nodes for position in positions())


@pytest.mark.parametrize("name", ["chess", "checkers"])
@pytest.mark.parametrize(
    "changes",
    [
        {"search_tree_memory": 1.0},
        CONTINUATION,
        {
            **CONTINUATION,
            "search_tree_memory": 1.0,
            "principal_variation_first": 1.0,
            "aspiration_window": 0.2,
            "history_rate": 0.1,
        },
        {**CONTINUATION, "evasion_history_weight": 0.5},
    ],
)
def test_memory_changes_no_value(name: str, changes: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    game = find(name)
    for seed in range(6):
        position = random_position(game, seed)
        one, other = (Player(game, plain(game, None, **own), 10**7).choose(position) for own in ({}, changes))
        assert (other.value, other.depth) == (one.value, one.depth), seed


def test_memory_saves_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = nodes(5, monkeypatch)
    assert nodes(5, monkeypatch, search_tree_memory=1) < 0.95 * usual
    assert nodes(5, monkeypatch, search_tree_memory=1, **CONTINUATION) < 0.95 * usual


def test_a_memory_that_is_full_is_still_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    values = [Player(CHESS, plain(CHESS, None), 10**7).choose(position).value for position in positions()]
    monkeypatch.setattr(desk, "MEMORY", 40)
    for position, value in zip(positions(), values, strict=True):
        one = Player(CHESS, plain(CHESS, None, search_tree_memory=1), 10**7)
        assert one.choose(position).value == value
        assert one._desk.control[GROWN] == 40


def test_the_memory_is_a_tree_of_legal_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    for position in positions(4):
        one = deepened(CHESS, position, search_tree_memory=1)
        tree, control = one._desk.tree, one._desk.control
        seen: set[int] = set()

        def hold(row: int, at: Position, tree: np.ndarray = tree, seen: set[int] = seen) -> None:
            seen.add(row)
            assert tree[row, BEST] == NO_MOVE or int(tree[row, BEST]) in at.moves
            branch, made = int(tree[row, FIRST_BRANCH]), set()
            while branch != NOWHERE:
                move = int(tree[branch, MADE])
                assert move not in made
                made.add(move)
                hold(branch, CHESS.play(at, move))
                branch = int(tree[branch, NEXT_BRANCH])

        hold(0, position)
        assert seen == set(range(control[GROWN]))
        assert int(tree[0, BEST]) == int(one._desk.lines[0, 0])


@pytest.mark.parametrize("name", ["chess", "checkers"])
def test_stored_bounds_agree_with_separate_searches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    game, held = find(name), 0
    chance = Random(7)
    for seed in range(4):
        root = random_position(game, seed)
        one = deepened(game, root, search_tree_memory=1)
        every = branches(one._desk.tree)
        for line, row in chance.sample(every, min(60, len(every))):
            position, history = root, list[int]()
            for move in line:
                history = [*history, position.key]
                position = game.play(position, move)
            for bound, depth in ((LEAST, LEAST_DEPTH), (MOST, MOST_DEPTH)):
                if row[depth] < 0 or position.over:
                    continue
                alone = Player(game, plain(game, row[depth] // PARTS)).choose(position, history)
                assert row[bound] <= alone.value if bound == LEAST else row[bound] >= alone.value
                held += 1
    assert held > 100


Line = tuple[int, ...]


def branches(tree: np.ndarray, row: int = 0, line: Line = ()) -> list[tuple[Line, list[int]]]:
    """Return all lines from a row of a tree, with what is kept of each but the places of rows."""
    found = []
    branch = int(tree[row, FIRST_BRANCH])
    while branch != NOWHERE:
        there = (*line, int(tree[branch, MADE]))
        found += [(there, tree[branch].tolist()), *branches(tree, branch, there)]
        branch = int(tree[branch, NEXT_BRANCH])
    return found


def kept(tree: np.ndarray, row: int = 0) -> dict[Line, list[int]]:
    """Return what is known of all lines from a row."""
    return {line: [*values[BEST : BEST + 1], *values[LEAST:]] for line, values in branches(tree, row)}


def test_the_tree_goes_on_where_the_game_does() -> None:
    """After a move and an answer what is left is their branch, whole; the search of another position begins anew."""
    for root in positions(6):
        one = Player(CHESS, plain(CHESS, None, search_tree_memory=1), 20_000)
        move = one.choose(root).move
        every = kept(one._desk.tree)
        answers = sorted({line[1] for line in every if line[0] == move and len(line) > 1 and line[1] != NO_MOVE})
        after = CHESS.play(root, move)
        state, grown = CHESS.pack(root.state), int(one._desk.control[GROWN])
        for line, sought in (
            ((move,), after),
            *(((move, answer), CHESS.play(after, answer)) for answer in answers[::7]),
        ):
            tree = one._desk.tree.copy()
            rows = taken_up(state, move, np.uint64(sought.key % 2**64).view(np.int64), grown, tree)
            expected = {other[len(line) :]: told for other, told in every.items() if other[: len(line)] == line}
            del expected[()]
            assert kept(tree) == expected
            assert rows == len(expected) + 1
            assert tree[0, NEXT_BRANCH] == NOWHERE
        assert answers
        assert taken_up(state, move, np.int64(1), grown, one._desk.tree.copy()) == 0


def test_memory_of_the_game_saves_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 6)
    spent = [0, 0]
    for forgets in (False, True):
        one = Player(CHESS, plain(CHESS, None, search_tree_memory=1, null_move=1, **PRUNING), 10**7)
        for position in positions():
            one.begin()
            for _ in range(3):
                thought = one.choose(position)
                spent[forgets] += thought.nodes
                if len(thought.line) < 2:
                    break
                for move in thought.line[:2]:
                    position = CHESS.play(position, move)
                if position.over:
                    break
                if forgets:
                    one.begin()
    assert spent[0] < 0.95 * spent[1]


def test_memory_ends_with_the_game() -> None:
    """So games follow from where they begin, not from what was played before."""
    one = Player(CHESS, plain(CHESS, None, search_tree_memory=1), 2_000)
    first = one.choose(CHESS.look(CHESS.start()))
    one.choose(CHESS.play(CHESS.look(CHESS.start()), first.move))
    one.begin()
    assert one.choose(CHESS.look(CHESS.start())) == first
    assert len(one._desk.places) == PLIES


@pytest.mark.parametrize(
    "change",
    [
        {"lmr_history": 0.3},
        {"lmr_cut_node": 0.7},
        {"lmr_not_improving": 0.7},
        {"history_margin": 0.2},
        {"internal_iterative_reduction": 1.0},
        {"pruning_lmr_share": 1.0},
        {"reverse_futility_improving": 1.0},
    ],
    ids=lambda change: next(iter(change)),
)
def test_each_change_of_reductions_changes_nodes_and_values_little(change: dict[str, float]) -> None:
    apart, differ = [], 0
    for position in positions():
        steering = plain(CHESS, 5, null_move=1, search_tree_memory=1, **CONTINUATION, **PRUNING)
        one = Player(CHESS, steering).choose(position)
        other = Player(CHESS, steering.changed(**change)).choose(position)
        differ += one.nodes != other.nodes
        apart.append(abs(one.value - other.value))
    # without earlier iterations there are no remembered moves, so internal iterative reduction applies everywhere
    assert differ or "internal_iterative_reduction" in change
    assert sorted(apart)[len(apart) // 2] <= 100  # a pawn unit, the median


def test_internal_iterative_reduction_saves_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, shallower = (
        nodes(7, monkeypatch, null_move=1, search_tree_memory=1, internal_iterative_reduction=plies, **PRUNING)
        for plies in (0.0, 1.0)
    )
    assert shallower < 0.97 * usual


def test_the_stable_move_share_ends_searches_sooner() -> None:
    spent = []
    for share in (0.0, 0.4):
        steering: Steering = plain(CHESS, None, iteration_share=0.8, stable_move_share=share)
        spent.append(sum(Player(CHESS, steering, 3_000).choose(position).nodes for position in positions()))
    assert spent[1] < spent[0]
