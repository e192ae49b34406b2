# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats whose rounds are known from the start."""

from arena.pairing.gauntlet import gauntlet
from arena.pairing.round_robin import round_robin
from arena.tournament.course import Course, Over
from arena.tournament.events import Pairing
from arena.tournament.formats import Gauntlet, RoundRobin


def next_round(course: Course, known: RoundRobin | Gauntlet) -> tuple[Pairing, ...]:
    """Return the next round of the table. Raises Over."""
    players = len(course.config.entries)
    if isinstance(known, RoundRobin):
        rounds = round_robin(players, known.cycles)
    else:
        rounds = gauntlet(players, known.heads, known.cycles)
    if len(course.rounds) == len(rounds):
        raise Over("all rounds are played")
    return tuple(Pairing(first, second) for first, second in rounds[len(course.rounds)])
