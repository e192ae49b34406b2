# SPDX-License-Identifier: GPL-3.0-or-later
"""Repeated matrix games compared with plain Python, and played by the referee."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import CHANCE, Game
from engine.games import find
from engine.games.matrix.notation import parse_payoffs, payoffs_of, rounds_of
from engine.match.ending import Termination
from engine.match.machine import Match

DILEMMA, ROCK_PAPER_SCISSORS, MATRIX = map(find, ("dilemma", "rock-paper-scissors", "matrix"))

numbers = st.integers(-10_000, 10_000).map(lambda hundredths: hundredths / 100)


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[list[tuple[float, float]]], int, list[tuple[int, int]], int]:
    """Return payoffs, noise, the rounds to play, and the number of rounds of the match."""
    rows, columns = draw(st.integers(2, 8)), draw(st.integers(2, 8))
    payoffs = [[(draw(numbers), draw(numbers)) for _ in range(columns)] for _ in range(rows)]
    played = draw(st.lists(st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1)), min_size=1, max_size=25))
    return payoffs, draw(st.sampled_from((0, 5))), played, len(played)


@settings(max_examples=30, deadline=None)
@given(match=matches())
def test_payoffs_and_rounds_are_those_of_plain_lists(
    match: tuple[list[list[tuple[float, float]]], int, list[tuple[int, int]], int],
) -> None:
    payoffs, noise, played, rounds = match
    cells = "/".join(",".join(f"{first:g}:{second:g}" for first, second in row) for row in payoffs)
    position = MATRIX.look(MATRIX.parse_position(f"{cells} {rounds}" + (f" {noise}%" if noise else "")))
    assert [list(row) for row in payoffs_of(position.state)] == payoffs
    for number, (row, column) in enumerate(played):
        assert position.simultaneous
        assert (position.to_move, position.over) == (0, False)
        assert rounds_of(position.state) == played[:number]
        # with noise another action than the chosen one is played
        choices = [(row + 1) % len(payoffs), column] if noise else [row, column]
        for seat, choice in enumerate(choices):
            assert position.to_move == seat
            assert len(position.moves) == (len(payoffs), len(payoffs[0]))[seat]
            position = MATRIX.play(position, choice)
            assert not position.simultaneous or not noise
        for played_action in (row, column) if noise else ():
            assert position.to_move == CHANCE
            odds = MATRIX.odds(position)
            assert odds[played_action] * 100 / sum(odds) in (95, pytest.approx(5 / (len(position.moves) - 1)))
            position = MATRIX.play(position, played_action)
    assert position.over
    expected = [sum(payoffs[row][column][seat] for row, column in played) for seat in (0, 1)]
    assert position.payoffs == pytest.approx(expected)


def test_each_action_of_rock_paper_scissors_loses_against_the_next() -> None:
    cells = payoffs_of(ROCK_PAPER_SCISSORS.start())
    assert cells == parse_payoffs("0,-1,1/1,0,-1/-1,1,0")


def test_the_referee_asks_both_and_adds_up_both_payoffs() -> None:
    match = Match(DILEMMA, start="3")
    for first, second in ("CC", "CD", "DD"):
        assert match.asked == (0, 1)
        assert match.play(1, second) == []
        assert match.observe(0).position.count("!") == 0
        assert [event.move for event in match.play(0, first)[:2]] == [first, second]  # type: ignore[union-attr]  # moves
    assert match.ending is not None
    assert (match.ending.result, match.ending.payoffs) == ("0-1", (4.0, 9.0))


def test_noise_is_drawn_by_the_seed_at_its_rate() -> None:
    game = find("dilemma/noise-20")
    match = Match(game, seed=3)
    while match.to_move is not None:
        match.play(match.to_move, "C")
    actions = Counter(action for pair in rounds_of(match.position.state) for action in pair)
    # 400 draws at 20 %: 80 with a standard deviation of 8
    assert 40 < actions[1] < 120


@pytest.mark.parametrize("game", [DILEMMA, ROCK_PAPER_SCISSORS, MATRIX], ids=lambda game: game.name)
@pytest.mark.parametrize("rounds", [0, 1, 60])
def test_giving_up_gains_nothing(game: Game, rounds: int) -> None:
    for seat in (0, 1):
        match = Match(game)
        for _ in range(rounds):
            for other in (0, 1):
                match.play(other, match.legal_of(other)[other])
        match.resign(seat)
        assert match.ending is not None
        assert match.ending.termination is Termination.RESIGNATION
        assert match.ending.payoffs is not None
        assert match.ending.payoffs[seat] <= match.ending.payoffs[1 - seat]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("dilemma", "", "is not a position"),
        ("dilemma", "0", "1 to 500 rounds"),
        ("dilemma", "501", "1 to 500 rounds"),
        ("dilemma", "200 60%", "0 to 50"),
        ("dilemma", "2 CCC CCC", "3 rounds were played of 2"),
        ("dilemma", "200 CC C", "equally often"),
        ("dilemma", "200 CX CC", "'X' is not an action"),
        ("dilemma", "1 C C !C", "no choice after the last round"),
        ("dilemma", "200 !CD", "without noise"),
        ("rock-paper-scissors", "301", "1 to 300 rounds"),
        ("matrix", "1,2/3", "equally many cells"),
        ("matrix", "1:2:3 5", "not a pair of payoffs"),
        ("matrix", "1:200 5", "from -100 to 100"),
        ("matrix", "/".join(["1"] * 9) + " 5", "1 to 8 rows"),
        ("matrix", "1,2 5 5%", "two actions or more"),
        ("matrix", "1,2/3,4 5 cc aa", "not an action"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(name: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find(name).parse_position(text)


def test_variants_have_names() -> None:
    assert find("dilemma/noise-5").start().noise == 5
    assert find("matrix/chicken").title == "Chicken"
    for name in ("dilemma/noise-0", "dilemma/noise-51", "matrix/nothing"):
        with pytest.raises(KeyError):
            find(name)
