# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of the error rates of rating intervals and sequential tests, by simulated games.

Compiled code plays the matches of sequential tests, because a simulation needs many. The end of each simulated match is
checked against ``arena.rating.sprt``: at the end the ratio has reached a bound, and one unit earlier it has not.
"""

import asyncio
from math import log, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.rating.bradley_terry import DAVIDSON, RAO_KUPPER, DrawModel, fit, rank_intervals
from arena.rating.difference import NORMALISED_UNIT, score_of
from arena.rating.sprt import REGULAR, Model, Sprt, log_likelihood_ratio
from lab.proofs.ledger import Ledger
from tests.arena.rating.worlds import World

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

EVERY = 64
"""Units at the beginning of a match after each of which the ratio is computed; later it is when it can have come to a
bound."""
STEEP = 4.0
"""No later unit changes the ratio by more than this multiple of its change with everything but the mean known."""


def simulate(
    sprt: Sprt, low: Floats, high: Floats, truth: Floats, matches: int, seed: int
) -> tuple[dict[str, int], float]:
    """Play matches; return the numbers of matches that accepted each hypothesis, and the mean number of units.

    A unit is a game or a pair. ``low`` and ``high`` are the chances of its scores, the worst first, where elo0 and
    where elo1 is true, ``truth`` the chances that it is drawn by.
    """
    normalised = sprt.model == "normalized"
    games = 1 if len(truth) == 3 else 2
    hypotheses = [
        elo * sqrt(games) / NORMALISED_UNIT if normalised else score_of(elo) for elo in (sprt.elo0, sprt.elo1)
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


# ---------------------------------------------------------------- the proof

WORLDS = 400
SHAPES = ((8, 400), (20, 1_500), (100, 6_000))
"""Players and games of a world."""

LONG, SHORT = 40_000, 200_000
"""Matches where the hypotheses are close to each other, and where they are far apart and matches are short."""
ALPHA, BETA = 0.05, 0.1
HYPOTHESES: tuple[tuple[Model, float, float, int], ...] = (
    ("logistic", 0, 15, LONG),
    ("normalized", -15, 10, LONG),
    ("logistic", 0, 90, SHORT),
    ("normalized", -50, 50, SHORT),
)
"""Of long matches and of short ones; short proofs have the short ones alone."""


async def prove_ratings(ledger: Ledger) -> None:
    """Error rates of rating intervals and sequential tests

    In simulated games of players with known strengths, the 95 % intervals of Bradley-Terry ratings contain the true
    ratings 93 to 97 % of the time, for both models of draws and for few players or many. Intervals of ranks contain the
    true ranks at least as often; they may do so more often, as ranks are whole numbers. A match that ends by a
    sequential test accepts the wrong hypothesis no more often than configured: 5 % of the time if elo0 is true, and 10
    % if elo1 is, within twice the standard error of the number of matches. This holds for single games and for
    colour-swapped pairs whose two games depend on each other, in logistic and in normalised Elo, in long matches and in
    short ones. (Wald's bounds are exact for a ratio that ends exactly on them. It ends beyond them, which makes errors
    rarer. The spread of scores is estimated, which makes errors slightly more frequent.)
    """
    await asyncio.to_thread(_intervals, ledger)
    await asyncio.to_thread(_tests, ledger)


# ---------------------------------------------------------------- intervals


def _intervals(ledger: Ledger) -> None:
    models: dict[str, DrawModel] = {"Davidson": DAVIDSON, "Rao-Kupper": RAO_KUPPER}
    for players, games in SHAPES:
        for name, model in models.items():
            rated: list[bool] = []
            ranked: list[bool] = []
            worlds = ledger.times(WORLDS, least=max(4, 400 // players))
            for seed in range(worlds):
                world = World(players, games, seed=seed, model=model)
                found = fit(world.results, players, draw_model=model)
                low, high = found.intervals.T - 1500
                rated += list((low <= world.strengths) & (world.strengths <= high))
                best, worst = rank_intervals(found.ratings, found.covariance, seed=seed).T
                ranked += list((best <= world.ranks) & (world.ranks <= worst))
            what = f"{players} players, {games:,} games, draws by {name}"
            covered = float(np.mean(rated))
            ledger.note(f"{what}: true ratings within their intervals", f"{covered:.1%} of {len(rated):,}")
            ledger.note(f"{what}: true ranks within theirs", f"{np.mean(ranked):.1%}")
            slack = 3 * sqrt(0.95 * 0.05 / len(rated)) if ledger.scale < 1 else 0.0
            assert 0.93 - slack <= covered <= 0.97 + slack, (what, covered)
            assert np.mean(ranked) >= 0.93 - slack, what


# ---------------------------------------------------------------- sequential tests


def _tests(ledger: Ledger) -> None:
    for model, elo0, elo1, full in HYPOTHESES if ledger.scale == 1 else HYPOTHESES[2:]:
        matches = ledger.times(full, least=200)
        sprt = Sprt(elo0, elo1, ALPHA, BETA, model)
        for units in ("single games", "pairs"):
            low, high = (_chances(elo, model, pairs=units == "pairs") for elo in (elo0, elo1))
            for truth, chances, told, bound in ((elo0, low, "H1", ALPHA), (elo1, high, "H0", BETA)):
                outcomes, length = simulate(sprt, low, high, chances, matches, seed=round(1000 + truth))
                wrong = outcomes[told] / matches
                ledger.note(
                    f"{sprt} by {units}, truth {truth:g}: wrong hypothesis accepted",
                    f"{wrong:.2%} of {matches:,} matches, of {length:,.0f} {units} on average",
                )
                slack = (2 if ledger.scale == 1 else 3) * sqrt(bound * (1 - bound) / matches)
                assert wrong <= bound + slack, (sprt, units, truth, wrong)


def _chances(elo: float, model: Model, *, pairs: bool) -> Floats:
    """Return how likely each score is where a strength is the true one.

    Pairs come from openings that favour one side, now more, now less, so their two games depend on each other.
    """
    low, high = -2.0, 2.0
    for _ in range(100):
        middle = (low + high) / 2
        chances = _of_lead(middle, pairs=pairs)
        scores = np.linspace(0, 1, len(chances))
        mean = float(chances @ scores)
        if model == "logistic":
            reached = mean >= score_of(elo)
        else:
            deviation = sqrt((2 if pairs else 1) * float(chances @ (scores - mean) ** 2))
            reached = NORMALISED_UNIT * (mean - 0.5) / deviation >= elo
        low, high = (low, middle) if reached else (middle, high)
    return _of_lead(low, pairs=pairs)


def _of_lead(lead: float, *, pairs: bool) -> Floats:
    """Return the probabilities of the scores of a game, or of a pair, for a player with this lead."""
    if not pairs:
        return _game(lead)
    # the two games of a pair, with swapped colours, are equally biased, each the other way
    openings = [np.convolve(_game(lead + bias), _game(lead - bias)) for bias in (0.2, 0.8, 1.6)]
    chances: Floats = np.mean(openings, axis=0)
    return chances


def _game(lead: float) -> Floats:
    """Return the probabilities of loss, draw and win of a player with this lead, in log-odds."""
    c = log(3.0)
    won, lost = 1 / (1 + np.exp(c - lead)), 1 / (1 + np.exp(c + lead))
    return np.array([lost, 1 - won - lost, won])
