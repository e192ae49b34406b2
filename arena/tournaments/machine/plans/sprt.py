# SPDX-License-Identifier: GPL-3.0-or-later
"""A match of two that a sequential test ends."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.tournaments.machine.course import Course, Over
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.formats import SprtMatch


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state of the test: pairs by score, the worst first, the log-likelihood ratio, and the accepted hypothesis."""

    counts: tuple[int, int, int, int, int]
    ratio: float
    accepted: str | None


def next_round(course: Course, known: SprtMatch) -> tuple[Pairing, ...]:
    """Play on unless the test is sure. Raises Over."""
    found = verdict(course, known)
    if found.accepted:
        raise Over(f"{found.accepted} is accepted")
    if course.withdrawn:
        raise Over("a player is withdrawn")
    left = known.pairs - sum(len(bouts) for bouts in course.rounds)
    if left <= 0:
        raise Over("all pairs are played")
    return (Pairing(0, 1),) * min(known.batch, left)


def verdict(course: Course, known: SprtMatch) -> Verdict:
    """Return the test's state; it evaluates each pair in order, and a decision is final."""
    counts = [0] * 5
    test = known.test
    ratio = 0.0
    for score in _pairs(course):
        counts[score] += 1
        ratio = test.ratio(counts)
        accepted = test.verdict(ratio)
        if accepted:
            return Verdict((counts[0], counts[1], counts[2], counts[3], counts[4]), ratio, accepted)
    return Verdict((counts[0], counts[1], counts[2], counts[3], counts[4]), ratio, None)


def _pairs(course: Course) -> Iterator[int]:
    """Yield the first player's score of each pair that was played whole, in half points."""
    for bout in course.bouts:
        pair = bout.pair(0)
        if pair is not None:
            yield round(2 * sum(game.scores[0] for game in pair))
