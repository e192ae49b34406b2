# SPDX-License-Identifier: GPL-3.0-or-later
"""A pairing of two players: their games and scores."""

from dataclasses import dataclass, field

from arena.tournaments.machine.events import Slot
from engine.ending import SCORES

"""The seats' scores for each result."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that counts. ``scores`` are by player, the first of the pairing first; an unplayed game has no match."""

    scores: tuple[float, float]
    match: int | None = None


@dataclass(slots=True)
class Bout:
    """A pairing and its games so far, by their number from 1. ``players`` are numbers of entries."""

    round: int
    board: int
    players: tuple[int, int | None]
    games: dict[int, Game] = field(default_factory=dict)

    @property
    def bye(self) -> bool:
        """Whether the one player rests."""
        return self.players[1] is None

    def slot(self, game: int) -> Slot:
        """Return the place of a game."""
        return Slot(self.round, self.board, game)

    def seats(self, game: int) -> tuple[int, int]:
        """Return the players by seat in a game: colours alternate from game to game."""
        first, second = self.players
        assert second is not None, "who rests has no opponent"
        return (first, second) if game % 2 else (second, first)

    def played(self, game: int, result: str, match: int) -> Game:
        """Return the scores of a game from its result. Raises ValueError if the result does not count."""
        if result not in SCORES:
            raise ValueError(f"{result!r} is no result that counts")
        one, other = SCORES[result]
        return Game((one, other) if game % 2 else (other, one), match)

    @property
    def points(self) -> tuple[float, float]:
        """What both scored so far, the first one first."""
        games = self.games.values()
        return sum(game.scores[0] for game in games), sum(game.scores[1] for game in games)

    def pair(self, number: int) -> tuple[Game, Game] | None:
        """Return a colour-swapped pair of games, from 0, when both were played."""
        one, other = self.games.get(2 * number + 1), self.games.get(2 * number + 2)
        return (one, other) if one and other and one.match and other.match else None

    @property
    def met(self) -> bool:
        """Whether a game was played at all."""
        return any(game.match is not None for game in self.games.values())
