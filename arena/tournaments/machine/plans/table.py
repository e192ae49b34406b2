# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats with a fixed schedule: all rounds are known from the start."""

from functools import lru_cache

from arena.pairing.gauntlet import gauntlet
from arena.pairing.round_robin import Pair, round_robin
from arena.tournaments.machine.course import Course, Over
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.formats import Gauntlet, Meetings, RoundRobin


def next_round(course: Course, known: RoundRobin | Gauntlet | Meetings) -> tuple[Pairing, ...]:
    """Return the next round of the table. Raises Over."""
    rounds = table(len(course.config.entries), known)
    if len(course.rounds) == len(rounds):
        raise Over("all rounds are played")
    return tuple(Pairing(first, second) for first, second in rounds[len(course.rounds)])


@lru_cache(maxsize=16)
def table(players: int, known: RoundRobin | Gauntlet | Meetings) -> list[list[Pair]]:
    """Return all rounds, each a read-only list of pairs; the first of a pair moves first."""
    if isinstance(known, Meetings):
        return [list(known.pairs)]
    if isinstance(known, RoundRobin):
        return round_robin(players, known.cycles)
    return gauntlet(players, known.heads, known.cycles)


def annulled(course: Course, known: RoundRobin | Gauntlet) -> frozenset[int]:
    """Return the players that withdrew before half of their games were played: these games do not count, or the
    opponents of the first rounds would have an advantage over the others (FIDE Handbook C.05, on round robins).
    """
    if not course.withdrawn:
        return frozenset()
    bouts = [player for pairs in table(len(course.config.entries), known) for pair in pairs for player in pair]
    return frozenset(
        player for player in course.withdrawn if 2 * _played(course, player) < bouts.count(player) * course.config.games
    )


def _played(course: Course, player: int) -> int:
    return sum(
        game.match is not None for bout in course.bouts if player in bout.players for game in bout.games.values()
    )
