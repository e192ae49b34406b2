# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts of results by pair of players."""

import numpy as np
import pytest

from arena.rating.results import Results


def counted() -> Results:
    """Three games of 0 against 1, one of 1 against 0, and one of 3 against 2."""
    return Results.of_games([0, 0, 0, 1, 3], [1, 1, 1, 0, 2], [1, 0.5, 1, 0, 0.5], 4)


def test_games_are_counted_by_pairing() -> None:
    results = counted()
    rows = zip(results.first, results.second, results.wins, results.draws, results.losses, strict=True)
    assert sorted(rows) == [(0, 1, 2, 1, 0), (1, 0, 0, 0, 1), (3, 2, 0, 1, 0)]
    assert sorted(zip(results.points, results.games, strict=True)) == [(0, 1), (0.5, 1), (2.5, 3)]


def test_a_table_has_both_colours_together() -> None:
    points, games = counted().table(4)
    assert points.tolist() == [[0, 3.5, 0, 0], [0.5, 0, 0, 0], [0, 0, 0, 0.5], [0, 0, 0.5, 0]]
    assert games.tolist() == [[0, 4, 0, 0], [4, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]


def test_groups_are_connected_by_games() -> None:
    assert counted().groups(6).tolist() == [0, 0, 2, 2, 4, 5]
    chain = np.arange(999, 0, -1)
    assert not Results.of_games(chain, chain - 1, np.ones(999), 1000).groups(1000).any()


@pytest.mark.parametrize(
    ("first", "second", "wins", "why"),
    [
        ([0], [2], [1.0], "not one of the 2 players"),
        ([-1], [0], [1.0], "not one of the 2 players"),
        ([1], [1], [1.0], "against itself"),
        ([0], [1], [-1.0], "must not be negative"),
    ],
)
def test_impossible_values_are_refused(first: list[int], second: list[int], wins: list[float], why: str) -> None:
    none = np.zeros(1)
    with pytest.raises(ValueError, match=why):
        Results(np.array(first), np.array(second), np.array(wins), none, none).check(2)
