# SPDX-License-Identifier: GPL-3.0-or-later
"""The bank of lag: what a bot is spared on average is what its network takes."""

from collections.abc import Iterable
from random import Random

import pytest

from arena.connections.sessions import COUNTED, DRIP, RESERVE, LagBank, RoundTrips

GRACE = 100.0


def charged(moves: Iterable[int], trip: float, grace: float = GRACE) -> list[int]:
    """Return how many milliseconds of each of these moves are charged, on a connection with this round trip."""
    bank = LagBank(grace)
    found = []
    for elapsed in moves:
        bank.grant(trip)
        found.append(max(0, elapsed - bank.free))
        bank.spend(elapsed)
    return found


@pytest.mark.parametrize("trip", [0.1, 0.15, 3.0])
@pytest.mark.parametrize("thought", [0, 30, 1000])
def test_a_distant_bot_is_charged_as_with_a_grace_for_every_move(trip: float, thought: int) -> None:
    moves = [round(trip * 1000) + thought] * 60
    assert charged(moves, trip) == [max(0, elapsed - 100) for elapsed in moves]


@pytest.mark.parametrize("trip", [0.001, 0.02, 0.06, 0.1])
def test_a_steady_way_is_never_charged(trip: float) -> None:
    assert charged([round(trip * 1000)] * 200, trip) == [0] * 200


def test_a_way_that_varies_is_charged_next_to_nothing() -> None:
    random, trips = Random(1), RoundTrips()
    moves = [random.randint(50, 70) for _ in range(200)]
    for elapsed in moves[:COUNTED]:
        trips.add(elapsed / 1000)
    assert sum(charged(moves, trips.shortest)) < 200


def test_constant_use_of_the_lag_bank_gains_only_its_deposits() -> None:
    moves = [100] * 40
    gained = [elapsed - paid for elapsed, paid in zip(moves, charged(moves, 0.0), strict=True)]
    assert sum(gained) == RESERVE + len(moves) * DRIP


def test_fast_moves_save_up_at_most_one_lag_bank() -> None:
    paid = charged([0] * 500 + [1000, 1000], 0.0)
    assert paid[-2:] == [900, 999]


def test_no_grace_means_none() -> None:
    assert charged([5, 5], 0.2, grace=0.0) == [5, 5]


def test_one_pong_in_time_tells_of_the_others_that_were_held_back() -> None:
    trips = RoundTrips()
    assert trips.shortest == 0.0
    for seconds in (0.1, 0.1, 0.002, 0.1):
        trips.add(seconds)
    assert trips.shortest == 0.002
    for _ in range(COUNTED):
        trips.add(0.15)
    assert trips.shortest == 0.15, "a way that became longer counts before long"
