# SPDX-License-Identifier: GPL-3.0-or-later
"""Backgammon held against OpenSpiel's and against slow rules; its rolls, results and cube."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import CHANCE, Position, pick
from engine.games import find
from engine.games.backgammon.board import BAR, MEN, NO_CUBE, OFF, Backgammon, pack, sides
from engine.kernel import compiled
from tests.engine.games.backgammon_openspiel import play_in_lockstep, steps_agree
from tests.engine.games.backgammon_oracle import Sides, payoff, results

GAME, CUBE = find("backgammon"), find("backgammon/cube")
START = "4HPwATDgc/ABMA"


def position_of(own: dict[int, int], other: dict[int, int], roll: int, seat: int = 0) -> Position:
    """Return a position of these men, by point, and the rest borne off."""
    words = []
    for men in (own, other):
        counts = [0] * (BAR + 1)
        for point, count in men.items():
            counts[point] = count
        counts[OFF] = MEN - sum(counts)
        words.append(pack(counts))
    first, second = words[::-1] if seat else words
    return GAME.look(Backgammon(*first, *second, seat, roll, NO_CUBE))


def seen(state: Backgammon, seat: int) -> Sides:
    """Return the men in the view of a seat."""
    men = sides(state)
    return Sides(tuple(men[seat]), tuple(men[1 - seat]))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw positions of all kinds, from full boards to the last men."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    near = draw(st.sampled_from([24, 24, 18, 12, 8, 6]))
    men: list[dict[int, int]] = [{}, {}]
    for side, other in ((0, 1), (1, 0)):
        for _ in range(chance.randint(1, MEN)):
            point = chance.choice([BAR, *range(1, near + 1), *range(1, 7)])
            if point == BAR or BAR - point not in men[other]:
                men[side][point] = men[side].get(point, 0) + 1
        men[side] = men[side] or {BAR: 1}
    first, second = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    return position_of(men[0], men[1], 10 * max(first, second) + min(first, second), draw(st.integers(0, 1)))


# ---------------------------------------------------------------- turns


def test_random_games_agree_with_openspiel() -> None:
    assert sum(map(play_in_lockstep, range(6))) > 600


def test_steps_have_the_results_of_openspiel() -> None:
    assert sum(map(steps_agree, range(4))) > 4000


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_many_random_games_agree_with_openspiel(part: int) -> None:
    assert sum(map(play_in_lockstep, range(1_000 * part, 1_000 * (part + 1)))) > 150_000


@settings(max_examples=400)
@given(position=positions())
def test_turns_agree_with_slow_rules(position: Position) -> None:
    state = position.state
    expected = results(seen(state, state.seat), *divmod(state.roll, 10))
    reached = [seen(GAME.play(position, move).state, state.seat) for move in position.moves]
    assert len(set(reached)) == len(reached) == len(expected)
    assert set(reached) == expected


@compiled
def picks(state, chances, out, drawn):  # type: ignore[no-untyped-def]  # numba infers the types
    for index in range(len(chances)):
        drawn[index] = pick(state, chances[index], out)


@settings(max_examples=150)
@given(position=positions())
def test_every_turn_is_drawn_and_no_other(position: Position) -> None:
    count = len(position.moves)
    chances = np.random.default_rng(count).integers(0, 2**32, 40 * count, np.uint64)
    drawn = np.empty(len(chances), np.int64)
    picks(position.state, chances, np.empty(GAME.width, np.int64), drawn)
    numbers = [np.count_nonzero(drawn == move) for move in position.moves]
    assert sum(numbers) == len(chances)
    # each is expected 40 times, with a deviation of 6.3
    assert 5 <= min(numbers) <= max(numbers) <= 90 or count == 1


@pytest.mark.parametrize(
    ("own", "other", "roll", "moves"),
    [
        # either die, but not both: the higher one
        ({24: 1}, {12: 2}, 65, {"24/18"}),
        # the lower one if the higher one is blocked
        ({24: 1}, {12: 2, 7: 2}, 65, {"24/19"}),
        # a blocked bar
        ({BAR: 1, 6: 2}, {6: 2, 5: 2}, 65, {"pass"}),
        # the highest point if the die is higher
        ({3: 1, 2: 1}, {1: 2}, 65, {"3/off 2/off"}),
        # two ways with one result: 7/6/off and 7/1 1/off
        ({7: 1, 1: 1}, {1: 2}, 61, {"7/off"}),
        # two ways of one man: only those that hit are two turns
        ({24: 1}, {5: 1}, 41, {"24/20*/19", "24/19"}),
        ({24: 1}, {12: 1}, 41, {"24/19"}),
    ],
)
def test_special_turns(own: dict[int, int], other: dict[int, int], roll: int, moves: set[str]) -> None:
    for seat in (0, 1):
        assert set(GAME.move_texts(position_of(own, other, roll, seat))) == moves


def test_no_position_has_more_turns_than_the_width() -> None:
    # one man on each of 15 points, all free to move by one
    spread = position_of(dict.fromkeys(range(9, 24), 1), {25: 1}, 11)
    assert 1000 < len(spread.moves) <= GAME.width == 3060


# ---------------------------------------------------------------- rolls and results


def test_the_opening_roll_decides_who_begins_and_is_no_double() -> None:
    start = GAME.look(GAME.start())
    assert start.to_move == CHANCE
    assert len(start.moves) == 30
    assert set(GAME.odds(start)) == {1}
    assert GAME.play(start, GAME.parse_move(start, "31")).to_move == 0
    assert GAME.play(start, GAME.parse_move(start, "13")).to_move == 1
    with pytest.raises(ValueError, match="legal"):
        GAME.parse_move(start, "33")


def test_a_double_is_half_as_frequent_as_another_roll() -> None:
    position = GAME.look(GAME.start())
    position = GAME.play(position, GAME.parse_move(position, "31"))
    position = GAME.play(position, GAME.parse_move(position, "8/5 6/5"))
    assert position.to_move == CHANCE
    texts = GAME.move_texts(position)
    assert dict(zip(texts, GAME.odds(position), strict=True)) == {
        f"{high}{low}": 2 - (high == low) for high in range(1, 7) for low in range(1, high + 1)
    }


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ({1: 14}, 1),
        ({18: 1, 1: 14}, 2),
        ({19: 1, 1: 14}, 3),
        ({BAR: 1, 1: 14}, 3),
        ({24: 1, 1: 13}, 1),
    ],
)
def test_points_of_a_won_game(loser: dict[int, int], points: int) -> None:
    for seat in (0, 1):
        position = position_of({1: 1}, loser, 21, seat)
        after = GAME.play(position, position.moves[0])
        assert after.over
        assert after.payoffs[seat] == points == -after.payoffs[1 - seat]
        assert payoff(*seen(after.state, seat)) == points


# ---------------------------------------------------------------- the cube


def played(*texts: str) -> Position:
    position = CUBE.look(CUBE.start())
    for text in texts:
        position = CUBE.play(position, CUBE.parse_move(position, text))
    return position


def test_nobody_doubles_before_the_first_turn() -> None:
    assert played("31").to_move == 0
    assert set(CUBE.move_texts(played("31", "8/5 6/5"))) == {"roll", "double"}


def test_a_drop_ends_the_game_for_the_stakes_before_the_double() -> None:
    assert played("31", "8/5 6/5", "double", "drop").payoffs == (-1.0, 1.0)
    assert played("13", "8/5 6/5", "double", "take", "21", "6/4 6/5", "double", "drop").payoffs == (-2.0, 2.0)


def test_only_the_owner_of_the_cube_doubles_again() -> None:
    taken = played("31", "8/5 6/5", "double", "take")
    assert taken.to_move == CHANCE
    # seat 0 owns the cube at 2
    assert set(CUBE.move_texts(played("31", "8/5 6/5", "double", "take", "21", "6/4 24/23"))) == {"roll", "double"}
    after = played("31", "8/5 6/5", "double", "take", "21", "6/4 24/23", "roll", "21", "6/4 24/23")
    assert after.to_move == CHANCE


def test_the_cube_multiplies_the_points_and_stops_at_64() -> None:
    position = played("31", "8/5 6/5")
    for text in ("double", "take", "21", "6/4 24/23") * 6:
        position = (
            CUBE.play(position, CUBE.parse_move(position, text))
            if text != "6/4 24/23"
            else CUBE.play(position, position.moves[0])
        )
    assert position.to_move == CHANCE
    assert CUBE.stakes == 192
    while not position.over:
        position = CUBE.play(position, position.moves[-1])
    assert abs(position.payoffs[0]) in (64, 128, 192)
