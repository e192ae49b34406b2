# SPDX-License-Identifier: GPL-3.0-or-later
"""The score of a series of matches, seen by its first entrant."""

from collections import Counter
from dataclasses import dataclass, field

from arena.rating.difference import difference, interval, pentanomial, score_interval, superiority
from bots.series import Played
from engine.match import FORFEITS, Termination


@dataclass(frozen=True, slots=True)
class Fault:
    """A match that was lost by a bot's fault: its number, whether the first entrant's, and why."""

    number: int
    own: bool
    termination: Termination
    detail: str


@dataclass
class Tally:
    """Counts matches as they are played."""

    scores: list[float] = field(default_factory=list)
    """Of each match: 1, 0.5 or 0."""
    terminations: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def add(self, played: Played) -> None:
        """Count a match. Raises ValueError for one that has no score."""
        ending = played.match.ending
        if ending is None or ending.scores is None:
            raise ValueError("a match without a result does not count")
        score = ending.scores[played.seat]
        self.scores.append(score)
        self.terminations[ending.termination] += 1
        if ending.termination in FORFEITS:
            self.faults.append(Fault(played.number, score == 0, ending.termination, ending.detail))

    @property
    def wins(self) -> int:
        """Matches that the first entrant won."""
        return self.scores.count(1)

    @property
    def draws(self) -> int:
        """Matches that nobody won."""
        return self.scores.count(0.5)

    @property
    def losses(self) -> int:
        """Matches that the first entrant lost."""
        return self.scores.count(0)

    @property
    def score(self) -> float | None:
        """The first entrant's mean score; None before the first match."""
        return sum(self.scores) / len(self.scores) if self.scores else None

    @property
    def elo(self) -> float | None:
        """Elo points by which the first entrant is stronger, going by the score; None where that is unbounded."""
        return None if self.score is None else difference(self.score)

    @property
    def pairs(self) -> list[float]:
        """The first entrant's mean score (0 to 1) in each whole pair of matches."""
        return [sum(pair) / 2 for pair in zip(self.scores[::2], self.scores[1::2], strict=False)]

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """How many pairs scored 0, 1/4, 1/2, 3/4 and 1."""
        return pentanomial(self.pairs)

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95 % interval of ``score``, from the whole pairs."""
        return score_interval(self.pairs)

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """The 95 % interval of ``elo``, likewise."""
        return interval(self.pairs)

    @property
    def superiority(self) -> float:
        """How sure it is, from 0 to 1, that the first entrant is the stronger, likewise."""
        return superiority(self.pairs)
