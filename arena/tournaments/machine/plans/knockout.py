# SPDX-License-Identifier: GPL-3.0-or-later
"""Knockout rounds."""

from arena.pairing import knockout
from arena.tournaments.machine.bout import Bout
from arena.tournaments.machine.course import Course, Over
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.formats import Knockout


def next_round(course: Course, known: Knockout) -> tuple[Pairing, ...]:
    """Let the winners of neighbouring boards meet. Raises Over."""
    total = known.rounds_planned(len(course.config.entries))
    if not course.rounds:
        pairs = knockout.first_round(len(course.config.entries))
    elif len(course.rounds) == total:
        raise Over("all rounds are played")
    else:
        newest = course.rounds[-1]
        pairs = knockout.next_round([winner(course, bout) for bout in newest])
        if known.third_place and len(course.rounds) == total - 1:
            one, other = sorted(
                player
                for bout in newest
                for player in bout.players
                if player != winner(course, bout) and player is not None
            )
            pairs.append((one, other))
    return tuple(Pairing(first, second) for first, second in pairs)


def winner(course: Course, bout: Bout) -> int:
    """Return the player that advances: the one with the higher score, else the one that has not withdrawn, else the
    better seed.
    """
    first, second = bout.players
    if second is None:
        return first
    one, other = bout.points
    if one != other:
        return first if one > other else second
    return min(first, second, key=lambda player: (player in course.withdrawn, player))


def wanted(course: Course, known: Knockout, bout: Bout) -> int:
    """Return the number of games to play so far: two at a time, until one player's lead is decisive."""
    best_of = course.config.games
    seen = 0
    while True:
        following = range(seen + 1, min(seen + 2, best_of if seen < best_of else best_of + known.extra) + 1)
        if not following or decided(bout, seen, best_of):
            return seen
        seen = following[-1]
        if not all(game in bout.games for game in following):
            return seen


def decided(bout: Bout, seen: int, best_of: int) -> bool:
    """Tell whether the first ``seen`` games decide a pairing."""
    lead = sum(bout.games[game].scores[0] - bout.games[game].scores[1] for game in range(1, seen + 1))
    return abs(lead) > max(0, best_of - seen)


def survived(course: Course, known: Knockout) -> list[float]:
    """Return how many rounds each entry won or is still in; half a round more for the winner of the third place."""
    total = known.rounds_planned(len(course.config.entries))
    rounds = [0.0] * len(course.config.entries)
    for number, bouts in enumerate(course.rounds, 1):
        for bout in bouts:
            complete = len(bout.games) >= wanted(course, known, bout)
            if number == total and bout.board > 1:
                rounds[winner(course, bout)] += 0.5 if complete else 0.0
            elif complete:
                rounds[winner(course, bout)] = number
    return rounds
