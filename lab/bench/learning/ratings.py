# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of ratings and of Swiss pairing with many players.

Ratings are by Bradley-Terry with the covariance of all ratings; they are compared with choix in its own case.
"""

import json
import time
from collections.abc import Iterator
from random import Random

import numpy as np

from arena.pairing.swiss import pair
from arena.rating.bradley_terry import Fit, fit, rank_intervals
from arena.rating.difference import POINTS
from arena.rating.results import Results
from lab.bench import processes
from lab.bench.measurements import Measurement, Skipped, median
from tests.arena.pairing.swiss_events import Entered, play
from tests.arena.rating.worlds import World

PLAYERS, GAMES = 2_000, 1_000_000
FEW_PLAYERS, FEW_GAMES = 30, 20_000

_ALIKE = 2.0
"""Points by which our ratings and the peer's may differ: it has no prior."""


def fit_seconds(world: World, players: int) -> float:
    """Return how long it takes from single games to ratings with intervals."""
    began = time.perf_counter()
    results = Results.of_games(world.first, world.second, world.scores, players)
    assert np.isfinite(fit(results, players).intervals).all()
    return time.perf_counter() - began


def rank_seconds(found: Fit) -> float:
    """Return how long the intervals of all ranks take."""
    began = time.perf_counter()
    rank_intervals(found.ratings, found.covariance)
    return time.perf_counter() - began


def compared(games: list[tuple[int, int]], players: int) -> Fit:
    """Return the fit of comparisons, a winner and a loser each, as choix takes them."""
    winners, losers = np.array(games).T
    return fit(Results.of_games(winners, losers, np.ones(len(games)), players), players, advantage=False)


def compared_seconds(games: list[tuple[int, int]], players: int) -> float:
    """Return how long it takes to compare."""
    began = time.perf_counter()
    compared(games, players)
    return time.perf_counter() - began


def run_ratings() -> Iterator[Measurement]:
    """Time them."""
    world = World(PLAYERS, GAMES, seed=1)
    what = f"{GAMES:,} games of {PLAYERS:,} players"
    yield Measurement(
        what=f"Bradley-Terry with intervals: {what}",
        unit="s",
        ours=median(lambda: fit_seconds(world, PLAYERS), 3),
        target=2.0,
        of="figure",
        bound="at most",
    )
    found = fit(world.results, PLAYERS)
    yield Measurement(what=f"intervals of ranks: {what}", unit="s", ours=median(lambda: rank_seconds(found), 3))
    few = World(FEW_PLAYERS, FEW_GAMES, seed=2, draw_rate=1e-9, advantage=0)
    won = few.scores == 1
    games = list(
        zip(np.where(won, few.first, few.second).tolist(), np.where(won, few.second, few.first).tolist(), strict=True)
    )
    ours = median(lambda: compared_seconds(games, FEW_PLAYERS))
    try:
        told, _ = processes.timed(
            [str(processes.python()), str(processes.PEER_PACKAGES), "choix", str(FEW_PLAYERS)], json.dumps(games)
        )
        peer = json.loads(told)
    except Skipped as reason:
        yield Measurement(what="Bradley-Terry, choix's case", unit="1/s", ours=1 / ours, note=str(reason))
        return
    own = compared(games, FEW_PLAYERS).ratings
    for name, figures in peer["estimators"].items():
        theirs = POINTS * np.array(figures["strengths"])
        apart = np.abs(own - own.mean() - theirs + theirs.mean()).max()
        assert apart < _ALIKE, f"we and choix's {name} differ by {apart:.1f} points"
        yield Measurement(
            what=f"Bradley-Terry: {FEW_GAMES:,} games of {FEW_PLAYERS} players",
            unit="1/s",
            ours=1 / ours,
            peer=1 / figures["seconds"],
            peer_name=f"choix {peer['version']}, {name}",
            target=100.0 if name == "opt_pairwise" else None,
            note=f"{1000 * ours:.2g} ms and {1000 * figures['seconds']:,.0f} ms",
        )


# ---------------------------------------------------------------- Swiss pairing

SWISS_PLAYERS = 1_000
ROUNDS = 9


def slowest() -> float:
    """Return the seconds of the slowest of the rounds."""
    chance, players = Random(1), [Entered(number) for number in range(SWISS_PLAYERS)]
    spent = []
    for _ in range(ROUNDS):
        contenders = [each.contender for each in players]
        began = time.perf_counter()
        found = pair(contenders)
        spent.append(time.perf_counter() - began)
        play(players, found, chance)
    return max(spent)


def run_swiss() -> Iterator[Measurement]:
    """Time it."""
    what = f"the slowest of {ROUNDS} Swiss rounds of {SWISS_PLAYERS:,} players"
    yield Measurement(what=what, unit="s", ours=slowest(), target=5.0, of="figure", bound="at most")


BENCHMARKS = {"swiss": run_swiss, "ratings": run_ratings}
