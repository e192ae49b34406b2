# SPDX-License-Identifier: GPL-3.0-or-later
"""Tie-breaks: the order of players with equal points (FIDE Handbook C.07)."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from arena.tournaments.machine.course import Course


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round of a player: the opponent, None without a game, and the score with its maximum."""

    opponent: int | None
    scored: float
    best: float


PlayedRounds = Sequence[Sequence[PlayedRound]]
"""The rounds of each player."""


def played_rounds(course: Course, annulled: Set[int] = frozenset()) -> PlayedRounds:
    """Return each player's rounds for the tie-breaks, without games of ``annulled`` players, and without those of a
    player against itself.
    """
    found: list[list[PlayedRound]] = [[] for _ in range(course.players)]
    for bout in course.counted(annulled):
        first, second = bout.players
        if second is None:
            found[first].append(PlayedRound(None, course.config.games, course.config.games))
            continue
        if bout.own:
            continue
        for (own, other), scored in zip(((first, second), (second, first)), bout.points, strict=True):
            if bout.games:
                found[own].append(PlayedRound(other if bout.met else None, scored, len(bout.games)))
    return found


def buchholz(rounds: PlayedRounds, points: Sequence[float], *, cut: int = 0) -> list[float]:
    """Buchholz: return the sum of the points of each player's opponents, without the lowest ``cut``.

    In a round without a game a player counts as its own opponent (the "dummy" of C.07, article 16.4).
    """
    found = []
    for player, own in enumerate(rounds):
        sums = sorted(points[player if each.opponent is None else each.opponent] for each in own)
        found.append(sum(sums[cut:]))
    return found


def sonneborn_berger(rounds: PlayedRounds, points: Sequence[float]) -> list[float]:
    """Return the sum of opponents' points, each by the share of its points that was scored against it."""
    return [
        sum(
            points[player if each.opponent is None else each.opponent] * each.scored / each.best
            for each in own
            if each.best
        )
        for player, own in enumerate(rounds)
    ]


def head_to_head(rounds: PlayedRounds, points: Sequence[float]) -> list[float]:
    """Return the score against the players with equal points, if all of these have played each other; else 0."""
    found = []
    for player, own in enumerate(rounds):
        equals = {other for other in range(len(points)) if points[other] == points[player]}
        complete = all(equals - {one} <= {each.opponent for each in rounds[one]} for one in equals)
        found.append(sum(each.scored for each in own if each.opponent in equals) if complete else 0.0)
    return found
