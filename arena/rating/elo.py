# SPDX-License-Identifier: GPL-3.0-or-later
"""The Elo rating system (A. E. Elo, The Rating of Chessplayers, Past and Present, 1978), by the ``elo`` package.

K bounds the rating change of one game. It falls with experience, as in the FIDE Rating Regulations (section 8.3.3).
Each player has their own K, so the winner gains the loser's loss only if both have the same K.
"""

from dataclasses import dataclass

from elo import WIN, Elo

from arena.rating.system import LAST_CHANGE, RatingSystem

INITIAL = 1500.0
"""The rating of a player without games."""

PROVISIONAL_GAMES = 30
"""Number of games from which a rating is no longer provisional."""

_ELO = Elo(rating_class=float, initial=INITIAL)


@dataclass(frozen=True, slots=True)
class EloRating:
    """A rating and the number of rated games that led to it."""

    rating: float = INITIAL
    games: int = 0

    @property
    def provisional(self) -> bool:
        """Whether the rating comes from few games."""
        return self.games < PROVISIONAL_GAMES


def k_factor(player: EloRating) -> int:
    """Return the points that the next game can move a rating by: 40 while provisional, then 20, and 10 from 2400 on."""
    if player.provisional:
        return 40
    return 20 if player.rating < 2400 else 10


def rate(first: EloRating, second: EloRating, score: float) -> tuple[float, float]:
    """Return both new ratings after a game in which ``first`` scored 1, 0.5 or 0 points, and ``second`` the rest."""
    return _after(first, second, score), _after(second, first, WIN - score)


def _after(player: EloRating, opponent: EloRating, score: float) -> float:
    return player.rating + k_factor(player) * float(_ELO.adjust(player.rating, [(score, opponent.rating)]))


SYSTEM = RatingSystem(
    name="elo",
    title="Elo",
    description=f"Ratings are updated after each match. “?” marks a rating from fewer than {PROVISIONAL_GAMES} games.",
    columns=(LAST_CHANGE,),
    rate=None,
)
