# SPDX-License-Identifier: GPL-3.0-or-later
"""Ladder: pairings by their information about the order, until the order is certain enough."""

from collections.abc import Sequence, Set
from typing import Annotated

import numpy as np
from msgspec import Meta

from arena.pairing import information
from arena.rating.bradley_terry import Fit, fit
from arena.rating.results import Results
from arena.tournaments.machine.course import Course, End, Over
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.format import Format
from arena.tournaments.machine.invalid import InvalidSetting


class Ladder(Format, frozen=True):
    """Each round plays the pairings that are expected to tell most about the ranking, until it is certain enough.

    By default half of the players play in a round, and the least informative ones wait.
    """

    misordered: Annotated[
        float, Meta(description="expected share of misordered pairs at which the tournament ends")
    ] = 0.02
    pairings: Annotated[int, Meta(description="maximum number of pairings in total")] = 10_000
    boards: Annotated[int, Meta(description="maximum number of pairings in a round; 0: a quarter of the players")] = 0
    least = 3
    most = 200  # a round compares every player with every other
    tie_breaks = ("rating",)
    ranked_by_points = False

    @property
    def description(self) -> str:
        """The format, for people."""
        return "ladder (most informative pairings)"

    def check(self, players: int, games: int) -> None:
        """Raise ValueError if the tournament is impossible."""
        super().check(players, games)
        if not 0 < self.misordered < 0.5:
            raise InvalidSetting(
                "format.misordered", f"the share of misordered pairs lies between 0 and 0.5, not {self.misordered:g}"
            )
        if self.pairings < 1:
            raise InvalidSetting("format.pairings", f"a ladder has at least one pairing, not {self.pairings}")
        if self.boards < 0:
            raise InvalidSetting("format.boards", f"the number of boards must not be negative (got {self.boards})")

    def games_planned(self, course: Course) -> int:
        """Return the maximum number of games."""
        return self.pairings * course.config.games

    def next_round(self, course: Course) -> tuple[Pairing, ...]:
        """Pair the players whose games give the most information now. Raises Over."""
        found = fitted(course)
        share = information.misordered_share(found.ratings, found.covariance)
        if course.rounds and share <= self.misordered:
            raise Over(End.CERTAIN.format(f"{100 * share:.1f}"))
        left = self.pairings - sum(len(bouts) for bouts in course.rounds)
        if left <= 0:
            raise Over(End.PAIRINGS)
        chosen = information.informative_pairings(
            found.ratings,
            found.covariance,
            boards=min(left, self.boards or max(1, course.players // 4)),
            games=course.config.games,
            draws=found.draw_rate,
            absent=course.withdrawn.keys(),
        )
        if not chosen:
            raise Over(End.FEW)
        seen = [bout.players for bout in course.bouts]
        # if two games a pairing balance the colours, prefer as first the player that moved first less often
        return tuple(
            Pairing(other, one) if seen.count((one, other)) > seen.count((other, one)) else Pairing(one, other)
            for one, other in chosen
        )

    def tie_break_columns(
        self, course: Course, points: Sequence[float], wins: Sequence[int], annulled: Set[int]
    ) -> tuple[Sequence[float], ...]:
        """Return the most likely rating of each entry, in points of Elo around 1500."""
        return ([float(rating) for rating in fitted(course).ratings],)

    def misordered_share(self, course: Course) -> float:
        """Return the expected share of misordered pairs of players."""
        found = fitted(course)
        return information.misordered_share(found.ratings, found.covariance)


FORMAT = Ladder


def fitted(course: Course) -> Fit:
    """Return the ratings that explain the games so far."""
    first, second, scores = [], [], []
    for bout in course.bouts:
        for number, game in bout.games.items():
            if game.match is not None:
                one, other = bout.seats(number)
                first.append(one)
                second.append(other)
                scores.append(game.scores[0] if number % 2 else game.scores[1])
    results = Results.of_games(np.array(first, int), np.array(second, int), np.array(scores, float), course.players)
    return fit(results, course.players)
