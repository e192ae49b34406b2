# SPDX-License-Identifier: GPL-3.0-or-later
"""Series of matches: pairs, openings, several at once, and that a seed plays the same games."""

import asyncio
import threading
import time
from typing import Any

import pytest

from bots.bot import Bot, Turn
from bots.catalogue import maker_of
from bots.local import Entrant
from bots.series import Played, Setting, number_of, series
from engine.formats.suite import Opening
from engine.game import Game
from engine.games import find
from engine.match.ending import Termination
from engine.time_control import TimeControl
from tests.engine.pebbles import GAME


def run(
    game: Game, first: str, second: str, games: int, seed: int, concurrency: int = 1, **options: Any
) -> list[Played]:
    async def collect() -> list[Played]:
        entered = [Entrant(name, maker_of(name)) for name in (first, second)]
        played = series(Setting(game, seed, **options), entered[0], entered[1], range(games), concurrency=concurrency)
        return [one async for one in played]

    return asyncio.run(collect())


def test_pairs_share_an_opening_with_swapped_seats() -> None:
    found = run(find("checkers"), "random", "random", 5, 3)
    assert [one.seat for one in found] == [0, 1, 0, 1, 0]
    assert [one.record.round for one in found] == ["1.1", "1.2", "2.1", "2.2", "3.1"]
    openings = [one.record.opening for one in found]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    assert all(len(opening) == 4 for opening in openings)


def test_the_first_entrants_score_follows_its_seat() -> None:
    for one in run(GAME, "random", "random", 20, 1):
        by_seat = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5)}[one.record.result]
        assert one.score == by_seat[one.seat]


def test_the_same_seed_plays_the_same_games() -> None:
    def moves(seed: int) -> list[object]:
        return [(one.record.opening, one.record.moves) for one in run(GAME, "random", "random", 6, seed)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


def test_odds_follow_the_entrant_to_its_seat() -> None:
    found = run(GAME, "random", "random", 2, 1, time_control=TimeControl.parse("600+0 v 2/300+100"))
    assert [one.record.time_control for one in found] == ["600+0 v 2/300+100", "2/300+100 v 600+0"]
    for one in found:
        clocks = [moved.clock for moved in one.record.moves]
        own = [clock for clock in clocks[one.seat :: 2] if clock is not None]
        other = [clock for clock in clocks[1 - one.seat :: 2] if clock is not None]
        assert 400_000 < min(own) <= max(own) <= 600_000
        assert 300_000 < other[0] <= 400_000
        assert 600_000 < other[1] <= 800_000, "two moves of a session are made"


def test_openings_are_shuffled_or_taken_in_turn() -> None:
    suite = [Opening(None, (f"take {number}",)) for number in (1, 2)] * 10
    setting = Setting(GAME, 3, openings=suite, in_turn=True)
    assert [setting.opening(pair) for pair in range(21)] == [*suite, suite[0]]
    shuffled = Setting(GAME, 3, openings=suite)
    assert [shuffled.opening(pair) for pair in range(20)] != suite


def test_a_clock_may_be_overrun_by_the_margin() -> None:
    class Slow(Bot):
        def move(self, turn: Turn) -> str:
            time.sleep(0.03)
            return (turn.legal_moves or [])[-1]

    entrants = Entrant("slow", Slow), Entrant("slow", Slow)
    for margin, termination in ((0, Termination.TIME), (600_000, Termination.DECIDED)):
        setting = Setting(GAME, time_control=TimeControl(20, per_move=True), time_margin=margin)
        played = asyncio.run(setting.play(entrants, 0))
        assert played.record.termination is termination
        assert all(moved.clock == 20 for moved in played.record.moves)


def test_numbers_fit_the_wire() -> None:
    numbers = {number_of(seed, pair, seat) for seed in range(30) for pair in range(30) for seat in (0, 1)}
    assert len(numbers) == 1800
    assert min(numbers) >= 1
    assert max(numbers) <= 2**53


def test_several_at_once_are_the_same_games_in_the_same_order() -> None:
    def moves(concurrency: int) -> list[object]:
        found = run(GAME, "random", "random", 9, 4, concurrency=concurrency)
        return [(one.number, one.seat, one.record.opening, one.record.moves) for one in found]

    assert moves(3) == moves(1)


def test_openings_come_from_a_suite_in_an_order_of_the_seed() -> None:
    suite = [Opening("5 0"), Opening("6 1"), Opening(None, ("take 1", "take 1")), Opening("4 0", ("take 2",))]
    found = run(GAME, "random", "random", 10, 2, openings=suite)
    begun = [(one.record.start, one.record.opening) for one in found]
    assert begun[::2] == begun[1::2]
    assert len(set(begun)) == 4
    assert begun[0] == begun[8], "a suite that is through begins again"
    others = [run(GAME, "random", "random", 8, seed, openings=suite) for seed in range(3)]
    assert len({tuple(one.record.start for one in played) for played in others}) > 1


def test_an_opening_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="not a legal move"):
        run(GAME, "random", "random", 4, 0, openings=[Opening(None, ("take 9",))], concurrency=2)


def test_several_matches_are_played_side_by_side() -> None:
    both = threading.Barrier(2, timeout=300)

    class Waiting(Bot):
        def move(self, turn: Turn) -> str:
            if turn.ply < 2:
                both.wait()
            return "take 1"

    async def play() -> int:
        entrant = Entrant("waiting", Waiting)
        return len([one async for one in series(Setting(GAME), entrant, entrant, range(2), concurrency=2)])

    assert asyncio.run(play()) == 2


def test_an_abandoned_series_ends_its_matches() -> None:
    closed = []

    class Slow(Bot):
        async def move(self, turn: Turn) -> str:
            await asyncio.sleep(0.01 if turn.match == number_of(0, 0, 0) else 3600)
            return "take 1"

        async def close(self) -> None:
            closed.append(self)

    async def first() -> int:
        entrant = Entrant("slow", Slow)
        matches = series(Setting(GAME), entrant, entrant, range(4), concurrency=2)
        async for one in matches:
            await matches.aclose()  # type: ignore[attr-defined]  # an asynchronous generator
            return one.number
        return 0

    before = set(threading.enumerate())
    assert asyncio.run(first()) == 1
    assert set(threading.enumerate()) <= before
    assert len(closed) % 2 == 0
    assert len(closed) >= 4
