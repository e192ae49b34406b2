# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule of quarantine: counts the failures of a bot in its newest matches and compares them with the limits."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from arena.features.health.settings import HealthSettings
from engine.match.ending import Termination


class Failure(StrEnum):
    """The description of a kind of failure, for people."""

    CRASH = "crashed or disconnected"
    ILLEGAL = "made an illegal move or sent invalid messages"
    TIME = "lost on time"

    @property
    def once(self) -> str:
        """The sentence for one failure."""
        return f"{self} once"

    @property
    def often(self) -> str:
        """The sentence for several failures, with a place for their number."""
        return f"{self} {{0}} times"


class Reason(StrEnum):
    """Why a bot is quarantined, by the number of kinds of failures."""

    ONLY = "it {0} in its rated match"
    ONE = "it {0} in its newest {1} rated matches"
    TWO = "it {0} and {1} in its newest {2} rated matches"
    THREE = "it {0} and {1} and {2} in its newest {3} rated matches"


SENTENCES = (*Reason, *(each.once for each in Failure), *(each.often for each in Failure))
"""The sentences of reasons, which pages translate."""


class Ended(NamedTuple):
    """How a rated match ended for a bot."""

    match: int
    pair: int | None
    """In the second match of a pair: the number of the first."""
    started: float
    finished: float
    termination: str
    lost: bool


class Limit(NamedTuple):
    """The number of failures of a kind that is too much."""

    failed: Failure
    terminations: frozenset[Termination]
    most: int
    """0: no limit."""


class Verdict(NamedTuple):
    """Why a bot is quarantined."""

    reason: str
    matches: tuple[int, ...]
    """The matches in which it failed, oldest first."""


TOGETHER = (Termination.DISCONNECT, Termination.BAD_MESSAGE)
"""Terminations of which one event ends all matches of a bot at once."""


def limits_of(settings: HealthSettings) -> tuple[Limit, ...]:
    """Return the limits of the settings."""
    crashes = frozenset({Termination.CRASH, Termination.DISCONNECT})
    illegal = frozenset({Termination.ILLEGAL_MOVE, Termination.BAD_MESSAGE})
    return (
        Limit(Failure.CRASH, crashes, settings.quarantine_crashes),
        Limit(Failure.ILLEGAL, illegal, settings.quarantine_illegal_moves),
        Limit(Failure.TIME, frozenset({Termination.TIME}), settings.quarantine_time_losses),
    )


def judge(ended: Sequence[Ended], limits: Sequence[Limit]) -> Verdict | None:
    """Return the verdict on a bot by its newest matches, in any order; None: it stays on the ladder."""
    reasons, matches = [], set[int]()
    for limit in limits:
        failed = [each for each in ended if each.lost and each.termination in limit.terminations]
        times = _times(failed)
        if limit.most and times >= limit.most:
            reasons.append(limit.failed.once if times == 1 else limit.failed.often.format(times))
            matches.update(each.match for each in failed)
    if not reasons:
        return None
    reason = Reason.ONLY if len(ended) == 1 else (Reason.ONE, Reason.TWO, Reason.THREE)[len(reasons) - 1]
    return Verdict(reason.format(*reasons, len(ended)), tuple(sorted(matches)))


def failures(limits: Sequence[Limit]) -> frozenset[Termination]:
    """Return the terminations that have a limit."""
    return frozenset(each for limit in limits if limit.most for each in limit.terminations)


def _times(failed: Sequence[Ended]) -> int:
    """Return how often a bot failed. Matches that one event ended at the same time count once. So do the two matches of
    a pair, because the second one starts although the bot is away.
    """
    times, until, together = 0, float("-inf"), set[int]()
    for each in sorted(failed, key=lambda one: (one.finished, one.match)):
        if each.termination in TOGETHER:
            if each.started < until or each.pair in together:
                together.add(each.match)
                continue
            until, together = each.finished, {each.match}
        times += 1
    return times
