# SPDX-License-Identifier: GPL-3.0-or-later
"""The score of a series, seen by its first entrant whatever its seat."""

import pytest

from arena.rating.difference import difference_of, interval, normalised, score_interval, superiority
from bots.series import Fault, Played, Tally
from engine.match.ending import Termination
from engine.match.machine import Match
from engine.match.record import Player, Record
from tests.engine.pebbles import GAME


def ended(number: int, seat: int, loser: int | None, termination: Termination = Termination.CRASH) -> Played:
    """A match that a seat lost, or nobody."""
    match = Match(GAME)
    if loser is None:
        match.offer_draw(0)
        match.accept_draw(1)
    else:
        match.forfeit(loser, termination, "why")
    return Played(number, seat, Record.from_match(match, (Player("a"), Player("b"))))


def test_a_tally_counts_for_the_first_entrant() -> None:
    assert Tally().score is None
    assert Tally().interval == (None, None)
    tally = Tally()
    for played in (ended(1, 0, 1), ended(2, 1, 1), ended(3, 0, None), ended(4, 1, 0), ended(5, 0, 0)):
        tally.add(played)
    assert (tally.wins, tally.draws, tally.losses) == (2, 1, 2)
    assert tally.games == [2, 1, 2]
    assert tally.count == 5
    assert not tally.whole
    assert tally.score == 0.5
    assert tally.elo == pytest.approx(difference_of(0.5))
    counts = (0, 0, 1, 1, 0)
    assert tuple(tally.pairs) == counts
    assert tally.interval == interval(counts)
    assert tally.score_interval == score_interval(counts)
    assert tally.superiority == superiority(counts)
    assert tally.normalised == normalised(counts)
    assert tally.terminations == {"crash": 4, "agreement": 1}
    assert tally.faults[:2] == [Fault(1, False, Termination.CRASH, "why"), Fault(2, True, Termination.CRASH, "why")]


def test_a_tally_counts_payoffs_by_game_and_by_pair() -> None:
    tally = Tally()
    for number, (seat, result, payoff) in enumerate(((0, "1-0", 3.0), (1, "1-0", 2.0), (0, "0-1", 1.0)), 1):
        record = Record(
            game="einstein", players=(Player("a"), Player("b")), result=result, payoff=payoff,
            termination=Termination.DECIDED,
        )  # fmt: skip
        tally.add(Played(number, seat, record))
    assert (tally.payoffs.total, tally.payoffs.squares, tally.payoffs.mean) == (0.0, 14.0, 0.0)
    assert (tally.pair_payoffs.count, tally.pair_payoffs.total, tally.pair_payoffs.mean) == (1, 1.0, 0.5)


def test_a_tally_counts_the_points_of_both() -> None:
    tally = Tally()
    for number, (seat, points) in enumerate(((0, (5.0, 4.0)), (1, (3.0, 3.0))), 1):
        record = Record(
            game="guessing", players=(Player("a"), Player("b")), result="1-0" if seat == 0 else "1/2-1/2",
            points=points, termination=Termination.DECIDED,
        )  # fmt: skip
        tally.add(Played(number, seat, record))
    assert (tally.payoffs.total, tally.second_payoffs.total) == (8.0, 7.0)
    assert (tally.pair_payoffs.mean, tally.second_pair_payoffs.mean) == (4.0, 3.5)


def test_a_void_match_does_not_count() -> None:
    match = Match(GAME)
    match.void()
    with pytest.raises(ValueError, match="result"):
        Tally().add(Played(1, 0, Record.from_match(match, (Player("a"), Player("b")))))
