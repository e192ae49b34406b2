# SPDX-License-Identifier: GPL-3.0-or-later
"""Round robin: all players play each other, by the Berger tables (FIDE Handbook C.05, annex 1).

Players are numbered from 0; the first player of a pair moves first.
"""

from functools import lru_cache
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from arena.tournaments.machine.format import ScheduledFormat, check_cycles

Pair = tuple[int, int]


class RoundRobin(ScheduledFormat, frozen=True):
    """All players play each other; in two cycles, twice with colours reversed."""

    cycles: Annotated[int, Meta(description="number of cycles")] = 1
    own_play: Annotated[
        bool | None,
        Meta(
            description="whether each player also plays against itself; by default in games that are not zero-sum, if "
            "all players are built-in bots"
        ),
    ] = None

    @property
    def description(self) -> str:
        """The format, for people."""
        return f"{self.title}, {self.cycles} cycles" if self.cycles > 1 else self.title

    @property
    def meets_itself(self) -> bool:
        """Whether each player also plays against itself; a description that does not say so has no such games."""
        return bool(self.own_play)

    def settled(self, own_play: bool) -> "RoundRobin":
        """Return the format with a decision on games of players against themselves."""
        return replace(self, own_play=own_play) if self.own_play is None else self

    def check(self, players: int, games: int) -> None:
        """Raise ValueError if the tournament is impossible."""
        super().check(players, games)
        check_cycles(self.cycles)

    def rounds_planned(self, players: int) -> int:
        """Return the number of rounds."""
        return self.cycles * (players - 1 + players % 2 + self.meets_itself)

    def schedule(self, players: int) -> list[list[Pair]]:
        """Return the pairings of all rounds."""
        return round_robin(players, self.cycles, own_play=self.meets_itself)


FORMAT = RoundRobin


def berger(players: int) -> list[list[Pair]]:
    """Return the rounds of a single round robin, each a list of pairs; with an odd number one player has a bye.

    Raises ValueError for fewer than two players.
    """
    if players < 2:
        raise ValueError(f"a round robin needs two players, not {players}")
    even = players + players % 2
    return [
        [pair for pair in _round(even, number) if max(pair) < players]  # the opponent of the phantom has a bye
        for number in range(1, even)
    ]


def _round(players: int, number: int) -> list[Pair]:
    """Return round ``number``, from 1, of an even number of players.

    The tables number players from 1. Two players are paired if their sum is the round's number plus 1, modulo the
    players minus 1; the last player gets the player that would be paired with itself. If the sum is odd the lower
    number moves first, if even the higher; against the last player, the lower half does.
    """
    circle = players - 1
    lone = next(one for one in range(1, players) if (2 * one - 1 - number) % circle == 0)
    pairs = [(lone, players) if lone <= players // 2 else (players, lone)]
    for step in range(1, players // 2):
        one, other = sorted(((lone + step - 1) % circle + 1, (lone - step - 1) % circle + 1))
        pairs.append((one, other) if (one + other) % 2 else (other, one))
    return [(first - 1, second - 1) for first, second in pairs]


@lru_cache(maxsize=16)
def round_robin(players: int, cycles: int = 1, *, own_play: bool = False) -> list[list[Pair]]:
    """Return the rounds of several round robins in sequence, colours reversed in every second one.

    ``own_play``: a round follows each cycle in which all players play against themselves.

    Before another cycle, the last two rounds of a cycle are exchanged, as FIDE recommends, so that no player has the
    same colour three times in a row. The lists are read-only. Raises ValueError.
    """
    if cycles < 1:
        raise ValueError(f"a round robin has at least one cycle, not {cycles}")
    rounds: list[list[Pair]] = []
    for cycle in range(cycles):
        table = berger(players)
        if cycle < cycles - 1 and len(table) > 2:
            table[-2:] = reversed(table[-2:])
        rounds += [[(second, first) for first, second in pairs] for pairs in table] if cycle % 2 else table
        if own_play:
            rounds.append([(player, player) for player in range(players)])
    return rounds
