# SPDX-License-Identifier: GPL-3.0-or-later
"""Dice, and matches with dice."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.game import CHANCE, Game
from engine.games import find
from engine.games.tree import Dice, from_lists
from engine.match.dice import roll
from engine.match.ending import Ending, Termination
from engine.match.events import Ended, Event, Moved
from engine.match.machine import Match, MatchOver, OutOfTurn
from engine.match.record import Player, Record
from engine.opening import random_opening
from engine.rules import OpeningRule
from engine.time_control import TimeControl
from engine.walks.playout import playouts

EINSTEIN = find("einstein")
UNEVEN = from_lists(Dice(((1, [0, 1]), (2, [0, 1]), (7, [0, 1]))))
"""Dice come first, then seat 0 chooses."""


def played(game: Game, seed: int) -> Match:
    """A match of first moves."""
    match = Match(game, seed=seed)
    while match.to_move is not None:
        match.play(match.to_move, match.legal[0])
    return match


def rolls(match: Match) -> list[str]:
    return [moved.move for moved in match.moves if moved.seat == CHANCE]


def test_frequencies_of_rolls_agree_with_their_odds() -> None:
    position = UNEVEN.look(UNEVEN.start())
    counts = Counter(roll(UNEVEN, position, 1, ply) for ply in range(10_000))
    # five standard deviations
    assert all(abs(counts[face] - 1000 * often) < 250 for face, often in enumerate((1, 2, 7)))
    counts = Counter(roll(EINSTEIN, EINSTEIN.look(EINSTEIN.start()), seed, 0) for seed in range(6000))
    assert all(abs(counts[face] - 1000) < 150 for face in range(1, 7))


def test_random_playouts_use_the_odds() -> None:
    game = from_lists(Dice(((1, -1), (9, 1))))
    tally = playouts(game, 10_000, 3)
    assert abs(tally.first - 9000) < 150


def test_random_openings_use_the_odds() -> None:
    game = replace(UNEVEN, opening=OpeningRule(1))
    counts = Counter(random_opening(game, seed) for seed in range(300))
    assert counts["3",] > counts["2",] > counts["1",]


def test_rolls_are_independent_of_earlier_rolls_and_other_seeds() -> None:
    position = EINSTEIN.look(EINSTEIN.start())
    rows = np.array([[roll(EINSTEIN, position, seed, ply) for ply in range(40)] for seed in range(150)])
    for shifted in (rows[:, 1:] == rows[:, :-1], rows[1:] == rows[:-1]):
        assert abs(shifted.mean() - 1 / 6) < 0.025


def test_a_match_rolls_at_once_and_records_the_roll_as_a_move_of_no_seat() -> None:
    match = Match(EINSTEIN, seed=5, time_control=TimeControl(10_000, 100))
    [first] = match.events
    assert first == Moved(1, CHANCE, rolls(match)[0])
    assert (match.to_move, match.ply) == (0, 1)
    made, shown = match.play(0, match.legal[0], elapsed=250)
    assert made == Moved(2, 0, match.moves[1].move, 250, 9850)
    assert shown == Moved(3, CHANCE, rolls(match)[1])
    assert match.to_move == 1
    assert match.clocks == (9850, 10_000)


def test_a_seed_determines_the_rolls() -> None:
    assert played(EINSTEIN, 1).events == played(EINSTEIN, 1).events
    assert len({tuple(rolls(played(EINSTEIN, seed))[:6]) for seed in range(20)}) == 20


def test_a_roll_may_end_a_match() -> None:
    game = from_lists([Dice(((1, 5), (1, -5))), 0])
    endings = set()
    for seed in range(20):
        match = Match(game, seed=seed)
        made, shown, ended = match.play(0, "1")
        assert (made, shown) == (Moved(1, 0, "1"), Moved(2, CHANCE, rolls(match)[0]))
        assert isinstance(ended, Ended)
        endings.add((rolls(match)[0], ended.ending))
    assert endings == {
        ("1", Ending("1-0", Termination.DECIDED, payoff=5)),
        ("2", Ending("0-1", Termination.DECIDED, payoff=5)),
    }


def test_players_cannot_roll() -> None:
    match = Match(EINSTEIN)
    assert match.to_move == CHANCE
    for seat in (0, 1):
        with pytest.raises(OutOfTurn):
            match.play(seat, "1")
    with pytest.raises(ValueError, match="no seat -1"):
        match.play(CHANCE, "1")
    with pytest.raises(ValueError, match="no seat -1"):
        match.resign(CHANCE)


def test_recorded_rolls_are_checked_by_the_rules() -> None:
    match = Match(EINSTEIN)
    with pytest.raises(ValueError, match="not a legal move"):
        match.apply(Moved(1, CHANCE, "7"))
    with pytest.raises(ValueError, match="cannot follow"):
        match.apply(Moved(2, CHANCE, "1"))
    match.apply(Moved(1, CHANCE, "1"))
    with pytest.raises(OutOfTurn, match="no dice"):
        match.apply(Moved(2, CHANCE, "1"))
    match.resign(1)
    with pytest.raises(MatchOver):
        match.apply(Moved(2, CHANCE, "1"))


def test_a_replay_uses_recorded_rolls_and_then_rolls_itself() -> None:
    whole = played(EINSTEIN, 9)
    for count in range(len(whole.events)):
        events: list[Event] = whole.events[:count]
        match = Match.replay(EINSTEIN, events=events, seed=9)
        # what was to follow at once is there again
        assert match.events == whole.events[: len(match.events)]
        assert match.to_move != CHANCE
        assert len(match.events) - count <= 1
    assert Match.replay(EINSTEIN, events=whole.events).events == whole.events
    other = Match.replay(EINSTEIN, events=whole.events[:2], seed=10)
    assert other.events[:2] == whole.events[:2]


def test_a_draw_offer_survives_a_roll() -> None:
    match = Match(EINSTEIN, seed=1)
    match.offer_draw(0)
    match.play(0, match.legal[0])
    assert match.draw_offer == 0
    match.accept_draw(1)
    assert match.ending == Ending("1/2-1/2", Termination.AGREEMENT)


def test_a_roll_allows_no_second_draw_offer() -> None:
    match = Match(EINSTEIN, seed=1)
    assert match.offer_draw(1)
    match.play(0, match.legal[0])
    assert match.offer_draw(1) == []


def test_a_record_contains_the_rolls_among_the_moves() -> None:
    match = played(EINSTEIN, 3)
    record = Record.from_match(match, (Player("one"), Player("other")), seed=3)
    assert [played.move for played in record.moves] == [moved.move for moved in match.moves]
    assert list(record.positions())[-1].state == match.position.state
