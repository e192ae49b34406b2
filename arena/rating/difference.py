# SPDX-License-Identifier: GPL-3.0-or-later
"""Elo differences: expected score by difference, and a difference with its interval from results.

The curve is the logistic one that federations and servers use (A. E. Elo, The Rating of Chessplayers, Past and Present,
1978): 400 points more are odds of ten to one.

Results are counts by score, the worst first: three for single games (lost, drawn, won), five for colour-swapped pairs
(0, 1/2, 1, 1 1/2 and 2 points). Pairs are the better unit: the two games of a pair share an opening, so they are not
independent.
"""

from collections.abc import Sequence
from math import log, log10, sqrt
from statistics import NormalDist
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Difference = TypeVar("Difference", float, NDArray[np.float64])

POINTS = 400 / log(10)
"""Points of a difference that makes the odds e to one."""


def score_of(difference: Difference) -> Difference:
    """Return the expected score, 0 to 1, of a player that is stronger by ``difference``: 1 / (1 + 10^(-d / 400))."""
    return 1 / (1 + 10 ** (-difference / 400))


def difference_of(score: float) -> float | None:
    """Return the Elo difference of a player with this score, 0 to 1: 400·log10(s / (1 - s)).

    None for 0 and 1, where it is unbounded.
    """
    return 400 * log10(score / (1 - score)) if 0 < score < 1 else None


NORMAL_95 = 1.96
"""Standard deviations on each side of the mean that hold 95 % of a normal distribution."""

NORMALISED_UNIT = 800 / log(10)
"""Points of normalised Elo for a lead of one standard deviation of a game's score."""


def wilson(hit: int, count: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (E. B. Wilson, 1927); 0 to 1 without observations."""
    return wilson_of(hit / count, count) if count else (0.0, 1.0)


def wilson_of(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share among ``count`` observations, at least 1."""
    weight = NORMAL_95**2 / count
    centre = (share + weight / 2) / (1 + weight)
    reach = NORMAL_95 / (1 + weight) * sqrt(share * (1 - share) / count + weight / (4 * count))
    # with no win the lower end is exactly 0; rounding must not turn it into a small positive score with a finite Elo
    return 0.0 if share == 0 else centre - reach, 1.0 if share == 1 else centre + reach


def moments(counts: Sequence[int]) -> tuple[int, float, float]:
    """Return the number of units counted, and the mean and the variance of their scores, from 0 to 1.

    Raises ValueError when nothing is counted.
    """
    number, best = sum(counts), len(counts) - 1
    if number == 0:
        raise ValueError("there are no games to compute a difference from")
    mean = sum(count * place for place, count in enumerate(counts)) / (best * number)
    variance = sum(count * (place / best - mean) ** 2 for place, count in enumerate(counts)) / number
    return number, mean, variance


def score_interval(counts: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % interval of a player's score: mean ± 1.96·√(variance / number).

    If all units are equal, the sample variance is 0 and useless; then the result is the score interval of E. B. Wilson
    (1927), with the largest variance that the mean allows. 0 to 1 without games.
    """
    if not any(counts):
        return 0.0, 1.0
    number, mean, variance = moments(counts)
    if not variance:
        return wilson_of(mean, number)
    reach = NORMAL_95 * sqrt(variance / number)
    return max(0.0, mean - reach), min(1.0, mean + reach)


def interval(counts: Sequence[int]) -> tuple[float | None, float | None]:
    """Return ``score_interval`` in Elo points; None for an unbounded end, None for both without games."""
    low, high = score_interval(counts)
    return difference_of(low), difference_of(high)


def superiority(counts: Sequence[int]) -> float:
    """Return the likelihood of superiority (LOS), Φ((s - 1/2) / √(var/N)): the probability that the player is stronger.

    If all units are equal, the variance is taken as 1/4, the largest between equal players: two wins do not prove
    superiority. 1/2 without games.
    """
    if not any(counts):
        return 0.5
    number, mean, variance = moments(counts)
    return NormalDist().cdf((mean - 0.5) / sqrt((variance or 0.25) / number))


def normal_share(difference: float, deviation: float) -> float:
    """Return the likelihood of superiority Φ(d / σ) from a difference and its standard deviation; 1/2 if both are 0."""
    if deviation == 0:
        return 0.5 if difference == 0 else float(difference > 0)
    return NormalDist().cdf(difference / deviation)


def normalised(counts: Sequence[int]) -> tuple[float, float] | None:
    """Return the difference in points of normalised Elo, and how far its 95 % interval reaches to each side.

    It is the lead over one half in standard deviations of a single game's score, which for pairs is √2 times that of a
    pair's, in units that make it about equal to Elo where half of the games are drawn (M. Van den Bergh, "Normalized
    Elo", 2020). How many games it takes to see a difference depends on it alone. None where all units are alike.
    """
    if not any(counts):
        return None
    number, mean, variance = moments(counts)
    if variance == 0:
        return None
    games_in_a_unit = 1 if len(counts) == 3 else 2
    lead = (mean - 0.5) / sqrt(games_in_a_unit * variance)
    return NORMALISED_UNIT * lead, NORMALISED_UNIT * NORMAL_95 / sqrt(games_in_a_unit * number)
