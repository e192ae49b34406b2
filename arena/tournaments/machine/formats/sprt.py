# SPDX-License-Identifier: GPL-3.0-or-later
"""A match of two players that a sequential probability ratio test ends."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta

from arena.rating.sprt import Floats, Model, Sprt, SprtState
from arena.tournaments.machine.course import Course, End, Over
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.format import Format
from arena.tournaments.machine.invalid import InvalidSetting, invalid


class SprtMatch(Format, frozen=True, tag="sprt"):
    """Two players play colour-swapped pairs of matches until a sequential test (SPRT) accepts a hypothesis."""

    elo0: Annotated[float, Meta(description="Elo difference of the null hypothesis, H0")]
    elo1: Annotated[float, Meta(description="Elo difference of the alternative, H1")]
    alpha: Annotated[float, Meta(description="probability of accepting H1 although H0 is true")] = 0.05
    beta: Annotated[float, Meta(description="probability of accepting H0 although H1 is true")] = 0.05
    model: Annotated[Model, Meta(description="unit of both differences")] = "normalized"
    pairs: Annotated[int, Meta(description="maximum number of pairs of matches")] = 20_000
    batch: Annotated[int, Meta(description="number of pairs of matches in a round")] = 2
    most = 2
    overview = None
    heading = "Sequential test (SPRT)"
    together: ClassVar[dict[str, tuple[str, ...]]] = {"sprt": ("elo0", "elo1", "alpha", "beta", "model")}

    @property
    def description(self) -> str:
        """The format, for people."""
        return f"sequential probability ratio test, {self.elo0:g} against {self.elo1:g} Elo"

    @property
    def sprt(self) -> Sprt:
        """The sequential test. Raises ValueError if the numbers are not valid for a test."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta, self.model)

    def check(self, players: int, games: int) -> None:
        """Raise ValueError if the tournament is impossible."""
        super().check(players, games)
        with invalid("format.alpha" if self.elo0 < self.elo1 else "format.elo1"):
            _ = self.sprt
        if games != 2:
            raise InvalidSetting("games", f"a sequential test counts pairs of games; games must be 2, not {games}")
        if self.pairs < 1:
            raise InvalidSetting("format.pairs", f"a sequential test plays at least one pair, not {self.pairs}")
        if not 1 <= self.batch <= 1000:
            raise InvalidSetting("format.batch", f"a round of a sequential test has 1 to 1000 pairs, not {self.batch}")

    def games_planned(self, course: Course) -> int:
        """Return the maximum number of games."""
        return self.pairs * course.config.games

    def next_round(self, course: Course) -> tuple[Pairing, ...]:
        """Continue unless the test has accepted a hypothesis. Raises Over."""
        state = self.test(course)
        if state.accepted:
            raise Over(End[state.accepted])
        if course.withdrawn:
            raise Over(End.WITHDRAWN)
        left = self.pairs - sum(len(bouts) for bouts in course.rounds)
        if left <= 0:
            raise Over(End.PAIRS)
        return (Pairing(0, 1),) * min(self.batch, left)

    def test(self, course: Course) -> SprtState:
        """Return the test's state; it evaluates each pair in order, and a decision is final."""
        return self.sprt.run(_pairs(course))

    def ratios(self, course: Course) -> Floats:
        """Return the log-likelihood ratio after each pair, up to the one that decided the test."""
        return self.sprt.ratios(_pairs(course))


FORMAT = SprtMatch


def _pairs(course: Course) -> Iterator[int]:
    """Yield the first player's score of each pair of which both games were played, in half points."""
    for bout in course.bouts:
        pair = bout.pair(0)
        if pair is not None:
            yield round(2 * sum(game.scores[0] for game in pair))
