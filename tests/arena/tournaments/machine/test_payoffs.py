# SPDX-License-Identifier: GPL-3.0-or-later
"""Points a game in standings: payoffs by player, beside the score."""

from typing import Any

import pytest
from msgspec import structs

from arena.tournaments.machine.config import check
from arena.tournaments.machine.events import Played, Slot, decode_event, encode_event
from arena.tournaments.machine.formats.knockout import Knockout
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.swiss import Swiss
from arena.tournaments.machine.invalid import InvalidSetting
from arena.tournaments.machine.standings import standings
from arena.tournaments.machine.tournament import Tournament, TournamentError
from tests.arena.tournaments.machine.simulated import configured


def test_payoffs_are_counted_for_the_player_whatever_its_seat() -> None:
    tournament = Tournament(configured(2, RoundRobin(), games=4))
    tournament.advance()
    first = tournament.due()[0].seats[0]
    # the first player wins 3, loses 2, draws, and wins 1
    for number, (result, payoff) in enumerate((("1-0", 3.0), ("1-0", 2.0), ("1/2-1/2", 1.0), ("0-1", 1.0)), 1):
        tournament.record(Slot(1, 1, number), result, number, payoff)
    tournament.advance()
    assert tournament.over is not None
    lines = {line.player: line for line in standings(tournament.course)}
    own, other = lines[first].payoffs, lines[1 - first].payoffs
    assert (own.count, own.total, own.squares, own.mean) == (4, 2.0, 14.0, 0.5)
    assert (other.total, other.squares, other.mean) == (-2.0, 14.0, -0.5)
    assert lines[first].points == 2.5
    [bout] = tournament.course.rounds[0]
    assert bout.payoffs == (2.0, -2.0)
    again = Tournament.replay(tournament.config, tournament.events)
    assert standings(again.course) == standings(tournament.course)


def test_games_that_were_not_played_have_no_payoff() -> None:
    tournament = Tournament(configured(2, RoundRobin(), games=2))
    tournament.advance()
    tournament.record(Slot(1, 1, 1), "1-0", 1, 2.0)
    tournament.withdraw(0, "gone")
    tournament.advance()
    assert [line.payoffs.count for line in standings(tournament.course)] == [1, 1]


def test_events_contain_only_payoffs_of_more_than_a_point() -> None:
    usual, double = (Played(Slot(1, 1, 1), "1-0", 7, payoff) for payoff in (1.0, 2.0))
    assert b"payoff" in encode_event(double)
    for event in (usual, double):
        assert decode_event(encode_event(event)) == event
    earlier = b'{"type":"played","slot":[1,1,1],"result":"1-0","match":7}'
    assert decode_event(earlier) == usual
    tournament = Tournament(configured(2, RoundRobin(), games=1))
    tournament.advance()
    assert b"payoff" not in encode_event(tournament.record(Slot(1, 1, 1), "1-0", 7, float("1"))[0])


def test_impossible_payoffs_are_refused() -> None:
    tournament = Tournament(configured(2, RoundRobin(), games=2))
    tournament.advance()
    for result, payoff in (("1-0", 0.0), ("1/2-1/2", 2.0)):
        with pytest.raises(TournamentError, match="payoff"):
            tournament.record(Slot(1, 1, 1), result, 1, payoff)


def test_a_game_that_is_not_zero_sum_counts_the_points_of_each_player() -> None:
    tournament = Tournament(configured(2, RoundRobin(), games=2))
    tournament.advance()
    first = tournament.due()[0].seats[0]
    tournament.record(Slot(1, 1, 1), "1-0", 1, points=(5.0, 4.0))
    [event] = tournament.record(Slot(1, 1, 2), "1/2-1/2", 2, points=(3.0, 3.0))
    assert decode_event(encode_event(event)) == event
    tournament.advance()
    lines = {line.player: line.payoffs for line in standings(tournament.course)}
    assert (lines[first].total, lines[first].squares) == (8.0, 34.0)
    assert (lines[1 - first].total, lines[1 - first].squares) == (7.0, 25.0)
    again = Tournament.replay(tournament.config, tournament.events)
    assert standings(again.course) == standings(tournament.course)


def test_standings_may_be_ranked_by_points_a_game() -> None:
    """The first beats both others by a point; these two cooperate."""
    for ranked_by, order in (("score", [0, 1, 2]), ("payoff", [1, 2, 0])):
        config = configured(3, RoundRobin(), games=1)
        tournament = Tournament(structs.replace(config, ranked_by=ranked_by))
        while tournament.over is None:
            tournament.advance()
            for number, due in enumerate(tournament.due(), len(tournament.events)):
                won = 0 in due.seats
                result = "1/2-1/2" if not won else "1-0" if due.seats[0] == 0 else "0-1"
                points = (300.0, 300.0) if not won else (105.0, 104.0) if due.seats[0] == 0 else (104.0, 105.0)
                tournament.record(due.slot, result, number, points=points)
            if not tournament.due():
                tournament.advance()
        found = standings(tournament.course)
        assert [line.player for line in found] == order
        assert found[0].points == (2.0 if ranked_by == "score" else 0.5)


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ({"game": "nim"}, "nim has no points to rank by"),
        ({"game": "backgammon", "format": Knockout()}, "a knockout is not ranked by payoff"),
        ({"game": "backgammon", "format": Swiss(rounds=3)}, "is not ranked by payoff"),
    ],
)
def test_a_ranking_that_says_nothing_is_refused(config: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidSetting, match=why) as refused:
        check(structs.replace(configured(4, RoundRobin()), ranked_by="payoff", **config))
    assert refused.value.field == "ranked_by"
    check(structs.replace(configured(4, RoundRobin()), ranked_by="payoff", game="backgammon"))
