# SPDX-License-Identifier: GPL-3.0-or-later
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.pairing.information import Floats, informative_pairings
from arena.pairing.ladder import WINDOW, PairingRules, Seeker, draw, hungriest, patience_of

STRANGE = 350.0**2
"""Variance of an unknown rating, in squared points."""

seekers = st.lists(st.builds(Seeker, st.floats(0, 1e6), st.booleans(), st.booleans()), max_size=30)


def strangers(number: int) -> tuple[Floats, Floats]:
    """Return unknown ratings with their covariance."""
    return np.full(number, 1500.0), STRANGE * np.eye(number)


def spread(number: int, apart: float, sure: float) -> tuple[Floats, Floats]:
    """Return ratings so far apart, each with such a deviation."""
    return np.array([1500 + apart * place for place in range(number)]), sure**2 * np.eye(number)


@settings(deadline=None)
@given(seekers, st.integers(0, 40), st.integers(-1, 5), st.floats(0, 1), st.integers())
def test_no_player_is_in_two_pairings_and_limits_are_kept(
    there: list[Seeker], most: int, built_in: int, busy: float, seed: int
) -> None:
    lots = np.random.default_rng(abs(seed))
    ratings, factors = lots.normal(1500, 200, len(there)), lots.normal(0, 60, (len(there), len(there)))
    covariance = factors @ factors.T + 100 * np.eye(len(there))
    pairs = draw(there, ratings, covariance, PairingRules(busy=busy), most=most, built_in=built_in)
    drawn = [place for pair in pairs for place in pair]
    assert len(set(drawn)) == len(drawn)
    assert all(there[place].free for place in drawn)
    assert len(pairs) <= most
    assert sum(all(there[place].built_in for place in pair) for pair in pairs) <= max(0, built_in)
    assert pairs == draw(there, ratings, covariance, PairingRules(busy=busy), most=most, built_in=built_in)


def test_the_most_informative_pairings_are_selected() -> None:
    lots = np.random.default_rng(1)
    ratings, covariance = lots.normal(1500, 200, 12), np.diag(lots.uniform(30, 200, 12) ** 2)
    there = [Seeker()] * 12
    assert draw(there, ratings, covariance, PairingRules(busy=0.5)) == informative_pairings(
        ratings, covariance, boards=3
    )


def test_a_part_waits_so_that_there_is_a_choice() -> None:
    there = [Seeker()] * 16
    assert len(draw(there, *strangers(16), PairingRules(busy=0.5))) == 4
    assert len(draw(there, *strangers(16), PairingRules(busy=0.5), playing=3)) == 1
    assert len(draw(there, *strangers(16), PairingRules(busy=0.5), playing=4)) == 0
    assert len(draw(there, *strangers(16), PairingRules(busy=1.0))) == 8
    assert len(draw([Seeker()] * 2, *strangers(2), PairingRules(busy=0.5))) == 1, "two are enough"


def test_running_pairings_are_not_selected_again() -> None:
    there = [Seeker()] * 4
    ratings, covariance = spread(4, 100, 60)
    covariance[0, 0] = covariance[1, 1] = 90.0**2
    rules = PairingRules(busy=0.5)
    assert draw(there, ratings, covariance, rules) == [(0, 1)]
    assert draw(there, ratings, covariance, rules, going_on=[(0, 1)] * 20) != [(0, 1)]


def test_when_the_order_is_certain_nobody_meets_until_the_patience_is_over() -> None:
    ratings, covariance = spread(6, 400, 40)
    assert draw([Seeker(50.0)] * 6, ratings, covariance, PairingRules(misordered=0.01, patience=60)) == []
    assert draw([Seeker(50.0)] * 6, ratings, covariance, PairingRules(misordered=0, patience=60))
    there = [Seeker(50.0)] * 5 + [Seeker(70.0)]
    assert draw(there, ratings, covariance, PairingRules(misordered=0.01, patience=60)) == [(5, 4)], "with the nearest"
    everybody = draw([Seeker(70.0)] * 6, ratings, covariance, PairingRules(misordered=0.01, patience=60, busy=0.1))
    assert len(everybody) == 3


def test_a_newcomer_makes_a_certain_order_uncertain() -> None:
    ratings, covariance = spread(6, 400, 40)
    covariance[2, 2] = STRANGE
    (pair,) = draw([Seeker()] * 6, ratings, covariance, PairingRules(misordered=0.01, busy=0.2))
    assert 2 in pair


def test_bots_of_the_arena_leave_the_rest_to_guests() -> None:
    there = [Seeker(built_in=True)] * 4 + [Seeker()]
    (pair,) = draw(there, *strangers(5), PairingRules(busy=1.0), built_in=0)
    assert 4 in pair
    assert draw(there[:4], *strangers(4), PairingRules(busy=1.0), built_in=0) == []


@pytest.mark.parametrize("number", [WINDOW + 1, 1500])
def test_of_very_many_players_those_with_the_least_certain_ranks_are_compared(number: int) -> None:
    ratings, covariance = spread(number, 60, 10)
    unsure = {7, number // 2, number - 3}
    for place in unsure:
        covariance[place, place] = STRANGE
    there = [Seeker()] * number
    pairs = draw(there, ratings, covariance, PairingRules(misordered=0.0), most=3)
    assert all(unsure & set(pair) for pair in pairs)
    patient = [Seeker(1e6 * (place == 20)) for place in range(number)]
    assert 20 in draw(patient, ratings, covariance, PairingRules(), most=1)[0]


def test_in_the_long_run_equals_meet_most_and_everybody_plays() -> None:
    ratings, covariance = spread(8, 150, 50)
    chance, met = Random(1), Counter[frozenset[int]]()
    waited = [0.0] * 8
    for _ in range(200):
        waited = [long + chance.uniform(10, 20) for long in waited]
        for pair in draw(
            [Seeker(long) for long in waited], ratings, covariance, PairingRules(misordered=0.0, busy=0.5)
        ):
            met[frozenset(pair)] += 1
            for place in pair:
                waited[place] = 0.0
    games: Counter[Any] = Counter(place for pair, times in met.items() for place in pair for _ in range(times))
    assert min(games[place] for place in range(8)) >= 20
    assert met[frozenset({3, 4})] > met[frozenset({0, 7})]


def test_games_that_two_have_waited_for_longest_come_first() -> None:
    assert hungriest({"often": [1, 2, 3], "seldom": [9, 8], "alone": [99], "half": [100, 0.5]}) == [
        "seldom",
        "often",
        "half",
    ]


def starts(patience: Callable[[int, float], float]) -> list[int]:
    """Return how many games begin in every ten seconds of twenty minutes, where the order is certain."""
    number, length = 12, 5
    ratings, covariance = spread(number, 400, 1)
    played, until, begun = [0.0] * number, [0.0] * number, [0] * 120
    for moment in range(1_200):
        seekers = [
            Seeker((moment - since) / patience(bot, since), moment >= over)
            for bot, (since, over) in enumerate(zip(played, until, strict=True))
        ]
        for pair in draw(seekers, ratings, covariance, PairingRules(misordered=0.01, patience=60)):
            begun[moment // 10] += 1
            for bot in pair:
                until[bot] = played[bot] = float(moment + length)
    return begun


def test_bots_that_became_idle_together_do_not_start_together() -> None:
    bursts, steady = starts(lambda bot, since: 1.0), starts(patience_of)
    assert (max(bursts), bursts.count(0)) == (6, 102), "all at once, and then nobody for a minute"
    assert max(steady) <= 4
    assert steady.count(0) < 70


def test_patience_is_drawn_anew_after_each_game() -> None:
    drawn = [patience_of(7, float(since)) for since in range(1_000)]
    assert patience_of(7, 3.0) == drawn[3]
    assert 1 <= min(drawn) < 1.01 < 1.99 < max(drawn) <= 2
    assert sum(drawn) / len(drawn) == pytest.approx(1.5, abs=0.05)
