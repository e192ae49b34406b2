# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament format as one file of ``arena/tournaments/machine/formats``: two teams, for tests of adding one."""

from typing import Annotated

from msgspec import Meta

from arena.tournaments.machine.format import ScheduledFormat


class Scheveningen(ScheduledFormat, frozen=True):
    """Every player of the first half plays every player of the second half."""

    turns: Annotated[int, Meta(description="number of times that two players meet")] = 1
    tie_breaks = ("wins",)

    def check(self, players: int, games: int) -> None:
        """Raise ValueError if the tournament is impossible."""
        super().check(players, games)
        if players % 2:
            raise ValueError(f"two teams need an even number of players, not {players}")

    def rounds_planned(self, players: int) -> int:
        """Return the number of rounds."""
        return self.turns * players // 2

    def schedule(self, players: int) -> list[list[tuple[int, int]]]:
        """Return the pairings of all rounds."""
        size = players // 2
        return [
            [(one, size + (one + turn) % size) for one in range(size)]
            for turn in range(size)
            for _ in range(self.turns)
        ]

    def tie_break_columns(self, course, points, wins, annulled):  # type: ignore[no-untyped-def]  # as the base class
        """Return the numbers of wins."""
        return (wins,)


FORMAT = Scheveningen
