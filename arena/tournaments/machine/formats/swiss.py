# SPDX-License-Identifier: GPL-3.0-or-later
"""Swiss system: rounds that pair players with similar points who have not played each other."""

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from arena.pairing.swiss import Contender, Unpairable, pair
from arena.tournaments.machine.course import Course, End, Over
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.format import Format
from arena.tournaments.machine.invalid import InvalidSetting
from arena.tournaments.machine.tiebreaks import buchholz, head_to_head, played_rounds, sonneborn_berger


class Swiss(Format, frozen=True):
    """Rounds that pair players with similar points who have not played each other."""

    rounds: Annotated[int, Meta(description="number of rounds")]
    seeded = True
    tie_breaks = ("Buchholz cut 1", "Buchholz", "Sonneborn-Berger", "head to head", "wins")

    @property
    def description(self) -> str:
        """The format, for people."""
        return f"Swiss, {self.rounds} rounds"

    def check(self, players: int, games: int) -> None:
        """Raise ValueError if the tournament is impossible."""
        super().check(players, games)
        most = players - 1 + players % 2
        if not 1 <= self.rounds <= most:
            raise InvalidSetting(
                "format.rounds", f"a swiss of {players} players has 1 to {most} rounds, not {self.rounds}"
            )

    def rounds_planned(self, players: int) -> int:
        """Return the number of rounds."""
        return self.rounds

    def games_planned(self, course: Course) -> int:
        """Return the number of games of all rounds."""
        return self.rounds * (course.players // 2) * course.config.games

    def next_round(self, course: Course) -> tuple[Pairing, ...]:
        """Pair the remaining players by their points. Raises Over.

        If no round satisfies all colour rules, absolute colour preferences become weights.
        """
        if len(course.rounds) == self.rounds:
            raise Over(End.ROUNDS)
        contenders = _contenders(course)
        if len(contenders) < 2:
            raise Over(End.FEW)
        last = (self.rounds - 1) * course.config.games / 2 if len(course.rounds) == self.rounds - 1 else None
        try:
            found = pair(contenders, last=last)
        except Unpairable:
            try:
                found = pair([replace(each, colours=each.colours[-1:]) for each in contenders])
            except Unpairable as error:
                raise Over(str(error)) from None
        pairings = [Pairing(first, second) for first, second in found.pairs]
        return tuple(pairings if found.bye is None else [*pairings, Pairing(found.bye, None)])

    def tie_break_columns(
        self, course: Course, points: Sequence[float], wins: Sequence[int], annulled: Set[int]
    ) -> tuple[Sequence[float], ...]:
        """Return both Buchholz values, Sonneborn-Berger, head to head, and wins."""
        met = played_rounds(course)
        return (
            buchholz(met, points, cut=1),
            buchholz(met, points),
            sonneborn_berger(met, points),
            head_to_head(met, points),
            wins,
        )


FORMAT = Swiss


def _contenders(course: Course) -> list[Contender]:
    """Return the players to pair. With two games a pairing no colour is due; unplayed pairings count neither as played
    opponents nor as colours, but points without playing count as a bye.
    """
    size, games = course.players, course.config.games
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
