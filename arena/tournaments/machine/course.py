# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a tournament: its rounds, their pairings with the games so far, and withdrawn players."""

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from arena.tournaments.machine.events import Slot
from engine.match.ending import SCORES, checked_payoff, payoffs_of

if TYPE_CHECKING:
    from arena.tournaments.machine.config import Config


class End(StrEnum):
    """Why no round follows, for people; pages translate these texts."""

    ROUNDS = "all rounds are played"
    PAIRINGS = "all pairings are played"
    PAIRS = "all pairs are played"
    CERTAIN = "the order is certain enough: only {0} % of the pairs are expected to be misordered"
    FEW = "fewer than two players are left"
    WITHDRAWN = "a player is withdrawn"
    H0 = "H0 is accepted"
    H1 = "H1 is accepted"


class Withdrawal(StrEnum):
    """Why a player is withdrawn, for people; pages translate these texts."""

    ABSENT = "did not connect within {0} s"
    OPERATOR = "withdrawn by the operator"


class Over(Exception):
    """No round follows; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that counts. ``scores`` are by player, the first of the pairing first; an unplayed game has no match."""

    scores: tuple[float, float]
    match: int | None = None
    payoffs: tuple[float, float] = (0.0, 0.0)
    """In points, likewise by player."""


@dataclass(slots=True)
class Bout:
    """A pairing and its games so far, by their number from 1. ``players`` are numbers of entries."""

    round: int
    board: int
    players: tuple[int, int | None]
    games: dict[int, Game] = field(default_factory=dict)

    @property
    def bye(self) -> bool:
        """Whether the one player has a bye."""
        return self.players[1] is None

    @property
    def own(self) -> bool:
        """Whether a player plays against itself."""
        return self.players[0] == self.players[1]

    @property
    def sides(self) -> Iterator[tuple[int, int]]:
        """Yield each player and its side; the games of a player against itself count once, from the first side."""
        for side, player in enumerate(self.players[: 1 if self.own else 2]):
            if player is not None:
                yield player, side

    def slot(self, game: int) -> Slot:
        """Return the place of a game."""
        return Slot(self.round, self.board, game)

    def seats(self, game: int) -> tuple[int, int]:
        """Return the players by seat in a game: colours alternate from game to game."""
        first, second = self.players
        assert second is not None, "a player with a bye has no opponent"
        return (first, second) if game % 2 else (second, first)

    def played(
        self, game: int, result: str, match: int, payoff: float = 1.0, points: tuple[float, float] | None = None
    ) -> Game:
        """Return the scores and payoffs of a game from its result and the winner's payoff, or the points of both seats.
        Raises ValueError if the result does not count.
        """
        scores = SCORES.get(result)
        payoffs = payoffs_of(result, checked_payoff(result, payoff, points), points)
        if scores is None or payoffs is None:
            raise ValueError(f"{result!r} is not a result that counts")
        return Game(scores, match, payoffs) if game % 2 else Game(scores[::-1], match, payoffs[::-1])

    @property
    def points(self) -> tuple[float, float]:
        """The score of each player so far, the first one first."""
        games = self.games.values()
        return sum(game.scores[0] for game in games), sum(game.scores[1] for game in games)

    @property
    def payoffs(self) -> tuple[float, float]:
        """The sum of the payoffs of each player so far, the first one first."""
        games = self.games.values()
        return sum(game.payoffs[0] for game in games), sum(game.payoffs[1] for game in games)

    def pair(self, number: int) -> tuple[Game, Game] | None:
        """Return a colour-swapped pair of games, from 0, when both were played."""
        one, other = self.games.get(2 * number + 1), self.games.get(2 * number + 2)
        return (one, other) if one and other and one.match and other.match else None

    @property
    def met(self) -> bool:
        """Whether a game was played at all."""
        return any(game.match is not None for game in self.games.values())


@dataclass(slots=True)
class Course:
    """The tournament's state as its format reads it to choose the next step."""

    config: "Config"
    rounds: list[list[Bout]] = field(default_factory=list)
    withdrawn: dict[int, str] = field(default_factory=dict)
    """The reason, by number of the entry."""

    @property
    def players(self) -> int:
        """The number of entries."""
        return len(self.config.entries)

    @property
    def bouts(self) -> Iterator[Bout]:
        """All pairings in order."""
        return (bout for bouts in self.rounds for bout in bouts)

    @property
    def present(self) -> list[int]:
        """Return the players that have not withdrawn."""
        return [number for number in range(self.players) if number not in self.withdrawn]

    def counted(self, annulled: Set[int]) -> Iterator[Bout]:
        """Yield all pairings in order, except those of annulled players."""
        return (bout for bout in self.bouts if annulled.isdisjoint(bout.players))

    def points(self, annulled: Set[int] = frozenset()) -> list[float]:
        """Return the score of each entry; a bye counts as winning all games of a pairing. Games of ``annulled`` players
        score for no player.
        """
        points = [0.0] * self.players
        for bout in self.counted(annulled):
            for player, side in bout.sides:
                points[player] += self.config.games if bout.bye else bout.points[side]
        return points
