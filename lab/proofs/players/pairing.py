# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of pairing: games needed to rank players, and the rules of Swiss pairing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from arena.pairing.information import informative_pairings
from arena.pairing.ladder import PairingRules, Seeker, draw
from arena.rating.bradley_terry import Fit, fit
from arena.rating.difference import score_of
from arena.rating.results import Results
from lab.proofs.ledger import Ledger
from tests.arena.pairing.swiss_events import tournament

PLAYERS = 24
SPREAD = 200.0
"""Standard deviation of the strengths, in points of Elo."""

SETS = 100
"""Of players."""

ROUNDS = 70
"""Times that all could have played two games, in rounds."""
LONG = 50
"""Likewise on the running ladder."""

ACCURACIES = (0.90, 0.92, 0.94)
ON_THE_LADDER = (0.88, 0.90, 0.92)

STEP = 0.05
"""Time between two looks of the running ladder."""
STALE = 0.5
"""Time for which its ratings are not computed anew."""

Pairs = list[tuple[int, int]]
Curve = NDArray[np.float64]
Way = Callable[["Company", list[int], int], Pairs]


@dataclass
class Company:
    """A set of players, their games, and their ratings."""

    seed: int
    first: list[int] = field(default_factory=list)
    second: list[int] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    live: list[tuple[float, int, int]] = field(default_factory=list)
    """Series in play, each with the time of its end."""
    untold: Pairs = field(default_factory=list)
    """Series that are over, but not part of the ratings yet."""
    free_since: list[float] = field(default_factory=lambda: [0.0] * PLAYERS)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.truth = np.random.default_rng(self.seed).normal(0, SPREAD, PLAYERS)
        self.found = self._fitted()

    def play(self, pair: tuple[int, int]) -> None:
        """Let two play two games."""
        for one, other in (pair, pair[::-1]):
            self.first.append(one)
            self.second.append(other)
            expected = score_of(self.truth[one] - self.truth[other])
            self.scores.append(float(self.chance.random() < expected))
        self.untold.append(pair)

    def rate(self) -> None:
        """Compute ratings from all that was played."""
        self.found = self._fitted()
        self.untold.clear()

    def _fitted(self) -> Fit:
        results = Results.of_games(
            np.array(self.first, int), np.array(self.second, int), np.array(self.scores, float), PLAYERS
        )
        return fit(results, PLAYERS, advantage=False)

    def right(self) -> float:
        """Return the share of pairs in the right order."""
        above = np.triu_indices(PLAYERS, 1)
        ratings, truth = self.found.ratings, self.truth
        return float(((ratings[:, None] - ratings) * (truth[:, None] - truth) > 0)[above].mean())


# ---------------------------------------------------------------- ways


def at_random(company: Company, free: list[int], number: int) -> Pairs:
    """Pair at random."""
    company.chance.shuffle(free)
    return list(zip(free[::2], free[1::2], strict=False))


def adjacent(company: Company, free: list[int], number: int) -> Pairs:
    """Pair neighbours by rating, every second time shifted by one place."""
    free.sort(key=lambda player: (-company.found.ratings[player], company.chance.random()))
    if number % 2:
        free = [*free[1:-1], free[0], free[-1]]
    return list(zip(free[::2], free[1::2], strict=False))


def cgos(company: Company, free: list[int], number: int) -> Pairs:
    """Shake the ratings as CGOS does: by 500 points, or 1.5 times the widest gap of players four apart."""
    order = sorted(company.found.ratings)
    shake = max(500, 1.5 * max(high - low for low, high in zip(order, order[4:], strict=False)))
    free.sort(key=lambda player: company.found.ratings[player] + company.chance.uniform(-shake, shake))
    return list(zip(free[::2], free[1::2], strict=False))


def in_rounds(company: Company, free: list[int], number: int) -> Pairs:
    """Pair the players whose games give most information, in a round that half of them play."""
    return informative_pairings(company.found.ratings, company.found.covariance, boards=PLAYERS // 4)


def as_the_ladder_does(company: Company, free: list[int], number: int) -> Pairs:
    """Pair the free players whose games give most information."""
    seekers = [Seeker(company.now - company.free_since[player], player in free) for player in range(PLAYERS)]
    live = [(one, other) for _, one, other in company.live]
    return draw(
        seekers,
        company.found.ratings,
        company.found.covariance,
        PairingRules(misordered=0.0),
        going_on=company.untold + live,
        playing=len(live),
    )


IN_USE: dict[str, Way] = {"at random": at_random, "neighbours by rating": adjacent, "as on CGOS": cgos}
OURS = "by information"


# ---------------------------------------------------------------- courses of events


def rounds(way: Way, seed: int, length: int) -> Curve:
    """Play rounds; return the share in the right order each time that all could have played two games, and when."""
    company = Company(seed)
    curve: list[tuple[float, float]] = []
    number = 0
    while len(curve) < length:
        for pair in way(company, list(range(PLAYERS)), number):
            company.play(pair)
        number += 1
        company.rate()
        if len(company.scores) >= (len(curve) + 1) * PLAYERS:
            curve.append((company.right(), number))
    return np.array(curve)


def running(way: Way, seed: int, length: int) -> Curve:
    """Let a ladder run; return the same."""
    company = Company(seed)
    curve: list[tuple[float, float]] = []
    number, rated = 0, 0.0
    while len(curve) < length:
        company.now += STEP
        for end in [each for each in company.live if each[0] <= company.now]:
            company.live.remove(end)
            company.play(end[1:])
            for player in end[1:]:
                company.free_since[player] = company.now
        count = len(company.scores) >= (len(curve) + 1) * PLAYERS
        if count or company.now - rated >= STALE:
            rated = company.now
            company.rate()
        if count:
            curve.append((company.right(), company.now))
        playing = {player for each in company.live for player in each[1:]}
        free = [player for player in range(PLAYERS) if player not in playing]
        if len(free) > 1:
            number += 1
            for one, other in way(company, free, number):
                company.live.append((company.now + company.chance.uniform(0.5, 1.5), one, other))
    return np.array(curve)


async def prove_pairing(ledger: Ledger) -> None:
    """Games needed to rank players, by method of pairing

    Pairing by information (``arena.pairing.information``) ranks players with fewer games than the common methods:
    random pairing, pairing neighbours by rating, and pairing neighbours by shaken ratings, as on CGOS. Simulated
    players with normally distributed strengths play series of two games; all methods compute ratings alike
    (``arena.rating.bradley_terry``). The figure is the number of games until a share of the pairs of players is in the
    right order, on average over many sets of players. In rounds, as in a tournament, all players play, but by
    information only half of them, and players whose games give little information wait. On the running ladder
    (``arena.pairing.ladder``) series have different lengths. The common methods pair every free player at once, and
    pairing by information lets some players wait. The elapsed time is therefore reported too; its unit is the mean
    length of a series.
    """
    ledger.note("players", f"{PLAYERS}, strengths spread by {SPREAD:g} points; {ledger.times(SETS):,} sets of them")
    _compare(ledger, "in rounds", rounds, IN_USE | {OURS: in_rounds}, ROUNDS, ACCURACIES)
    _compare(ledger, "on the ladder", running, IN_USE | {OURS: as_the_ladder_does}, LONG, ON_THE_LADDER)


def _compare(
    ledger: Ledger,
    where: str,
    course: Callable[[Way, int, int], Curve],
    ways: dict[str, Way],
    length: int,
    accuracies: tuple[float, ...],
) -> None:
    sets, length = ledger.times(SETS), ledger.times(length, 12)
    curves = {name: np.mean([course(way, seed, length) for seed in range(sets)], axis=0) for name, way in ways.items()}
    for wanted in accuracies:
        reached = {name: _reached(curve, wanted) for name, curve in curves.items()}
        for name, number in reached.items():
            ledger.note(
                f"{where}, {100 * wanted:.0f} % in order, {name}", _told(curves[name], number, course is running)
            )
        ours = reached.pop(OURS)
        if ledger.scale < 0.2:
            continue
        assert ours, f"{wanted} is not reached {where}"
        others = [number for number in reached.values() if number]
        assert all(ours < number for number in others), (where, wanted, reached)
        assert wanted < max(accuracies) or all(ours < 0.9 * number for number in others), (where, reached)
        if others:
            saved = f"{100 * (1 - ours / min(others)):.0f} % of the next best way's games"
            ledger.note(f"{where}, {100 * wanted:.0f} % in order, saved", saved)


def _reached(curve: Curve, wanted: float) -> int | None:
    """Return the time, in units of two games for every player, after which the share is reached permanently; None:
    never.
    """
    below = np.flatnonzero(curve[:, 0] < wanted)
    times = int(below[-1]) + 2 if len(below) else 1
    return times if times <= len(curve) else None


def _told(curve: Curve, number: int | None, timed: bool) -> str:
    if number is None:
        return "not reached"
    time = f" in a time of {curve[number - 1, 1]:.0f}" if timed else ""
    return f"{number * PLAYERS:,} games{time}"


# ---------------------------------------------------------------- Swiss pairing

TOURNAMENTS = 1_000


async def prove_swiss(ledger: Ledger) -> None:
    """Swiss pairing by FIDE's rules

    The pairing of a Swiss tournament never breaks an absolute rule of FIDE's Dutch system: each player has one pairing
    or bye in a round, no two players meet twice, no player has a second bye, and no player has one colour three times
    in a row or three times more often than the other, except top scorers in the last round. The proof pairs 64 players
    over 9 rounds, and odd and small numbers of players, round by round, with random results. Code that shares nothing
    with the pairing checks each round.
    """
    number = ledger.times(TOURNAMENTS)
    for seed in range(number):
        assert not (told := tournament(64, 9, seed)), (seed, told)
    ledger.note("tournaments of 64 players over 9 rounds", number)
    ledger.note("rounds without a breach", 9 * number)
    chance = Random(number)
    rounds = 0
    for seed in range(number):
        players = chance.randint(8, 63)
        rounds += (played := min(9, players // 2))
        assert not (told := tournament(players, played, seed)), (players, seed, told)
    ledger.note("tournaments of 8 to 63 players", number)
    ledger.note("their rounds without a breach", rounds)
