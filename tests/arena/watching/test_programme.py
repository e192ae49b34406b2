# SPDX-License-Identifier: GPL-3.0-or-later
"""The matches that the lobby shows, and their results."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.watching import Ending
from arena.store.rows import MatchRow, PlayerRow
from arena.watching.live_view import LiveView
from arena.watching.programme import RESULT_SHOWN, UPSETS, Channels, Results, appeal, fair_order, pairing
from engine.match.events import Info
from engine.match.machine import Match
from tests.engine.pebbles import GAME

Side = tuple[int, float]
"""A bot's number and rating."""


def player(bot: int, rating: float) -> PlayerRow:
    return PlayerRow(bot, f"bot {bot}", "own", bot, "1", rating, None)


def live(number: int, *sides: Side, game: str = "pebbles", scores: Sequence[float] = (), **more: Any) -> LiveView:
    """A live match whose seats reported ``scores`` in turn."""
    one, other = (player(*side) for side in sides)
    row = MatchRow(
        id=number,
        game=game,
        time_class="blitz",
        time_control=None,
        rated=True,
        seed=0,
        start=None,
        opening=(),
        pair=None,
        kind="ladder",
        players=(one, other),
        status="live",
        started=0.0,
        finished=None,
        result=None,
        termination=None,
        detail="",
        plies=None,
        pruned=False,
        info_release="live",
    )
    match = Match(GAME)
    for seat, score in enumerate(scores):
        match.play(seat % 2, "pass", info=Info(score=score))
    return LiveView(replace(row, **more), match)


def over(number: int, *sides: Side, result: str = "1-0", **more: Any) -> LiveView:
    view = live(number, *sides, **more)
    view.over(Ending(result, "decided"), None)
    return view


def test_strong_close_and_open_matches_appeal_most() -> None:
    strong, close = live(1, (1, 1800), (2, 1810)), live(2, (1, 1200), (2, 1210))
    uneven, decided = live(3, (1, 2200), (2, 1400)), live(4, (1, 1800), (2, 1810), scores=(9.0, -9.0))
    assert appeal(strong) > appeal(close)
    assert appeal(strong) > appeal(uneven)
    assert appeal(strong) > 5 * appeal(decided)


def test_the_choice_reveals_nothing_of_anonymous_players_and_withheld_scores() -> None:
    strong = live(1, (1, 2500), (2, 2500), anonymous=True)
    assert appeal(strong) == appeal(live(2, (1, 900), (2, 1700), anonymous=True))
    hidden = live(3, (1, 1500), (2, 1500), scores=(9.0, -9.0), info_release="end")
    assert appeal(hidden) == appeal(live(4, (1, 1500), (2, 1500)))


def test_a_featured_match_stays_until_its_end_and_its_result_for_a_while() -> None:
    channels, weak = Channels(), live(1, (1, 1200), (2, 1200))
    better = live(2, (3, 1900), (4, 1900))
    assert channels.choose(None, [weak], 0.0) == (weak, None)
    assert channels.choose(None, [weak, better], 1.0) == (weak, better)
    weak.over(Ending("1-0", "decided"), None)
    soon, later = weak.changed_at + RESULT_SHOWN / 2, weak.changed_at + 2 * RESULT_SHOWN
    assert channels.choose(None, [better], soon) == (weak, better)
    assert channels.choose(None, [], later) == (weak, None), "nothing else is on"
    assert channels.choose(None, [better], later) == (better, None)


def test_no_pairing_and_no_game_takes_more_than_its_share() -> None:
    channels, shown = Channels(), []
    for round_ in range(12):
        views = [
            live(4 * round_, (1, 1900), (2, 1900)),
            live(4 * round_ + 1, (2, 1890), (1, 1890)),
            live(4 * round_ + 2, (3, 1700), (4, 1700)),
            live(4 * round_ + 3, (5, 1700), (6, 1700), game="other"),
        ]
        featured, _ = channels.choose(None, views, 0.0)
        assert featured is not None
        shown.append(pairing(featured))
        featured.over(Ending("1-0", "decided"), None)
        featured._clocks_at = -RESULT_SHOWN
    assert all(2 <= shown.count(key) <= 7 for key in {("pebbles", 1, 2), ("pebbles", 3, 4), ("other", 5, 6)})


def test_invented_games_begin_no_channel() -> None:
    channels = Channels()
    for number in range(1000):
        assert channels.choose(f"game {number}", [], 0.0) == (None, None)
    assert not channels._channels


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 4), st.integers(5, 8)), max_size=20))
def test_boards_are_shared_fairly(matches: list[tuple[str, int, int]]) -> None:
    views = [live(number, (one, 0), (other, 0), game=game) for number, (game, one, other) in enumerate(matches)]
    order = list(fair_order(views))
    assert sorted(order, key=id) == sorted(views, key=id)
    for place, view in enumerate(order):
        before = [pairing(each) for each in order[:place]]
        # no pairing has a second board while another one of a game has none
        assert before.count(pairing(view)) <= min((before.count(pairing(each)) for each in order[place:]), default=0)


def test_the_results_of_a_pairing_are_one_row() -> None:
    results = Results(2)
    for number in range(5):
        results.add(over(number, (1, 1500), (2, 1500), result="1-0"))
        results.add(over(10 + number, (2, 1500), (1, 1500), result="1/2-1/2"))
    results.add(over(20, (1, 1500), (2, 1500), result="*"))
    [row] = results.newest("pebbles")
    assert (row.matches, row.newest) == (10, 14)
    assert {player.bot: points for player, points in zip(row.players, row.points, strict=True)} == {1: 7.5, 2: 2.5}
    assert results.newest("other") == []
    results.add(over(30, (3, 1500), (4, 1500)))
    results.add(over(31, (1, 1500), (2, 1500)))
    results.add(over(32, (5, 1500), (6, 1500)))
    assert [row.newest for row in results.newest(None)] == [32, 31]


def test_results_from_before_a_restart_follow_those_since() -> None:
    results = Results(12)
    results.add(over(9, (1, 1500), (2, 1500)))
    results.add(over(8, (3, 1500), (4, 1800)), older=True)
    results.add(over(7, (2, 1500), (1, 1500)), older=True)
    assert [(row.newest, row.points) for row in results.newest(None)] == [(9, (1.0, 1.0)), (8, (1.0, 0.0))]
    assert [upset.match for upset in results.upsets(None)] == [8]


@pytest.mark.parametrize(
    ("one", "other", "result", "upset"),
    [
        (1500, 1650, "1-0", True),
        (1500, 1650, "0-1", False),
        (1500, 1650, "1/2-1/2", False),
        (1650, 1500, "0-1", True),
        (1500, 1550, "1-0", False),
    ],
)
def test_upsets(one: float, other: float, result: str, upset: bool) -> None:
    results = Results(12)
    results.add(over(1, (1, one), (2, other), result=result))
    assert [(each.gap, each.winner.rating) for each in results.upsets(None)] == ([(150, 1500)] if upset else [])
    results.add(over(2, (1, one), (2, other), result=result, kind="challenge"))
    for number in range(3, 20):
        results.add(over(number, (1, 1000), (2, 2000)))
    assert len(results.upsets(None)) == UPSETS
