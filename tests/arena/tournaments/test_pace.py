# SPDX-License-Identifier: GPL-3.0-or-later
"""The expected end of a tournament."""

from arena.tournaments.pace import KEPT, LEAST, LONGEST_GAP, Pace


def test_the_end_is_as_many_usual_gaps_away_as_games_are_left() -> None:
    pace = Pace()
    for game in range(LEAST):
        assert pace.end(10) is None, "too few games"
        pace.add(100.0 + 3 * game)
    last = 100.0 + 3 * (LEAST - 1)
    assert pace.end(10) == last + 30
    for game in range(KEPT):
        pace.add(last + game + 1)
    assert pace.end(10) == last + KEPT + 10, "old games do not count"


def test_a_pause_counts_as_a_few_gaps() -> None:
    pace = Pace([*range(6), *range(100_000, 100_006)])
    assert pace.end(11) == 100_005 + 10 + LONGEST_GAP


def test_games_that_end_together_have_a_pace_too() -> None:
    assert Pace([0, 0, 0, 0, 8, 8, 8, 8, 8]).end(4) == 12
