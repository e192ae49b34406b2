# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-play and duels: functions of their seed, refereed, in colour-swapped pairs."""

from dataclasses import replace
from functools import cache

import pytest

from bots.evolution.refereed import Search
from bots.pools.pool import Threads
from engine.games import find
from engine.match.ending import Adjudication, ResignRule
from engine.match.record import Record
from lab.tuning.games import duel, self_play

CHECKERS = find("checkers")
LECTURE, MATERIAL = (Search(CHECKERS.evaluations[name], "advanced", 100) for name in ("lecture", "material"))


@cache
def games() -> list[Record]:
    return list(self_play(CHECKERS, LECTURE, seed=3, numbers=range(6)))


def test_games_are_whole_and_legal() -> None:
    for record in games():
        assert record.result in ("1-0", "0-1", "1/2-1/2")
        assert len(record.opening) == CHECKERS.opening.plies
        assert sum(1 for _ in record.positions()) == 1 + len(record.opening) + len(record.moves)
        assert all(played.info is not None and played.info.score is not None for played in record.moves)


def test_a_game_is_a_function_of_the_seed_and_its_number() -> None:
    with Threads(2) as pool:
        assert list(self_play(CHECKERS, LECTURE, seed=3, numbers=range(2, 6), pool=pool)) == games()[2:]
    assert [*self_play(CHECKERS, LECTURE, seed=4, numbers=range(1))] != games()[:1]
    assert len({record.opening for record in games()}) > 1


def test_games_end_with_their_consumer() -> None:
    with Threads(2) as pool:
        playing = self_play(CHECKERS, Search(LECTURE.evaluation, nodes=10_000), seed=3, numbers=range(10**6), pool=pool)
        next(playing)
        playing.close()  # type: ignore[attr-defined]  # it is a generator


def test_a_losing_side_resigns() -> None:
    eager = Adjudication(resign=ResignRule(0.5, 2, both=False))
    records = list(self_play(CHECKERS, LECTURE, seed=3, numbers=range(6), ends=eager))
    assert any(record.termination == "adjudication" for record in records)
    assert sum(len(record.moves) for record in records) < sum(len(record.moves) for record in games())


def test_duels_are_fought_in_pairs() -> None:
    with Threads(2) as pool:
        played = list(duel(CHECKERS, LECTURE, MATERIAL, seed=1, games=4, pool=pool))
    assert [one.seat for one in played] == [0, 1, 0, 1]
    for one in played:
        assert one.record.players[one.seat].name == "lecture"
        assert one.record.players[1 - one.seat].name == "material"
    first, second, third, _ = (one.record.opening for one in played)
    assert first == second != third


def test_an_evaluation_is_even_with_itself() -> None:
    scores = [one.score for one in duel(CHECKERS, LECTURE, replace(LECTURE), seed=1, games=4)]
    assert None not in scores
    # the same moves with seats swapped
    assert sum(score or 0 for score in scores) == pytest.approx(2)
