# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a tournament: its rounds, and withdrawn players."""

from collections.abc import Iterator, Set
from dataclasses import dataclass, field

from arena.tournaments.machine.bout import Bout
from arena.tournaments.machine.config import Config


class Over(Exception):
    """No round follows; the message says why."""


@dataclass(slots=True)
class Course:
    """The tournament's state as the plans read it to choose the next step."""

    config: Config
    rounds: list[list[Bout]] = field(default_factory=list)
    withdrawn: dict[int, str] = field(default_factory=dict)
    """Why, by number of the entry."""

    @property
    def bouts(self) -> Iterator[Bout]:
        """All bouts in order."""
        return (bout for bouts in self.rounds for bout in bouts)

    @property
    def present(self) -> list[int]:
        """Return the players that have not withdrawn."""
        return [number for number in range(len(self.config.entries)) if number not in self.withdrawn]

    def counted(self, annulled: Set[int]) -> Iterator[Bout]:
        """Yield all pairings in order, except those of annulled players."""
        return (bout for bout in self.bouts if annulled.isdisjoint(bout.players))

    def points(self, annulled: Set[int] = frozenset()) -> list[float]:
        """Return the score of each entry; a bye counts as winning all games of a pairing. Games of ``annulled`` players
        score for no player.
        """
        points = [0.0] * len(self.config.entries)
        for bout in self.counted(annulled):
            first, second = bout.players
            if second is None:
                points[first] += self.config.games
            else:
                one, other = bout.points
                points[first] += one
                points[second] += other
        return points
