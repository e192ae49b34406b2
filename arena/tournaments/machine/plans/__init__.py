# SPDX-License-Identifier: GPL-3.0-or-later
"""The next round in each format, and the number of games of a pairing."""

from arena.tournaments.machine.bout import Bout
from arena.tournaments.machine.course import Course
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.formats import Gauntlet, Knockout, Ladder, Meetings, RoundRobin, SprtMatch, Swiss
from arena.tournaments.machine.plans import knockout, ladder, sprt, swiss, table


def next_round(course: Course) -> tuple[Pairing, ...]:
    """Return the pairings of the round that follows the last one, which is complete. Raises Over."""
    match course.config.format:
        case RoundRobin() | Gauntlet() | Meetings() as known:
            return table.next_round(course, known)
        case Swiss() as known:
            return swiss.next_round(course, known)
        case Knockout() as known:
            return knockout.next_round(course, known)
        case SprtMatch() as known:
            return sprt.next_round(course, known)
        case Ladder() as known:
            return ladder.next_round(course, known)


def wanted(course: Course, bout: Bout) -> int:
    """Return the number of games of a pairing, as far as its results tell."""
    if bout.bye:
        return 0
    known = course.config.format
    return knockout.wanted(course, known, bout) if isinstance(known, Knockout) else course.config.games
