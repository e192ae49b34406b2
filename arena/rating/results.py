# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of many games, counted by pair of players: the input of rating fits."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Numbers of wins, draws and losses by pair: arrays of equal length; players are numbers from 0."""

    first: Indices
    """The players that moved first."""
    second: Indices
    wins: Floats
    """Of the first."""
    draws: Floats
    losses: Floats

    @classmethod
    def of_games(cls, first: ArrayLike, second: ArrayLike, scores: ArrayLike, players: int) -> "Results":
        """Count single games, in each of which the first scored 1, 1/2 or 0."""
        met = np.asarray(first, dtype=np.int64) * players + np.asarray(second, dtype=np.int64)
        outcome = np.rint(2 * np.asarray(scores, dtype=np.float64)).astype(np.int64)
        counts = np.bincount(3 * met + outcome, minlength=3 * players**2).reshape(-1, 3)
        rows = np.flatnonzero(counts.any(axis=1))
        losses, draws, wins = counts[rows].T.astype(np.float64)
        return cls(rows // players, rows % players, wins, draws, losses)

    @property
    def games(self) -> Floats:
        """How many games each row counts."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> Floats:
        """The score of the first player in each row."""
        return self.wins + self.draws / 2

    def weighted(self, weights: Floats) -> "Results":
        """Return the results with the games of each row counted with its weight."""
        counted = (weights * counts for counts in (self.wins, self.draws, self.losses))
        return Results(self.first, self.second, *counted)

    def check(self, players: int) -> None:
        """Raises ValueError if a player number is out of range, a player is paired with itself, or a count is
        negative.
        """
        for numbers in (self.first, self.second):
            if len(numbers) and not 0 <= int(numbers.min()) <= int(numbers.max()) < players:
                raise ValueError(f"a result names a player that is not one of the {players} players")
        if (self.first == self.second).any():
            raise ValueError("a player cannot play against itself")
        if any((counts < 0).any() for counts in (self.wins, self.draws, self.losses)):
            raise ValueError("counts must not be negative")

    def groups(self, players: int) -> Indices:
        """Return for each player the least number of a player that games connect it with, directly or not."""
        least = np.arange(players)
        while True:
            before = least.copy()
            near = np.minimum(least[self.first], least[self.second])
            np.minimum.at(least, self.first, near)
            np.minimum.at(least, self.second, near)
            least = least[least]
            if (least == before).all():
                return least

    def table(self, players: int) -> tuple[Floats, Floats]:
        """Return two square matrices: the points that the row's player scored against the column's, and the games."""
        points, games = np.zeros((2, players, players))
        np.add.at(points, (self.first, self.second), self.points)
        np.add.at(points, (self.second, self.first), self.games - self.points)
        np.add.at(games, (self.first, self.second), self.games)
        return points, games + games.T


# ---------------------------------------------------------------- the weight of repeated games
#
# Repeated games between the same two bots say less about strength than games with other bots. The score between two
# bots depends on the difference of their strengths and on an effect of the pair: openings that one happens to know, a
# weakness that only the other exploits, deliberate losing. Let this effect be normally distributed with the standard
# deviation τ, in logarithms of odds. From n even games the difference of two strengths is then known to the variance
# 4/n + τ²: that of n / (1 + n·τ²/4) games without such an effect. This is the design effect of cluster sampling
# (L. Kish, Survey Sampling, 1965), with games clustered by pair: n games count as n / (1 + (n - 1)·ρ), and never for
# more than 1/ρ, where ρ = τ²/4 is the correlation between two games of a pair. A pair is two bots in all their
# versions, so that new versions begin no new pair.

CORRELATION = 0.01
"""ρ: the games of two bots count for 100 at most."""

EFFECT = 2 * sqrt(CORRELATION)
"""τ, in logarithms of odds: 35 points of Elo."""


def effective(games: Floats, correlation: float = CORRELATION) -> Floats:
    """Return the number of independent games that these games of one pair count for."""
    counted: Floats = games / (1 + np.maximum(games - 1, 0) * correlation)
    return counted


def repeat_weights(results: Results, bots: Indices, correlation: float = CORRELATION) -> Floats:
    """Return the weight of each game of a row, from 0 to 1; ``bots``: the bot number of each player (a version)."""
    if not len(results.first):
        return np.ones(0)
    one, other = bots[results.first], bots[results.second]
    _, pairs = np.unique(np.stack([np.minimum(one, other), np.maximum(one, other)]), axis=1, return_inverse=True)
    games: Floats = np.bincount(pairs.ravel(), results.games).astype(np.float64)
    shares: Floats = (effective(games, correlation) / np.maximum(games, 1))[pairs.ravel()]
    return shares
