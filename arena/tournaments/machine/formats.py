# SPDX-License-Identifier: GPL-3.0-or-later
"""The formats of tournaments, and the options of each."""

from msgspec import Struct

from arena.pairing import knockout
from arena.rating.sprt import Model, Sprt

MOST_PLAYERS = 1000
MOST_CYCLES = 100
MOST_MEETINGS = 5_000


def _kind(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Format(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=_kind):
    """How a tournament goes."""

    @property
    def least(self) -> int:
        """How many players it needs."""
        return 2

    @property
    def most(self) -> int:
        """How many players it can have."""
        return MOST_PLAYERS

    def check(self, players: int, games: int) -> None:
        """Raise ValueError when so many players cannot play it, or not so many games whenever two meet."""
        if not self.least <= players <= self.most:
            wanted = f"{self.least}" if self.least == self.most else f"at least {self.least}"
            if players > self.most > self.least:
                wanted = f"at most {self.most}"
            raise ValueError(f"a {self.title} takes {wanted} players, not {players}")

    def rounds_planned(self, players: int) -> int | None:
        """Return how many rounds there will be; None where results decide."""
        return None

    @property
    def title(self) -> str:
        """What people call it."""
        return _kind(type(self).__name__).replace("-", " ")


class RoundRobin(Format, frozen=True):
    """Everybody meets everybody; in two cycles, twice with colours reversed."""

    cycles: int = 1

    def check(self, players: int, games: int) -> None:
        """Raise ValueError when it cannot be."""
        super().check(players, games)
        _check_cycles(self.cycles)

    def rounds_planned(self, players: int) -> int:
        """Return how many rounds there will be."""
        return self.cycles * (players - 1 + players % 2)


class Swiss(Format, frozen=True):
    """Swiss system: rounds that pair players with similar points who have not played each other."""

    rounds: int

    def check(self, players: int, games: int) -> None:
        """Raise ValueError when it cannot be."""
        super().check(players, games)
        most = players - 1 + players % 2
        if not 1 <= self.rounds <= most:
            raise ValueError(f"a swiss of {players} players has 1 to {most} rounds, not {self.rounds}")

    def rounds_planned(self, players: int) -> int:
        """Return how many rounds there will be."""
        return self.rounds


class Knockout(Format, frozen=True):
    """Knockout: losers are eliminated. ``games``: the games of a pairing at most; the winner advances.

    After a tie, pairs of games follow, and after ``extra`` games the better seed advances.
    """

    third_place: bool = False
    extra: int = 4

    def check(self, players: int, games: int) -> None:
        """Raise ValueError when it cannot be."""
        super().check(players, games)
        if self.extra < 0 or self.extra % 2:
            raise ValueError(f"extra games come in pairs, not {self.extra}")
        if self.third_place and players < 4:
            raise ValueError(f"{players} players do not play for the third place")

    def rounds_planned(self, players: int) -> int:
        """Return how many rounds there will be."""
        return knockout.rounds(players)


class Gauntlet(Format, frozen=True):
    """Gauntlet: the first ``heads`` players play each of the others, and the others do not play each other."""

    heads: int = 1
    cycles: int = 1

    def check(self, players: int, games: int) -> None:
        """Raise ValueError when it cannot be."""
        super().check(players, games)
        _check_cycles(self.cycles)
        if not 1 <= self.heads < players:
            raise ValueError(f"a gauntlet of {players} players cannot have {self.heads} heads")

    def rounds_planned(self, players: int) -> int:
        """Return how many rounds there will be."""
        return self.cycles * max(self.heads, players - self.heads)


class SprtMatch(Format, frozen=True, tag="sprt"):
    """Two players meet in colour-swapped pairs until a sequential test (``arena.rating.sprt``) is sure of the first.

    ``batch`` pairs are a round, ``pairs`` are played at most.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"
    pairs: int = 20_000
    batch: int = 2

    @property
    def most(self) -> int:
        """It is a match of two."""
        return 2

    @property
    def test(self) -> Sprt:
        """The test. Raises ValueError when there is none with these numbers."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta, self.model)

    def check(self, players: int, games: int) -> None:
        """Raise ValueError when it cannot be."""
        super().check(players, games)
        _ = self.test
        if games != 2:
            raise ValueError(f"a sequential test counts pairs of games; games must be 2, not {games}")
        if self.pairs < 1 or not 1 <= self.batch <= 1000:
            raise ValueError("a sequential test plays at least one pair, and at most 1000 of them in a round")


class Ladder(Format, frozen=True):
    """Ladder: pairs by expected information about the order, until the order is certain enough.

    It ends when the expected share of misordered pairs of players is at most ``wrong``, or after ``meetings`` pairings.
    A round has at most ``boards`` pairings; 0: a quarter of the players, so that half of them play and the least
    informative ones wait.
    """

    wrong: float = 0.02
    meetings: int = 10_000
    boards: int = 0

    @property
    def least(self) -> int:
        """With two there is no choice."""
        return 3

    @property
    def most(self) -> int:
        """Everybody is weighed against everybody."""
        return 200

    def check(self, players: int, games: int) -> None:
        """Raise ValueError when it cannot be."""
        super().check(players, games)
        if not 0 < self.wrong < 0.5:
            raise ValueError(f"the share in the wrong order lies between 0 and 0.5, not {self.wrong:g}")
        if self.meetings < 1 or self.boards < 0:
            raise ValueError("a ladder has at least one meeting, and no negative number of boards")


class Meetings(Format, frozen=True):
    """Given pairings, all at once: a program with its own pairing rules lets the arena play its pairs."""

    pairs: tuple[tuple[int, int], ...]
    """Numbers of entries, from 0 in their order; the first of each moves first."""

    def check(self, players: int, games: int) -> None:
        """Raise ValueError when it cannot be."""
        super().check(players, games)
        if not 1 <= len(self.pairs) <= MOST_MEETINGS:
            raise ValueError(f"there are 1 to {MOST_MEETINGS} meetings, not {len(self.pairs)}")
        for first, second in self.pairs:
            if first == second or not (0 <= first < players and 0 <= second < players):
                raise ValueError(f"{first} and {second} cannot meet; entries are numbered from 0 to {players - 1}")

    def rounds_planned(self, players: int) -> int:
        """Return how many rounds there will be."""
        return 1


AnyFormat = RoundRobin | Swiss | Knockout | Gauntlet | SprtMatch | Ladder | Meetings


def _check_cycles(cycles: int) -> None:
    if not 1 <= cycles <= MOST_CYCLES:
        raise ValueError(f"there are 1 to {MOST_CYCLES} cycles, not {cycles}")
