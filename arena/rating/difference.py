# SPDX-License-Identifier: GPL-3.0-or-later
"""What a match of two says of the difference of their strength: Elo points with a 95 % interval."""

from collections.abc import Sequence
from math import log10, sqrt
from statistics import NormalDist, fmean, pvariance

NORMAL_95 = 1.96
"""Standard deviations on each side of the mean that hold 95 % of a normal distribution."""


def difference(score: float) -> float | None:
    """Return how many Elo points stronger a player is that scores so much of 1: 400·log10(s / (1 - s)).

    None for 0 and 1, where it is unbounded.
    """
    return 400 * log10(score / (1 - score)) if 0 < score < 1 else None


def score_interval(pairs: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of a player's score, from its mean score (0 to 1) in each colour-swapped pair.

    Pairs are the unit because the two games of one are not independent: mean ± 1.96·√(var/N), the pentanomial interval,
    as a pair has five scores. Where all pairs are alike their variance tells nothing; then it is the score interval of
    E. B. Wilson (1927), which takes the largest variance that the mean allows. 0 to 1 without pairs.
    """
    if not pairs:
        return 0.0, 1.0
    number, mean, variance = len(pairs), fmean(pairs), pvariance(pairs)
    if variance:
        centre, reach = mean, NORMAL_95 * sqrt(variance / number)
    else:
        weight = NORMAL_95**2 / number
        centre = (mean + weight / 2) / (1 + weight)
        reach = NORMAL_95 / (1 + weight) * sqrt(mean * (1 - mean) / number + weight / (4 * number))
    return max(0.0, centre - reach), min(1.0, centre + reach)


def interval(pairs: Sequence[float]) -> tuple[float | None, float | None]:
    """Return ``score_interval`` as points of Elo; None where an end is unbounded, and at both ends without pairs."""
    low, high = score_interval(pairs)
    return difference(low), difference(high)


def superiority(pairs: Sequence[float]) -> float:
    """Return the likelihood of superiority, Φ((s - 1/2) / √(var/N)): how sure it is that the player is the stronger.

    Where all pairs are alike, and without any, it is 0, 1/2 or 1 as the score is below, at or above one half.
    """
    lead = fmean(pairs) - 0.5 if pairs else 0.0
    error = sqrt(pvariance(pairs) / len(pairs)) if pairs else 0.0
    if error == 0:
        return 0.5 if lead == 0 else float(lead > 0)
    return NormalDist().cdf(lead / error)


def pentanomial(pairs: Sequence[float]) -> tuple[int, int, int, int, int]:
    """Return how many pairs scored 0, 1/4, 1/2, 3/4 and 1: two losses, a loss and a draw, ..., two wins."""
    counts = [0] * 5
    for pair in pairs:
        counts[round(4 * pair)] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]
