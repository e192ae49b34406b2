# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a search with a soft limit of time goes on."""

import time

from engine.games import find
from engine.search import Limits, Searcher
from engine.search.patience import ALARM, STEADINESS, Patience


def least(patience: Patience) -> float:
    """Return the thousandths of a second after which it is over."""
    return next(elapsed for elapsed in range(10_000) if patience.over(elapsed / 1000))


def test_the_longer_a_move_stays_the_sooner_it_is_over() -> None:
    patience = Patience(1.0)
    times = []
    for _ in range(8):
        patience.note(5, 0.1)
        times.append(least(patience))
    assert times == [*sorted(times, reverse=True)]
    assert times[0] == 1000 * STEADINESS[0]
    assert times[-1] == 1000 * STEADINESS[-1]


def test_another_move_begins_anew() -> None:
    patience = Patience(1.0)
    for move in (5, 5, 5, 6):
        patience.note(move, 0.0)
    assert least(patience) == 1000 * STEADINESS[0]


def test_a_falling_value_is_alarming() -> None:
    patience = Patience(1.0)
    patience.note(5, 0.5)
    patience.note(5, -0.5)
    assert least(patience) == round(1000 * STEADINESS[1] * ALARM)
    patience.note(5, -0.5)
    assert least(patience) == 1000 * STEADINESS[2]


def test_a_soft_limit_ends_a_search_early() -> None:
    game = find("checkers")
    searcher = Searcher(game)
    searcher.warm_up()
    began = time.monotonic()
    result = searcher.search(game.start(), Limits(seconds=3600, soft_seconds=0.1))
    assert result.depth > 1
    assert time.monotonic() - began < 600
