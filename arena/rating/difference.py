# SPDX-License-Identifier: GPL-3.0-or-later
"""What a match of two says of the difference of their strength: Elo points with a 95 % interval."""

from collections.abc import Sequence
from math import log10, sqrt
from statistics import fmean, pvariance

NORMAL_95 = 1.96
"""Standard deviations on each side of the mean that hold 95 % of a normal distribution."""


def difference(score: float) -> float | None:
    """Return how many Elo points stronger a player is that scores so much of 1: 400·log10(s / (1 - s)).

    None for 0 and 1, where it is unbounded.
    """
    return 400 * log10(score / (1 - score)) if 0 < score < 1 else None


def interval(pairs: Sequence[float]) -> tuple[float | None, float | None]:
    """Return the 95 % interval of the difference, from a player's mean score (0 to 1) in each colour-swapped pair.

    Pairs are the unit because the two games of one are not independent: mean ± 1.96·√(var/N), as points of Elo. Where
    all pairs are alike their variance tells nothing; then it is the score interval of E. B. Wilson (1927), which takes
    the largest variance that the mean allows. None where an end is unbounded, and at both ends without pairs.
    """
    if not pairs:
        return None, None
    number, mean, variance = len(pairs), fmean(pairs), pvariance(pairs)
    if variance:
        centre, reach = mean, NORMAL_95 * sqrt(variance / number)
    else:
        weight = NORMAL_95**2 / number
        centre = (mean + weight / 2) / (1 + weight)
        reach = NORMAL_95 / (1 + weight) * sqrt(mean * (1 - mean) / number + weight / (4 * number))
    return difference(centre - reach), difference(centre + reach)
