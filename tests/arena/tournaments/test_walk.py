# SPDX-License-Identifier: GPL-3.0-or-later
"""The walk of a sequential test: every number is one of the test itself, and a long walk keeps its extremes."""

import pytest

from arena.tournaments.machine.config import Config, Entry
from arena.tournaments.machine.formats import AnyFormat
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.sprt import SprtMatch
from arena.tournaments.machine.tournament import Tournament
from arena.tournaments.walk import MOST_POINTS, WalkPoint, walk


def held(form: AnyFormat, pairs: int) -> Tournament:
    """Return a tournament of two players after this many pairs of games, or at its end."""
    entries = (Entry("anna"), Entry("bert"))
    tournament = Tournament(Config(name="Cup", game="tictactoe", format=form, entries=entries))
    tournament.advance()
    match = 0
    while match < 2 * pairs and tournament.over is None:
        for due in tournament.due()[: 2 * pairs - match]:
            match += 1
            results = ("1-0", "1/2-1/2", "0-1", "1/2-1/2", "1-0", "0-1", "1-0")
            tournament.record(due.slot, results[match * match % 7], match)
        tournament.advance()
    return tournament


def test_points_are_the_states_of_the_test_after_each_pair() -> None:
    form = SprtMatch(elo0=0, elo1=10, batch=1)
    found = walk(held(form, 12))
    assert found is not None
    assert found.points[0] == WalkPoint(0, 0.0)
    assert [point.pairs for point in found.points] == list(range(13))
    for point in found.points:
        state = form.test(held(form, point.pairs).course)
        assert point.ratio == pytest.approx(state.ratio, abs=1e-8)
        assert (found.bounds, found.accepted) == (state.bounds, None)


def test_a_long_walk_keeps_its_ends_and_extremes() -> None:
    form = SprtMatch(elo0=-0.01, elo1=0.01, batch=1000)
    tournament = held(form, 3000)
    found = walk(tournament)
    assert found is not None
    ratios = form.ratios(tournament.course)
    assert len(ratios) == 3000
    assert len(found.points) <= MOST_POINTS + 1
    shown = [point.ratio for point in found.points]
    assert (min(shown), max(shown)) == (min(0, ratios.min()), max(0, ratios.max()))
    assert found.points[-1] == WalkPoint(3000, ratios[-1])
    assert all(point.ratio == ratios[point.pairs - 1] for point in found.points[1:])


def test_it_ends_with_the_decision_and_other_formats_have_none() -> None:
    form = SprtMatch(elo0=-100, elo1=0, batch=50)
    tournament = held(form, 500)
    found, state = walk(tournament), form.test(tournament.course)
    assert found is not None
    assert found.accepted == state.accepted is not None
    assert found.points[-1] == WalkPoint(sum(state.counts), state.ratio)
    assert walk(held(RoundRobin(), 1)) is None
