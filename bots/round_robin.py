# SPDX-License-Identifier: GPL-3.0-or-later
"""Round robins without a server: a series between each two bots, their standings, and the matrix of their payoffs."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

from msgspec.structs import replace

from arena.rating.difference import wilson_of
from arena.rating.payoffs import Payoffs
from bots.contest import AS_THE_MATCH_SAYS, Contest, EntrantTerms
from bots.series import Tally, number_of
from engine.games import counts_points, needs_own_play, stakes_of

MOST_BOTS = 100


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings."""

    place: int
    """The index of the bot among the entrants."""
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    """Mean score of a game, from 0 to 1."""
    score_interval: tuple[float, float]
    """Its 95 % interval."""
    points: float
    """Mean payoff of a game."""
    points_interval: tuple[float, float]
    """Its 95 % interval, from the pairs of games."""


@dataclass
class RoundRobin:
    """The pairings of a round robin, and their results. ``own_play``: each bot meets itself too."""

    contest: Contest
    """The settings of all series; its bots do not count."""
    bots: tuple[str, ...]
    own_play: bool
    tallies: dict[tuple[int, int], Tally] = field(default_factory=dict)
    """The results of each pairing, by the indices of its bots."""

    def __post_init__(self) -> None:
        """Check the bots. Raises ValueError, with a message for people."""
        if not 2 <= len(self.bots) <= MOST_BOTS:
            raise ValueError(f"a round robin has 2 to {MOST_BOTS} bots (got {len(self.bots)})")
        if twice := [name for name in self.bots if self.bots.count(name) > 1]:
            raise ValueError(f"{twice[0]} enters twice; each bot of a round robin enters once")

    def pairings(self) -> Iterator[tuple[tuple[int, int], Contest]]:
        """Yield the bots of each series, and its description; each has a seed of its own."""
        for pair in combinations_with_replacement(range(len(self.bots)), 2):
            first, second = pair
            if first != second:
                terms = AS_THE_MATCH_SAYS
            elif self.own_play:
                terms = EntrantTerms(name=f"{self.bots[second]} (2)")
            else:
                continue
            yield (
                pair,
                replace(
                    self.contest,
                    first=self.bots[first],
                    second=self.bots[second],
                    second_terms=terms,
                    seed=number_of(self.contest.seed, first, second),
                ),
            )

    def standings(self) -> list[Standing]:
        """Return the standings: by payoff in games that count points, else by score. Games with itself count once."""
        rows = sorted(map(self._standing, range(len(self.bots))), key=lambda row: row.place)
        by_points = counts_points(self.contest.game)
        return sorted(rows, key=lambda row: -(row.points if by_points else row.score))

    def payoffs(self) -> list[list[float | None]]:
        """Return the mean payoff of each bot against each; None where they did not meet.

        In games that count no points a payoff is the score, from 0 to 1.
        """
        return [
            [
                self._own_payoff(row) if row == column else self._payoff(self._tally(row, column))
                for column in range(len(self.bots))
            ]
            for row in range(len(self.bots))
        ]

    def fitness(self) -> list[list[float]]:
        """Return what population dynamics compare: mean payoffs in games that are not zero-sum, else mean scores.

        In zero-sum games a bot that does not meet itself has 1/2 there.
        """
        if needs_own_play(self.contest.game):
            return [[0.0 if cell is None else cell for cell in row] for row in self.payoffs()]
        return [
            [0.5 if row == column else self._score(row, column) for column in range(len(self.bots))]
            for row in range(len(self.bots))
        ]

    def _score(self, row: int, column: int) -> float:
        found = self._tally(row, column)
        score = None if found is None else found[0].score
        return 0.5 if found is None or score is None else 1 - score if found[1] else score

    def _payoff(self, found: tuple[Tally, bool] | None) -> float | None:
        if found is None:
            return None
        tally, second = found
        if not counts_points(self.contest.game):
            score = tally.score
            return None if score is None else 1 - score if second else score
        return (tally.second_payoffs if second else tally.payoffs).mean

    def _own_payoff(self, place: int) -> float | None:
        """Return the mean payoff of a bot against itself, over both seats."""
        tally = self.tallies.get((place, place))
        if tally is None or not tally.count:
            return None
        if not counts_points(self.contest.game):
            return 0.5
        return ((tally.payoffs.mean or 0.0) + (tally.second_payoffs.mean or 0.0)) / 2

    def _tally(self, row: int, column: int) -> tuple[Tally, bool] | None:
        """Return the results of a pairing, and whether the bot of the row is its second one."""
        tally = self.tallies.get((min(row, column), max(row, column)))
        return None if tally is None else (tally, row > column)

    def _standing(self, place: int) -> Standing:
        wins = draws = losses = 0
        points, pairs = Payoffs(), Payoffs(2)
        for other in range(len(self.bots)):
            found = self._tally(place, other)
            if found is None:
                continue
            tally, second = found
            won, lost = (tally.losses, tally.wins) if second else (tally.wins, tally.losses)
            wins, draws, losses = wins + won, draws + tally.draws, losses + lost
            for sums, own in (
                (points, tally.second_payoffs if second else tally.payoffs),
                (pairs, tally.second_pair_payoffs if second else tally.pair_payoffs),
            ):
                sums.count, sums.total, sums.squares = (
                    sums.count + own.count,
                    sums.total + own.total,
                    sums.squares + own.squares,
                )
        games = wins + draws + losses
        score = (wins + draws / 2) / games if games else 0.5
        units = pairs if pairs.count else points
        return Standing(
            place,
            games,
            wins,
            draws,
            losses,
            score,
            wilson_of(score, games) if games else (0.0, 1.0),
            points.mean or 0.0,
            units.interval(stakes_of(self.contest.game)),
        )
