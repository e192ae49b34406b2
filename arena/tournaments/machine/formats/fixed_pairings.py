# SPDX-License-Identifier: GPL-3.0-or-later
"""Given pairings: a program with its own pairing rules lets the arena play its pairs."""

from typing import Annotated

from msgspec import Meta

from arena.tournaments.machine.course import Course
from arena.tournaments.machine.format import ScheduledFormat
from arena.tournaments.machine.invalid import InvalidSetting

MOST_PAIRS = 5_000


class FixedPairings(ScheduledFormat, frozen=True):
    """Given pairings, all in one round."""

    pairs: Annotated[
        tuple[tuple[int, int], ...],
        Meta(description="numbers of entries, from 0 in their order; the first of each pair moves first"),
    ]

    @property
    def description(self) -> str:
        """The format, for people."""
        return "one pairing" if len(self.pairs) == 1 else f"{len(self.pairs)} pairings"

    def check(self, players: int, games: int) -> None:
        """Raise ValueError if the tournament is impossible."""
        super().check(players, games)
        if not 1 <= len(self.pairs) <= MOST_PAIRS:
            raise InvalidSetting(
                "format.pairs", f"the number of pairings must be 1 to {MOST_PAIRS} (got {len(self.pairs)})"
            )
        for first, second in self.pairs:
            if first == second or not (0 <= first < players and 0 <= second < players):
                raise InvalidSetting(
                    "format.pairs",
                    f"entries {first} and {second} cannot be paired; entries are numbered from 0 to {players - 1}",
                )

    def rounds_planned(self, players: int) -> int:
        """Return the number of rounds."""
        return 1

    def schedule(self, players: int) -> list[list[tuple[int, int]]]:
        """Return the pairings of the one round."""
        return [list(self.pairs)]

    def annulled(self, course: Course) -> frozenset[int]:
        """Return no player: the program counts the games by its own rules."""
        return frozenset()


FORMAT = FixedPairings
