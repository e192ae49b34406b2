# SPDX-License-Identifier: GPL-3.0-or-later
"""Gauntlet: a few heads play all others, and the others do not play each other.

Players are numbered from 0, the heads first; the first player of a pair moves first.
"""

from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from arena.tournaments.machine.format import ScheduledFormat, check_cycles
from arena.tournaments.machine.invalid import InvalidSetting


class Gauntlet(ScheduledFormat, frozen=True):
    """The first players (the heads) play each of the others, and the others do not play each other."""

    heads: Annotated[int, Meta(description="number of players that play all others")] = 1
    cycles: Annotated[int, Meta(description="number of cycles")] = 1
    seeded = True

    def check(self, players: int, games: int) -> None:
        """Raise ValueError if the tournament is impossible."""
        super().check(players, games)
        check_cycles(self.cycles)
        if not 1 <= self.heads < players:
            raise InvalidSetting("format.heads", f"a gauntlet of {players} players cannot have {self.heads} heads")

    def rounds_planned(self, players: int) -> int:
        """Return the number of rounds."""
        return self.cycles * max(self.heads, players - self.heads)

    def schedule(self, players: int) -> list[list[tuple[int, int]]]:
        """Return the pairings of all rounds."""
        return gauntlet(players, self.heads, self.cycles)


FORMAT = Gauntlet


@lru_cache(maxsize=16)
def gauntlet(players: int, heads: int = 1, cycles: int = 1) -> list[list[tuple[int, int]]]:
    """Return the rounds in which each head meets each of the others once in every cycle, colours reversed in every
    second one.

    No player plays twice in a round. The lists are read-only. Raises ValueError without heads or without others.
    """
    others = players - heads
    if heads < 1 or others < 1:
        raise ValueError(f"a gauntlet of {players} players cannot have {heads} heads")
    if cycles < 1:
        raise ValueError(f"a gauntlet has at least one cycle, not {cycles}")
    rounds = []
    for cycle in range(cycles):
        for turn in range(max(heads, others)):
            pairs = []
            for seat in range(min(heads, others)):
                shifted = (seat + turn) % max(heads, others)
                head, other = (seat, heads + shifted) if heads <= others else (shifted, heads + seat)
                pairs.append((other, head) if (turn + seat + cycle) % 2 else (head, other))
            rounds.append(pairs)
    return rounds
