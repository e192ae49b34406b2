# SPDX-License-Identifier: GPL-3.0-or-later
"""Backgammon's evaluation: its shots, that it agrees with its own look-ahead, and decisions of the cube."""

import random
from functools import cache
from itertools import combinations_with_replacement

import pytest

from engine.evaluation import Evaluation
from engine.game import CHANCE, Position
from engine.games import find
from engine.games.backgammon.board import (
    BAR,
    DECIDING,
    MEN,
    OFF,
    OFFERED,
    ROLLING,
    Backgammon,
    make_cube,
    pack,
)
from engine.games.backgammon.evaluation import CROSSING, PASSED, SHOTS
from engine.games.backgammon.worth import POINT
from engine.search.driver import Searcher
from engine.search.limits import Limits
from engine.search.tree.driver import TreeSearcher
from tests.engine.games.backgammon_oracle import Men, Sides, results

GAME, CUBE = find("backgammon"), find("backgammon/cube")
POINTS: Evaluation = next(iter(GAME.evaluations.values()))
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def state_of(own: dict[int, int], other: dict[int, int], seat: int = 0, cube: int = 0) -> Backgammon:
    """Return the state before the roll of a seat with these men, by point, and the rest borne off."""
    words = []
    for men in (own, other):
        counts = [0] * (BAR + 1)
        for point, count in men.items():
            counts[point] = count
        counts[OFF] = MEN - sum(counts)
        words.append(pack(counts))
    first, second = words[::-1] if seat else words
    return Backgammon(*first, *second, seat, 0, cube)


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("distance", "rolls"),
    [(1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (8, 6), (9, 5), (10, 3), (11, 2), (12, 3)],
)
def test_shots_are_those_of_the_usual_table(distance: int, rolls: int) -> None:
    # a man on the own 24 point, the other side's 1 point, has a shot at a blot
    for seat in (0, 1):
        state = state_of({24: 2}, {1 + distance: 1}, seat)
        seen = GAME.vector(state, POINTS)
        assert -seen[CROSSING + SHOTS] - seen[PASSED + SHOTS] == rolls


def mirrored(state: Backgammon) -> Backgammon:
    """Return the state with the seats swapped."""
    return state._replace(
        first_low=state.second_low,
        first_high=state.second_high,
        second_low=state.first_low,
        second_high=state.first_high,
        seat=1 - state.seat,
    )


def of_play(games: int, every: int) -> list[Position]:
    """Return positions before a roll, of games by own turns without look-ahead, every fifth turn at random."""
    searcher, found = Searcher(GAME), list[Position]()
    for seed in range(games):
        chance = random.Random(seed)
        position, ply = GAME.look(GAME.start()), 0
        while not position.over:
            if position.to_move == CHANCE:
                if ply and chance.random() < 1 / every:
                    found.append(position)
                move = chance.choices(position.moves, GAME.odds(position))[0]
            elif chance.random() < 0.2:
                move = chance.choice(position.moves)
            else:
                best = searcher.search(position.state, Limits(depth=1)).move
                assert best is not None
                move = best
            position = GAME.play(position, move)
            ply += 1
    return found


def test_scores_are_possible_points_and_the_same_for_both_seats() -> None:
    for position in of_play(games=4, every=2):
        score = GAME.score(position.state, POINTS)
        assert abs(score) <= 2 * POINT
        assert GAME.score(mirrored(position.state), POINTS) == -score


def test_a_position_is_worth_what_its_rolls_and_best_turns_are_worth() -> None:
    # a value that favours one side to roll, or does not fit the values a turn later, misleads a search of replies
    searcher = Searcher(GAME)
    differences, sizes = list[float](), list[float]()
    for position in of_play(games=12, every=4):
        sign = 1 if position.state.seat == 0 else -1
        static = sign * GAME.score(position.state, POINTS) / POINT
        searched = sign * searcher.search(position.state, Limits(depth=2)).value / POINT
        differences.append(searched - static)
        sizes.append(abs(searched))
    assert len(differences) > 100
    mean = sum(differences) / len(differences)
    # it was 0.038 of these positions; a score that counts the turn for the wrong side differs by several tenths
    assert abs(mean) < 0.07
    assert sum(map(abs, differences)) / sum(sizes) < 0.25


# ---------------------------------------------------------------- the cube


def rolls_of(own: Men, other: Men) -> list[tuple[int, set[Sides]]]:
    """Return how often of 36 times each roll is made, and what can be reached with it."""
    return [(1 if high == low else 2, results(Sides(own, other), high, low)) for high, low in ROLLS]


@cache
def rolled(own: Men, other: Men, owner: int) -> float:
    """Return the exact points of the side that rolls now, as multiples of the cube.

    ``owner``: 1 own, -1 the other side's, 0 nobody's. Both sides have borne off a man; the cube has no largest value.
    """
    total = 0.0
    for often, reached in rolls_of(own, other):
        total += often * max(1.0 if each.own[OFF] == MEN else -decided(other, each.own, -owner) for each in reached)
    return total / 36


@cache
def decided(own: Men, other: Men, owner: int) -> float:
    """Return the exact points of the side that may double first, if the cube is not the other side's."""
    value = rolled(own, other, owner)
    return value if owner < 0 else max(value, min(1.0, 2 * rolled(own, other, -1)))


def men_at(*points: int) -> Men:
    """Return men on these points, and the rest borne off."""
    counts = [0] * (BAR + 1)
    for point in points:
        counts[point] += 1
    counts[OFF] = MEN - len(points)
    return tuple(counts)


LAST = [
    (men_at(*own), men_at(*other))
    for own in combinations_with_replacement((1, 2, 4, 6), 2)
    for other in (*combinations_with_replacement((1, 3, 6), 2), (1,))
]
"""Bear-offs of at most two turns each."""


def with_cube(own: Men, other: Men, phase: int, owner: int | None = None) -> Backgammon:
    """Return the state in which seat 0 decides about a double, or has doubled."""
    return Backgammon(*pack(own), *pack(other), 0, 0, make_cube(1, owner, phase))


def test_a_search_to_the_end_finds_the_exact_worth_of_the_cube() -> None:
    searcher = Searcher(CUBE)
    for own, other in LAST[::3]:
        found = searcher.search(with_cube(own, other, DECIDING), Limits(depth=16)).value / POINT
        assert found == pytest.approx(decided(own, other, 0), abs=1e-3)


def test_decisions_without_look_ahead_cost_little_in_the_last_rolls() -> None:
    searcher = Searcher(CUBE)
    lost = []
    for own, other in LAST:
        roll, doubled = rolled(own, other, 0), 2 * rolled(own, other, -1)
        move = searcher.search(with_cube(own, other, DECIDING), Limits(depth=1)).move
        assert move is not None
        chosen = min(1.0, doubled) if CUBE.format_move(with_cube(own, other, DECIDING), move) == "double" else roll
        lost.append(max(roll, min(1.0, doubled)) - chosen)
        offered = with_cube(own, other, OFFERED)
        answer = searcher.search(offered, Limits(depth=1)).move
        assert answer is not None
        lost.append((doubled if CUBE.format_move(offered, answer) == "take" else 1.0) - min(1.0, doubled))
    assert min(lost) >= 0
    # on average two thousandths of a point
    assert sum(lost) / len(lost) < 0.005
    assert max(lost) < 0.25


RACER = {6: 4, 5: 3, 4: 3, 8: 2, 9: 2, 12: 1}
"""97 pips."""


@pytest.mark.parametrize(
    ("behind", "double", "take"),
    [(RACER, False, True), ({**RACER, 4: 2, 10: 1}, True, True), ({**RACER, 4: 0, 10: 3}, True, False)],
)
def test_races_are_doubled_and_dropped_by_the_lead(behind: dict[int, int], double: bool, take: bool) -> None:
    # of 100 pips a lead of 8 is a double, and one of 12 a drop; these leads are 0, 6 (on the verge) and 18
    searcher = Searcher(CUBE)
    deciding = state_of(RACER, behind, cube=make_cube(1, None, DECIDING))
    offered = state_of(RACER, behind, cube=make_cube(1, None, OFFERED))
    first = searcher.search(deciding, Limits(depth=1)).move
    answer = searcher.search(offered, Limits(depth=1)).move
    assert first is not None
    assert answer is not None
    assert CUBE.format_move(deciding, first) == ("double" if double else "roll")
    assert CUBE.format_move(offered, answer) == ("take" if take else "drop")


@pytest.mark.long
def test_tree_search_explores_by_what_the_cube_is_worth() -> None:
    plain, cube = TreeSearcher(GAME), TreeSearcher(CUBE)
    roll = GAME.look(GAME.start())
    roll = GAME.play(roll, GAME.parse_move(roll, "31"))
    for value in (1, 8, 64):
        visits = []
        state = roll.state._replace(cube=make_cube(value, None if value == 1 else 0, ROLLING))
        for searcher, root in ((plain, roll.state), (cube, state)):
            searcher.clear()
            found = searcher.search(root, Limits(playouts=600), seed=1)
            assert found.move is not None
            assert GAME.format_move(roll.state, found.move) == "8/5 6/5"
            visits.append(found.moves[0].visits / found.playouts)
        assert visits[1] == pytest.approx(visits[0], abs=0.25)
        assert visits[1] > 0.3
