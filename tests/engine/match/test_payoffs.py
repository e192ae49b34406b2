# SPDX-License-Identifier: GPL-3.0-or-later
"""The points of a win: by the rules, and of matches that end otherwise."""

from dataclasses import replace

import pytest

from engine.formats import json_lines, tags
from engine.formats.movetext import to_record
from engine.formats.tags import Tags
from engine.game import Game, State
from engine.games.tree import Dice, from_lists
from engine.match.ending import Adjudication, DrawRule, Ending, ResignRule, Termination
from engine.match.events import Ended, Info, decode_event, encode_event
from engine.match.machine import Match
from engine.match.record import Player, Record
from engine.time_control import TimeControl
from tests.engine.match.guessing import GAME as GUESSING

RACE = from_lists([[Dice(((1, 3), (1, -2))), 1], [2, 0]])
"""Seat 0 chooses, then seat 1; one leaf is reached by dice."""


def played(*moves: str, game: Game = RACE, seed: int = 1) -> Match:
    match = Match(game, seed=seed)
    for move in moves:
        assert match.to_move is not None
        match.play(match.to_move, move)
    return match


def test_a_win_by_the_rules_has_the_payoff_of_the_outcome() -> None:
    assert played("2", "1").ending == Ending("1-0", Termination.DECIDED, payoff=2)
    assert played("1", "2").ending == Ending("1-0", Termination.DECIDED)
    assert played("2", "2").ending == Ending("1/2-1/2", Termination.DECIDED)
    by_dice = {played("1", "1", seed=seed).ending for seed in range(20)}
    wins = {Ending("1-0", Termination.DECIDED, payoff=3), Ending("0-1", Termination.DECIDED, payoff=2)}
    assert by_dice == wins


def test_the_payoffs_of_the_seats_are_opposite() -> None:
    endings = [played("2", "1").ending, played("1", "2").ending, played("2", "2").ending]
    assert [ending and ending.payoffs for ending in endings] == [(2, -2), (1, -1), (0, 0)]
    assert Ending("0-1", Termination.DECIDED, payoff=3).payoffs == (-3, 3)
    assert Ending("*", Termination.VOID).payoffs is None


def at_stake(state: State, seat: int) -> float:
    return 3.0 if seat == 0 else 2.0


@pytest.mark.parametrize(("game", "lost"), [(RACE, (1.0, 1.0)), (replace(RACE, loss=at_stake), (3.0, 2.0))])
def test_a_seat_that_gives_up_loses_what_the_game_says(game: Game, lost: tuple[float, float]) -> None:
    for seat in (0, 1):
        resigned, forfeited, late = (Match(game, time_control=TimeControl(1000)) for _ in range(3))
        resigned.resign(seat)
        forfeited.forfeit(seat, Termination.CRASH)
        late.play(0, "1") if seat else None
        late.flag(seat)
        for match in (resigned, forfeited, late):
            assert match.ending is not None
            assert (match.ending.winner, match.ending.payoff) == (1 - seat, lost[seat])


def test_a_loss_by_adjudication_counts_like_a_resignation() -> None:
    game = replace(RACE, loss=at_stake)
    rules = Adjudication(resign=ResignRule(5, 1, both=False))
    match = Match(game, adjudication=rules)
    match.play(0, "1", info=Info(score=-9))
    assert match.ending == Ending("0-1", Termination.ADJUDICATION, "the loser reports the match as lost", payoff=3)
    drawn = Match(game, adjudication=Adjudication(draw=DrawRule(1, 1), plies=1))
    drawn.play(0, "1")
    assert drawn.ending is not None
    assert drawn.ending.payoff == 1


def test_events_and_records_contain_payoffs_above_one() -> None:
    ending = Ending("1-0", Termination.DECIDED, payoff=2)
    assert decode_event(encode_event(Ended(ending))) == Ended(ending)
    assert b"payoff" not in encode_event(Ended(Ending("1-0", Termination.DECIDED)))
    players = Player("one"), Player("other")
    record = Record.from_match(played("2", "1"), players)
    assert (record.payoff, record.payoffs) == (2, (2, -2))
    [again] = json_lines.read(json_lines.write([record]))
    assert again == record
    assert "payoff" not in "".join(json_lines.write([Record.from_match(played("1", "2"), players)]))


@pytest.mark.parametrize("payoff", [0, -1, float("nan"), float("inf")])
def test_impossible_payoffs_are_refused(payoff: float) -> None:
    with pytest.raises(ValueError, match="payoff of the winner must be above 0"):
        Ending("1-0", Termination.DECIDED, payoff=payoff)
    players = Player("one"), Player("other")
    with pytest.raises(ValueError, match="payoff of the winner must be above 0"):
        Record(game="nim", players=players, result="1-0", payoff=payoff)


def test_only_a_winner_has_a_payoff() -> None:
    for result, termination in (("1/2-1/2", Termination.AGREEMENT), ("*", Termination.VOID)):
        with pytest.raises(ValueError, match="has no winner"):
            Ending(result, termination, payoff=2)
    problems: list[str] = []
    line = '{"game":"nim","players":[{"name":"a"},{"name":"b"}],"result":"*","payoff":2}'
    assert not list(json_lines.read([line], lambda unreadable: problems.append(unreadable.reason)))
    assert "has no winner" in problems[0]


def test_points_of_both_seats_are_in_records_and_tags() -> None:
    match = Match(GUESSING, seed=1)
    while match.ending is None:
        for seat in match.asked:
            match.play(seat, match.legal_of(seat)[0])
    assert match.ending.points is not None
    record = Record.from_match(match, (Player("a"), Player("b")))
    assert record.points == record.payoffs == match.ending.points
    [read] = json_lines.read(json_lines.write([record]))
    assert read == record
    game = replace(GUESSING, seats=tags.COLOURS)
    found = Tags(pair for line in tags.write(record, game.seats) for pair in tags.pairs(line))
    assert found["Points"] == " ".join(map(str, record.points))
    assert to_record(game, found, None, [], None).points == record.points
    assert to_record(RACE, Tags(Result="1-0", Points="1 2"), None, [], None).tags == {"Points": "1 2"}


def test_points_that_contradict_the_result_are_refused() -> None:
    players = Player("a"), Player("b")
    for result, payoff, points in (("*", 1.0, (1.0, 1.0)), ("1-0", 2.0, (2.0, 1.0)), ("1-0", 1.0, (float("nan"), 0.0))):
        with pytest.raises(ValueError, match=r"points|payoff"):
            Record(game="nim", players=players, result=result, payoff=payoff, points=points)


def test_chips_of_a_zero_sum_game_need_no_points() -> None:
    ending = Ending("0-1", Termination.DECIDED, payoff=37)
    assert ending.payoffs == (-37.0, 37.0)
    assert decode_event(encode_event(Ended(ending))) == Ended(ending)
