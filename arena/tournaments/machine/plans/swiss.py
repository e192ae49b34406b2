# SPDX-License-Identifier: GPL-3.0-or-later
"""Swiss rounds."""

from dataclasses import replace

from arena.pairing.swiss import Contender, Unpairable, pair
from arena.tournaments.machine.course import Course, Over
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.formats import Swiss


def next_round(course: Course, known: Swiss) -> tuple[Pairing, ...]:
    """Pair the remaining players by their points. Raises Over.

    If no round satisfies all colour rules, absolute colour preferences become weights.
    """
    if len(course.rounds) == known.rounds:
        raise Over("all rounds are played")
    contenders = _contenders(course)
    if len(contenders) < 2:
        raise Over("fewer than two players are left")
    last = (known.rounds - 1) * course.config.games / 2 if len(course.rounds) == known.rounds - 1 else None
    try:
        found = pair(contenders, last=last)
    except Unpairable:
        try:
            found = pair([replace(each, colours=each.colours[-1:]) for each in contenders])
        except Unpairable as error:
            raise Over(str(error)) from None
    pairings = [Pairing(first, second) for first, second in found.pairs]
    return tuple(pairings if found.bye is None else [*pairings, Pairing(found.bye, None)])


def _contenders(course: Course) -> list[Contender]:
    """Return the players to pair. With two games a pairing no colour is due; unplayed pairings count neither as played
    opponents nor as colours, but points without playing count as a bye.
    """
    size, games = len(course.config.entries), course.config.games
    points = [0.0] * size
    opponents: list[set[int]] = [set() for _ in range(size)]
    colours: list[list[int]] = [[] for _ in range(size)]
    floats: list[list[int]] = [[] for _ in range(size)]
    byes = [False] * size
    for bouts in course.rounds:
        before = list(points)
        idle = set(range(size))
        for bout in bouts:
            first, second = bout.players
            if second is None:
                points[first] += games
                byes[first] = True
                continue
            gained = bout.points
            for seat, (own, other) in enumerate(((first, second), (second, first))):
                points[own] += gained[seat]
                if not bout.met:
                    byes[own] |= gained[seat] > 0
                    continue
                idle.discard(own)
                opponents[own].add(other)
                floats[own].append((before[other] > before[own]) - (before[other] < before[own]))
                if games % 2:
                    colours[own].append(seat)
        for player in idle:
            floats[player].append(-1)
    return [
        Contender(
            player,
            points[player],
            frozenset(opponents[player]),
            tuple(colours[player]),
            byes[player],
            tuple(floats[player]),
        )
        for player in course.present
    ]
