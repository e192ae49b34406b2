# SPDX-License-Identifier: GPL-3.0-or-later
"""The Elo rating system (A. E. Elo, The Rating of Chessplayers, Past and Present, 1978), by the ``elo`` package.

K bounds the rating change of one game. It falls with experience, as in the FIDE Rating Regulations (section 8.3.3).
Each player has their own K, so the winner gains the loser's loss only if both have the same K.
"""

from dataclasses import dataclass

from elo import WIN, Elo

INITIAL = 1500.0
"""The rating of a player without games."""

PROVISIONAL_GAMES = 30
"""A rating is provisional until so many games are played."""

_SYSTEM = Elo(rating_class=float, initial=INITIAL)


@dataclass(frozen=True, slots=True)
class Standing:
    """A rating and the number of rated games that led to it."""

    rating: float = INITIAL
    games: int = 0

    @property
    def provisional(self) -> bool:
        """Whether too few games are played for the rating to mean much."""
        return self.games < PROVISIONAL_GAMES


def k_factor(standing: Standing) -> int:
    """Return the points that the next game can move a rating by: 40 while provisional, then 20, and 10 from 2400 on."""
    if standing.provisional:
        return 40
    return 20 if standing.rating < 2400 else 10


def expected(rating: float, opponent: float) -> float:
    """Return the score, 0 to 1, that a player of ``rating`` can expect: 1 / (1 + 10^((opponent - rating) / 400))."""
    return float(_SYSTEM.expect(rating, opponent))


def rate(first: Standing, second: Standing, score: float) -> tuple[float, float]:
    """Return both new ratings after a game in which ``first`` scored 1, 0.5 or 0 points, and ``second`` the rest."""
    return _after(first, second, score), _after(second, first, WIN - score)


def _after(player: Standing, opponent: Standing, score: float) -> float:
    return player.rating + k_factor(player) * float(_SYSTEM.adjust(player.rating, [(score, opponent.rating)]))
