# SPDX-License-Identifier: GPL-3.0-or-later
"""Test whether a claimed score is plausible, given the same player's score in verification games.

Both are mean scores of pairs of games from random openings, so of independent numbers from 0 to 1 with one unknown
expectation p. By Chernoff's bound (W. Hoeffding, 1963, theorem 1) n such numbers have a mean of x or more with a
probability of at most exp(-n KL(x, p)), where x > p and KL(x, p) = x ln(x/p) + (1 - x) ln((1 - x)/(1 - p)); the same
bound holds for a mean of y or less, where y < p. So for claim and trial each, n KL is at most an exponential variable
of mean 1 in distribution, and their sum s has P(sum >= s) <= (1 + s) exp(-s), for every p; the p that fits both best
gives the least s. The test assumes no normal distribution, and any number of games is allowed.

The best of many members is not a random member: its score is partly luck. So the likelihood is multiplied by the number
of members (C. Bonferroni), and by the number of interim looks of a trial in portions.
"""

from math import exp, log
from typing import Literal

Verdict = Literal["confirmed", "doubtful", "refuted"]

PORTION, PORTIONS = 8, 12
"""Pairs of games between two looks at a trial, and how many portions there are at most."""
CLAIMED = 200
"""Pairs that a claim may weigh at most: those of a long life repeat openings."""
REFUTED = 1e-4
"""A likelihood at which a claim is held to be false."""
DOUBTFUL = 0.05
"""One at which it is not taken over."""


def divergence(x: float, p: float) -> float:
    """Return KL(x, p) of two scores from 0 to 1."""
    found = 0.0
    for one, other in ((x, p), (1 - x, 1 - p)):
        if one > 0:
            found += one * log(one / other) if other > 0 else float("inf")
    return found


def likelihood(claimed: float, pairs: int, tried: float, tried_pairs: int, *, members: int = 1) -> float:
    """Return a bound on the probability that the claim of the best of this many members exceeds the trial by this much.

    ``claimed``, ``tried``: mean scores from 0 to 1 of so many pairs. 1 where the trial is no worse than the claim.
    """
    if claimed <= tried or not pairs or not tried_pairs:
        return 1.0
    weight = min(pairs, CLAIMED)
    # the sum of both is convex in p, and least where p is the mean of all
    common = (weight * claimed + tried_pairs * tried) / (weight + tried_pairs)
    strength = weight * divergence(claimed, common) + tried_pairs * divergence(tried, common)
    return min(1.0, members * PORTIONS * (1 + strength) * exp(-strength))


def verdict(chance: float) -> Verdict:
    """Return the verdict on a claim from its likelihood."""
    if chance < REFUTED:
        return "refuted"
    return "doubtful" if chance < DOUBTFUL else "confirmed"


def decided(chance: float, tried_pairs: int) -> bool:
    """Return whether a trial may end: the claim is refuted or holds, or so many games are enough."""
    return verdict(chance) != "doubtful" or tried_pairs >= PORTION * PORTIONS
