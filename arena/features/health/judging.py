# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule of quarantine: counts the failures of a bot in its newest matches and compares them with the limits."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.features.health.settings import HealthSettings
from engine.ending import Termination


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

    failed: str
    """What the bot did, for people."""
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
        Limit("crashed or disconnected", crashes, settings.quarantine_crashes),
        Limit("made an illegal move or sent invalid messages", illegal, settings.quarantine_illegal_moves),
        Limit("lost on time", frozenset({Termination.TIME}), settings.quarantine_time_losses),
    )


def judge(ended: Sequence[Ended], limits: Sequence[Limit]) -> Verdict | None:
    """Return the verdict on a bot by its newest matches, in any order; None: it stays on the ladder."""
    reasons, matches = [], set[int]()
    for limit in limits:
        failed = [each for each in ended if each.lost and each.termination in limit.terminations]
        times = _times(failed)
        if limit.most and times >= limit.most:
            reasons.append(f"{limit.failed} {'once' if times == 1 else f'{times} times'}")
            matches.update(each.match for each in failed)
    if not reasons:
        return None
    newest = f"in its newest {len(ended)} rated matches" if len(ended) > 1 else "in its rated match"
    return Verdict(f"it {' and '.join(reasons)} {newest}", tuple(sorted(matches)))


def failures(limits: Sequence[Limit]) -> frozenset[Termination]:
    """Return the terminations that have a limit."""
    return frozenset(each for limit in limits if limit.most for each in limit.terminations)


def _times(failed: Sequence[Ended]) -> int:
    """Return how often a bot failed. Matches count once that ran at the same time when one event ended them, and so do
    the matches of a pair: the second one follows although the bot is away.
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
