# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches that a sequential test ends, drawn by lot, so many that compiled code must play them.

What the compiled code takes for the end of a match is held against ``arena.rating.sprt``: there the ratio has come to
a bound, and had not one unit before.
"""

from math import log, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.rating.difference import NORMALISED_UNIT
from arena.rating.sprt import REGULAR, Sprt, log_likelihood_ratio

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

EVERY = 64
"""Units at the beginning of a match after each of which the ratio is computed; later it is when it can have come to a
bound."""
STEEP = 4.0
"""No later unit changes the ratio more than so many times what it would if all but the mean were known."""


def play(sprt: Sprt, low: Floats, high: Floats, truth: Floats, matches: int, seed: int) -> tuple[dict[str, int], float]:
    """Play matches; return how many accepted what, and how many units they had on average.

    A unit is a game or a pair. ``low`` and ``high`` are the chances of its scores, the worst first, where elo0 and
    where elo1 is true, ``truth`` the chances that it is drawn by.
    """
    normalised = sprt.model == "normalized"
    games = 1 if len(truth) == 3 else 2
    hypotheses = [
        elo * sqrt(games) / NORMALISED_UNIT if normalised else 1 / (1 + 10 ** (-elo / 400))
        for elo in (sprt.elo0, sprt.elo1)
    ]
    steepest = STEEP * float(np.abs(np.log(high / low)).max())
    counts, last = _play(truth, normalised, hypotheses[0], hypotheses[1], *sprt.bounds, steepest, matches, seed)
    ratios = _ratios(sprt, counts)
    lower, upper = sprt.bounds
    h0, h1 = ratios <= lower, ratios >= upper
    assert (h0 | h1).all(), "a match is over"
    counts[np.arange(matches), last] -= 1
    before = _ratios(sprt, counts)
    assert ((before > lower) & (before < upper)).all(), "one that is over is not played on"
    return {"H0": int(h0.sum()), "H1": int(h1.sum())}, float(counts.sum() / matches + 1)


def _ratios(sprt: Sprt, counts: Counts) -> Floats:
    parts = np.array_split(counts, max(1, len(counts) // 2_000))
    return np.concatenate([log_likelihood_ratio(part, sprt.elo0, sprt.elo1, sprt.model) for part in parts])


@njit
def _play(truth, normalised, low, high, lower, upper, steepest, matches, seed):  # type: ignore[no-untyped-def]  # compiled
    """Return the counts of each match at its end, and which score came last."""
    np.random.seed(seed)
    kinds = len(truth)
    below = np.cumsum(truth)
    scores = np.linspace(0.0, 1.0, kinds)
    ends, last = np.zeros((matches, kinds), np.int64), np.zeros(matches, np.int64)
    share = np.empty(kinds)
    first, second = np.empty(kinds), np.empty(kinds)
    for match in range(matches):
        counts = ends[match]
        unit, look = 0, 1
        while True:
            unit += 1
            score = min(np.searchsorted(below, np.random.random(), side="right"), kinds - 1)
            counts[score] += 1
            if unit < look:
                continue
            total = 0.0
            for each in range(kinds):
                share[each] = float(counts[each]) or REGULAR
                total += share[each]
            share /= total
            _likeliest(share, scores, normalised, low, first)
            _likeliest(share, scores, normalised, high, second)
            ratio = 0.0
            for each in range(kinds):
                ratio += total * share[each] * log(second[each] / first[each])
            if ratio <= lower or ratio >= upper:
                last[match] = score
                break
            safe = int(min(ratio - lower, upper - ratio) / steepest) if unit >= EVERY else 0
            look = unit + max(1, safe)
    return ends, last


@njit
def _likeliest(share, scores, normalised, hypothesis, found):  # type: ignore[no-untyped-def]  # compiled
    """Write the likeliest distribution under a hypothesis to ``found``."""
    # always from the same beginning: near where a denominator is 0, an earlier x would be taken for the solution
    if not normalised:
        _tilt(share, scores - hypothesis, 0.0, found)
        return
    found[:] = 1 / len(share)
    x = 0.0
    for _ in range(50):
        mean = (found * scores).sum()
        deviation = sqrt((found * (scores - mean) ** 2).sum())
        values = scores - 0.5 - hypothesis / 2 * deviation * (1 + ((mean - scores) / deviation) ** 2)
        before = found.copy()
        x = _tilt(share, values, x, found)
        if np.abs(found - before).max() < 1e-10:
            break


@njit
def _tilt(share, values, x, found):  # type: ignore[no-untyped-def]  # compiled
    """Write p̂ᵢ / (1 + x·vᵢ) to ``found``, with the x for which its mean value is nothing; return that x."""
    low, high = -1 / values.max(), -1 / values.min()
    if not low < x < high:
        x = 0.0
    for _ in range(200):
        gap = slope = 0.0
        for each in range(len(share)):
            part = values[each] / (1 + x * values[each])
            gap += share[each] * part
            slope += share[each] * part * part
        if gap > 0:
            low = x
        else:
            high = x
        step = gap / slope
        if abs(step) <= 1e-12 * (1 + abs(x)):
            break
        newer = x + step
        x = newer if low < newer < high else (low + high) / 2
    found[:] = share / (1 + x * values)
    return x
