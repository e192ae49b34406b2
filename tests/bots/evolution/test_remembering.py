# SPDX-License-Identifier: GPL-3.0-or-later
"""What a steered search remembers of its own lines helps it to look at the right moves first, spares it what it knows,
and changes no value."""

from dataclasses import replace
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
from bots.evolution.steered.steering import CAPTURES_FIRST, Daring, Steering
from engine.game import Game, Position
from engine.games import find
from tests.bots.evolution.test_daring import habitual, positions
from tests.engine.search.oracle import random_position

CHESS = find("chess")
BEGUN = Daring(standing=0.7, hope=0.5, hope_a_ply=0.5, few=4.0, late=0.6, settled=2.0)
SEQUELS = (*CAPTURES_FIRST[:-3], 30.0, 30.0, 10.0)


def deepened(game: Game, position: Position, **habits: object) -> Player:
    """Return a player that has searched a position by one depth after the other."""
    one = Player(game, habitual(game, None, **habits), 10**7)
    one.choose(position)
    return one


def nodes(depth: int, monkeypatch: pytest.MonkeyPatch, **habits: object) -> int:
    """Return what some positions take."""
    monkeypatch.setattr(player, "DEEPEST", depth)
    return sum(deepened(CHESS, position, **habits).nodes for position in positions())


@pytest.mark.parametrize("name", ["chess", "checkers"])
@pytest.mark.parametrize(
    "habits",
    [
        {"remembers": True},
        {"order": SEQUELS},
        {"remembers": True, "order": SEQUELS, "follows": True, "dares": Daring(narrow=0.2, learning=0.1)},
        {"order": SEQUELS, "dares": Daring(evasive=0.5)},
    ],
)
def test_memory_changes_no_value(name: str, habits: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    game = find(name)
    for seed in range(6):
        position = random_position(game, seed)
        plain, other = (Player(game, habitual(game, None, **own), 10**7).choose(position) for own in ({}, habits))
        assert (other.value, other.depth) == (plain.value, plain.depth), seed


def test_memory_saves_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = nodes(5, monkeypatch)
    assert nodes(5, monkeypatch, remembers=True) < 0.95 * plain
    assert nodes(5, monkeypatch, remembers=True, order=SEQUELS) < 0.95 * plain


def test_a_memory_that_is_full_is_still_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    values = [Player(CHESS, habitual(CHESS, None), 10**7).choose(position).value for position in positions()]
    monkeypatch.setattr(desk, "MEMORY", 40)
    for position, value in zip(positions(), values, strict=True):
        one = Player(CHESS, habitual(CHESS, None, remembers=True), 10**7)
        assert one.choose(position).value == value
        assert one._desk.control[GROWN] == 40


def test_what_is_remembered_is_the_tree_of_legal_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    for position in positions(4):
        one = deepened(CHESS, position, remembers=True)
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
def test_what_lines_are_worth_is_what_a_search_of_their_own_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    game, held = find(name), 0
    chance = Random(7)
    for seed in range(4):
        root = random_position(game, seed)
        one = deepened(game, root, remembers=True)
        every = branches(one._desk.tree)
        for line, row in chance.sample(every, min(60, len(every))):
            position, history = root, list[int]()
            for move in line:
                history = [*history, position.key]
                position = game.play(position, move)
            for bound, depth in ((LEAST, LEAST_DEPTH), (MOST, MOST_DEPTH)):
                if row[depth] < 0 or position.over:
                    continue
                alone = Player(game, habitual(game, row[depth] // PARTS)).choose(position, history)
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
        one = Player(CHESS, habitual(CHESS, None, remembers=True), 20_000)
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


def test_who_remembers_the_game_needs_fewer_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 6)
    spent = [0, 0]
    for forgets in (False, True):
        one = Player(CHESS, habitual(CHESS, None, remembers=True, passes=True, dares=BEGUN), 10**7)
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
    one = Player(CHESS, habitual(CHESS, None, remembers=True), 2_000)
    first = one.choose(CHESS.look(CHESS.start()))
    one.choose(CHESS.play(CHESS.look(CHESS.start()), first.move))
    one.begin()
    assert one.choose(CHESS.look(CHESS.start())) == first
    assert len(one._desk.places) == PLIES


@pytest.mark.parametrize(
    "habit",
    [
        {"esteem": 0.3},
        {"refuted": 0.7},
        {"worse": 0.7},
        {"disdain": 0.2},
        {"unknown": 1.0},
        {"foresight": 1.0},
        {"better": 1.0},
    ],
    ids=lambda habit: next(iter(habit)),
)
def test_each_habit_of_late_moves_changes_what_is_searched_and_harms_little(habit: dict[str, float]) -> None:
    apart, differ = [], 0
    for position in positions():
        steering = habitual(CHESS, 5, passes=True, remembers=True, order=SEQUELS, dares=BEGUN)
        one = Player(CHESS, steering).choose(position)
        other = Player(CHESS, replace(steering, dares=BEGUN._replace(**habit))).choose(position)
        differ += one.nodes != other.nodes
        apart.append(abs(one.value - other.value))
    assert differ or "unknown" in habit  # without iterations before it nothing is remembered, so all is unknown alike
    assert sorted(apart)[len(apart) // 2] <= 100  # a man, of the middle one


def test_what_is_unknown_is_searched_less_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, shallower = (
        nodes(7, monkeypatch, passes=True, remembers=True, dares=BEGUN._replace(unknown=unknown))
        for unknown in (0.0, 1.0)
    )
    assert shallower < 0.97 * plain


def test_who_is_steady_ends_sooner_where_iterations_agree() -> None:
    spent = []
    for steady in (0.0, 0.4):
        steering: Steering = habitual(CHESS, None, patience=0.8, steady=steady)
        spent.append(sum(Player(CHESS, steering, 3_000).choose(position).nodes for position in positions()))
    assert spent[1] < spent[0]
