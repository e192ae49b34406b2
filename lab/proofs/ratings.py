# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings and sequential tests keep their word

In games drawn by lot from known strengths, the 95 % intervals of ratings by Bradley-Terry cover the true ratings 93 to
97 % of the time, for both models of draws and for few players or many. Intervals of ranks cover the true ranks at least
as often; they may do so more often, as ranks are whole numbers. A match that ends by a sequential test accepts the
wrong hypothesis no more often than it was told it may, 5 % where elo0 is true and 10 % where elo1 is, to twice the
standard error of so many matches: over single games and over colour-swapped pairs whose two games depend on each
other, in logistic and in normalised Elo, in long matches and in short ones. (Wald's bounds are exact for a ratio that
ends on them. It ends beyond them, which makes errors rarer; that how scores are spread is not known, but estimated,
makes them more frequent, by less.)
"""

import asyncio
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from arena.rating.bradley_terry import fit
from arena.rating.difference import NORMALISED_UNIT
from arena.rating.draws import DAVIDSON, RAO_KUPPER, DrawModel
from arena.rating.ranks import rank_intervals
from arena.rating.sprt import Model, Sprt
from lab.proofs import sequential
from lab.proofs.ledger import Ledger
from tests.arena.rating.worlds import World

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

Floats = NDArray[np.float64]


async def prove(ledger: Ledger) -> None:
    """Draw worlds and matches by lot."""
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
                outcomes, length = sequential.play(sprt, low, high, chances, matches, seed=round(1000 + truth))
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
            reached = mean >= 1 / (1 + 10 ** (-elo / 400))
        else:
            deviation = sqrt((2 if pairs else 1) * float(chances @ (scores - mean) ** 2))
            reached = NORMALISED_UNIT * (mean - 0.5) / deviation >= elo
        low, high = (low, middle) if reached else (middle, high)
    return _of_lead(low, pairs=pairs)


def _of_lead(lead: float, *, pairs: bool) -> Floats:
    """Return the chances of the scores of a game, or of a pair, for a player that is so far ahead."""
    if not pairs:
        return _game(lead)
    # the two games of a pair, with swapped colours, are equally biased, each the other way
    openings = [np.convolve(_game(lead + bias), _game(lead - bias)) for bias in (0.2, 0.8, 1.6)]
    chances: Floats = np.mean(openings, axis=0)
    return chances


def _game(lead: float) -> Floats:
    """Return the chances to lose, draw and win of who leads by so much, in logarithms of odds."""
    c = log(3.0)
    won, lost = 1 / (1 + np.exp(c - lead)), 1 / (1 + np.exp(c + lead))
    return np.array([lost, 1 - won - lost, won])
