# SPDX-License-Identifier: GPL-3.0-or-later
"""Games spent where they tell something

Pairing by information (``arena.pairing.information``) puts players in order with fewer games than the ways in use:
pairing at random, pairing neighbours by rating, and shaken neighbours as on CGOS. Simulated players, whose strengths
are drawn from a normal distribution, meet in rounds of two games each; all ways compute ratings alike after every round
(``arena.rating.bradley_terry``). In a round all play, or, by information, a half: who has nothing to tell waits, as on
the ladder. Measured are the games until, on average over many sets of players, so many of the pairs of players stand
in the right order.
"""

from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

from arena.pairing.information import meetings
from arena.pairing.ladder import Seeker, draw
from arena.rating.bradley_terry import Fit, fit
from arena.rating.results import Results
from tests.proofs.ledger import Ledger

PLAYERS = 24
SPREAD = 200.0
"""Standard deviation of the strengths, in points of Elo."""

SETS = 100
"""Of players."""

ROUNDS = 100
"""In which all play."""

ACCURACIES = (0.90, 0.92, 0.94)

Pairs = list[tuple[int, int]]
Way = Callable[[Fit, int, Random], Pairs]


def at_random(found: Fit, number: int, chance: Random) -> Pairs:
    """Let anybody meet anybody."""
    order = list(range(PLAYERS))
    chance.shuffle(order)
    return list(zip(order[::2], order[1::2], strict=True))


def adjacent(found: Fit, number: int, chance: Random) -> Pairs:
    """Let neighbours by rating meet, every second round those one place further on."""
    order = sorted(range(PLAYERS), key=lambda player: (-found.ratings[player], chance.random()))
    if number % 2:
        order = [*order[1:-1], order[0], order[-1]]
    return list(zip(order[::2], order[1::2], strict=True))


def cgos(found: Fit, number: int, chance: Random) -> Pairs:
    """Shake the ratings as CGOS does: by 500 points, or 1.5 times the widest gap of players four apart."""
    order = sorted(found.ratings)
    gap = max(high - low for low, high in zip(order, order[4:], strict=False))
    return draw(
        [Seeker(player, float(found.ratings[player])) for player in range(PLAYERS)], chance, max(500, 1.5 * gap)
    )


def by_information(found: Fit, number: int, chance: Random) -> Pairs:
    """Let those meet whose games tell most."""
    return meetings(found.ratings, found.covariance, boards=PLAYERS // 4)


WAYS: dict[str, Way] = {
    "at random": at_random,
    "neighbours by rating": adjacent,
    "as on CGOS": cgos,
    "by information": by_information,
}


async def prove(ledger: Ledger) -> None:
    """Rank sets of players in each way."""
    sets, rounds = ledger.times(SETS), ledger.times(ROUNDS, 12)
    curves = {
        name: np.mean([_accuracies(way, seed, rounds) for seed in range(sets)], axis=0) for name, way in WAYS.items()
    }
    ledger.note("players", f"{PLAYERS}, strengths spread by {SPREAD:g} points; {sets:,} sets of them")
    for wanted in ACCURACIES:
        games = {name: _games(curve, wanted) for name, curve in curves.items()}
        for name, number in games.items():
            ledger.note(f"{100 * wanted:.0f} % in order, {name}", f"{number:,} games" if number else "not reached")
        best = games.pop("by information")
        if ledger.scale >= 0.2:
            assert best, f"{wanted} is not reached"
            others = [number for number in games.values() if number]
            assert all(best < number for number in others), games
            assert wanted < max(ACCURACIES) or all(best < 0.9 * number for number in others), games
            if others:
                ledger.note(
                    f"{100 * wanted:.0f} % in order, saved",
                    f"{100 * (1 - best / min(others)):.0f} % of the next best way's games",
                )


def _accuracies(way: Way, seed: int, rounds: int) -> NDArray[np.float64]:
    """Return the share of pairs that stand in the right order each time that all could have played two games."""
    chance = Random(seed)
    truth = np.random.default_rng(seed).normal(0, SPREAD, PLAYERS)
    above = np.triu_indices(PLAYERS, 1)
    leads = (truth[:, None] - truth)[above]
    first: list[int] = []
    second: list[int] = []
    scores: list[float] = []
    shares: list[float] = []
    found = _fitted(first, second, scores)
    number = 0
    while len(shares) < rounds:
        for pair in way(found, number, chance):
            for one, other in (pair, pair[::-1]):
                first.append(one)
                second.append(other)
                scores.append(float(chance.random() < 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))))
        number += 1
        found = _fitted(first, second, scores)
        if len(scores) >= (len(shares) + 1) * PLAYERS:
            shares.append(((found.ratings[:, None] - found.ratings)[above] * leads > 0).mean())
    return np.array(shares)


def _fitted(first: list[int], second: list[int], scores: list[float]) -> Fit:
    results = Results.of_games(np.array(first, int), np.array(second, int), np.array(scores, float), PLAYERS)
    return fit(results, PLAYERS, advantage=False)


def _games(curve: NDArray[np.float64], wanted: float) -> int | None:
    """Return after how many games a share is reached for good; None: it is not."""
    below = np.flatnonzero(curve < wanted)
    rounds = int(below[-1]) + 2 if len(below) else 1
    return rounds * PLAYERS if rounds <= len(curve) else None
