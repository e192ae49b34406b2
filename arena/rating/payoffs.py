# SPDX-License-Identifier: GPL-3.0-or-later
"""Points a game: the mean payoff of a player with its interval, for games in which a win may count more than one point.

Units are single games, or colour-swapped pairs of games, whose payoffs are added: the two games of a pair share an
opening, and perhaps dice, so they are not independent.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Self

from arena.rating.difference import NORMAL_95, wilson_of


@dataclass(slots=True)
class Payoffs:
    """Sums over the payoffs of a player in units of as many games as ``games``."""

    games: int = 1
    """Number of games of a unit: 1, or 2 for pairs."""
    count: int = 0
    """Number of units."""
    total: float = 0.0
    """Sum of the payoffs, in points."""
    squares: float = 0.0
    """Sum of the squares of the units' payoffs."""

    @classmethod
    def of(cls, payoffs: Iterable[float], games: int = 1) -> Self:
        """Return the sums over these units."""
        found = cls(games)
        for payoff in payoffs:
            found.add(payoff)
        return found

    def add(self, payoff: float) -> None:
        """Count a unit."""
        self.count += 1
        self.total += payoff
        self.squares += payoff * payoff

    @property
    def mean(self) -> float | None:
        """Points a game; None without games."""
        return self.total / (self.games * self.count) if self.count else None

    @property
    def variance(self) -> float:
        """The variance of a unit's payoff; 0 without units, or if all are equal up to rounding."""
        if not self.count:
            return 0.0
        mean = self.total / self.count
        # rounding can make a variance of 0 slightly negative
        found = max(0.0, self.squares / self.count - mean * mean)
        return 0.0 if found <= 1e-12 * max(1.0, mean * mean) else found

    def interval(self, stakes: float) -> tuple[float, float]:
        """Return the 95 % interval of ``mean``: mean ± 1.96·√(variance / number of units), divided by a unit's games.

        ``stakes``: the bound of the absolute payoff of a game, and so of the interval. If all units are equal, the
        sample variance is 0 and useless; then the interval is that of E. B. Wilson (1927), with the largest variance
        that the mean allows, as for a score. Without games: from -stakes to stakes.
        """
        if not self.count:
            return -stakes, stakes
        mean, variance = self.total / self.count, self.variance
        if variance == 0:
            low, high = wilson_of(min(1.0, max(0.0, 0.5 + mean / (2 * self.games * stakes))), self.count)
            return stakes * (2 * low - 1), stakes * (2 * high - 1)
        reach = NORMAL_95 * sqrt(variance / self.count)
        return max(-stakes, (mean - reach) / self.games), min(stakes, (mean + reach) / self.games)


def reduced_interval(plain: Payoffs, reduced: Payoffs, stakes: float) -> tuple[float, float]:
    """Return the 95 % interval of the mean of payoffs without luck; ``plain``: the same units with it.

    Where units with different payoffs are equal without luck, the estimate explains everything, so the interval is a
    point. If all units are equal with luck too, that is no evidence, and ``Payoffs.interval`` applies.
    """
    if plain.variance > 0 and reduced.variance == 0:
        mean = reduced.mean or 0.0
        return mean, mean
    return reduced.interval(stakes)


def variance_fallen(plain: Payoffs, reduced: Payoffs) -> float | None:
    """Return the share by which the variance of the units is lower without luck, negative if it is higher.

    None if the units do not differ.
    """
    return 1 - reduced.variance / plain.variance if plain.variance > 0 else None
