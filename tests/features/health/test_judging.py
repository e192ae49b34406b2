# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule of quarantine, by matches that are made up."""

import pytest

from arena.features.health.judging import Ended, failures, judge, limits_of
from arena.features.health.settings import HealthSettings
from engine.match.ending import Termination

LIMITS = limits_of(HealthSettings(quarantine_crashes=3, quarantine_illegal_moves=2, quarantine_time_losses=4))


def ended(
    match: int, termination: Termination, *, pair: int | None = None, lost: bool = True, began: float = 0.0
) -> Ended:
    """A match that took from ``began`` (by default, just before its end) to the second of its number."""
    return Ended(match, pair, began or match - 0.5, float(match), str(termination), lost)


def of(termination: Termination, count: int, first: int = 1) -> list[Ended]:
    """This number of matches, one after the other."""
    return [ended(first + place, termination) for place in range(count)]


@pytest.mark.parametrize(
    ("termination", "most", "told"),
    [
        (Termination.CRASH, 3, "it crashed or disconnected 3 times"),
        (Termination.DISCONNECT, 3, "it crashed or disconnected 3 times"),
        (Termination.ILLEGAL_MOVE, 2, "it made an illegal move or sent invalid messages 2 times"),
        (Termination.BAD_MESSAGE, 2, "it made an illegal move or sent invalid messages 2 times"),
        (Termination.TIME, 4, "it lost on time 4 times"),
    ],
)
def test_each_kind_of_failure_has_a_limit(termination: Termination, most: int, told: str) -> None:
    played = of(Termination.DECIDED, 5, first=10)
    assert judge([*of(termination, most - 1), *played], LIMITS) is None
    verdict = judge([*of(termination, most), *played], LIMITS)
    assert verdict is not None
    assert verdict.reason == f"{told} in its newest {most + 5} rated matches"
    assert verdict.matches == tuple(range(1, most + 1))


def test_kinds_of_failures_are_not_added() -> None:
    assert (
        judge([*of(Termination.CRASH, 2), *of(Termination.ILLEGAL_MOVE, 1, 10), *of(Termination.TIME, 3, 20)], LIMITS)
        is None
    )


def test_several_reasons_are_listed() -> None:
    verdict = judge([*of(Termination.ILLEGAL_MOVE, 2, 10), *of(Termination.CRASH, 3)], LIMITS)
    assert verdict is not None
    assert "crashed or disconnected 3 times and made an illegal move" in verdict.reason
    assert verdict.matches == (1, 2, 3, 10, 11)


def test_failures_of_the_opponent_and_usual_ends_do_not_count() -> None:
    others = [ended(match, Termination.CRASH, lost=False) for match in range(1, 9)]
    assert judge([*others, *of(Termination.DECIDED, 9, 20), *of(Termination.RESIGNATION, 9, 40)], LIMITS) is None
    assert judge([], LIMITS) is None


def test_matches_that_one_disconnection_ends_count_once() -> None:
    together = [ended(10 + place, Termination.DISCONNECT, began=1.0) for place in range(8)]
    sequels = [ended(30 + place, Termination.DISCONNECT, pair=10 + place, began=10.0 + place) for place in range(8)]
    assert judge([*together, *sequels], LIMITS) is None
    again = [ended(100, Termination.DISCONNECT, began=50.0), ended(200, Termination.DISCONNECT, began=150.0)]
    verdict = judge([*again, *sequels, *together], LIMITS)
    assert verdict is not None
    assert verdict.reason == "it crashed or disconnected 3 times in its newest 18 rated matches"
    assert len(verdict.matches) == 18


def test_matches_that_crashes_end_count_each() -> None:
    assert judge([ended(10 + place, Termination.CRASH, began=1.0) for place in range(3)], LIMITS) is not None


def test_nought_switches_a_limit_off() -> None:
    limits = limits_of(HealthSettings(quarantine_crashes=0, quarantine_illegal_moves=1, quarantine_time_losses=0))
    assert (
        judge([*of(Termination.CRASH, 20), *of(Termination.DISCONNECT, 20, 30), *of(Termination.TIME, 20, 60)], limits)
        is None
    )
    assert failures(limits) == {Termination.ILLEGAL_MOVE, Termination.BAD_MESSAGE}
    verdict = judge(of(Termination.ILLEGAL_MOVE, 1), limits)
    assert verdict is not None
    assert verdict.reason == "it made an illegal move or sent invalid messages once in its rated match"


def test_a_window_without_matches_is_refused() -> None:
    with pytest.raises(ValueError, match="quarantine_matches must be 1 or more"):
        HealthSettings(quarantine_matches=0)
